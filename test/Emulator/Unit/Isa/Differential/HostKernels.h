//===- HostKernels.h - The kernels compiled for the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of kernels with their host twins, filled by static constructors of the .cpp files that
// include a kernel source.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_HOSTKERNELS_H
#define CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_HOSTKERNELS_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

using Half = _Float16;
using U8 = uint8_t;
using U16 = uint16_t;
using U32 = uint32_t;
using U64 = unsigned long;
using I8 = int8_t;
using I16 = int16_t;
using I32 = int32_t;
using I64 = long;

/// Type of an operand or result, and how many of them are packed.
struct ValueKind {
  unsigned bytes; ///< of one element
  bool isFloat;
  unsigned elements;
};

template <typename T>
constexpr ValueKind kindOfScalar() {
  return {sizeof(T), !std::is_integral_v<T>, 1};
}
template <typename T>
struct KindOf {
  static constexpr ValueKind value = kindOfScalar<T>();
};
template <typename E>
using Pair = E __attribute__((ext_vector_type(2)));
template <>
struct KindOf<Pair<Half>> {
  static constexpr ValueKind value = {2, true, 2};
};
template <>
struct KindOf<Pair<float>> {
  static constexpr ValueKind value = {4, true, 2};
};
template <>
struct KindOf<Pair<I16>> {
  static constexpr ValueKind value = {2, false, 2};
};
template <typename T>
constexpr ValueKind kindOf = KindOf<T>::value;

/// Computes `count` results.
using HostFunction = void (*)(unsigned count, void *out, const void *a, const void *b);

struct HostKernel {
  const char *file; ///< the source, without its suffix
  const char *name;
  HostFunction run;
  ValueKind operand, result;
  HostKernel(const char *file, const char *name, HostFunction run, ValueKind operand,
             ValueKind result)
      : file(file), name(name), run(run), operand(operand), result(result) {
    list().push_back(this);
  }
  static std::vector<const HostKernel *> &list() {
    static std::vector<const HostKernel *> kernels;
    return kernels;
  }
};

template <typename T, typename R, R (*fn)(T, T)>
void elementwise(unsigned count, void *out, const void *a, const void *b) {
  for (unsigned i = 0; i < count; ++i)
    static_cast<R *>(out)[i] = fn(static_cast<const T *>(a)[i], static_cast<const T *>(b)[i]);
}

#endif // CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_HOSTKERNELS_H
