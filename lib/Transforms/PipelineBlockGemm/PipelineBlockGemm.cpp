//===- PipelineBlockGemm.cpp - Turn block GEMMs into software pipelines -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel's body becomes the region of every role: load waves keep its control flow and the
// loads, math waves all the rest. A uniform kernel is the case of one role that does both.
//
//===----------------------------------------------------------------------===//

#include "Transforms/KernelPass.h"
#include "Transforms/PipelineBlockGemm/BlockPipeline.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::ck {
#define GEN_PASS_DEF_PIPELINEBLOCKGEMMPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Where the operands of a block GEMM are.
struct OperandTypes {
  RingType ring;
  FragmentType columns; // B, if it is not in the ring
};
} // namespace

/// The ring that holds the operand tiles of `gemm`, and what waves hold themselves.
static OperandTypes getOperandTypes(BlockGemmOp gemm) {
  // Form `workgroup` has checked that the chip can run the schedule on these operands.
  const ChipInfo *chip = *getTargetChip(gemm);
  Schedule schedule = gemm.getSchedule().getValue();
  GemmShape shape = llvm::cantFail(getGemmShape(gemm.getA().getType(), gemm.getB().getType(),
                                                gemm.getAcc().getType().getElementType()));
  Type element = gemm.getA().getType().getElementType();
  const MatrixInstruction *mma = chip->findMatrixInstruction(schedule.mma, shape.aType);
  if (mma->heldType != shape.aType)
    element = getElementType(gemm.getContext(), mma->heldType);
  auto tile = [&](int64_t rows, const CopyShape &copy, bool contiguousK) {
    FragmentPath path =
        schedule.copies == Copies::Async ? FragmentPath::Async : FragmentPath::Staged;
    return FragmentType::get(gemm.getContext(), {rows, schedule.tile[2]}, element,
                             {copy.vectorMN, copy.vectorK}, contiguousK, path);
  };
  OperandTypes types;
  SmallVector<FragmentType> tiles = {
      tile(schedule.tile[0], *getCopyShapeA(schedule, shape, *chip), shape.aContiguousK)};
  if (shape.bShuffled)
    types.columns = FragmentType::get(gemm.getContext(), {schedule.tile[1], schedule.tile[2]},
                                      element, {1, getKPack(schedule, shape.bType, *chip)},
                                      /*alongK=*/true, FragmentPath::Held);
  else
    tiles.push_back(
        tile(schedule.tile[1], *getCopyShapeB(schedule, shape, *chip), shape.bContiguousK));
  types.ring = RingType::get(gemm.getContext(), schedule.stages.rows,
                             schedule.stages.columns - schedule.stages.rows, tiles);
  return types;
}

/// Gives `store` the `ring` that its results are to go through, once all waves have read the last
/// operands.
static void attachRing(RewriterBase &rewriter, StoreTileOp store, Value ring) {
  rewriter.setInsertionPoint(store);
  SyncOp::create(rewriter, store.getLoc());
  rewriter.modifyOpInPlace(store, [&] { store.getRingMutable().assign(ring); });
}

/// Moves the kernel's body but for its views and rings into the only region of a
/// `ck.wave_specialize` of one role that captures what it uses of them.
static WaveSpecializeOp wrapInRole(RewriterBase &rewriter, gpu::GPUFuncOp kernel,
                                   AccLayoutAttr layout, ValueRange rings) {
  Block &entry = kernel.getBody().front();
  auto isMoved = [](Operation *op) { return op && !isa<TransformOp, LdsRingOp>(op); };
  SmallVector<Operation *> moved;
  for (Operation &op : entry.without_terminator())
    if (isMoved(&op))
      moved.push_back(&op);
  llvm::SetVector<Value> captures;
  for (Operation *op : moved)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == &entry && !isMoved(operand.getDefiningOp()))
          captures.insert(operand);
    });
  captures.insert(rings.begin(), rings.end());

  ArrayRef<int64_t> waves = layout.getWaves();
  auto role = RoleAttr::get(rewriter.getContext(), RoleKind::Uniform, waves[0] * waves[1]);
  rewriter.setInsertionPoint(entry.getTerminator());
  auto specialize =
      WaveSpecializeOp::create(rewriter, kernel.getLoc(), captures.getArrayRef(),
                               rewriter.getArrayAttr({role}), layout, /*regionsCount=*/1);
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
  return specialize;
}

