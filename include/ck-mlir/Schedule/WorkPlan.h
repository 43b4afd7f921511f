//===- WorkPlan.h - The work of every workgroup of a launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch does with its tiles as plain data: to test the partitions for all small cases, to
// report on them, and to size grid and workspace.
//
// Workgroups of a launch:
//
// | partition | workgroup | works on |
// |---|---|---|
// | data_parallel, split_k | per GEMM: first + place in the GEMM | K steps of the slice |
// | stream_k | b < wholeTiles | tile b |
// | | b >= wholeTiles | stream streams - 1 - (b - wholeTiles) |
// | stream_k:parallel | b >= wholeTiles + streams | sums of a tile, see `Reduction` |
// | stream_k, persistent | b | tiles b, b + grid, ... < wholeTiles, then stream streams - 1 - b |
//
// Slices are numbered slowest, so that workgroups that run together have neighbouring tiles, but
// for those that can go round the XCDs, which are numbered fastest: see `getTileSlice`. A
// `WorkgroupMapping` permutes the tiles of a GEMM, or of StreamK the whole ones, in chunks, and
// walks all tiles in windows. Streams stay in their order:
//
// Streams are numbered against the workgroups. A contributor waits for higher contributors only,
// which are higher streams, thus lower workgroups: every workgroup waits for workgroups that are
// dispatched before it. So no launch can hang, whatever the number of workgroups that really are
// resident, if the device dispatches them in the order of their numbers; nor in any other order, if
// as many workgroups as there are streams and adders can be resident. A stream hands on at most one
// sum, that of the tile in the middle of which it begins, its first, or of its only one; so one
// flag of each wave and one partial tile per stream suffice.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_WORKPLAN_H
#define CK_MLIR_SCHEDULE_WORKPLAN_H

#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Schedule/WorkPartition.h"
#include <vector>

namespace mlir::ck {

/// The K steps [kBegin, kEnd) of one tile as one workgroup computes them.
struct WorkItem {
  int64_t workgroup = 0;
  int64_t gemm = 0; // in the list of the launch
  int64_t group = 0, row = 0, column = 0;
  int64_t kBegin = 0, kEnd = 0;
  int64_t contributor = 0, contributors = 1;
  /// Where the sum of this item is left for its receiver (StreamK) or for the second stage
  /// (two-stage Split-K): an index into the partial tiles of the workspace; -1 for none.
  int64_t partial = -1;
  llvm::SmallVector<int64_t, 4> waits; // partial tiles to add, in this order
  /// Which part of the tile it adds up for others, without K steps of its own: -1 for none.
  int64_t adder = -1;

  bool isOwner() const { return contributor == 0; }
};

/// One sum that a workgroup leaves for another in the same launch.
struct Handover {
  int64_t from = 0, to = 0; // workgroups
  int64_t partial = 0;      // partial tile, and flag, of the workspace
};

/// How the work of a launch is distributed.
class WorkPlan {
public:
  /// The plan of `partition` for a launch of `gemms` when `residents` workgroups can run at the
  /// same time (compute units times workgroups on each) on a chip of `xcds` XCDs, with `mapping`.
  /// Errors: no GEMM, a count that is not positive, negative K steps, more iterations than 2^62.
  static llvm::Expected<WorkPlan> create(llvm::ArrayRef<WorkShape> gemms,
                                         const Partition &partition, int64_t residents,
                                         int64_t xcds, const WorkgroupMapping &mapping = {});

  llvm::ArrayRef<WorkShape> getGemms() const { return gemms; }
  const Partition &getPartition() const { return partition; }
  int64_t getResidents() const { return residents; }
  const WorkgroupMapping &getMapping() const { return mapping; }
  int64_t getXcds() const { return xcds; }
  /// Output tiles of all GEMMs.
  int64_t getTiles() const;
  /// Slices of each GEMM; 1 unless the partition is Split-K.
  llvm::ArrayRef<int64_t> getSlices() const { return slices; }
  /// All tiles are whole unless the partition is StreamK.
  const StreamSplit &getStreamSplit() const { return split; }
  /// How streams add their sums.
  Reduction getReduction() const;
  /// Workgroups behind the streams that add up each tile with Reduction::Parallel, else 0: the
  /// largest power of two, at most kMostAdders, with which all are resident at the same time.
  int64_t getAddersOfTile() const;
  int64_t getAdders() const { return getAddersOfTile() * split.dealtTiles; }
  /// Workgroups of the launch.
  int64_t getGridSize() const;

  /// The items of `workgroup` in the order in which it runs them.
  std::vector<WorkItem> getWork(int64_t workgroup) const;

  /// Tiles of the workspace that hold sums: of every contributor of a GEMM in several slices with
  /// two-stage Split-K, by slices and then by tiles in the order of rows; of every stream with
  /// StreamK.
  int64_t getPartialTiles() const;
  /// Bytes of the flags in front of the partial tiles: a line of `kFlagBytes` per stream, with a
  /// word for every wave, so that waves need not wait for each other before they signal.
  int64_t getFlagBytes() const;
  static constexpr int64_t kFlagBytes = 128;
  /// Bytes of a partial tile of `tileElements` accumulators of 4 bytes, in multiples of 128.
  static int64_t getPartialBytes(int64_t tileElements);
  /// Bytes of the workspace for tiles of `tileElements` accumulators of 4 bytes each: the flags,
  /// which must be zero at launch, then the partial tiles. To be aligned to 128 bytes.
  int64_t getWorkspaceBytes(int64_t tileElements) const;

private:
  WorkPlan() = default;
  void addSlicedWork(int64_t workgroup, std::vector<WorkItem> &items) const;
  void addWholeTile(int64_t workgroup, int64_t tile, std::vector<WorkItem> &items) const;
  void addStream(int64_t workgroup, int64_t stream, std::vector<WorkItem> &items) const;
  void addStreamWithinTile(int64_t workgroup, int64_t stream, std::vector<WorkItem> &items) const;
  void addSums(int64_t workgroup, int64_t adder, std::vector<WorkItem> &items) const;
  void addHandovers(WorkItem &item, int64_t stream, int64_t owner, int64_t contributors) const;

  llvm::SmallVector<WorkShape> gemms;
  Partition partition;
  int64_t residents = 1;
  WorkgroupMapping mapping;
  int64_t xcds = 1;
  llvm::SmallVector<int64_t> slices;
  StreamSplit split;
};

/// The work of all workgroups, by workgroup.
std::vector<WorkItem> enumerateWork(const WorkPlan &plan);

/// The sums handed over within the launch, in the order in which their receivers ask for them.
std::vector<Handover> enumerateHandovers(const WorkPlan &plan);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_WORKPLAN_H
