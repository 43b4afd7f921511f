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
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "ck-expand-partition"

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
struct ExpandPartitionPass final : ck::impl::ExpandPartitionPassBase<ExpandPartitionPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ExpandPartitionPass::runOnOperation() {
  SmallVector<DistributeOp> ops;
  getOperation().walk([&](DistributeOp op) { ops.push_back(op); });
  IRRewriter rewriter(&getContext());
  for (DistributeOp op : ops) {
    if (failed(expandPartition(rewriter, op)))
      return signalPassFailure();
    ++numExpanded;
  }
}
