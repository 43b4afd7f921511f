//===- StoreLayout.h - How lanes hold the results they store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How wide results are stored depends on where they lie in memory and on what the lanes hold of
// them. It decides about the operands of the matrix instructions, long before the store.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_STORELAYOUT_H
#define CK_MLIR_LIB_TRANSFORMS_STORELAYOUT_H

#include "ck-mlir/IR/ViewAnalysis.h"

namespace mlir::ck::distribution {

/// Where the accumulators of a lane stand in the block of one matrix instruction, along the
/// dimension that the lane holds several elements of; along the other it is at `lane % mma.n`.
/// Interleaved accumulators are exchanged between the halves of the wave first, after which those
/// of a lane are consecutive.
class AccLayout {
public:
  explicit AccLayout(const MatrixInstruction &mma) : mma(mma) {}

  /// Aligned consecutive accumulators that are consecutive elements.
  int64_t getRun() const { return isExchanged() ? mma.accPerLane : mma.getAccRun(); }
  /// Place of accumulator `reg` behind the lane's first, and of that one by `lane / mma.n`.
  int64_t getPlace(int64_t reg) const { return isExchanged() ? reg : mma.getAccRow(0, reg); }
  int64_t getLanePlace() const { return isExchanged() ? mma.accPerLane : mma.getAccRow(mma.n, 0); }
  /// True if accumulators must be exchanged.
  bool isExchanged() const { return mma.isAccInterleaved(); }

private:
  const MatrixInstruction &mma;
};

/// Consecutive accumulators of a lane whose elements of `view` are consecutive in memory and can be
/// accessed at once, where lanes hold them along `dim` of the tile (0: rows, 1: columns).
int64_t getAccWidth(const ViewAnalysis &view, const MatrixInstruction &mma, unsigned dim);

/// The dimension along which lanes must hold accumulators for the widest stores of all tiles in
/// `root`.
unsigned chooseAccDim(Operation *root, const MatrixInstruction &mma);

} // namespace mlir::ck::distribution

#endif // CK_MLIR_LIB_TRANSFORMS_STORELAYOUT_H
