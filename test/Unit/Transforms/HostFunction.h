//===- HostFunction.h - Expanded functions, compiled for the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expansions use IEEE arithmetic only, so the host computes what a GPU does; compiled, it goes
// through all numbers in a minute.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_TRANSFORMS_HOSTFUNCTION_H
#define CK_MLIR_TEST_UNIT_TRANSFORMS_HOSTFUNCTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::ck {

/// A function of floats.
class HostFunction {
public:
  /// Numbers that are computed at once.
  static constexpr int64_t size = 4096;

  /// Expands and compiles `op` on `operands` (1 or 2) vectors, as in "math.exp".
  static llvm::Expected<HostFunction> create(llvm::StringRef op, unsigned operands = 1);

  /// The same for lines of IR that compute `%r` from `%a` and `%b`, vectors of 16 numbers.
  static llvm::Expected<HostFunction> createFromLines(llvm::StringRef lines);

  HostFunction(HostFunction &&) noexcept;
  ~HostFunction();

  /// result[i] = op(x[i], y[i]), `size` of each; `y` is not read by functions of one operand.
  void operator()(const float *x, const float *y, float *result) const {
    entry(const_cast<float *>(x), const_cast<float *>(y), result);
  }

private:
  explicit HostFunction(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(float *, float *, float *) = nullptr;
};

} // namespace mlir::ck

#endif // CK_MLIR_TEST_UNIT_TRANSFORMS_HOSTFUNCTION_H
