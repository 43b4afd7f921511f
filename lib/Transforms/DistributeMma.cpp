//===- DistributeMma.cpp - Accumulators and matrix instructions -*- C++ -*-===//
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

void ck::distribution::populateMmaPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns, const Config &config) {
  patterns.add<ZeroAccPattern, MmaTilePattern>(converter, patterns.getContext(), config);
}
