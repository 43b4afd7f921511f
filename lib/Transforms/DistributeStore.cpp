//===- DistributeStore.cpp - The store of an accumulator tile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every lane puts its accumulators through the epilogue as whole vectors and stores them element by
// element, masked where a tile is partial.
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

/// Applies an epilogue region to a whole vector of accumulators.
static Value applyEpilogue(OpBuilder &builder, Location loc, Region &epilogue, Value acc,
                           Type elementType) {
  auto accType = cast<VectorType>(acc.getType());
  if (epilogue.empty()) {
    if (accType.getElementType() == elementType)
      return acc;
    return arith::TruncFOp::create(builder, loc, accType.clone(elementType), acc);
  }
  Block &block = epilogue.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), acc);
  for (Operation &op : block.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      Value scalar = builder.clone(op)->getResult(0);
      mapping.map(op.getResult(0), vector::BroadcastOp::create(
                                       builder, loc, accType.clone(scalar.getType()), scalar));
      continue;
    }
    Operation *vectorized = builder.clone(op, mapping);
    for (OpResult result : vectorized->getResults())
      result.setType(accType.clone(result.getType()));
    mapping.map(op.getResults(), vectorized->getResults());
  }
  return mapping.lookup(block.getTerminator()->getOperand(0));
}

namespace {

struct StoreTilePattern final : TilePattern<StoreTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(StoreTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ViewType view = op.getC().getType();
    llvm::Expected<ViewAnalysis> analysis = analyzeView(view);
    if (!analysis)
      return rewriter.notifyMatchFailure(op, llvm::toString(analysis.takeError()));
    bool linear = analysis->isLinear(1) && analysis->isLinear(2);
    IndexMath math{rewriter, op.getLoc()};
    const MatrixInstruction &mma = *config.mma;
    Value row = getFirst(math, op.getRowTile(), 0,
                         math.mul(math.div(config.lane, mma.n), mma.getAccRow(mma.n, 0)));
    Value column = getFirst(math, op.getColumnTile(), 1, math.rem(config.lane, mma.n));
    auto cursorType = CursorType::get(getContext(), view, FragmentType());
    auto makeCursor = [&](Value row, Value column) -> Value {
      return CursorOp::create(rewriter, op.getLoc(), cursorType, op.getC(),
                              ValueRange{op.getGroup(), row, column});
    };
    Value shared = linear ? makeCursor(row, column) : Value();
    int64_t columns = config.getBlocks(1);
    for (auto [block, acc] : llvm::enumerate(adaptor.getAcc())) {
      Value values =
          applyEpilogue(rewriter, op.getLoc(), op.getEpilogue(), acc, view.getElementType());
      int64_t n = block % columns * mma.n;
      for (int64_t reg = 0; reg < mma.accPerLane; ++reg) {
        int64_t m = block / columns * mma.m + mma.getAccRow(0, reg);
        Value atRow = math.add(row, m), atColumn = math.add(column, n);
        Value value = vector::ExtractOp::create(rewriter, op.getLoc(), values, reg);
        Value cursor = linear ? shared : makeCursor(atRow, atColumn);
        SmallVector<int64_t> offset = {0, linear ? m : 0, linear ? n : 0};
        StoreOp::create(rewriter, op.getLoc(), value, cursor, offset,
                        getMask(math, view, atRow, atColumn));
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// First row or column of the wave's blocks for this lane.
  Value getFirst(const IndexMath &math, Value tile, unsigned dim, Value inBlock) const {
    Value wave = dim == 0 ? config.waveRow : config.waveColumn;
    int64_t perWave = config.getBlocks(dim) * config.getBlockSize(dim);
    return math.add(math.add(math.mul(tile, config.schedule.tile[dim]), math.mul(wave, perWave)),
                    inBlock);
  }

  /// True where the element lies in the view; constant where every tile does.
  Value getMask(const IndexMath &math, ViewType view, Value row, Value column) const {
    Value mask;
    for (auto [dim, at] : llvm::enumerate(ArrayRef<Value>{row, column})) {
      int64_t size = view.getShape()[dim + 1];
      if (size % config.schedule.tile[dim] == 0)
        continue;
      Value inside = math.lessThan(at, size);
      mask = mask ? Value(arith::AndIOp::create(math.builder, math.loc, mask, inside)) : inside;
    }
    if (!mask)
      mask = arith::ConstantIntOp::create(math.builder, math.loc, 1, 1);
    return mask;
  }
};

} // namespace

void ck::distribution::populateStorePatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns, const Config &config) {
  patterns.add<StoreTilePattern>(converter, patterns.getContext(), config);
}
