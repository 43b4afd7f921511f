//===- PartitionBuilder.h - The code of one workgroup of a partition -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The partitions differ in which tiles a workgroup computes, over which K steps, and what becomes
// of the sums; how a tile is computed and stored they take from the works of `ck.distribute`.
// The arithmetic is that of ck-mlir/Schedule/WorkPlan.h.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_EXPANDPARTITION_PARTITIONBUILDER_H
#define CK_MLIR_LIB_TRANSFORMS_EXPANDPARTITION_PARTITIONBUILDER_H

#include "Transforms/IntMath.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/IR/PatternMatch.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Builds code at the place of a `ck.distribute`.
class PartitionBuilder {
public:
  PartitionBuilder(RewriterBase &rewriter, DistributeOp distribute, WorkPlan plan);

  /// Data-parallel and Split-K: a workgroup has one slice of one tile.
  void buildSlices();
  /// StreamK: a workgroup has whole tiles, a stream, or both.
  void buildStreams();

private:
  /// A tile of one work: group, row, column.
  using Tile = std::array<Value, 3>;

  const StreamK &getStreamK() const { return std::get<StreamK>(plan.getPartition()); }

  Value dealtBegin(int64_t total, int64_t parts, Value part);
  Value dealtPart(int64_t total, int64_t parts, Value item);
  Value streamBegin(Value stream);
  Value streamOf(Value item);

  Value chunkedTile(int64_t total, int64_t xcds, Value item);
  Tile splitTile(WorkOp work, Value tile);
  Tile splitTileInWindows(WorkOp work, Value tile, int64_t window);
  Value getPartial(WorkOp work, Tile tile, Value slice);
  Value cloneBody(WorkOp work, Tile tile, Value begin, Value end);
  void cloneEpilogue(WorkOp work, Tile tile, Value acc, bool atomic = false);
  void buildIf(Value condition, function_ref<void()> then, function_ref<void()> otherwise);
  void buildLoop(Value begin, Value end, int64_t step, function_ref<void(Value)> body);

  void buildSlice(size_t index, Value local, int64_t firstPartial);
  void buildWholeTile(Value tile, size_t first = 0);
  void buildStream(Value stream);
  int64_t countWavesOfSum(Value sum);
  void buildSums(Value adder);
  Value sharedPart(Value first, Value end);
  void buildStreamWithinTile(Value stream);
  void buildShare(size_t index, int64_t first, Value begin, Value end, Value stream);
  void buildSharedTile(size_t index, int64_t first, Value tile, Value from, Value to, Value stream);
  void handOver(WorkOp work, Tile place, Value acc, Value stream, Value contributor,
                Value contributors);
  Value addPartials(Value acc, Value stream, Value contributor, Value contributors);
  Value addAwaited(Value acc, Value first, Value count, Value step);
  Value addPartialsIf(Value condition, Value acc, Value first, Value count, Value step);

  RewriterBase &rewriter;
  DistributeOp distribute;
  Location loc;
  IntMath math;
  WorkPlan plan;
  SmallVector<WorkOp> works;
  Value workgroup;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_EXPANDPARTITION_PARTITIONBUILDER_H
