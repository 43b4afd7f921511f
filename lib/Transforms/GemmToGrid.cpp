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

#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

#define DEBUG_TYPE "ck-gemm-to-grid"

namespace mlir::ck {
#define GEN_PASS_DEF_GEMMTOGRIDPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Tiles of a scheduled GEMM: groups, tile rows, tile columns, K steps.
static std::array<int64_t, 4> getTileCounts(GemmOp gemm, const Schedule &schedule) {
  ArrayRef<int64_t> a = gemm.getA().getType().getShape(), b = gemm.getB().getType().getShape();
  auto count = [](int64_t size, int64_t tile) { return (size + tile - 1) / tile; };
  return {a[0], count(a[1], schedule.tile[0]), count(b[1], schedule.tile[1]),
          count(a[2], schedule.tile[2])};
}

/// Builds `ck.distribute` over the tiles of `gemm` with the given views.
static void buildDistribute(RewriterBase &rewriter, GemmOp gemm, const Schedule &schedule, Value a,
                            Value b, Value c) {
  Location loc = gemm.getLoc();
  MLIRContext *context = rewriter.getContext();
  auto [groups, rows, columns, steps] = getTileCounts(gemm, schedule);
  auto partition = PartitionAttr::get(context, "data_parallel");
  auto distribute = DistributeOp::create(rewriter, loc, partition,
                                         ArrayRef<int64_t>{groups, rows, columns}, steps);
  Type index = rewriter.getIndexType();
  auto accType = AccType::get(context, {schedule.tile[0], schedule.tile[1]}, rewriter.getF32Type());

  Block *body = rewriter.createBlock(&distribute.getBody());
  body->addArguments(SmallVector<Type>(5, index), SmallVector<Location>(5, loc));
  Value acc = BlockGemmOp::create(rewriter, loc, accType, a, b, body->getArgument(0),
                                  body->getArgument(1), body->getArgument(2), body->getArgument(3),
                                  body->getArgument(4), gemm.getScheduleAttr());
  YieldOp::create(rewriter, loc, acc);

  Block *epilogue = rewriter.createBlock(&distribute.getEpilogue());
  epilogue->addArguments({index, index, index, accType}, SmallVector<Location>(4, loc));
  auto store =
      StoreTileOp::create(rewriter, loc, epilogue->getArgument(3), c, epilogue->getArgument(0),
                          epilogue->getArgument(1), epilogue->getArgument(2));
  rewriter.inlineRegionBefore(gemm.getEpilogue(), store.getEpilogue(), store.getEpilogue().end());
  YieldOp::create(rewriter, loc);
}

/// Launches `kernel` in place of `gemm`.
static void buildLaunch(RewriterBase &rewriter, GemmOp gemm, gpu::GPUFuncOp kernel,
                        ValueRange tensors, int64_t workgroups, int64_t threads) {
  rewriter.setInsertionPoint(gemm);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, gemm.getLoc(), value);
  };
  Value one = constant(1);
  gpu::LaunchFuncOp::create(rewriter, gemm.getLoc(), kernel,
                            gpu::KernelDim3{constant(workgroups), one, one},
                            gpu::KernelDim3{constant(threads), one, one},
                            /*dynamicSharedMemorySize=*/Value(), tensors);
}

FailureOr<gpu::GPUFuncOp> ck::outlineGemm(RewriterBase &rewriter, GemmOp gemm,
                                          gpu::GPUModuleOp kernels, StringRef name) {
  FailureOr<const ChipInfo *> chip = getTargetChip(gemm);
  if (failed(chip))
    return failure();
  if (!gemm.getSchedule())
    return gemm.emitOpError("expected a schedule (see ck-assign-schedule)");
  SmallVector<TransformOp> views;
  SmallVector<Value> tensors;
  for (Value view : {gemm.getB(), gemm.getA(), gemm.getC()}) {
    auto transform = view.getDefiningOp<TransformOp>();
    if (!transform)
      return gemm.emitOpError("expected operands made by ck.transform");
    views.push_back(transform);
    tensors.push_back(transform.getTensor());
  }
  Schedule schedule = gemm.getSchedule()->getValue();
  auto [groups, rows, columns, steps] = getTileCounts(gemm, schedule);
  int64_t workgroups = groups * rows * columns;
  int64_t threads = schedule.getNumWaves() * (*chip)->waveSize;
  if (workgroups > std::numeric_limits<int32_t>::max())
    return gemm.emitOpError("the grid has ") << workgroups << " workgroups: at most 2147483647";

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(kernels.getBody());
  auto type = rewriter.getFunctionType(ValueRange(tensors).getTypes(), {});
  auto kernel = gpu::GPUFuncOp::create(rewriter, gemm.getLoc(), name, type);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), rewriter.getUnitAttr());
  kernel.setKnownBlockSizeAttr(rewriter.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  kernel.setKnownGridSizeAttr(rewriter.getDenseI32ArrayAttr({int32_t(workgroups), 1, 1}));

  rewriter.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<Value> inner;
  for (auto [view, argument] : llvm::zip_equal(views, kernel.getArguments()))
    inner.push_back(
        TransformOp::create(rewriter, view.getLoc(), view.getView().getType(), argument));
  buildDistribute(rewriter, gemm, schedule, inner[1], inner[0], inner[2]);
  rewriter.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(rewriter, gemm.getLoc());

  buildLaunch(rewriter, gemm, kernel, tensors, workgroups, threads);
  rewriter.eraseOp(gemm);
  for (TransformOp view : views)
    if (view->use_empty())
      rewriter.eraseOp(view);
  return kernel;
}

namespace {
struct GemmToGridPass final : ck::impl::GemmToGridPassBase<GemmToGridPass> {
  using Base::Base;
  gpu::GPUModuleOp createKernelModule();
  void runOnOperation() override;
};
} // namespace

/// An empty `gpu.module @kernels` for the module's chip.
gpu::GPUModuleOp GemmToGridPass::createKernelModule() {
  FailureOr<const ChipInfo *> chip = getTargetChip(getOperation());
  if (failed(chip))
    return {};
  getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                          UnitAttr::get(&getContext()));
  auto target = ROCDL::ROCDLTargetAttr::get(&getContext(), /*optLevel=*/3, "amdgcn-amd-amdhsa",
                                            (*chip)->name);
  OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto kernels = gpu::GPUModuleOp::create(builder, getOperation().getLoc(), "kernels",
                                          ArrayRef<Attribute>{target});
  SymbolTable(getOperation()).insert(kernels);
  return kernels;
}

void GemmToGridPass::runOnOperation() {
  SmallVector<GemmOp> gemms;
  getOperation().walk([&](GemmOp gemm) { gemms.push_back(gemm); });
  if (gemms.empty())
    return;
  gpu::GPUModuleOp kernels = createKernelModule();
  if (!kernels)
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  for (auto [i, gemm] : llvm::enumerate(gemms)) {
    auto function = gemm->getParentOfType<SymbolOpInterface>();
    std::string name = function ? function.getName().str() : "gemm";
    if (gemms.size() > 1)
      name += "_" + std::to_string(i);
    if (failed(outlineGemm(rewriter, gemm, kernels, name)))
      return signalPassFailure();
  }
}
