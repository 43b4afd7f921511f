//===- SumBuilder.h - The code of one lane that sums over positions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to ck-expand-direct.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_SUMBUILDER_H
#define CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_SUMBUILDER_H

#include "Transforms/ExpandDirect/LaneLoads.h"
#include "Transforms/IntMath.h"
#include "ck-mlir/IR/DirectSums.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Builds the code of a lane for one `ck.direct_sum`.
class SumBuilder {
public:
  SumBuilder(OpBuilder &builder, DirectSumOp op, const ChipInfo &chip);

  int64_t getWorkspaceWords() const { return workspace.getWords(); }
  /// Of LDS through which lanes add their sums.
  int64_t getLdsBytes() const;
  /// Builds the code with `lds`, an array of bytes.
  void build(Value lds);

private:
  /// The results and positions of a lane.
  struct Place {
    Value thread, position;   // among the lanes with the same results
    Value batch, row, column; // of the first result, in the views
    Value begin, end;         // blocks of positions
  };

  // Sums of positions.
  void buildSumming(Value number, Value lds);
  Place findPlace(Value tile, Value slice);
  std::pair<Value, Value> findUnit(Value unit) const;
  SmallVector<Value> sumPositions(const Place &place);
  void addStep(const Place &place, Value block, MutableArrayRef<Value> sums);
  void addPositions(ArrayRef<SumPlace> positions, MutableArrayRef<Value> sums);
  Value takeBlock(Value factors, int64_t distance, int64_t blocks);
  Value findOutput(Value channel, Value row) const;
  void addBlocks(ArrayRef<SumPlace> positions, MutableArrayRef<Value> sums);
  SmallVector<Value> splitBlocks(ArrayRef<Value> sums);
  Value findStepCoordinate(Value block, Value thread) const;
  Value getFactor(DirectView view, const SumPlace &result, ArrayRef<SumPlace> positions);

  // Sums of lanes and of workgroups.
  int64_t getChunk() const;
  Value addWords(Value memory, Value word, int64_t begin, int64_t count, int64_t stride);
  void addLanes(const Place &place, Value tile, Value slice, ArrayRef<Value> sums, Value lds);
  void keepSum(Value tile, Value slice, Value result, Value sum, Value exists);
  Value findWave(Value thread) const;
  void signal(Value thread, Value tile, Value slice);
  void buildAdding(Value number, Value lds);
  Value findFlag(Value tile, Value adder, Value wave, Value number);
  Value addSlices(Value tile, Value wave, Value count, Value result);
  void addWaves(Value tile, Value adder, Value thread, Value sums, Value lds);
  void store(Value tile, Value result, Value sum, Value exists);
  Value getSumBuffer(Value tile);
  Value getLdsView(Value lds) const;

  OpBuilder &builder;
  DirectSumOp op;
  const ChipInfo &chip;
  DirectViews views;
  SumGeometry geometry;
  DirectTile tile;
  SumShares shares;
  SumWorkspace workspace;
  Location loc;
  IntMath math;
  Type accType;
  std::optional<LaneLoads> loadsA, loadsB;                  ///< of the step that is built
  std::map<std::vector<int64_t>, Value> factorsA, factorsB; ///< the same, by their distances
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_SUMBUILDER_H
