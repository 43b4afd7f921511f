//===- DistributePartial.cpp - Sums that workgroups leave for each other -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial tile holds the registers of the lanes in fours, neighbouring lanes beside each other:
// whoever reads it holds accumulators in the same places. Each wave reads only what the wave at the
// same place of another workgroup wrote, so that flags are those of waves, and no barrier is needed
// between the stores of a workgroup and its signal.
//
// Memory is accessed through llvm rather than memref ops: orderings and scopes are llvm's.
//
//===----------------------------------------------------------------------===//

#include "Transforms/BufferAccess.h"
#include "Transforms/DistributeToWaves/Distribution.h"
#include "Transforms/DistributeToWaves/StoreValues.h"
#include "Transforms/Flags.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

static constexpr int64_t kWordBytes = 4;
static constexpr int64_t kFlagWords = WorkPlan::kFlagBytes / kWordBytes;
/// Accumulators of a lane that are stored together: 16 bytes.
static constexpr int64_t kGroup = 4;

/// The address of this wave's flag in line `line`.
static Value getFlag(const IntMath &math, const Config &config, Value workspace, Value line,
                     int64_t first) {
  Value word = math.add(math.mul(line, kFlagWords), config.mathWave);
  return getWordAddress(math, workspace, math.add(word, first));
}

namespace {

/// The part of a partial tile that a lane holds. Its addresses are a scalar base, a scalar offset
/// and 32 bits of the lane that are the same for all of it: a lane has no registers left for more.
class LanePart {
public:
  LanePart(const IntMath &math, const Config &config, AccType acc, Value workspace, Value index,
           int64_t first)
      : math(math), groupBytes(config.chip->waveSize * kGroup * kWordBytes) {
    const int64_t elements = ShapedType::getNumElements(acc.getShape());
    const int64_t bytes = WorkPlan::getPartialBytes(elements);
    OpBuilder &builder = math.builder;
    Value word = math.add(math.mul(index, bytes / kWordBytes), first);
    buffer = createBuffer(builder, math.loc,
                          LLVM::LLVMPointerType::get(builder.getContext(), kBufferSpace),
                          getWordAddress(math, workspace, word), bytes, *config.chip);
    const int64_t ofWave = elements * kWordBytes / config.getMathWaves();
    offset =
        math.add(math.mul(config.mathWave, ofWave), math.mul(config.lane, kGroup * kWordBytes));
  }

  /// Loads group `group` of the lane, a vector of `type`.
  Value load(VectorType type, int64_t group) const {
    return loadFromBuffer(math.builder, math.loc, type, buffer, getOffset(group), getBase(group));
  }

  void store(Value value, int64_t group) const {
    storeToBuffer(math.builder, math.loc, value, buffer, getOffset(group), getBase(group));
  }

private:
  const IntMath &math;
  int64_t groupBytes; ///< of a wave, whose groups lie one after the other
  Value buffer;       ///< the tile
  Value offset;       ///< bytes from there to the first group of the lane

  static constexpr unsigned kBufferSpace = 8; ///< of buffer descriptors
  /// What an instruction adds to the offset of the lane; the rest is a scalar.
  static constexpr int64_t kInstructionBytes = 4096;

  Value getOffset(int64_t group) const {
    Value bytes = math.add(offset, group * groupBytes % kInstructionBytes);
    return arith::IndexCastOp::create(math.builder, math.loc, math.builder.getI32Type(), bytes);
  }
  Value getBase(int64_t group) const {
    return arith::ConstantIntOp::create(
        math.builder, math.loc, group * groupBytes / kInstructionBytes * kInstructionBytes, 32);
  }
};

struct StorePartialPattern final : TilePattern<StorePartialOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(StorePartialOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    IntMath math{rewriter, op.getLoc()};
    LanePart part(math, config, op.getAcc().getType(), op.getWorkspace(), op.getIndex(),
                  op.getFirst());
    int64_t group = 0;
    for (Value acc : adaptor.getAcc())
      for (int64_t i = 0; i < config.mma->accPerLane; i += kGroup) {
        Value four = slice(rewriter, op.getLoc(), acc, i, kGroup);
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
    int64_t tiles = getPartialsInFlight(registers);
    std::optional<int64_t> count = getConstantIntValue(op.getCount());
    if (count)
      tiles = std::clamp<int64_t>(*count, 1, tiles);
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    auto loop = scf::ForOp::create(rewriter, loc, math.constant(0), op.getCount(),
                                   math.constant(tiles), adaptor.getAcc());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> sums = llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
      addTiles(rewriter, op, loop.getInductionVar(), tiles, count && *count % tiles == 0, sums);
      scf::YieldOp::create(rewriter, loc, sums);
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{loop.getResults()});
    return success();
  }

private:
  /// Adds partial tiles `number` to `number + tiles - 1` to `sums`; those that do not exist are
  /// read as the last one and left out of the sum. `whole`: all of them exist.
  void addTiles(OpBuilder &builder, AddPartialOp op, Value number, int64_t tiles, bool whole,
                SmallVector<Value> &sums) const {
    Location loc = op.getLoc();
    IntMath math{builder, loc};
    if (tiles == 1)
      return addPieces(builder, op, number, sums);
    Value last = math.add(op.getCount(), -1);
    SmallVector<SmallVector<Value>> loaded;
    SmallVector<Value> exists;
    for (int64_t i = 0; i < tiles; ++i) {
      Value tile = math.add(number, i);
      exists.emplace_back();
      if (i > 0 && !whole) {
        exists.back() = math.compare(arith::CmpIPredicate::sle, tile, last);
        tile = math.min(tile, last);
      }
      Value index = math.add(op.getIndex(), math.mul(tile, op.getStep()));
      loaded.push_back(load(builder, loc, getPart(math, op, index), sums, 0));
    }
    ROCDL::SchedBarrier::create(builder, loc, /*mask=*/0); // all loads, then the sums
    for (auto [others, there] : llvm::zip_equal(loaded, exists))
      add(builder, loc, others, there, sums);
  }

