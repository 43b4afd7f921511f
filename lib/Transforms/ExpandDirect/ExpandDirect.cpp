//===- ExpandDirect.cpp - Replace direct GEMMs by the code of lanes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a lane needs is known from the views: its code has neither loops nor branches.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/LaneBuilder.h"
#include "Transforms/ExpandDirect/SumBuilder.h"
#include "Transforms/KernelPass.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ck {
#define GEN_PASS_DEF_EXPANDDIRECTPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// LDS of `bytes` for a workgroup of `kernel`.
static Value addLds(gpu::GPUFuncOp kernel, int64_t bytes) {
  MLIRContext *context = kernel.getContext();
  auto space = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get({bytes}, IntegerType::get(context, 8), MemRefLayoutAttrInterface(), space);
  Value lds = kernel.addWorkgroupAttribution(type, kernel.getLoc());
  kernel.setWorkgroupAttributionAttr(kernel.getNumWorkgroupAttributions() - 1, "llvm.align",
                                     IntegerAttr::get(IntegerType::get(context, 64), 16));
  return lds;
}

/// Replaces `ops` by what `builders`, one for each, build.
template <typename Op, typename Builder>
static void expand(RewriterBase &rewriter, gpu::GPUFuncOp kernel, ArrayRef<Op> ops,
                   std::vector<Builder> &builders) {
  int64_t ldsBytes = 0; // GEMMs of a kernel belong to different workgroups and share it
  for (const Builder &builder : builders)
    ldsBytes = std::max(ldsBytes, builder.getLdsBytes());
  Value lds = ldsBytes > 0 ? addLds(kernel, ldsBytes) : Value();
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto [op, builder] : llvm::zip_equal(ops, builders)) {
    rewriter.setInsertionPoint(op);
    builder.build(lds);
    rewriter.eraseOp(op);
  }
}

LogicalResult ck::expandDirect(RewriterBase &rewriter, gpu::GPUFuncOp kernel) {
  SmallVector<DirectGemmOp> gemms;
  SmallVector<DirectSumOp> sums;
  kernel.walk([&](DirectGemmOp op) { gemms.push_back(op); });
  kernel.walk([&](DirectSumOp op) { sums.push_back(op); });
  if (gemms.empty() && sums.empty())
    return success();
  FailureOr<const ChipInfo *> chip = getTargetChip(kernel);
  if (failed(chip))
    return failure();
  auto isPossible = [&](auto op) {
    llvm::Error error = checkDirectTile(op.getDirect().getValue(), **chip);
    return !error || (op.emitOpError(llvm::toString(std::move(error))), false);
  };
  if (!llvm::all_of(gemms, isPossible) || !llvm::all_of(sums, isPossible))
    return failure();
  std::vector<LaneBuilder> ofGemms;
  for (DirectGemmOp op : gemms) {
    // The verifier has checked that both are there.
    DirectViews views = llvm::cantFail(DirectViews::create(op));
    const DirectGeometry geometry = llvm::cantFail(views.getGeometry());
    ofGemms.emplace_back(rewriter, op, **chip, std::move(views), geometry);
  }
  expand<DirectGemmOp>(rewriter, kernel, gemms, ofGemms);
  std::vector<SumBuilder> ofSums;
  for (DirectSumOp op : sums) {
    ofSums.emplace_back(rewriter, op, **chip);
    const int64_t words = ofSums.back().getWorkspaceWords();
    if (auto workspace = op.getWorkspace();
        workspace && workspace.getType().getNumElements() < words)
      return op.emitOpError("requires a workspace of ")
             << words << " words, got " << workspace.getType().getNumElements();
  }
  expand<DirectSumOp>(rewriter, kernel, sums, ofSums);
  return success();
}

namespace {
struct ExpandDirectPass final
    : KernelPass<ck::impl::ExpandDirectPassBase<ExpandDirectPass>, Form::Wave> {
  LogicalResult runOnKernel(gpu::GPUFuncOp kernel) override;
};
} // namespace

LogicalResult ExpandDirectPass::runOnKernel(gpu::GPUFuncOp kernel) {
  IRRewriter rewriter(&getContext());
  return expandDirect(rewriter, kernel);
}
