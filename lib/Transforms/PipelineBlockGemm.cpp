//===- PipelineBlockGemm.cpp - Turn block GEMMs into software pipelines -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// scf's loop pipeliner moves ops between iterations of one loop; here the two halves of the loop
// belong to roles that may be different waves, so the pipeline is built from acquire, commit, wait
// and release. A uniform kernel is the case of one role that does both halves.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "ck-pipeline-block-gemm"

namespace mlir::ck {
#define GEN_PASS_DEF_PIPELINEBLOCKGEMMPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Builds the uniform pipeline of one block GEMM:
///
///   load(k0); write(k0)
///   for i = k0 .. k1 - 2 { load(i + 1); wait(i); mma(i); release(i); write(i + 1) }
///   wait(k1 - 1); mma(k1 - 1); release(k1 - 1)
class UniformPipeline {
public:
  UniformPipeline(RewriterBase &rewriter, BlockGemmOp gemm, Value ring)
      : rewriter(rewriter), loc(gemm.getLoc()), gemm(gemm), ring(ring),
        schedule(gemm.getSchedule().getValue()), tiles(cast<RingType>(ring.getType()).getTiles()) {}

  /// Returns the accumulator of the whole K range.
  Value build();

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }
  Value multiply(Value index, int64_t factor) {
    return arith::MulIOp::create(rewriter, loc, index, constant(factor));
  }
  Value makeCursor(Value view, Value tile, FragmentType type);
  Value load(Value cursor, FragmentType type) {
    int64_t k = cast<CursorType>(cursor.getType()).getView().getShape()[2];
    return LoadTileOp::create(rewriter, loc, type, cursor, k % schedule.tile[2] == 0);
  }
  Value advance(Value cursor) {
    return AdvanceOp::create(rewriter, loc, cursor,
                             rewriter.getDenseI64ArrayAttr({0, 0, schedule.tile[2]}));
  }
  void write(Value a, Value b, Value step);
  Value multiplySlot(Value acc, Value step);

  RewriterBase &rewriter;
  Location loc;
  BlockGemmOp gemm;
  Value ring;
  Schedule schedule;
  ArrayRef<FragmentType> tiles;
};
} // namespace

/// A cursor at the first element of the operand tile of the first K step.
Value UniformPipeline::makeCursor(Value view, Value tile, FragmentType type) {
  Value row = multiply(tile, type.getShape()[0]);
  Value k = multiply(gemm.getKBegin(), type.getShape()[1]);
  auto cursorType = CursorType::get(view.getContext(), cast<ViewType>(view.getType()), type);
  return CursorOp::create(rewriter, loc, cursorType, view, ValueRange{gemm.getGroup(), row, k});
}

/// Writes the operand tiles of K step `step` into its slot.
void UniformPipeline::write(Value a, Value b, Value step) {
  Value slot = AcquireOp::create(rewriter, loc, ring, step);
  WriteTileOp::create(rewriter, loc, a, slot, 0);
  WriteTileOp::create(rewriter, loc, b, slot, 1);
  CommitOp::create(rewriter, loc, slot);
}

/// Multiplies the tiles of K step `step` into `acc`.
Value UniformPipeline::multiplySlot(Value acc, Value step) {
  Value slot = WaitOp::create(rewriter, loc, ring, step);
  Value next = MmaTileOp::create(rewriter, loc, slot, acc);
  ReleaseOp::create(rewriter, loc, slot);
  return next;
}

Value UniformPipeline::build() {
  rewriter.setInsertionPoint(gemm);
  Value aCursor = makeCursor(gemm.getA(), gemm.getRowTile(), tiles[0]);
  Value bCursor = makeCursor(gemm.getB(), gemm.getColumnTile(), tiles[1]);
  Value a = load(aCursor, tiles[0]), b = load(bCursor, tiles[1]);
  write(a, b, gemm.getKBegin());
  Value zero = ZeroAccOp::create(rewriter, loc, gemm.getAcc().getType());
  Value one = constant(1);
  Value last = arith::SubIOp::create(rewriter, loc, gemm.getKEnd(), one);

  auto loop = scf::ForOp::create(rewriter, loc, gemm.getKBegin(), last, one,
                                 ValueRange{zero, advance(aCursor), advance(bCursor)});
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    Value a = load(carried[1], tiles[0]), b = load(carried[2], tiles[1]);
    // Carried cursors are one step ahead, so that moving them is off the path to the loads.
    Value aNext = advance(carried[1]), bNext = advance(carried[2]);
    Value acc = multiplySlot(carried[0], loop.getInductionVar());
    write(a, b, arith::AddIOp::create(rewriter, loc, loop.getInductionVar(), one));
    scf::YieldOp::create(rewriter, loc, ValueRange{acc, aNext, bNext});
  }
  return multiplySlot(loop.getResult(0), last);
}