/// Gives load and math waves of `schedule` a copy each of the body of the uniform role of
/// `uniform`.
static WaveSpecializeOp splitRoles(RewriterBase &rewriter, WaveSpecializeOp uniform,
                                   const Schedule &schedule) {
  MLIRContext *context = rewriter.getContext();
  auto load = RoleAttr::get(context, RoleKind::Load, schedule.roles.load);
  auto math = RoleAttr::get(context, RoleKind::Math, schedule.roles.math);
  rewriter.setInsertionPoint(uniform);
  auto split = WaveSpecializeOp::create(rewriter, uniform.getLoc(), uniform.getCaptures(),
                                        rewriter.getArrayAttr({load, math}),
                                        uniform.getLayoutAttr(), /*regionsCount=*/2);
  Region &body = uniform.getRegions().front();
  IRMapping mapping;
  rewriter.cloneRegionBefore(body, split.getRegions()[0], split.getRegions()[0].end(), mapping);
  rewriter.inlineRegionBefore(body, split.getRegions()[1], split.getRegions()[1].end());
  rewriter.eraseOp(uniform);
  return split;
}

/// True for what only waves with accumulators do, block GEMMs aside.
static bool isMath(Operation *op) {
  if (isa<BlockGemmOp>(op))
    return false;
  return isa<StoreTileOp, StorePartialOp, AddPartialOp, SumPartialsOp, SignalOp, AwaitOp,
             ResetSignalOp>(op) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<AccType>);
}

/// Erases from the region of load waves what belongs to accumulators.
static void eraseMath(RewriterBase &rewriter, Region &region) {
  SmallVector<Operation *> erased;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isMath(op))
      return WalkResult::advance();
    erased.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : llvm::reverse(erased)) // users first
    rewriter.eraseOp(op);
}

/// Of block GEMMs of one schedule, by the types of their views.
using TypesOfViews = llvm::DenseMap<std::pair<Type, Type>, OperandTypes>;

static OperandTypes lookUp(const TypesOfViews &types, BlockGemmOp gemm) {
  return types.lookup({gemm.getA().getType(), gemm.getB().getType()});
}

/// The ring of `gemm` among `values`, which hold one of each type.
static Value findRing(const TypesOfViews &types, BlockGemmOp gemm, ValueRange values) {
  Type type = lookUp(types, gemm).ring;
  return *llvm::find_if(values, [&](Value value) { return value.getType() == type; });
}

/// Replaces the block GEMMs in a role's `region` by the role's part of their pipelines.
static void pipelineRole(RewriterBase &rewriter, Region &region, RoleKind role,
                         const TypesOfViews &types) {
  if (role == RoleKind::Load)
    eraseMath(rewriter, region);
  SmallVector<BlockGemmOp> gemms;
  region.walk([&](BlockGemmOp gemm) { gemms.push_back(gemm); });
  for (BlockGemmOp gemm : gemms) {
    BlockPipeline pipeline(rewriter, gemm, findRing(types, gemm, region.getArguments()),
                           lookUp(types, gemm).columns);
    bool async = lookUp(types, gemm).ring.getTiles().front().isAsync();
    if (role == RoleKind::Math)
      rewriter.replaceOp(gemm, pipeline.buildMath());
    else if (role == RoleKind::Uniform)
      rewriter.replaceOp(gemm, async ? pipeline.buildUniformCopies() : pipeline.buildUniform());
    if (role != RoleKind::Load)
      continue;
    if (async)
      pipeline.buildCopies();
    else
      pipeline.buildLoad();
    rewriter.eraseOp(gemm);
  }
}

/// Moves the body of a kernel that works on accumulators without block GEMMs into a uniform role;
/// false for a kernel without accumulators.
static bool wrapWithoutGemm(RewriterBase &rewriter, gpu::GPUFuncOp kernel) {
  AccLayoutAttr layout;
  kernel.walk([&](StoreTileOp store) { layout = store.getAcc().getType().getLayout(); });
  if (!layout)
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  wrapInRole(rewriter, kernel, layout, ValueRange());
  return true;
}

/// The block GEMM that begins the sum `acc`, to which partial tiles may have been added, in loops
/// or branches; null if there is none.
static BlockGemmOp findGemm(Value acc) {
  while (Operation *op = acc.getDefiningOp()) {
    if (auto gemm = dyn_cast<BlockGemmOp>(op))
      return gemm;
    const unsigned number = cast<OpResult>(acc).getResultNumber();
    if (auto add = dyn_cast<AddPartialOp>(op))
      acc = add.getAcc();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      acc = loop.getInitArgs()[number];
    else if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.elseBlock())
      acc = branch.elseYield().getOperand(number);
    else
      return {};
  }
  return {};
}

