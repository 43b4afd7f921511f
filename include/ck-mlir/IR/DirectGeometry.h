//===- DirectGeometry.h - Results as lanes of direct kernels have them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A direct kernel counts results by groups, channels and positions in the image, however the views
// of its GEMM merge them into three dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_DIRECTGEOMETRY_H
#define CK_MLIR_IR_DIRECTGEOMETRY_H

#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Schedule/DirectWork.h"

namespace mlir::ck {

/// The view of A, B, or of a result or D operand.
enum class DirectView : uint8_t { A, B, C };

/// How far one access of a lane lies from the lane's first result or K.
struct DirectPlace {
  int64_t group = 0, channel = 0, row = 0, column = 0, k = 0;
};

/// The sizes of a GEMM of views GxMxK, GxNxK and GxMxN, where the batches are `residues` times
/// groups, the results of `merged` groups are on a diagonal, and the rows of a group are positions
/// in `planes` images of `lines` x `columns`. Rows of neighbouring groups of the diagonal are
/// `groupStep` apart, those of neighbouring positions `positionStep`. No view of an operand splits
/// K between multiples of `run`, which are channels of a tap, at most as many as four lanes load.
struct DirectGeometry {
  int64_t batchGroups = 1, residues = 1, merged = 1;
  int64_t groupStep = 1, positionStep = 1;
  int64_t planes = 1, lines = 1, columns = 1;
  int64_t channels = 1, depth = 1, run = 1;

  int64_t getGroups() const { return batchGroups * merged; }
  int64_t getPositions() const { return planes * lines * columns; }
  /// Of each run, the part of a lane with `tile`, and of all K.
  int64_t getLaneRun(const DirectTile &tile) const { return run / tile.getLanesOfColumn(); }
  int64_t getLaneDepth(const DirectTile &tile) const { return depth / tile.getLanesOfColumn(); }
  /// How far the lane's K with `number` lies from its first one.
  int64_t getLaneK(const DirectTile &tile, int64_t number) const {
    return number / getLaneRun(tile) * run + number % getLaneRun(tile);
  }
  /// Groups that `tile` holds, and channels of each.
  int64_t getGroupsOf(const DirectTile &tile) const {
    return std::max<int64_t>(1, tile.channels / channels);
  }
  int64_t getChannelsOf(const DirectTile &tile) const { return std::min(tile.channels, channels); }
  /// Of result `element` of a lane.
  DirectPlace getElement(const DirectTile &tile, int64_t element) const {
    return {/*group=*/element / getChannelsOf(tile), /*channel=*/element % getChannelsOf(tile)};
  }
  /// How far `place` moves the coordinates of a view.
  std::array<int64_t, 3> getOffset(DirectView view, const DirectPlace &place) const;
};

/// The views of a GEMM or, without A and B, of a fill.
struct DirectViews {
  std::optional<ViewAnalysis> a, b;
  ViewAnalysis c;
  SmallVector<ViewAnalysis> ds;

  /// Those of a `ck.gemm`, `ck.fill`, `ck.direct_gemm` or `ck.direct_sum`.
  static llvm::Expected<DirectViews> create(Operation *part);
  /// Fails with the reason where views split rows in ways that do not fit.
  llvm::Expected<DirectGeometry> getGeometry() const;
  /// Fails with the reason where elements of a lane with `tile` are not at the same distances in
  /// all lanes.
  llvm::Error checkDigits(const DirectGeometry &geometry, const DirectTile &tile) const;
};

/// Blocks of channels, of a lane each, and how many of them a workgroup has.
struct DirectBlocks {
  int64_t total = 1, ofGroup = 1;
  int64_t neighbours = 1; ///< consecutive lanes that have the same channels at different positions
  /// Lanes of a workgroup at the same channels.
  int64_t getPositions() const { return kDirectThreads / (ofGroup * neighbours) * neighbours; }
};
/// Those of a GEMM, or of a fill, which has no weights `b`.
DirectBlocks getDirectBlocks(const DirectGeometry &geometry, const DirectTile &tile,
                             int64_t elementBytes, const std::optional<ViewAnalysis> &b);

/// The largest power of two of elements, at most `most`, at whose multiples all first elements of
/// lanes with `tile` lie in `view`, but for the constant part of the offset.
int64_t getDirectAlignment(const ViewAnalysis &analysis, DirectView view,
                           const DirectGeometry &geometry, const DirectTile &tile, int64_t most);

/// Of one access of a lane.
constexpr int64_t kMaxAccessBytes = 16;

/// The same for vectors that lanes load from memory.
int64_t getDirectLoadAlignment(const ViewAnalysis &analysis, DirectView view,
                               const DirectGeometry &geometry, const DirectTile &tile);

/// Where the weights of one workgroup lie: `size` elements from element
/// `first + group * groupStride + channel * channelStride` on, with the first group and channel of
/// the workgroup.
struct DirectWeights {
  int64_t first = 0, size = 0;
  int64_t groupStride = 0, channelStride = 0;
  int64_t copyVector = 1, readVector = 1; ///< elements at once to and from LDS
  /// Elements of a block of `blockChannels` consecutive channels, and how far blocks are apart in
  /// LDS, where lanes could not read whole dwords otherwise or would meet in few banks; `pitch` 0:
  /// LDS has what memory has.
  int64_t block = 0, blockChannels = 1, pitch = 0;

  /// Those of LDS: all threads write as often, the last of them what nobody reads.
  int64_t getLdsElements() const;
  /// Where the weights of a channel begin in LDS, but for `first`; groups have `channels`.
  int64_t getLdsPlace(int64_t group, int64_t channel, int64_t channels) const;
};
llvm::Expected<DirectWeights> getDirectWeights(const ViewAnalysis &b,
                                               const DirectGeometry &geometry,
                                               const DirectTile &tile, const DirectBlocks &blocks);

/// Number of a weight in LDS from the first one of a lane with `tile` on.
int64_t getWeightPlace(const ViewAnalysis &b, const DirectGeometry &geometry,
                       const DirectTile &tile, const DirectWeights &weights, int64_t element,
                       int64_t k);

/// Weights of a row of a matrix instruction's block that lie side by side in LDS for all lanes, so
/// that they are read at once.
int64_t getRowWidth(const ViewAnalysis &b, const DirectGeometry &geometry, const DirectTile &tile,
                    const DirectWeights &weights);

/// How far neighbours in K are apart in the tensor of `view`, where it does not split K.
int64_t getKStride(const ViewAnalysis &view);

/// A view of the tensor of `view` that has its elements in one dimension.
ViewType getLinearView(ViewType view);

/// What `part`, as for `DirectViews`, takes with `tile`, or why it cannot be computed so.
llvm::Expected<DirectWork> getDirectWork(Operation *part, const DirectTile &tile);

/// The schedule that `gemm` was assigned, that of lanes that compute by themselves or another one.
Schedule getAssignedSchedule(GemmOp gemm);

/// What all tiles take with which `part` can be computed directly, those that sum over positions in
/// one slice; none where its groups have many channels.
std::vector<DirectWork> getDirectWorks(Operation *part);

} // namespace mlir::ck

#endif // CK_MLIR_IR_DIRECTGEOMETRY_H
