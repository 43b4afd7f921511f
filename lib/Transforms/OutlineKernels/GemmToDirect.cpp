//===- GemmToDirect.cpp - Outline a GEMM whose lanes compute by themselves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There are no tiles to distribute: workgroups have their results by their numbers, one GEMM of a
// table after the other.
//
//===----------------------------------------------------------------------===//

#include "Transforms/IntMath.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
#include "ck-mlir/IR/DirectSums.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;

/// Builds the op of one GEMM or fill for the workgroup with number `workgroup` among its own.
static void buildPart(RewriterBase &rewriter, const KernelOutline &outline, Operation *part,
                      Value workgroup, DirectAttr direct, int64_t xcds) {
  auto getInner = [&](Value view) { return outline.getInner(view); };
  Value a, b;
  if (auto gemm = dyn_cast<GemmOp>(part)) {
    a = getInner(gemm.getA());
    b = getInner(gemm.getB());
  }
  SmallVector<Value> ds = llvm::map_to_vector(getDs(part), getInner);
  auto op = DirectGemmOp::create(rewriter, part->getLoc(), workgroup, a, b,
                                 getInner(getResultView(part)), ds, direct, xcds);
  rewriter.cloneRegionBefore(getEpilogue(part), op.getEpilogue(), op.getEpilogue().end());
}

/// Outlines the only GEMM of `outline`, whose lanes sum over positions.
static FailureOr<gpu::GPUFuncOp> outlineSum(RewriterBase &rewriter, KernelOutline &outline,
                                            gpu::GPUModuleOp kernels, StringRef name,
                                            const ChipInfo &chip, bool allocWorkspace) {
  auto gemm = cast<GemmOp>(outline.getParts().front());
  DirectAttr direct = gemm.getDirectAttr();
  llvm::Expected<DirectWork> work = getSumWork(gemm, direct.getValue());
  if (!work)
    return gemm.emitOpError(llvm::toString(work.takeError()));
  const int64_t slices = direct.getSlices(), xcds = chip.numXcds;
  Value workspace;
  if (slices > 1) {
    const SumWorkspace sizes = getSumWorkspace(work->sums, slices, chip.waveSize);
    FailureOr<Value> created =
        outline.createWorkspace(rewriter, sizes.getWords(), sizes.flagWords, allocWorkspace,
                                "direct '" + toString(direct.getValue()) + "'");
    if (failed(created))
      return failure();
    workspace = *created;
  }
  return outline.run(
      rewriter, kernels, name, getSumGridSize(work->sums, slices, chip.waveSize, xcds), kSumThreads,
      [&] {
        Value workgroup = gpu::BlockIdOp::create(rewriter, gemm.getLoc(), gpu::Dimension::x);
        auto getInner = [&](Value view) { return outline.getInner(view); };
        auto op = DirectSumOp::create(rewriter, gemm.getLoc(), workgroup, getInner(gemm.getA()),
                                      getInner(gemm.getB()), getInner(gemm.getC()),
                                      llvm::map_to_vector(gemm.getDs(), getInner),
                                      workspace ? getInner(workspace) : Value(), direct, xcds);
        rewriter.cloneRegionBefore(gemm.getEpilogue(), op.getEpilogue(), op.getEpilogue().end());
      });
}

FailureOr<gpu::GPUFuncOp> ck::outlineDirect(RewriterBase &rewriter, Operation *op,
                                            gpu::GPUModuleOp kernels, StringRef name,
                                            bool allocWorkspace) {
  FailureOr<const ChipInfo *> chip = getTargetChip(op);
  FailureOr<KernelOutline> outline = KernelOutline::create(op);
  if (failed(chip) || failed(outline))
    return failure();
  const int64_t xcds = (*chip)->numXcds;
  ArrayRef<Operation *> parts = outline->getParts();
  DirectAttr direct = cast<GemmOp>(*llvm::find_if(parts, llvm::IsaPred<GemmOp>)).getDirectAttr();
  if (direct.getValue().isSum()) {
    // Form `scheduled` has checked that tables have none.
    auto kernel = outlineSum(rewriter, *outline, kernels, name, **chip, allocWorkspace);
    if (succeeded(kernel))
      outline->finish(rewriter);
    return kernel;
  }
  SmallVector<int64_t> counts;
  for (Operation *part : parts) {
    llvm::Expected<DirectWork> work = getDirectWork(part, direct.getValue());
    if (!work)
      return part->emitOpError(llvm::toString(work.takeError()));
    counts.push_back(llvm::alignTo(work->workgroups, xcds));
  }
  const int64_t workgroups = std::accumulate(counts.begin(), counts.end(), int64_t(0));
  Location loc = op->getLoc();
  auto build = [&] {
    IntMath math{rewriter, loc};
    Value workgroup = gpu::BlockIdOp::create(rewriter, loc, gpu::Dimension::x);
    if (parts.size() == 1)
      return buildPart(rewriter, *outline, parts[0], workgroup, direct, xcds);
    for (auto [part, count] : llvm::zip_equal(parts, counts)) {
      // Workgroups before this part have become negative, which are large unsigned numbers.
      auto branch = scf::IfOp::create(rewriter, loc, math.lessThan(workgroup, count));
      {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(branch.thenBlock());
        buildPart(rewriter, *outline, part, workgroup, direct, xcds);
      }
      workgroup = math.sub(workgroup, math.constant(count));
    }
  };
  FailureOr<gpu::GPUFuncOp> kernel =
      outline->run(rewriter, kernels, name, workgroups, kDirectThreads, build);
  if (succeeded(kernel))
    outline->finish(rewriter);
  return kernel;
}