/// Finds the stores of `kernel` whose results go through a ring, that of the block GEMM which
/// begins the sum. No others have a ring to go through.
static SmallVector<std::pair<StoreTileOp, BlockGemmOp>> findShuffles(gpu::GPUFuncOp kernel) {
  SmallVector<std::pair<StoreTileOp, BlockGemmOp>> shuffles;
  kernel.walk([&](StoreTileOp store) {
    if (!store.getShuffle())
      return;
    if (BlockGemmOp gemm = findGemm(store.getAcc()))
      shuffles.push_back({store, gemm});
    else
      store.removeShuffleAttr();
  });
  return shuffles;
}

/// Gives the sums of `kernel` that waves share the ring of its block GEMM, in which they meet.
static void attachRingToSums(gpu::GPUFuncOp kernel, Value ring) {
  kernel.walk([&](Operation *op) {
    if (auto sum = dyn_cast<SumPartialsOp>(op); sum && !sum.getRing())
      sum.getRingMutable().assign(ring);
    else if (auto gather = dyn_cast<GatherSumOp>(op); gather && !gather.getRing())
      gather.getRingMutable().assign(ring);
  });
}

/// Says how the operands of `kernel` lie in LDS.
static void remarkRings(gpu::GPUFuncOp kernel, const Schedule &schedule, ArrayRef<Type> rings) {
  auto remark = remark::passed(kernel.getLoc(), remark::RemarkOpts::name("Rings")
                                                    .category("ck-pipeline-block-gemm")
                                                    .function(kernel.getName()));
  remark << remark::metric("LoadWaves", schedule.roles.load)
         << remark::metric("MathWaves", schedule.waves[0] * schedule.waves[1])
         << remark::metric("Slots", schedule.stages.rows);
  for (Type ring : rings)
    remark << remark::metric("Ring", ring);
}

FailureOr<bool> ck::pipelineBlockGemm(RewriterBase &rewriter, gpu::GPUFuncOp kernel) {
  SmallVector<BlockGemmOp> gemms;
  kernel.walk([&](BlockGemmOp gemm) { gemms.push_back(gemm); });
  if (gemms.empty())
    return wrapWithoutGemm(rewriter, kernel);
  TypesOfViews types;
  llvm::SetVector<Type> distinct;
  for (BlockGemmOp gemm : gemms) {
    const OperandTypes type = getOperandTypes(gemm);
    types[{gemm.getA().getType(), gemm.getB().getType()}] = type;
    distinct.insert(type.ring);
    if (gemm.getScheduleAttr() == gemms.front().getScheduleAttr())
      continue;
    InFlightDiagnostic diag = gemm.emitOpError("expected block GEMMs of one schedule in a kernel");
    diag.attachNote(gemms.front().getLoc()) << "another one is here";
    return diag;
  }

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(kernel.getBody().front().getTerminator());
  SmallVector<Value> rings = llvm::map_to_vector(distinct, [&](Type type) -> Value {
    return LdsRingOp::create(rewriter, kernel.getLoc(), type);
  });
  for (auto [store, gemm] : findShuffles(kernel))
    attachRing(rewriter, store, findRing(types, gemm, rings));
  attachRingToSums(kernel, rings.front());
  Schedule schedule = gemms.front().getSchedule().getValue();
  AccLayoutAttr layout = gemms.front().getAcc().getType().getLayout();
  WaveSpecializeOp specialize = wrapInRole(rewriter, kernel, layout, rings);
  if (schedule.roles.load > 0)
    specialize = splitRoles(rewriter, specialize, schedule);
  for (auto [role, region] : llvm::zip_equal(specialize.getRoles(), specialize.getRegions()))
    pipelineRole(rewriter, region, cast<RoleAttr>(role).getKind(), types);
  remarkRings(kernel, schedule, distinct.getArrayRef());
  return true;
}

namespace {
struct PipelineBlockGemmPass final
    : KernelPass<ck::impl::PipelineBlockGemmPassBase<PipelineBlockGemmPass>, Form::Workgroup> {
  LogicalResult runOnKernel(gpu::GPUFuncOp kernel) override;
};
} // namespace

LogicalResult PipelineBlockGemmPass::runOnKernel(gpu::GPUFuncOp kernel) {
  IRRewriter rewriter(&getContext());
  FailureOr<bool> pipelined = pipelineBlockGemm(rewriter, kernel);
  if (failed(pipelined))
    return failure();
  numPipelined += *pipelined;
  return success();
}
