//===- DistributeMma.cpp - Accumulators, matrix instructions and the tile store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave multiplies its blocks of the block tile; the lane layouts of operands and accumulators are
// those of the target table.
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

namespace {

struct ZeroAccPattern final : TilePattern<ZeroAccOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ZeroAccOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getAcc().getType(), types)))
      return failure();
    Value zero = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(types[0]));
    rewriter.replaceOpWithMultiple(
        op, SmallVector<SmallVector<Value>>{SmallVector<Value>(types.size(), zero)});
    return success();
  }
};

struct MmaTilePattern final : TilePattern<MmaTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(MmaTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> acc(adaptor.getAcc());
    int64_t unitsPerStep = config.mma->getLanesOverK();
    int64_t steps = config.schedule.tile[2] / (config.kPack * unitsPerStep);
    for (int64_t step = 0; step < steps; ++step) {
      SmallVector<Value> a = loadOperand(rewriter, op, adaptor.getSlot()[0], 0, step);
      SmallVector<Value> b = loadOperand(rewriter, op, adaptor.getSlot()[1], 1, step);
      for (int64_t part = 0; part < config.kPack / config.mma->kPerLane; ++part)
        multiply(rewriter, op.getLoc(), a, b, part, acc);
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{acc});
    return success();
  }

private:
  /// One LDS unit per block of the wave: rows `lane mod m`, K units `lane / m`.
  SmallVector<Value> loadOperand(OpBuilder &builder, MmaTileOp op, Value tile, unsigned dim,
                                 int64_t step) const {
    IndexMath math{builder, op.getLoc()};
    FragmentType fragment = op.getSlot().getType().getRing().getTiles()[dim];
    int64_t size = config.getBlockSize(dim), blocks = config.getBlocks(dim);
    Value unit = math.add(math.rem(math.div(config.lane, size), config.mma->getLanesOverK()),
                          step * config.mma->getLanesOverK());
    Value wave = dim == 0 ? config.waveRow : config.waveColumn;
    Value first = math.mul(wave, blocks * size);
    auto type = VectorType::get(config.kPack, fragment.getElementType());
    SmallVector<Value> units;
    for (int64_t block = 0; block < blocks; ++block) {
      Value inBlock = swizzleInBlock(math, fragment, wave, dim, block);
      units.push_back(vector::LoadOp::create(
          builder, op.getLoc(), type, tile,
          ValueRange{unit, math.add(math.add(first, inBlock), block * size), math.constant(0)}));
    }
    return units;
  }

  /// Where row `lane mod size` of a block of the wave lies in its block of LDS rows. Blocks that
  /// are a whole period of the swizzle apart share the value and differ by a constant.
  Value swizzleInBlock(const IndexMath &math, FragmentType fragment, Value wave, unsigned dim,
                       int64_t block) const {
    int64_t size = config.getBlockSize(dim), blocks = config.getBlocks(dim);
    int64_t swizzle = config.getSwizzle(fragment), groups = size / 8; // of 8 rows in a block
    Value row = math.rem(config.lane, size);
    if (swizzle == 1)
      return row;
    Value group = math.add(math.div(row, 8), block * groups % swizzle);
    if (blocks * groups % swizzle != 0)
      group = math.add(group, math.mul(wave, blocks * groups));
    return arith::XOrIOp::create(math.builder, math.loc, row, math.rem(group, swizzle));
  }

  /// Part `part` of the units: one matrix instruction per pair of blocks.
  void multiply(OpBuilder &builder, Location loc, ArrayRef<Value> a, ArrayRef<Value> b,
                int64_t part, MutableArrayRef<Value> acc) const {
    int64_t width = config.mma->kPerLane;
    auto slice = [&](Value unit) -> Value {
      if (config.kPack == width)
        return unit;
      SmallVector<int64_t> lanes(width);
      std::iota(lanes.begin(), lanes.end(), part * width);
      return vector::ShuffleOp::create(builder, loc, unit, unit, lanes);
    };
    for (auto [i, row] : llvm::enumerate(a))
      for (auto [j, column] : llvm::enumerate(b)) {
        Value &sum = acc[i * b.size() + j];
        sum = amdgpu::MFMAOp::create(builder, loc, sum.getType(), config.mma->m, config.mma->n,
                                     config.mma->k, /*blocks=*/1, slice(row), slice(column), sum);
      }
  }
};

} // namespace

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

void ck::distribution::populateMmaPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns, const Config &config) {
  patterns.add<ZeroAccPattern, MmaTilePattern, StoreTilePattern>(converter, patterns.getContext(),
                                                                 config);
}