  /// Adds partial tile `number` to `sums`, so much at a time as registers allow.
  void addPieces(OpBuilder &builder, AddPartialOp op, Value number,
                 MutableArrayRef<Value> sums) const {
    Location loc = op.getLoc();
    IntMath math{builder, loc};
    const LanePart part =
        getPart(math, op, math.add(op.getIndex(), math.mul(number, op.getStep())));
    const auto size = size_t(std::max<int64_t>(1, kMostPartialRegisters / config.mma->accPerLane));
    for (size_t first = 0; first < sums.size(); first += size) {
      if (first > 0) // The loads of a piece wait for the registers of the one before.
        ROCDL::SchedBarrier::create(builder, loc, /*mask=*/0);
      auto piece = sums.slice(first, std::min(size, sums.size() - first));
      const SmallVector<Value> loaded = load(builder, loc, part, piece, int64_t(first));
      ROCDL::SchedBarrier::create(builder, loc, /*mask=*/0);
      add(builder, loc, loaded, /*exists=*/Value(), piece);
    }
  }

  LanePart getPart(const IntMath &math, AddPartialOp op, Value index) const {
    return {math, config, op.getAcc().getType(), op.getWorkspace(), index, int64_t(op.getFirst())};
  }

  /// What `part` holds of vectors such as `like`, from vector `first` on.
  SmallVector<Value> load(OpBuilder &builder, Location loc, const LanePart &part, ValueRange like,
                          int64_t first) const {
    SmallVector<Value> loaded;
    int64_t group = first * config.mma->accPerLane / kGroup;
    for (Value acc : like) {
      auto four = VectorType::get(kGroup, cast<VectorType>(acc.getType()).getElementType());
      SmallVector<Value> fours;
      for (int64_t i = 0; i < config.mma->accPerLane; i += kGroup)
        fours.push_back(part.load(four, group++));
      loaded.push_back(concatenate(builder, loc, fours));
    }
    return loaded;
  }

  /// Adds `others` to `sums`, where `exists` is given only if it is true.
  static void add(OpBuilder &builder, Location loc, ValueRange others, Value exists,
                  MutableArrayRef<Value> sums) {
    for (auto [sum, other] : llvm::zip_equal(sums, others)) {
      bool isFloat = isa<FloatType>(cast<VectorType>(sum.getType()).getElementType());
      Value next = isFloat ? arith::AddFOp::create(builder, loc, sum, other).getResult()
                           : arith::AddIOp::create(builder, loc, sum, other).getResult();
      sum = exists ? arith::SelectOp::create(builder, loc, exists, next, sum) : next;
    }
  }
};

/// Calls `build` with the flags of the lines of `op`. Each lane has one line; waves with fewer
/// lanes than there are lines take several rounds.
template <typename Op>
void buildFlags(OpBuilder &builder, Op op, const Config &config,
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
  build(builder, getFlag(math, config, op.getWorkspace(), line, op.getFirst()));
}

struct SignalPattern final : TilePattern<SignalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(SignalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    Value flag = getFlag(math, config, op.getWorkspace(), op.getIndex(), op.getFirst());
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
    buildFlags(rewriter, op, config, spinOn);
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
    buildFlags(rewriter, op, config, reset);
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
