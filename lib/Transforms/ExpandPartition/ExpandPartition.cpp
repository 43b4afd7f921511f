//===- ExpandPartition.cpp - Replace work distribution by code -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass of its own, so that every kind of kernel can use every partition: what comes before does
// not know how tiles are shared, what comes after sees plain control flow.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandPartition/PartitionBuilder.h"
#include "Transforms/KernelPass.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ck {
#define GEN_PASS_DEF_EXPANDPARTITIONPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

LogicalResult ck::expandPartition(RewriterBase &rewriter, DistributeOp distribute) {
  llvm::Expected<WorkPlan> plan = distribute.getPlan();
  if (!plan)
    return distribute.emitOpError(llvm::toString(plan.takeError()));
  OpBuilder::InsertionGuard guard(rewriter);
  bool streams = hasStreams(plan->getPartition());
  PartitionBuilder builder(rewriter, distribute, std::move(*plan));
  if (streams)
    builder.buildStreams();
  else
    builder.buildSlices();
  rewriter.eraseOp(distribute);
  return success();
}

namespace {
struct ExpandPartitionPass final
    : KernelPass<ck::impl::ExpandPartitionPassBase<ExpandPartitionPass>, Form::Grid> {
  LogicalResult runOnKernel(gpu::GPUFuncOp kernel) override;
};
} // namespace

LogicalResult ExpandPartitionPass::runOnKernel(gpu::GPUFuncOp kernel) {
  SmallVector<DistributeOp> ops;
  kernel.walk([&](DistributeOp op) { ops.push_back(op); });
  IRRewriter rewriter(&getContext());
  for (DistributeOp op : ops) {
    if (failed(expandPartition(rewriter, op)))
      return failure();
    ++numExpanded;
  }
  return success();
}
