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

#ifndef CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STORELAYOUT_H
#define CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STORELAYOUT_H

#include "Transforms/DistributeToWaves/Distribution.h"

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

/// How a wave passes its results through its part of LDS, in order that one store writes longer
/// pieces of memory. A region of blocks at a time lies there in rows along the dimension of
/// accumulators; one or more of them make a line, which fills the banks and has a gap behind it
/// against conflicts.
struct StoreShuffle {
  int64_t along = 1, across = 1; // blocks of a region
  int64_t width = 1;             // elements of one load from LDS and one store
  int64_t written = 1;           // elements of one write to LDS
  int64_t rowsPerLine = 1;
  int64_t pitch = 0;     // elements from line to line
  int64_t waveBytes = 0; // LDS of each wave
};

/// The shuffle of a tile of `view` through `ldsBytes` that the math waves share, or nothing where
/// it makes stores no better than those of accumulators. Needs of `config` no ids and nothing about
/// copies.
std::optional<StoreShuffle> getStoreShuffle(const ViewAnalysis &view, const Config &config,
                                            int64_t ldsBytes);

} // namespace mlir::ck::distribution

#endif // CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STORELAYOUT_H
