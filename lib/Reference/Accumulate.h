//===- Accumulate.h - Sums and results of the reference -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the three convolutions and the GEMM share: the number types of a problem, the innermost loop
// over a contiguous dimension, and the one rounding at the end.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_REFERENCE_ACCUMULATE_H
#define CK_MLIR_LIB_REFERENCE_ACCUMULATE_H

#include "ck-mlir/Reference/TensorData.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Elements and sums of floating-point problems: products and sums are taken in double.
struct FloatNumbers {
  using Element = float;
  using Sum = double;
  static std::vector<float> load(const TensorData &tensor, llvm::StringRef letters) {
    return tensor.toFloats(letters);
  }
};

/// Elements and sums of i8 problems.
struct IntNumbers {
  using Element = int32_t;
  using Sum = int64_t;
  static std::vector<int32_t> load(const TensorData &tensor, llvm::StringRef letters) {
    return tensor.toInts(letters);
  }
};

/// addScaledRow for rows that are worth a call.
void addLongScaledRow(double *sums, float factor, const float *row, int64_t length);
void addLongScaledRow(int64_t *sums, int32_t factor, const int32_t *row, int64_t length);

/// sums[i] += factor * row[i]
template <typename Sum, typename Element>
inline void addScaledRow(Sum *sums, Element factor, const Element *row, int64_t length) {
  if (length >= 16)
    return addLongScaledRow(sums, factor, row, length);
  for (int64_t i = 0; i < length; ++i)
    sums[i] += Sum(factor) * Sum(row[i]);
}

/// Rows of sums that are kept while the loops around them run: few enough to stay in the cache,
/// enough that each row of the other operand is used several times per load.
inline constexpr int64_t blockRows = 8;

/// Calls `function` with the numbers of `type`.
template <typename Function>
TensorData withNumbers(DataType type, const Function &function) {
  return isInteger(type) ? function(IntNumbers()) : function(FloatNumbers());
}

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_REFERENCE_ACCUMULATE_H
