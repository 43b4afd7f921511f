//===- Roles.h - The problem that a loop nest computes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the loops of a loop nest to the letters of a convolution. linalg::inferConvolutionDims and
// linalg::inferContractionDims sort loops in the same way, by the operands that they appear in, but
// know the order of operands of a forward convolution only; here the roles of the operands are
// parameters, and loops may be merged or missing.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_LINALGTOCK_ROLES_H
#define CK_MLIR_LIB_CONVERSION_LINALGTOCK_ROLES_H

#include "Conversion/LinalgToCK/Access.h"
#include "ck-mlir/Problem/Problem.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The tensors of a convolution in their forward roles.
enum Role : unsigned { kInput, kFilter, kOutput };

/// Letters for the dimensions of three tensors. Dimensions that the loop nest does not have are of
/// size 1 and stand where they cost nothing.
struct LoopRoles {
  ConvProblem problem;    // sizes, strides, dilations, padLeft and layouts; no types, no padRight
  bool isProduct = false; // no spatial dimension besides one that was added
  SmallVector<int64_t, 3> out; // sizes of the output space
  /// The loops that each letter of the filter and the result stands for, outermost first.
  llvm::SmallDenseMap<char, SmallVector<unsigned, 2>> loops;
  /// The dimensions of the filter tensor along which it is read, one for each spatial dimension;
  /// -1 for those that it does not have.
  SmallVector<int64_t, 3> filterDims;
  /// How far apart the elements of the input stand, and whether the filter is read from its end.
  SmallVector<int64_t, 3> spacing;
  SmallVector<bool, 3> flipped;
  SmallVector<int64_t, 3> inputDims; // of the input tensor; -1 for those that it does not have
};

/// Sorts the loops of the three tensors, of which one may have windows: the input. An error says
/// which loop or dimension does not fit a convolution.
llvm::Expected<LoopRoles> sortLoops(ArrayRef<OperandAccess> tensors, ArrayRef<int64_t> loopSizes);

/// True if some dimension of `access` is met by a sum of loops, or with steps.
bool hasWindows(const OperandAccess &access, ArrayRef<int64_t> loopSizes);

/// The letters of `layout` and those of `letters` that it does not have, each put where it does not
/// part dimensions: N first, then space, G before the channels, filters with G and K first.
std::string completeLayout(StringRef layout, StringRef letters);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_LINALGTOCK_ROLES_H
