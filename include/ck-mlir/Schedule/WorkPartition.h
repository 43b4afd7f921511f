//===- WorkPartition.h - The arithmetic of sharing work -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The closed forms by which a workgroup finds its share of a launch, in one place: kernels compute
// the same expressions, and everything here can be tested without one.
//
// * Work is numbered through the list of GEMMs of a launch: first all of GEMM 0, then GEMM 1, ...
//   Tile t of a GEMM is (t / (rows * columns), t / columns % rows, t % columns), unless a
//   `WorkgroupMapping` says otherwise.
// * Dealing `total` items to `parts` parts gives every part total / parts neighbouring items, the
//   first total % parts parts one more. Split-K deals the K steps of a tile to its slices, StreamK
//   deals the iterations of all shared tiles to its streams.
// * The contributors of a tile are numbered 0, 1, ... along K. Contributor 0 owns the tile: it adds
//   the partial results of the others and runs the epilogue. `getReceiver` says to whom a
//   contributor hands its sum, `getPartners` for whom it waits before, in which order.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_WORKPARTITION_H
#define CK_MLIR_SCHEDULE_WORKPARTITION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <cstdint>

namespace mlir::ck {

/// The output tiles of one GEMM of a launch and the K steps of each. No K steps: the tiles are
/// only filled, see `ck.work`.
struct WorkShape {
  int64_t groups = 1, rows = 1, columns = 1; // tiles
  int64_t kSteps = 0;                        // of every tile

  int64_t getTiles() const { return groups * rows * columns; }
  /// The weight of a tile where iterations are counted: even a tile without K steps must be stored.
  int64_t getTileIterations() const { return std::max<int64_t>(kSteps, 1); }
  /// Group, row and column of tile `tile` of this GEMM where tiles are walked in windows of
  /// `window` rows: down the columns of a window, the last of which may be lower, then on to the
  /// window below. A window of one row is the order of rows.
  std::array<int64_t, 3> getTile(int64_t tile, int64_t window = 1) const;
};

/// How the numbers of workgroups are mapped to tiles, so that workgroups that run at the same time
/// have tiles that need the same operands. Known as GROUP_SIZE_M (Triton), gridGroupSize (rocMLIR),
/// WorkGroupMapping with WorkGroupMappingXCC (Tensile), window and chunk (HipKittens).
struct WorkgroupMapping {
  int64_t window = 1; ///< tile rows that are walked together
  int64_t chunk = 1;  ///< neighbouring tiles that one XCD has, of those whose L2 is their own

