//===- DistributePartial.cpp - Sums that workgroups leave for each other -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever adds a partial tile to its accumulators holds these in the same places as who left it.
// Each wave reads only what the wave at one place of another workgroup wrote, so that flags are
// those of waves, and no barrier is needed between the stores of a workgroup and its signal.
//
// Memory is accessed through llvm rather than memref ops: orderings and scopes are llvm's.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/Distribution.h"
#include "Transforms/DistributeToWaves/PartialTile.h"
#include "Transforms/DistributeToWaves/StoreValues.h"
#include "Transforms/Flags.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

static constexpr int64_t kWordBytes = 4;
static constexpr int64_t kFlagWords = WorkPlan::kFlagBytes / kWordBytes;

/// The address of the flag of math wave `wave` in line `line`.
static Value getFlag(const IntMath &math, Value wave, Value workspace, Value line, int64_t first) {
  Value word = math.add(math.mul(line, kFlagWords), wave);
  return getWordAddress(math, workspace, math.add(word, first));
}

namespace {

struct StorePartialPattern final : TilePattern<StorePartialOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(StorePartialOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    IntMath math{rewriter, op.getLoc()};
    const PartialTiles tile = {op.getAcc().getType(), op.getWorkspace(), int64_t(op.getFirst()),
                               op.getIndex()};
    const LanePart part(math, config, tile, config.mathWave);
    int64_t group = 0;
    for (Value acc : adaptor.getAcc())
      for (int64_t i = 0; i < config.mma->accPerLane; i += kPartialGroup) {
        Value four = slice(rewriter, op.getLoc(), acc, i, kPartialGroup);
        part.store(four, group++);
      }
    rewriter.eraseOp(op);
    return success();
  }
};

/// The loads of several partial tiles are in flight at the same time, as far as registers allow; of
/// a tile that needs more of them, those of one piece after the other.
struct AddPartialPattern final : TilePattern<AddPartialOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(AddPartialOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const int64_t registers = int64_t(adaptor.getAcc().size()) * config.mma->accPerLane;
    int64_t atOnce = getPartialsInFlight(registers);
    std::optional<int64_t> count = getConstantIntValue(op.getCount());
    if (count)
      atOnce = std::clamp<int64_t>(*count, 1, atOnce);
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    const PartialTiles tiles = {op.getAcc().getType(), op.getWorkspace(), int64_t(op.getFirst()),
                                op.getIndex(),         op.getCount(),     op.getStep()};
    auto addRound = [&](OpBuilder &, Location, Value number, ValueRange before) {
      SmallVector<Value> sums = llvm::to_vector(before);
      if (atOnce == 1)
        addPieces(math, tiles, number, sums);
      else if (isClose(op.getWorkspace()))
        addClose(math, tiles, number, atOnce, sums);
      else
        addTiles(math, tiles, number, atOnce, count && *count % atOnce == 0, sums);
      scf::YieldOp::create(rewriter, loc, sums);
    };
    auto loop = scf::ForOp::create(rewriter, loc, math.constant(0), op.getCount(),
                                   math.constant(atOnce), adaptor.getAcc(), addRound);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{loop.getResults()});
    return success();
  }

