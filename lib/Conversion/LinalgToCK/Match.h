//===- Match.h - Linalg ops that are ck problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a loop nest is a convolution or a matrix product, and which; nothing is changed yet.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_LINALGTOCK_MATCH_H
#define CK_MLIR_LIB_CONVERSION_LINALGTOCK_MATCH_H

#include "Conversion/LinalgToCK/Body.h"
#include "Conversion/LinalgToCK/Roles.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The part of the result that is used: the slice of a tensor, nothing for all of it.
struct ResultSlice {
  Operation *op = nullptr;
  SmallVector<OpFoldResult> offsets, sizes;
};

/// What `op` computes.
struct ProblemMatch {
  linalg::LinalgOp op;
  ProductSum body;
  OperandAccess tensors[3]; // by Role
  Role written = kOutput;
  /// Complete with types, layouts and padding; verified.
  ConvProblem problem;
  bool isProduct = false;
  /// The letters of `problem` that the dimensions of the tensors stand for.
  std::string letters[3];
  llvm::SmallDenseMap<char, SmallVector<unsigned, 2>> loops;
  /// Dimensions of the filter tensor that have to be reversed first.
  SmallVector<int64_t, 3> reversedFilterDims;
  /// Sizes of the input tensor, of which a convolution may not read the last elements.
  SmallVector<int64_t, 6> inputSizes;
  ResultSlice slice;
  /// Subtracted from the elements of the input.
  int64_t zeroPoint = 0;
};

/// The problem that `op` computes, or the reason why it is none.
llvm::Expected<ProblemMatch> matchProblem(linalg::LinalgOp op);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_LINALGTOCK_MATCH_H
