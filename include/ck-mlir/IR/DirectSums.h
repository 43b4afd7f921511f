//===- DirectSums.h - Few results that lanes sum over positions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backward-weight of groups of few channels has few results and long sums. In its direct kernels a
// lane keeps the sums of all taps of some channels in registers while it walks over positions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_DIRECTSUMS_H
#define CK_MLIR_IR_DIRECTSUMS_H

#include "ck-mlir/IR/DirectGeometry.h"

namespace mlir::ck {

/// How far one access of a lane lies from the first result and position of its step.
struct SumPlace {
  int64_t group = 0, output = 0, tap = 0, channel = 0, row = 0, column = 0;
};

/// The sizes of a GEMM of views GxMxK, GxNxK and GxMxN whose rows are the output channels of
/// `merged` groups, whose columns are the taps and input channels of as many, taps slowest, and
/// whose K are positions in `planes` images of `lines` x `columns`.
struct SumGeometry {
  int64_t batchGroups = 1, merged = 1;
  int64_t outputs = 1, taps = 1, channels = 1;
  int64_t planes = 1, lines = 1, columns = 1;

  int64_t getGroups() const { return batchGroups * merged; }
  int64_t getPositions() const { return planes * lines * columns; }
  /// Blocks of positions that lanes with `tile`, which divides the images, add in a step each.
  int64_t getBlocks(const DirectTile &tile) const {
    return planes * (lines / tile.rows) * (columns / tile.columns);
  }
  /// Groups that `tile` holds, and input channels of each.
  int64_t getGroupsOf(const DirectTile &tile) const {
    return std::max<int64_t>(1, tile.channels / channels);
  }
  int64_t getChannelsOf(const DirectTile &tile) const { return std::min(tile.channels, channels); }
  /// How far `place` moves the coordinates of a view.
  std::array<int64_t, 3> getOffset(DirectView view, const SumPlace &place) const;
};

/// Of the GEMM with `views`; fails with the reason where its results or positions are none that
/// lanes can share.
llvm::Expected<SumGeometry> getSumGeometry(const DirectViews &views);

/// How the results and positions of a GEMM are shared with a legal `tile`.
SumShares getSumShares(const SumGeometry &geometry, const DirectTile &tile, int64_t elementBytes);

/// Of the `outputs` of each group of a lane, those that it loads itself for the view of A or B; a
/// matrix instruction takes the others from other lanes.
inline int64_t getLoadedOutputs(const DirectTile &tile, DirectView view, int64_t outputs) {
  return tile.mfma && view == DirectView::A ? 1 : outputs;
}

/// The elements, at most 16 bytes, at whose multiples all lanes with `tile` begin to load from the
/// view of A or B, but for the constant part of the offset.
int64_t getSumLoadAlignment(const ViewAnalysis &analysis, DirectView view,
                            const SumGeometry &geometry, const DirectTile &tile, int64_t outputs);

/// Calls `use` with the groups, output channels, taps and input channels of all results of a lane,
/// in their order.
void forEachSum(const SumGeometry &geometry, const DirectTile &tile, int64_t outputs,
                llvm::function_ref<void(const SumPlace &)> use);

/// What `gemm`, a `ck.gemm` or `ck.direct_sum`, takes with `tile`, which has slices, or why it
/// cannot be computed so.
llvm::Expected<DirectWork> getSumWork(Operation *gemm, const DirectTile &tile);

/// What all tiles take, in one slice, with which lanes can sum the results of `gemm`.
std::vector<DirectWork> getSumWorks(Operation *gemm);

/// The workspace in which workgroups with the same results leave their sums: first a flag for each
/// of them and for each wave that will add its sums to others, then the sums. Without several
/// slices there is none.
struct SumWorkspace {
  int64_t adders = 0;      ///< workgroups, for each tile, that add sums of some results
  int64_t lanes = 64;      ///< of a wave of an adder
  int64_t laneResults = 1; ///< results side by side whose sums a lane of an adder adds
  int64_t waves = 1;       ///< of an adder, each of which adds those of some slices
  int64_t waveFlags = 0;   ///< words of a wave, of which the last ones may be unused
  int64_t flagWords = 0, sumWords = 0;

  int64_t getWords() const { return flagWords + sumWords; }
  /// Results of an adder.
  int64_t getAdderResults() const { return lanes * laneResults; }
};
SumWorkspace getSumWorkspace(const SumShares &shares, int64_t slices, int64_t waveSize);

/// Workgroups that sum over positions, in multiples of `xcds`, and all of a launch.
int64_t getSummingGroups(const SumShares &shares, int64_t slices, int64_t xcds);
int64_t getSumGridSize(const SumShares &shares, int64_t slices, int64_t waveSize, int64_t xcds);

} // namespace mlir::ck

#endif // CK_MLIR_IR_DIRECTSUMS_H
