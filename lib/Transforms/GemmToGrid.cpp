//===- GemmToGrid.cpp - Outline every GEMM into a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's kernel outlining works on gpu.launch regions; here the launch follows from the
// schedule and the views move along with the GEMM, so the kernel is built directly.
//
//===----------------------------------------------------------------------===//

#include "KernelOutline.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"

#define DEBUG_TYPE "ck-gemm-to-grid"

namespace mlir::ck {
#define GEN_PASS_DEF_GEMMTOGRIDPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Groups, tile rows and tile columns of the result `c`.
static std::array<int64_t, 3> getTileCounts(TypedValue<ViewType> c, const Schedule &schedule) {
  ArrayRef<int64_t> shape = c.getType().getShape();
  auto count = [](int64_t size, int64_t tile) { return (size + tile - 1) / tile; };
  return {shape[0], count(shape[1], schedule.tile[0]), count(shape[2], schedule.tile[1])};
}

/// The schedule that all GEMMs among `parts` share.
static FailureOr<ScheduleAttr> getSchedule(ArrayRef<Operation *> parts) {
  ScheduleAttr schedule;
  for (Operation *part : parts) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm)
      continue;
    if (!gemm.getSchedule())
      return gemm.emitOpError("expected a schedule (see ck-assign-schedule)");
    if (schedule && schedule != gemm.getScheduleAttr())
      return gemm.emitOpError("expected the schedule of the table's other GEMMs ")
             << schedule << ", got " << gemm.getScheduleAttr();
    schedule = gemm.getScheduleAttr();
  }
  return schedule;
}

/// Builds the `ck.work` of one GEMM or fill.
static void buildWork(RewriterBase &rewriter, const KernelOutline &outline, ScheduleAttr schedule,
                      Type accElement, Operation *part) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = part->getLoc();
  Schedule value = schedule.getValue();
  TypedValue<ViewType> c = getResultView(part);
  auto gemm = dyn_cast<GemmOp>(part);
  int64_t k = gemm ? gemm.getA().getType().getShape()[2] : 0;
  auto work = WorkOp::create(rewriter, loc, ArrayRef<int64_t>(getTileCounts(c, value)),
                             (k + value.tile[2] - 1) / value.tile[2]);
  Type index = rewriter.getIndexType();
  auto accType = AccType::get(loc.getContext(), {value.tile[0], value.tile[1]}, accElement);

  Block *body = rewriter.createBlock(&work.getBody());
  body->addArguments(SmallVector<Type>(5, index), SmallVector<Location>(5, loc));
  Value acc;
  if (gemm)
    acc = BlockGemmOp::create(rewriter, loc, accType, outline.getInner(gemm.getA()),
                              outline.getInner(gemm.getB()), body->getArgument(0),
                              body->getArgument(1), body->getArgument(2), body->getArgument(3),
                              body->getArgument(4), schedule);
  else
    acc = ZeroAccOp::create(rewriter, loc, accType);
  YieldOp::create(rewriter, loc, acc);

  Block *epilogue = rewriter.createBlock(&work.getEpilogue());
  epilogue->addArguments({index, index, index, accType}, SmallVector<Location>(4, loc));
  SmallVector<Value> ds =
      llvm::map_to_vector(getDs(part), [&](Value d) { return outline.getInner(d); });
  auto store = StoreTileOp::create(rewriter, loc, epilogue->getArgument(3), outline.getInner(c),
                                   epilogue->getArgument(0), epilogue->getArgument(1),
                                   epilogue->getArgument(2), ds, /*ring=*/Value());
  rewriter.inlineRegionBefore(getEpilogue(part), store.getEpilogue(), store.getEpilogue().end());
  YieldOp::create(rewriter, loc);
}

static void buildDistribute(RewriterBase &rewriter, const KernelOutline &outline, Location loc,
                            ScheduleAttr schedule) {
  auto partition = PartitionAttr::get(rewriter.getContext(), "data_parallel");
  auto distribute = DistributeOp::create(rewriter, loc, partition);
  rewriter.createBlock(&distribute.getBody());
  auto gemm = cast<GemmOp>(*llvm::find_if(outline.getParts(), llvm::IsaPred<GemmOp>));
  Type accElement = getAccumulatorType(gemm.getA().getType().getElementType());
  for (Operation *part : outline.getParts())
    buildWork(rewriter, outline, schedule, accElement, part);
  rewriter.setInsertionPointAfter(distribute);
}

FailureOr<gpu::GPUFuncOp> ck::outlineGemm(RewriterBase &rewriter, Operation *op,
                                          gpu::GPUModuleOp kernels, StringRef name) {
  FailureOr<const ChipInfo *> chip = getTargetChip(op);
  if (failed(chip))
    return failure();
  FailureOr<KernelOutline> outline = KernelOutline::create(op);
  if (failed(outline))
    return failure();
  FailureOr<ScheduleAttr> schedule = getSchedule(outline->getParts());
  if (failed(schedule))
    return failure();
  Schedule value = schedule->getValue();
  int64_t workgroups = 0;
  for (Operation *part : outline->getParts()) {
    auto [groups, rows, columns] = getTileCounts(getResultView(part), value);
    workgroups += groups * rows * columns;
  }
  Location loc = op->getLoc();
  return outline->run(rewriter, kernels, name, workgroups, value.getNumWaves() * (*chip)->waveSize,
                      [&] { buildDistribute(rewriter, *outline, loc, *schedule); });
}

namespace {
struct GemmToGridPass final : ck::impl::GemmToGridPassBase<GemmToGridPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void GemmToGridPass::runOnOperation() {
  if (failed(outlineKernels(getOperation(), "",
                            [](RewriterBase &rewriter, Operation *op, gpu::GPUModuleOp kernels,
                               StringRef name) -> LogicalResult {
                              return outlineGemm(rewriter, op, kernels, name);
                            })))
    signalPassFailure();
}
