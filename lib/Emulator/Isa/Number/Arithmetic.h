//===- Arithmetic.h - One-line functions of numbers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What vector, packed, scalar and atomic instructions compute alike, of integers and of floats.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_NUMBER_ARITHMETIC_H
#define CK_MLIR_LIB_EMULATOR_ISA_NUMBER_ARITHMETIC_H

#include "Emulator/Isa/Number/Numeric.h"

namespace ckemu {

template <typename T>
inline T add(T a, T b) {
  return static_cast<T>(a + b);
}
template <typename T>
inline T subtract(T a, T b) {
  return static_cast<T>(a - b);
}
template <typename T>
inline T subtractReversed(T a, T b) {
  return static_cast<T>(b - a);
}
template <typename T>
inline T multiply(T a, T b) {
  return static_cast<T>(a * b);
}
template <typename T>
inline T minimumOf(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
inline T maximumOf(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
inline T bitAnd(T a, T b) {
  return a & b;
}
template <typename T>
inline T bitOr(T a, T b) {
  return a | b;
}
template <typename T>
inline T bitXor(T a, T b) {
  return a ^ b;
}
template <typename T>
inline T bitNot(T a) {
  return static_cast<T>(~a);
}
inline float fma32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma64(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float floor32(float a) { return __builtin_floorf(a); }
inline float ceil32(float a) { return __builtin_ceilf(a); }
inline float trunc32(float a) { return __builtin_truncf(a); }
inline float roundEven32(float a) { return __builtin_roundevenf(a); }

/// a * 2^n, exact in double precision and so rounded once.
inline float scale32(float a, int32_t n) {
  const int64_t exponent = n > 512 ? 512 : n < -512 ? -512 : n;
  const double power = doubleOf(static_cast<uint64_t>(exponent + 1023) << 52);
  return static_cast<float>(static_cast<double>(a) * power);
}
inline double scale64(double a, int32_t n) {
  return std::ldexp(a, n > 5000 ? 5000 : n < -5000 ? -5000 : n);
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_NUMBER_ARITHMETIC_H
