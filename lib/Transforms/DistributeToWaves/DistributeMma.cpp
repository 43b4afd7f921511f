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

#include "Transforms/DistributeToWaves/Distribution.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

namespace {

/// A unit of K of the LDS tile: a part that differs from lane to lane, and one for all.
struct LaneUnit {
  Value ofLane;
  int64_t ofAll;
};

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
    int64_t heldK = config.getHeldK();
    int64_t steps = op.getSlot().getType().getRing().getTiles()[0].getShape()[1] /
                    (heldK * config.mma->getLanesOverK());
    for (int64_t step = 0; step < steps; ++step) {
      SmallVector<HeldBlock> a = loadOperand(rewriter, op, adaptor.getSlot()[0], 0, step);
      SmallVector<HeldBlock> b = op.getColumns()
                                     ? takeColumns(rewriter, op, adaptor.getColumns(), step)
                                     : loadOperand(rewriter, op, adaptor.getSlot()[1], 1, step);
      for (int64_t part = 0; part < heldK / config.mma->kPerLane; ++part)
        multiply(rewriter, op.getLoc(), a, b, part, acc);
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{acc});
    return success();
  }

private:
  /// The rows of a block that a lane holds, each a vector along K.
  using HeldBlock = SmallVector<Value, 8>;

  /// Blocks of `fragment`, operand `dim`, that a wave multiplies.
  int64_t getBlocks(FragmentType fragment, unsigned dim) const {
    return fragment.getShape()[0] / config.layout.getUnit(dim);
  }

  /// What the lane holds of each block of the wave, its K by `lane / m`.
  SmallVector<HeldBlock> loadOperand(OpBuilder &builder, MmaTileOp op, Value tile, unsigned dim,
                                     int64_t step) const {
    IntMath math{builder, op.getLoc()};
    FragmentType fragment = op.getSlot().getType().getRing().getTiles()[dim];
    int64_t size = config.getBlockSize(dim), blocks = getBlocks(fragment, dim);
    int64_t lanesOverK = config.mma->getLanesOverK(), units = config.getHeldK() / config.kPack;
    LaneUnit unit = {math.mul(math.rem(math.div(config.lane, size), lanesOverK), units),
                     step * lanesOverK * units};
    Value wave = dim == 0 ? config.waveRow : config.waveColumn;
    Value first = math.mul(wave, blocks * size);
    SmallVector<HeldBlock> held(blocks);
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t i = 0; i < getRows(dim); ++i) {
        SmallVector<Value> parts;
        for (int64_t part = 0; part < units; ++part) {
          LaneUnit at = {unit.ofLane, unit.ofAll + part};
          Value inBlock = getRowInBlock(math, fragment, at, wave, dim, block, i);
          Value row = math.add(math.add(first, block * size), inBlock);
          parts.push_back(loadUnit(math, fragment, tile, at, row));
        }
        held[block].push_back(join(math, parts));
      }
    return held;
  }

  /// What the lane holds of each block of the wave's columns, of which it has `vectors`.
  SmallVector<HeldBlock> takeColumns(OpBuilder &builder, MmaTileOp op, ValueRange vectors,
                                     int64_t step) const {
    IntMath math{builder, op.getLoc()};
    auto fragment = cast<FragmentType>(op.getColumns().getType());
    int64_t loads = config.getHeldLoads(fragment), units = config.getHeldK() / config.kPack;
    return llvm::map_to_vector(
        llvm::seq(config.getHeldBlocks(fragment)), [&](int64_t block) -> HeldBlock {
          return {join(math, vectors.slice(block * loads + step * units, units))};
        });
  }

  /// `parts` along K as one vector.
  static Value join(const IntMath &math, ValueRange parts) {
    Value held = parts.front();
    for (Value part : parts.drop_front()) {
      int64_t size = cast<VectorType>(held.getType()).getNumElements() +
                     cast<VectorType>(part.getType()).getNumElements();
      held = vector::ShuffleOp::create(math.builder, math.loc, held, part,
                                       llvm::to_vector(llvm::seq(size)));
    }
    return held;
  }

  /// Rows of a block of operand `dim` that the lane holds: one, or of an outer product those of its
  /// accumulators.
  int64_t getRows(unsigned dim) const {
    return dim == config.getAccDim() ? config.mma->getRowsPerLane() : 1;
  }

  /// Where row `i` of those that the lane holds lies in its block of LDS rows.
  Value getRowInBlock(const IntMath &math, FragmentType fragment, const LaneUnit &unit, Value wave,
                      unsigned dim, int64_t block, int64_t i) const {
    const MatrixInstruction &mma = *config.mma;
    int64_t run = config.getUnitRun(fragment), unitOfAll = unit.ofAll % run;
    if (getRows(dim) > 1) {
      // All lanes hold the same K, and each has whole groups of rows.
      Value first = math.mul(math.div(config.lane, mma.n), mma.getAccRow(mma.n, 0));
      int64_t row = mma.getAccRow(/*lane=*/0, i);
      return math.add(first, row ^ unitOfAll);
    }
    if (run == 1)
      return swizzleInBlock(math, fragment, wave, dim, block);
    // What differs from lane to lane and what is the same for all are different bits of the unit.
    if (unitOfAll == 0)
      return config.laneRow;
    return arith::XOrIOp::create(math.builder, math.loc, config.laneRow, math.constant(unitOfAll));
  }

  /// A unit of a row, as a vector.
  Value loadUnit(const IntMath &math, FragmentType fragment, Value tile, const LaneUnit &unit,
                 Value row) const {
    auto type = VectorType::get(config.kPack, fragment.getElementType());
    return vector::LoadOp::create(
        math.builder, math.loc, type, tile,
        ValueRange{math.add(unit.ofLane, unit.ofAll), row, math.constant(0)});
  }

  /// Where row `lane mod size` of a block of the wave lies in its block of LDS rows, whatever the
  /// unit. Blocks that are a whole period of the swizzle apart share the value and differ by a
  /// constant.
  Value swizzleInBlock(const IntMath &math, FragmentType fragment, Value wave, unsigned dim,
                       int64_t block) const {
    int64_t size = config.getBlockSize(dim), blocks = getBlocks(fragment, dim);
    int64_t swizzle = config.getSwizzle(fragment), groups = size / 8; // of 8 rows in a block
    Value row = math.rem(config.lane, size);
    if (swizzle == 1)
      return row;
    Value group = math.add(math.div(row, 8), block * groups % swizzle);
    if (blocks * groups % swizzle != 0)
      group = math.add(group, math.mul(wave, blocks * groups));
    return arith::XOrIOp::create(math.builder, math.loc, row, math.rem(group, swizzle));
  }

  /// Part `part` of what the lanes hold: one matrix instruction per pair of blocks.
  void multiply(OpBuilder &builder, Location loc, ArrayRef<HeldBlock> a, ArrayRef<HeldBlock> b,
                int64_t part, MutableArrayRef<Value> acc) const {
    auto slicePart = [&](const HeldBlock &held) { return slice(builder, loc, held, part); };
    SmallVector<Value> rows = llvm::map_to_vector(a, slicePart);
    SmallVector<Value> columns = llvm::map_to_vector(b, slicePart);
    for (auto [i, row] : llvm::enumerate(rows))
      for (auto [j, column] : llvm::enumerate(columns)) {
        Value &sum = acc[i * b.size() + j];
        sum = createMma(builder, loc, row, column, sum);
      }
  }

  /// The operand of the matrix instruction of part `part`; a single element is a scalar.
  Value slice(OpBuilder &builder, Location loc, ArrayRef<Value> held, int64_t part) const {
    int64_t width = config.mma->kPerLane;
    if (width == 1) {
      SmallVector<Value> elements = llvm::map_to_vector(held, [&](Value row) -> Value {
        return vector::ExtractOp::create(builder, loc, row, part);
      });
      if (elements.size() == 1)
        return elements[0];
      auto type = VectorType::get(elements.size(), elements[0].getType());
      return vector::FromElementsOp::create(builder, loc, type, elements);
    }
    if (config.getHeldK() == width)
      return held[0];
    SmallVector<int64_t> lanes(width);
    std::iota(lanes.begin(), lanes.end(), part * width);
    return vector::ShuffleOp::create(builder, loc, held[0], held[0], lanes);
  }

  /// Lanes hold A and B alike, so that exchanging them transposes the block of accumulators.
  Value createMma(OpBuilder &builder, Location loc, Value a, Value b, Value acc) const {
    const MatrixInstruction &mma = *config.mma;
    if (config.getAccDim() == 1)
      std::swap(a, b);
    switch (mma.unit) {
    case MatrixUnit::Wmma:
      return amdgpu::WMMAOp::create(builder, loc, acc.getType(), mma.m, mma.n, mma.k, a, b, acc);
    case MatrixUnit::Fma:
      return vector::FMAOp::create(builder, loc, a,
                                   vector::BroadcastOp::create(builder, loc, a.getType(), b), acc);
    case MatrixUnit::Mfma:
      break;
    }
    return amdgpu::MFMAOp::create(builder, loc, acc.getType(), mma.m, mma.n, mma.k, /*blocks=*/1, a,
                                  b, acc, /*cbsz=*/0, /*abid=*/0, amdgpu::MFMAPermB::none,
                                  mma.reducedPrecision);
  }
};

} // namespace

void ck::distribution::populateMmaPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns, const Config &config) {
  patterns.add<ZeroAccPattern, MmaTilePattern>(converter, patterns.getContext(), config);
}