  bool isDefault() const { return window == 1 && chunk == 1; }
  bool operator==(const WorkgroupMapping &other) const {
    return window == other.window && chunk == other.chunk;
  }
};

/// The tile of item `item` of `total` when the items go to `xcds` XCDs in turn, as workgroups do:
/// of every `xcds * chunk` tiles each XCD has `chunk` neighbouring ones, and of the rest as many as
/// its items are. A permutation for all positive numbers.
int64_t getChunkedTile(int64_t total, int64_t chunk, int64_t xcds, int64_t item);

/// A slice of a tile, both by their numbers.
struct TileSlice {
  int64_t tile = 0, slice = 0;
};

/// Slices that neighbouring workgroups have when there are `slices` of each tile: as many as go
/// round the XCDs, so that an XCD has few of them and its L2 only the K that those need. Its
/// greatest common divisor with `xcds`.
int64_t getSlicesSideBySide(int64_t slices, int64_t xcds);

/// What workgroup `item` works on when `total` tiles have `slices` each: slices that stand side by
/// side are numbered fastest, then tiles, in chunks, then what is left of the slices.
TileSlice getTileSlice(int64_t total, int64_t slices, int64_t chunk, int64_t xcds, int64_t item);

/// The first item of part `part` when `total` items are dealt to `parts` parts:
/// part * (total / parts) + min(part, total % parts). Part `parts` begins at `total`.
int64_t getDealtBegin(int64_t total, int64_t parts, int64_t part);

/// The part that item `item` was dealt to; needs parts <= total. With q = total / parts and
/// r = total % parts it is item / (q + 1) if that is below r, otherwise (item - r) / q.
int64_t getDealtPart(int64_t total, int64_t parts, int64_t item);

/// The first iteration of stream `stream` when `streams` of them share `total` iterations:
/// stream * total / streams. So streams at a distance begin at the same K step of their tiles if
/// the distance times total / streams is a multiple of a tile's steps, also where `total` is no
/// multiple of `streams`, and fetch once what they share. Where kernels would need more than 31
/// bits for the product, the streams with an iteration more come first, as by `getDealtBegin`.
int64_t getStreamBegin(int64_t total, int64_t streams, int64_t stream);

/// The stream that has iteration `item`; needs streams <= total. It is
/// ((item + 1) * streams - 1) / total, or that of `getDealtPart`.
int64_t getStreamOf(int64_t total, int64_t streams, int64_t item);

/// Whether iterations are dealt to streams as by `getDealtBegin`: if that is the same, or if
/// total * streams does not fit into 31 bits.
bool areStreamsDealt(int64_t total, int64_t streams);

/// The most slices that the heuristic for `split_k:auto` takes.
constexpr int64_t kMaxAutoSlices = 128;

/// Slices of every GEMM of `gemms` for `split_k:factor` with `workgroups` resident workgroups.
/// Factor 0 (auto) stands for workgroups / tiles of all GEMMs, rounded down, in
/// [1, kMaxAutoSlices]. No slice is empty: a GEMM has at most as many slices as K steps.
llvm::SmallVector<int64_t> resolveSlices(llvm::ArrayRef<WorkShape> gemms, int64_t factor,
                                         int64_t workgroups);

/// How StreamK treats a list of tiles. The first `wholeTiles` tiles of the list belong to one
/// workgroup each; the iterations of the others, `sharedIterations`, are dealt to `streams`
/// streams. No streams: every tile is whole.
struct StreamSplit {
  int64_t wholeTiles = 0;
  int64_t streams = 0;
  int64_t sharedIterations = 0;
  /// Not 0: streams stay within their tiles. They are dealt to so many shared tiles, and the K
  /// steps of each tile to its streams, see `getSharedPart`.
  int64_t dealtTiles = 0;
};

/// A stream within a tile has at most so many eighths of the K steps that it would have across
/// tiles: it neither begins a second tile nor hands on two sums, but some have more steps. On
/// several XCDs there is no limit if all tiles are shared, since streams across tiles have each of
/// them fetch all operands.
constexpr int64_t kMostEighths = 9;

/// The K steps of the longest stream, or an upper bound of it where streams cross tiles.
int64_t getLongestStream(const StreamSplit &split);

/// Which part of the K steps of a tile workgroup `workgroup` has, when the workgroups [first, end)
/// share the tile and those with equal remainders by `xcds` run on the same XCD: those of an XCD
/// have neighbouring parts, those of the next XCD the parts before. So the L2 of an XCD needs the
/// same part of K for all tiles.
int64_t getSharedPart(int64_t first, int64_t end, int64_t xcds, int64_t workgroup);

/// A tile of which only the remainder is shared has at most kMostContributors contributors, with at
/// least kFewestSharedSteps K steps each on average: with more contributors or fewer steps, handing
/// sums on takes longer than what sharing saves.
constexpr int64_t kMostContributors = 32, kFewestSharedSteps = 2;

/// The split for `workgroups` resident workgroups. With equally many K steps in all GEMMs and
/// rem = tiles % workgroups: no streams if rem = 0; otherwise the last `rem` tiles are shared, or
/// the last min(workgroups + rem, tiles) if rem * kMostContributors < workgroups or rem * K steps <
/// workgroups * kFewestSharedSteps. Either way the whole tiles keep every workgroup equally busy.
/// With different K steps all tiles are shared. No streams either if there are fewer iterations to
/// share than workgroups. Streams of a single GEMM stay within tiles if each tile has at least
/// two and, on one XCD or beside whole tiles, none gets longer than kMostEighths / 8 of what it
/// would be.
StreamSplit splitStreams(llvm::ArrayRef<WorkShape> gemms, int64_t workgroups, int64_t xcds);

/// The order in which the sums of a tile's contributors are added up: all by the owner, by
/// kTreeRadix at a time, or, where streams stay within tiles, by workgroups behind all streams,
/// each a part of a tile; across tiles as a tree.
enum class Reduction : uint8_t { Linear, Tree, Parallel };

/// At most so many workgroups add up a tile with Reduction::Parallel. Of `n` of them, adder `a`
/// does what the math waves have whose numbers are `a` modulo `n`. First come the adders 0 of all
/// tiles, then the adders 1 and so on, so that those without such waves come last. A compute unit
/// loads only so fast: with fewer of them, tiles of sixteen waves took twice as long.
constexpr int64_t kMostAdders = 8;

/// Contributors whose sums become one at each level of a tree. Whoever adds waits for all of them
/// at once, and loads as many as registers allow at the same time: so a level takes little longer
/// than with two contributors.
constexpr int64_t kTreeRadix = 8;

/// Levels of the tree for `contributors`: the logarithm to kTreeRadix, rounded up.
int64_t getTreeLevels(int64_t contributors);

/// Registers of a lane for partial tiles that are loaded to be added.
constexpr int64_t kMostPartialRegisters = 64;

/// Partial tiles, of which a lane holds `registers` accumulators each, that it loads before it adds
/// the first one: as many as fit into those registers, but at least 1, if need be in pieces, and at
/// most 8.
int64_t getPartialsInFlight(int64_t registers);

/// Accumulators of a lane that lie together in a partial tile: 16 bytes.
constexpr int64_t kPartialGroup = 4;

/// How waves add up together what one of them holds of partial tiles.
struct PartialShares {
  int64_t groups = 1; ///< that each of them adds up
  int64_t pieces = 1; ///< of the tiles, which waves with the same groups share
  /// Tiles whose groups are loaded before the first is added: as many as fit into
  /// kMostPartialRegisters, and at most 16.
  int64_t inFlight = 1;
};

/// Bytes of LDS for the sums of a workgroup of `mathWaves`, which hold `elements` accumulators of a
/// tile, where `waves` of them at a time add up together what one holds.
int64_t getSumBytes(int64_t elements, int64_t mathWaves, int64_t waves, int64_t waveSize);

/// The shares of `waves` waves in the `groups` groups that a lane of one of them holds.
PartialShares getPartialShares(int64_t groups, int64_t waves);

/// The contributor that takes the sum of `contributor` (not 0): 0 with linear reduction, otherwise
/// `contributor` with 0 in place of its lowest digit to base kTreeRadix that is not 0. Not for
/// sums that others add.
int64_t getReceiver(int64_t contributor, Reduction reduction);

/// The contributors whose sums `contributor` of `contributors` adds to its own, in order. Linear:
/// contributor 0 adds 1, 2, ... and the others none. Tree: contributor + stride * (1, 2, ...,
/// kTreeRadix - 1) for stride 1, kTreeRadix, kTreeRadix^2, ... as long as contributor % (kTreeRadix
/// * stride) = 0, as far as they exist.
llvm::SmallVector<int64_t, 4> getPartners(int64_t contributor, int64_t contributors,
                                          Reduction reduction);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_WORKPARTITION_H