private:
  /// Adds those of `tiles` with numbers from `number` on, `atOnce` of them, to `sums`.
  void addClose(const IntMath &math, const PartialTiles &tiles, Value number, int64_t atOnce,
                MutableArrayRef<Value> sums) const {
    const LanePart part(math, config, tiles, config.mathWave);
    addAtOnce(math, number, atOnce, sums,
              [&](Value tile) { return load(math, part, sums, 0, tile); });
  }

  /// The same of tiles that may lie apart. Those that do not exist are read as the last one and
  /// left out of the sum; `whole`: all of them exist.
  void addTiles(const IntMath &math, const PartialTiles &tiles, Value number, int64_t atOnce,
                bool whole, MutableArrayRef<Value> sums) const {
    Value last = math.add(tiles.count, -1);
    SmallVector<SmallVector<Value>> loaded;
    SmallVector<Value> exists;
    for (int64_t i = 0; i < atOnce; ++i) {
      Value tile = math.add(number, i);
      exists.emplace_back();
      if (i > 0 && !whole) {
        exists.back() = math.compare(arith::CmpIPredicate::sle, tile, last);
        tile = math.min(tile, last);
      }
      loaded.push_back(load(math, getPart(math, tiles, tile), sums, 0));
    }
    ROCDL::SchedBarrier::create(math.builder, math.loc, /*mask=*/0); // all loads, then the sums
    for (auto [others, there] : llvm::zip_equal(loaded, exists))
      addVectors(math.builder, math.loc, others, sums, there);
  }

  /// Adds that with number `number` to `sums`, so much at a time as registers allow.
  void addPieces(const IntMath &math, const PartialTiles &tiles, Value number,
                 MutableArrayRef<Value> sums) const {
    const LanePart part = getPart(math, tiles, number);
    const auto size = size_t(std::max<int64_t>(1, kMostPartialRegisters / config.mma->accPerLane));
    for (size_t first = 0; first < sums.size(); first += size) {
      if (first > 0) // The loads of a piece wait for the registers of the one before.
        ROCDL::SchedBarrier::create(math.builder, math.loc, /*mask=*/0);
      auto piece = sums.slice(first, std::min(size, sums.size() - first));
      const SmallVector<Value> loaded = load(math, part, piece, int64_t(first));
      ROCDL::SchedBarrier::create(math.builder, math.loc, /*mask=*/0);
      addVectors(math.builder, math.loc, loaded, piece);
    }
  }

  /// The part of the tile with number `number` alone.
  LanePart getPart(const IntMath &math, PartialTiles tiles, Value number) const {
    Value further = arith::MulIOp::create(math.builder, math.loc, number, tiles.step);
    tiles.index = math.add(tiles.index, further);
    tiles.count = tiles.step = Value();
    return {math, config, tiles, config.mathWave};
  }

  /// What `part` holds of vectors such as `like`, from vector `first` on, of tile `number`.
  SmallVector<Value> load(const IntMath &math, const LanePart &part, ValueRange like, int64_t first,
                          Value number = {}) const {
    SmallVector<Value> loaded;
    int64_t group = first * config.mma->accPerLane / kPartialGroup;
    for (Value acc : like) {
      auto four = VectorType::get(kPartialGroup, cast<VectorType>(acc.getType()).getElementType());
      SmallVector<Value> fours;
      for (int64_t i = 0; i < config.mma->accPerLane; i += kPartialGroup)
        fours.push_back(part.load(four, group++, number));
      loaded.push_back(concatenate(math.builder, math.loc, fours));
    }
    return loaded;
  }
};

/// Calls `build` with the flags of math wave `wave` in the lines of `op`. Each lane has one line;
/// waves with fewer lanes than there are lines take several rounds.
template <typename Op>
void buildFlags(OpBuilder &builder, Op op, const Config &config, Value wave,
                llvm::function_ref<void(OpBuilder &, Value)> build) {
  Location loc = op.getLoc();
  IntMath math{builder, loc};
  auto loop = scf::ForOp::create(builder, loc, math.constant(0), op.getCount(),
                                 math.constant(config.chip->waveSize));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  // Lanes beyond the last line take that one.
  Value number =
      math.min(math.add(loop.getInductionVar(), config.lane), math.add(op.getCount(), -1));
  Value line = math.add(op.getIndex(), math.mul(number, op.getStep()));
  build(builder, getFlag(math, wave, op.getWorkspace(), line, int64_t(op.getFirst())));
}

struct SignalPattern final : TilePattern<SignalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(SignalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    Value flag =
        getFlag(math, config.mathWave, op.getWorkspace(), op.getIndex(), int64_t(op.getFirst()));
    releaseToDevice(rewriter, loc);
    Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, config.lane,
                                          math.constant(0));
    auto branch = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    storeFlag(inside, loc, 1, flag);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Spins with relaxed loads, which need not invalidate caches, and acquires once.
struct AwaitPattern final : TilePattern<AwaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(AwaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto spinOn = [&](OpBuilder &builder, Value flag) {
      spinOnFlags(builder, op.getLoc(), flag, config.chip->waveSize);
    };
    Value wave = op.getWave() ? op.getWave() : config.mathWave;
    buildFlags(rewriter, op, config, wave, spinOn);
    acquireFromDevice(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ResetSignalPattern final : TilePattern<ResetSignalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ResetSignalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto reset = [&](OpBuilder &builder, Value flag) { storeFlag(builder, op.getLoc(), 0, flag); };
    buildFlags(rewriter, op, config, config.mathWave, reset);
    rewriter.eraseOp(op);
    return success();
  }
};

struct MathWavePattern final : TilePattern<MathWaveOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(MathWaveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, config.mathWave);
    return success();
  }
};

} // namespace

void ck::distribution::populatePartialPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns, const Config &config) {
  patterns.add<StorePartialPattern, AddPartialPattern, SignalPattern, AwaitPattern,
               ResetSignalPattern, MathWavePattern>(converter, patterns.getContext(), config);
}
