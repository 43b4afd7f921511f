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

/// What reads operands of K units from LDS, and multiplies them.
template <typename Op>
struct UnitPattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  using TilePattern<Op>::config;

protected:
  /// The rows of a block that a lane holds, each a vector along K.
  using HeldBlock = SmallVector<Value, 8>;

  /// Blocks of `fragment`, operand `dim`, that a wave multiplies.
  int64_t getBlocks(FragmentType fragment, unsigned dim) const {
    return fragment.getShape()[0] / config.layout.getUnit(dim);
  }

  /// What the lane holds of each block of the wave, its K by `lane / m`.
  SmallVector<HeldBlock> loadOperand(const IntMath &math, RingType ring, Value tile, unsigned dim,
                                     int64_t step) const {
    FragmentType fragment = ring.getTiles()[dim];
    int64_t size = config.getBlockSize(dim), blocks = getBlocks(fragment, dim);
    int64_t lanesOverK = config.mma->getLanesOverK(), units = config.getHeldK() / config.kPack;
    LaneUnit unit = {math.mul(math.rem(math.div(config.lane, size), lanesOverK), units),
                     step * lanesOverK * units};
    Value wave = dim == 0 ? config.waveRow : config.waveColumn;
    if (fragment.isTransposed())
      return loadTransposed(math, fragment, tile, wave, dim, unit);
    Value first = math.mul(wave, blocks * size);
    SmallVector<HeldBlock> held(blocks);
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t i = 0; i < config.getRows(dim); ++i) {
        SmallVector<Value> parts;
        for (int64_t part = 0; part < units; ++part) {
          LaneUnit at = {unit.ofLane, unit.ofAll + part};
          Value inBlock = getRowInBlock(math, fragment, at, wave, dim, block, i);
          if (fragment.isAsync())
            parts.push_back(
                loadPermuted(math, fragment, tile, at, math.add(first, inBlock), block * size));
          else
            parts.push_back(loadUnit(math, fragment, tile, at,
                                     math.add(math.add(first, block * size), inBlock)));
        }
        held[block].push_back(join(math, parts));
      }
    return held;
  }

  /// As `loadOperand`, of a tile that lies in LDS along its rows: 16 lanes read 4 K of 16 rows,
  /// each a quarter of one K, and each gets 4 K of a row. What reads have in common is one value to
  /// which they add constants, so that it takes few registers.
  SmallVector<HeldBlock> loadTransposed(const IntMath &math, FragmentType fragment, Value tile,
                                        Value wave, unsigned dim, const LaneUnit &unit) const {
    int64_t size = config.getBlockSize(dim), blocks = getBlocks(fragment, dim);
    int64_t width = fragment.getMicroTile()[0], rows = fragment.getShape()[0];
    Value inRow = math.rem(config.lane, kTransposedElements);
    Value k = math.add(math.mul(unit.ofLane, config.kPack),
                       math.rem(math.div(config.lane, kTransposedElements), kTransposedElements));
    // Blocks of 16 rows of the same K belong to neighbouring groups of 16 lanes.
    Value inBlock = math.div(math.rem(config.lane, size), kTransposedRows);
    Value part = math.add(math.mul(wave, blocks * size / width),
                          math.add(math.mul(inBlock, kTransposedRows / width),
                                   math.div(inRow, width / kTransposedElements)));
    Value permuted = permutePart(math, config, fragment, part, k);
    Value first = math.add(math.mul(k, rows), math.mul(math.rem(inRow, width / kTransposedElements),
                                                       kTransposedElements));
    auto type = VectorType::get(kTransposedElements, fragment.getElementType());
    SmallVector<HeldBlock> held(blocks);
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t row = block * size, inPeriod = row % kPermutedRows;
      Value place =
          arith::XOrIOp::create(math.builder, math.loc, permuted, math.constant(inPeriod / width));
      Value ofLane = math.add(first, math.mul(place, width));
      SmallVector<Value> parts;
      for (int64_t read = 0; read < config.getHeldK() / kTransposedElements; ++read) {
        int64_t atK = unit.ofAll * config.kPack + read * kTransposedElements;
        Value at = math.add(ofLane, atK * rows + row - inPeriod);
        parts.push_back(
            amdgpu::TransposeLoadOp::create(math.builder, math.loc, type, tile, ValueRange{at}));
      }
      held[block].push_back(join(math, parts));
    }
    return held;
  }

  /// Operand `dim` of a unit of `ring`, of which the lane has `vectors`.
  SmallVector<HeldBlock> takeUnit(RingType ring, ValueRange vectors, unsigned dim) const {
    if (dim == 1)
      vectors = vectors.drop_front(config.getUnitVectors(ring, 0));
    int64_t rows = config.getRows(dim);
    SmallVector<HeldBlock> held(getBlocks(ring.getTiles()[dim], dim));
    for (auto [index, block] : llvm::enumerate(held))
      llvm::append_range(block, vectors.slice(index * rows, rows));
    return held;
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

  /// Where row `i` of those that the lane holds lies in its block of LDS rows.
  Value getRowInBlock(const IntMath &math, FragmentType fragment, const LaneUnit &unit, Value wave,
                      unsigned dim, int64_t block, int64_t i) const {
    const MatrixInstruction &mma = *config.mma;
    int64_t run = config.getUnitRun(fragment), unitOfAll = unit.ofAll % run;
    if (config.getRows(dim) > 1) {
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

  /// As `loadUnit`, of row `row + rowOfAll` of a tile that was copied past registers. Reads of
  /// different `rowOfAll` have one value in common, to which they add constants, so that they take
  /// few registers.
  Value loadPermuted(const IntMath &math, FragmentType fragment, Value tile, const LaneUnit &unit,
                     Value row, int64_t rowOfAll) const {
    const int64_t elements = fragment.getShape()[1];
    auto type = VectorType::get(config.kPack, fragment.getElementType());
    // Constants are other bits of the unit than what differs from lane to lane.
    Value permuted =
        permuteUnit(math, config, fragment, unit.ofLane, math.rem(config.lane, config.mma->m));
    Value place =
        arith::XOrIOp::create(math.builder, math.loc, permuted, math.constant(unit.ofAll));
    Value ofLane = math.add(math.mul(row, elements), math.mul(place, config.kPack));
    return vector::LoadOp::create(math.builder, math.loc, type, tile,
                                  ValueRange{math.add(ofLane, rowOfAll * elements)});
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

  /// What the lanes hold of a unit: one matrix instruction per pair of blocks, or several for its
  /// parts.
  void multiply(OpBuilder &builder, Location loc, ArrayRef<HeldBlock> a, ArrayRef<HeldBlock> b,
                MutableArrayRef<Value> acc) const {
    for (int64_t part = 0; part < config.getHeldK() / config.mma->kPerLane; ++part)
      multiplyPart(builder, loc, a, b, part, acc);
  }

  /// Part `part` of what the lanes hold.
  void multiplyPart(OpBuilder &builder, Location loc, ArrayRef<HeldBlock> a, ArrayRef<HeldBlock> b,
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

struct MmaTilePattern final : UnitPattern<MmaTileOp> {
  using UnitPattern::UnitPattern;

  LogicalResult matchAndRewrite(MmaTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> acc(adaptor.getAcc());
    RingType ring = op.getSlot().getType().getRing();
    IntMath math{rewriter, op.getLoc()};
    for (int64_t step = 0; step < config.getUnits(ring); ++step) {
      SmallVector<HeldBlock> a = loadOperand(math, ring, adaptor.getSlot()[0], 0, step);
      SmallVector<HeldBlock> b = op.getColumns()
                                     ? takeColumns(rewriter, op, adaptor.getColumns(), step)
                                     : loadOperand(math, ring, adaptor.getSlot()[1], 1, step);
      multiply(rewriter, op.getLoc(), a, b, acc);
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{acc});
    return success();
  }

private:
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
};

struct ReadUnitPattern final : UnitPattern<ReadUnitOp> {
  using UnitPattern::UnitPattern;

  LogicalResult matchAndRewrite(ReadUnitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RingType ring = op.getSlot().getType().getRing();
    IntMath math{rewriter, op.getLoc()};
    if (int64_t(op.getIndex()) >= config.getUnits(ring))
      return op.emitOpError("expected a unit in [0, ")
             << config.getUnits(ring) - 1 << "], got " << op.getIndex();
    SmallVector<Value> vectors;
    ROCDL::SchedBarrier::create(rewriter, op.getLoc(), /*mask=*/0);
    // Columns first: all of them are live as long as there are rows to multiply, and rows end one
    // after the other.
    std::array<SmallVector<HeldBlock>, 2> operands;
    for (unsigned dim : {1, 0})
      operands[dim] = loadOperand(math, ring, adaptor.getSlot()[dim], dim, op.getIndex());
    for (ArrayRef<HeldBlock> blocks : operands)
      for (const HeldBlock &block : blocks)
        llvm::append_range(vectors, block);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{vectors});
    return success();
  }
};

struct MmaUnitPattern final : UnitPattern<MmaUnitOp> {
  using UnitPattern::UnitPattern;

  LogicalResult matchAndRewrite(MmaUnitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> acc(adaptor.getAcc());
    RingType ring = op.getUnit().getType().getRing();
    IntMath math{rewriter, op.getLoc()};
    multiply(rewriter, op.getLoc(), takeUnit(ring, adaptor.getUnit(), 0),
             takeUnit(ring, adaptor.getUnit(), 1), acc);
    if (auto beside = config.besideReads.find(op); beside != config.besideReads.end())
      interleave(math, ring, int64_t(acc.size()), beside->second);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{acc});
    return success();
  }

private:
  /// Asks the instruction scheduler to spread the reads of the next unit and `copies` over the
  /// first seven eighths of the matrix instructions for `blocks`, exactly: the others hide the
  /// latency of the last. Copies that the next step awaits end a little earlier.
  void interleave(const IntMath &math, RingType ring, int64_t blocks,
                  const CopiesBeside &copies) const {
    constexpr int kMatrix = 0x8, kGlobalRead = 0x20, kLdsRead = 0x100;
    int64_t products = blocks * (config.getHeldK() / config.mma->kPerLane);
    int64_t reads = 0;
    for (auto [dim, tile] : llvm::enumerate(ring.getTiles()))
      reads += config.getUnitVectors(ring, dim) * config.getUnitReads(tile) *
               (config.getHeldK() / config.kPack);
    SmallVector<std::pair<int64_t, int>> places; // products in front of an access, and its kind
    auto spread = [&](int64_t count, int kind, int64_t eighths) {
      for (int64_t i = 1; i <= count; ++i)
        places.push_back({products * eighths / 8 * i / count, kind});
    };
    spread(reads, kLdsRead, 7);
    spread(copies.count, kGlobalRead, copies.areAwaited ? 6 : 7);
    llvm::sort(places);
    int64_t done = 0;
    for (auto [place, kind] : places) {
      if (place > done)
        ROCDL::SchedGroupBarrier::create(math.builder, math.loc, kMatrix, place - done, 0);
      ROCDL::SchedGroupBarrier::create(math.builder, math.loc, kind, 1, 0);
      done = place;
    }
  }
};

} // namespace

void ck::distribution::populateMmaPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns, const Config &config) {
  patterns.add<ZeroAccPattern, MmaTilePattern, ReadUnitPattern, MmaUnitPattern>(
      converter, patterns.getContext(), config);
}