/// The ring that holds the operand tiles of `gemm`, or an error at it.
static FailureOr<RingType> getRingType(BlockGemmOp gemm) {
  FailureOr<const ChipInfo *> chip = getTargetChip(gemm);
  if (failed(chip))
    return failure();
  Schedule schedule = gemm.getSchedule().getValue();
  llvm::Expected<GemmShape> shape = getGemmShape(gemm.getA().getType(), gemm.getB().getType(),
                                                 gemm.getAcc().getType().getElementType());
  if (!shape)
    return gemm.emitOpError(llvm::toString(shape.takeError()));
  if (llvm::Error error = checkSchedule(schedule, *shape, **chip))
    return gemm.emitOpError(llvm::toString(std::move(error)));
  auto tile = [&](int64_t rows, const CopyShape &copy, bool contiguousK) {
    return FragmentType::get(gemm.getContext(), {rows, schedule.tile[2]},
                             gemm.getA().getType().getElementType(), {copy.vectorMN, copy.vectorK},
                             contiguousK);
  };
  return RingType::get(
      gemm.getContext(), schedule.stages,
      {tile(schedule.tile[0], *getCopyShapeA(schedule, *shape, **chip), shape->aContiguousK),
       tile(schedule.tile[1], *getCopyShapeB(schedule, *shape, **chip), shape->bContiguousK)});
}

/// Moves the kernel's body but for its views into the only role of a `ck.wave_specialize` that
/// captures the views and `rings`; returns the rings inside.
static SmallVector<Value> wrapInUniformRole(RewriterBase &rewriter, gpu::GPUFuncOp kernel,
                                            ScheduleAttr schedule, ValueRange rings) {
  Block &entry = kernel.getBody().front();
  SmallVector<Operation *> moved;
  for (Operation &op : entry.without_terminator())
    if (!isa<TransformOp, LdsRingOp>(op))
      moved.push_back(&op);
  llvm::SetVector<Value> captures;
  for (Operation *op : moved)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getDefiningOp<TransformOp>())
          captures.insert(operand);
    });
  captures.insert(rings.begin(), rings.end());

  Schedule value = schedule.getValue();
  auto role = RoleAttr::get(rewriter.getContext(), "uniform", value.waves[0] * value.waves[1]);
  rewriter.setInsertionPoint(entry.getTerminator());
  auto specialize =
      WaveSpecializeOp::create(rewriter, kernel.getLoc(), captures.getArrayRef(),
                               rewriter.getArrayAttr({role}), schedule, /*regionsCount=*/1);
  Block *body = rewriter.createBlock(&specialize.getRegions().front());
  for (Value capture : captures)
    body->addArgument(capture.getType(), capture.getLoc());
  YieldOp::create(rewriter, kernel.getLoc());
  for (Operation *op : moved)
    rewriter.moveOpBefore(op, body->getTerminator());
  for (auto [capture, argument] : llvm::zip_equal(captures, body->getArguments()))
    rewriter.replaceUsesWithIf(capture, argument, [&](OpOperand &use) {
      return specialize->isProperAncestor(use.getOwner());
    });
  return SmallVector<Value>(body->getArguments().take_back(rings.size()));
}

/// The block GEMMs of a kernel share the LDS: a workgroup may run one of them only.
static LogicalResult verifyAlternative(BlockGemmOp gemm, ArrayRef<BlockGemmOp> others) {
  for (BlockGemmOp other : others) {
    if (other == gemm)
      return success();
    bool sameSchedule = other.getScheduleAttr() == gemm.getScheduleAttr();
    if (sameSchedule && insideMutuallyExclusiveRegions(gemm, other))
      continue;
    InFlightDiagnostic diag =
        gemm.emitOpError(sameSchedule ? "expected block GEMMs of which a workgroup runs one"
                                      : "expected block GEMMs of one schedule in a kernel");
    diag.attachNote(other.getLoc()) << "another one is here";
    return diag;
  }
  return success();
}

FailureOr<bool> ck::pipelineBlockGemm(RewriterBase &rewriter, gpu::GPUFuncOp kernel) {
  SmallVector<BlockGemmOp> gemms;
  kernel.walk([&](BlockGemmOp gemm) { gemms.push_back(gemm); });
  if (gemms.empty())
    return false;
  SmallVector<RingType> types;
  for (BlockGemmOp gemm : gemms) {
    FailureOr<RingType> type = getRingType(gemm);
    if (failed(type))
      return failure();
    types.push_back(*type);
    if (failed(verifyAlternative(gemm, gemms)))
      return failure();
  }

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(kernel.getBody().front().getTerminator());
  llvm::SetVector<Type> distinct(types.begin(), types.end());
  SmallVector<Value> rings = llvm::map_to_vector(distinct, [&](Type type) -> Value {
    return LdsRingOp::create(rewriter, kernel.getLoc(), type);
  });
  SmallVector<Value> inner =
      wrapInUniformRole(rewriter, kernel, gemms.front().getScheduleAttr(), rings);
  for (auto [i, gemm] : llvm::enumerate(gemms)) {
    RingType type = types[i];
    Value ring = *llvm::find_if(inner, [&](Value ring) { return ring.getType() == type; });
    Value acc = UniformPipeline(rewriter, gemm, ring).build();
    rewriter.replaceOp(gemm, acc);
  }
  return true;
}

namespace {
struct PipelineBlockGemmPass final : ck::impl::PipelineBlockGemmPassBase<PipelineBlockGemmPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void PipelineBlockGemmPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
    FailureOr<bool> pipelined = pipelineBlockGemm(rewriter, kernel);
    if (failed(pipelined))
      return signalPassFailure();
    numPipelined += *pipelined;
  }
}
