//===- LaneBuilder.h - The code of one lane of a direct kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to ck-expand-direct.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_LANEBUILDER_H
#define CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_LANEBUILDER_H

#include "Transforms/ExpandDirect/LaneLoads.h"
#include "Transforms/IntMath.h"
#include "ck-mlir/IR/DirectGeometry.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

inline int64_t getBits(const ViewAnalysis &analysis) {
  return analysis.view.getElementType().getIntOrFloatBitWidth();
}

/// Builds the code of a lane for one `ck.direct_gemm`.
class LaneBuilder {
public:
  LaneBuilder(OpBuilder &builder, DirectGemmOp op, const ChipInfo &chip, DirectViews given,
              const DirectGeometry &geometry);

  /// Of LDS that a workgroup takes.
  int64_t getLdsBytes() const;
  /// Builds the code with the weights in `lds`, an array of bytes.
  void build(Value lds);

private:
  /// The first result of the lane, and what of its results exists.
  struct Place {
    Value residue, channelTile;  // of the workgroup
    Value localChannel;          // among those of the workgroup
    Value batch, row, column;    // coordinates in the views
    Value imageRow, imageColumn; // positions of the first result
    Value valid;                 // null where all are
  };
  Place findPlace(Value lane);
  Value findLocalChannel(Value lane);
  Value findLocalPosition(Value lane);
  Value findWorkgroup(int64_t workgroups, int64_t padded);
  void forEachPosition(function_ref<void(int64_t, int64_t)> use) const;

  VectorType getHeldType(int64_t width) const;
  MemRefType getLdsType(int64_t width) const;
  int64_t getWeightBytes() const;
  SmallVector<Value> loadWeights(const Place &place);
  void keepWeights(Value lds, ArrayRef<Value> loaded);
  Value getResidueMove(Value residue);
  int64_t getWeightPlace(int64_t element, int64_t k) const;
  Value findFirstWeight(Value localChannel, Value residue);
  void readWeights(const Place &place, Value lds);
  Value getWeight(int64_t element, int64_t k);

  std::array<int64_t, 3> getFactor(int64_t element, int64_t row, int64_t column, int64_t k) const;
  bool arePairs(const LaneLoads &loads, int64_t k) const;
  void multiply(const LaneLoads &loads, MutableArrayRef<Value> sums);

  Value findFirstK(Value lane);
  Value findFirstOfRow(Value residue);
  void readRows(Value residue, Value lds);
  void pairLanes();
  Value exchange(Value vector, Value from);
  void multiplyBlocks(const LaneLoads &loads, MutableArrayRef<Value> sums);
  bool spansWaves() const;
  Place shareResults(Value lds, MutableArrayRef<Value> results);

  std::array<int64_t, 3> getResult(int64_t element, int64_t row, int64_t column) const;
  Value getMask(const Place &place, int64_t row, int64_t column);
  Value applyEpilogue(ArrayRef<Value> sums, ArrayRef<LaneLoads> ds, int64_t row, int64_t column);
  int64_t getStoreWidth() const;
  bool fillBlocks(int64_t width) const;
  void store(Place place, ArrayRef<Value> sums, Value lds);

  OpBuilder &builder;
  DirectGemmOp op;
  const ChipInfo &chip;
  DirectViews views;
  DirectGeometry geometry;
  DirectTile tile;
  DirectBlocks blocks;
  DirectWeights weights;
  Location loc;
  IntMath math;
  Type accType;
  Value thread;           // of the lane, with matrix instructions
  Value accessing;        // the one whose elements it loads and stores
  Value computer, loader; // which lanes have these, as addresses of ds_bpermute
  llvm::DenseMap<int64_t, Value> weightVectors; ///< by their number from the lane's first, or rows
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_LANEBUILDER_H
