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

#include "Transforms/DistributeToWaves/Distribution.h"
#include "Transforms/DistributeToWaves/StoreValues.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

static constexpr int64_t kWordBytes = 4;
static constexpr int64_t kFlagWords = WorkPlan::kFlagBytes / kWordBytes;
/// Accumulators of a lane that are stored together: 16 bytes.
static constexpr int64_t kGroup = 4;
/// Waves of other workgroups are on other compute units of the same device.
static constexpr StringLiteral kScope = "agent";

/// The address of word `word` of `workspace`.
static Value getAddress(const IntMath &math, Value workspace, Value word) {
  OpBuilder &builder = math.builder;
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), /*addressSpace=*/1);
  Value base = PointerOp::create(builder, math.loc, pointer, workspace);
  Value index = arith::IndexCastOp::create(builder, math.loc, builder.getI64Type(), word);
  return LLVM::GEPOp::create(builder, math.loc, pointer, builder.getI32Type(), base,
                             LLVM::GEPArg(index));
}

/// The address of this wave's flag in line `line`.
static Value getFlag(const IntMath &math, const Config &config, Value workspace, Value line,
                     int64_t first) {
  Value word = math.add(math.mul(line, kFlagWords), config.mathWave);
  return getAddress(math, workspace, math.add(word, first));
}

namespace {

/// The part of a partial tile that a lane holds.
class LanePart {
public:
  LanePart(const IntMath &math, const Config &config, AccType acc, Value workspace, Value index,
           int64_t first)
      : math(math), threads(config.getMathWaves() * config.chip->waveSize) {
    int64_t elements = ShapedType::getNumElements(acc.getShape());
    Value thread = math.add(math.mul(config.mathWave, config.chip->waveSize), config.lane);
    Value word = math.mul(index, WorkPlan::getPartialBytes(elements) / kWordBytes);
    start = getAddress(math, workspace, math.add(math.add(word, math.mul(thread, kGroup)), first));
  }

  /// The address of group `group` of the lane.
  Value getGroup(int64_t group) const {
    return LLVM::GEPOp::create(math.builder, math.loc, start.getType(), math.builder.getI32Type(),
                               start, LLVM::GEPArg(int32_t(group * threads * kGroup)));
  }

private:
  const IntMath &math;
  int64_t threads;
  Value start;
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
        LLVM::StoreOp::create(rewriter, op.getLoc(), four, part.getGroup(group++),
                              kGroup * kWordBytes);
      }
    rewriter.eraseOp(op);
    return success();
  }
};

struct AddPartialPattern final : TilePattern<AddPartialOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(AddPartialOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    LanePart part(math, config, op.getAcc().getType(), op.getWorkspace(), op.getIndex(),
                  op.getFirst());
    SmallVector<Value> sums;
    int64_t group = 0;
    for (Value acc : adaptor.getAcc()) {
      auto type = cast<VectorType>(acc.getType());
      auto four = VectorType::get(kGroup, type.getElementType());
      SmallVector<Value> fours;
      for (int64_t i = 0; i < config.mma->accPerLane; i += kGroup)
        fours.push_back(
            LLVM::LoadOp::create(rewriter, loc, four, part.getGroup(group++), kGroup * kWordBytes));
      Value other = concatenate(rewriter, loc, fours);
      if (isa<FloatType>(type.getElementType()))
        sums.push_back(arith::AddFOp::create(rewriter, loc, acc, other));
      else
        sums.push_back(arith::AddIOp::create(rewriter, loc, acc, other));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{sums});
    return success();
  }
};

struct SignalPattern final : TilePattern<SignalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(SignalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    Value flag = getFlag(math, config, op.getWorkspace(), op.getIndex(), op.getFirst());
    LLVM::FenceOp::create(rewriter, loc, LLVM::AtomicOrdering::release, kScope);
    Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, config.lane,
                                          math.constant(0));
    auto branch = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    Value one = arith::ConstantIntOp::create(inside, loc, 1, 32);
    LLVM::StoreOp::create(inside, loc, one, flag, kWordBytes, /*isVolatile=*/false,
                          /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                          LLVM::AtomicOrdering::monotonic, kScope);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Spins with relaxed loads, which need not invalidate caches, and acquires once.
struct AwaitPattern final : TilePattern<AwaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(AwaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    Value flag = getFlag(math, config, op.getWorkspace(), op.getIndex(), op.getFirst());
    Type i32 = rewriter.getI32Type();
    auto loop = scf::WhileOp::create(rewriter, loc, TypeRange(), ValueRange());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.createBlock(&loop.getBefore());
      Value value =
          LLVM::LoadOp::create(rewriter, loc, i32, flag, kWordBytes, /*isVolatile=*/false,
                               /*isNonTemporal=*/false, /*isInvariant=*/false,
                               /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, kScope);
      // The same for all lanes; say so, for a scalar branch.
      Value uniform = ROCDL::ReadfirstlaneOp::create(rewriter, loc, i32, value);
      Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
      Value waits = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, uniform, zero);
      scf::ConditionOp::create(rewriter, loc, waits, ValueRange());
      rewriter.createBlock(&loop.getAfter());
      ROCDL::SSleepOp::create(rewriter, loc, rewriter.getI32IntegerAttr(1));
      scf::YieldOp::create(rewriter, loc);
    }
    LLVM::FenceOp::create(rewriter, loc, LLVM::AtomicOrdering::acquire, kScope);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ck::distribution::populatePartialPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns, const Config &config) {
  patterns.add<StorePartialPattern, AddPartialPattern, SignalPattern, AwaitPattern>(
      converter, patterns.getContext(), config);
}
