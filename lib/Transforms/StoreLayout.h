//===- StoreLayout.h - How lanes hold the results they store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How wide results are stored depends on where they lie in memory and on what the lanes hold of
// them. ck-assign-schedule decides about it, for it decides about the operands of the matrix
// instructions; ck-distribute-to-waves does what the types and attributes say.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_STORELAYOUT_H
#define CK_MLIR_LIB_TRANSFORMS_STORELAYOUT_H

#include "ck-mlir/IR/ViewAnalysis.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Consecutive bytes that a store should write for the sake of the caches, which write whole
/// blocks.
inline constexpr int64_t kBlockBytes = 64;

/// Where the accumulators of a lane stand in the block of one matrix instruction, along the
/// dimension that the lane holds several elements of; along the other it is at `lane % mma.n`.
/// Interleaved accumulators are exchanged between the halves of the wave first, after which those
/// of a lane are consecutive.
class AccPlaces {
public:
  explicit AccPlaces(const MatrixInstruction &mma) : mma(mma) {}

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

/// True if stores of `run` elements side by side along `dim` of the tile, which begin at multiples
/// of that number, write whole blocks of the caches: then nothing is gained by keeping results in
/// an L2 until it has all of a block.
bool fillsBlocks(const ViewAnalysis &view, unsigned dim, int64_t run);

/// A view that a launch writes; `isAdded` when its workgroups add to what lies there.
struct StoredResult {
  const ViewAnalysis &view;
  bool isAdded = false;
};

/// The dimension along which lanes must hold accumulators for the widest stores of `results`, or,
/// where an atomic operation adds fewer elements than a store writes, for those of neighbouring
/// lanes to be neighbours: caches add whole lines at once.
AccDim chooseAccDim(ArrayRef<StoredResult> results, const MatrixInstruction &mma,
                    const ChipInfo &chip);

/// The shuffle of tiles `acc` of `result` through `ldsBytes` that the math waves share, or null
/// where it makes stores no better than those of accumulators.
ShuffleAttr chooseShuffle(const StoredResult &result, AccType acc, const ChipInfo &chip,
                          int64_t ldsBytes);

/// Where a region of a shuffle lies in a wave's part of LDS: in rows along the dimension of
/// accumulators. One or more of them make a line, which fills the banks and has a gap behind it
/// against conflicts.
struct ShufflePlaces {
  int64_t written = 1; // elements of one write to LDS
  int64_t rowsPerLine = 1;
  int64_t pitch = 0;     // elements from line to line
  int64_t waveBytes = 0; // LDS of each wave
};

/// The places of `shuffle` for tiles `acc` whose results have type `element`, or nothing where the
/// lanes of a wave cannot share a region out evenly, or it is too large for their part of
/// `ldsBytes`.
std::optional<ShufflePlaces> getShufflePlaces(ShuffleAttr shuffle, AccType acc, Type element,
                                              const ChipInfo &chip, int64_t ldsBytes);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_STORELAYOUT_H
