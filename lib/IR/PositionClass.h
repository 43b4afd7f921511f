//===- PositionClass.h - Input positions by the taps that reach them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of strided and dilated backward-data, one spatial dimension at a time: which
// output positions and taps meet in an input position depends on its residue modulo the stride
// only.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_POSITIONCLASS_H
#define CK_MLIR_LIB_IR_POSITIONCLASS_H

#include "ck-mlir/Problem/Problem.h"
#include <vector>

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// Input positions first + r * residueStep + p * positionStep, 0 <= r < residues and
/// 0 <= p < positions; some of them may lie outside the input.
///
/// Tap firstTap + r + t * tapStep reaches them from output position
/// firstOutput + p * outputStep - t * tapOutputStep, 0 <= t < taps, where that is inside the
/// output. Only of folded positions some taps may lie outside the filter.
struct PositionClass {
  int64_t taps = 0;
  int64_t residues = 1, positions = 1;
  int64_t first = 0, residueStep = 1, positionStep = 1;
  int64_t firstTap = 0, tapStep = 1;
  int64_t firstOutput = 0, outputStep = 1, tapOutputStep = 1;
};

/// The positions of one dimension; `reached` and `unreached` together hold each once.
struct DimPositions {
  std::vector<PositionClass> reached, unreached;
  PositionClass all; // without taps
};

/// After so many taps of dimension `dim` the residue modulo the stride is met again.
int64_t getResidueCycle(const ConvProblem &problem, unsigned dim);

/// The positions of spatial dimension `dim` of `problem`. With `folded` > 0, a multiple of the
/// cycle of residues, all that taps reach are one class of so many residues, which have as many
/// taps as the one with most.
DimPositions getDimPositions(const ConvProblem &problem, unsigned dim, int64_t folded);

/// One class of every dimension such that each input position is in one of the products. Those that
/// taps reach come first; at least one of them does, though its positions may lie outside.
std::vector<std::vector<PositionClass>> getPositionParts(llvm::ArrayRef<DimPositions> dims);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_POSITIONCLASS_H
