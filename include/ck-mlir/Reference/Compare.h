//===- Compare.h - A result against the reference -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where and by how much a result differs.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_REFERENCE_COMPARE_H
#define CK_MLIR_REFERENCE_COMPARE_H

#include "ck-mlir/Reference/TensorData.h"
#include "ck-mlir/Reference/Tolerance.h"

namespace mlir::ck {

/// The outcome of a comparison.
struct Comparison {
  double maxAbsError = 0; // over all elements; infinite where one of a pair is not finite
  double maxRelError = 0; // over the elements whose reference is not 0
  int64_t mismatches = 0;
  int64_t elements = 0;
  std::string firstMismatch; // "dw[g=0, k=1, ...]: expected 3, got 4"

  bool passed() const { return mismatches == 0; }
};

/// Compares element by element. Equal infinities match, and NaN matches NaN; anything else that is
/// not finite is a mismatch, whatever the tolerance. The tensors must have the same shape, type and
/// layout.
Comparison compare(const TensorData &result, const TensorData &reference,
                   const Tolerance &tolerance);

/// The largest finite magnitude of a tensor.
double getMaxMagnitude(const TensorData &tensor);

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_COMPARE_H
