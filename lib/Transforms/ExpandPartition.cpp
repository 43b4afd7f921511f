//===- ExpandPartition.cpp - Replace work distribution by the code of each workgroup -*- C++
//-*-===//
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
  if (distribute.getPartition().getText() != "data_parallel")
    return distribute.emitOpError("partition '")
           << distribute.getPartition().getText()
           << "' is not supported yet: expected 'data_parallel'";
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(distribute);
  Location loc = distribute.getLoc();
  Value workgroup = gpu::BlockIdOp::create(rewriter, loc, gpu::Dimension::x);
  auto tile =
      affine::AffineDelinearizeIndexOp::create(rewriter, loc, workgroup, distribute.getTiles());
  Value begin = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value end = arith::ConstantIndexOp::create(rewriter, loc, distribute.getKSteps());

  SmallVector<Value> arguments(tile.getResults());
  Block &body = distribute.getBody().front(), &epilogue = distribute.getEpilogue().front();
  auto bodyYield = cast<YieldOp>(body.getTerminator());
  Value acc = bodyYield.getOperand(0);
  rewriter.eraseOp(bodyYield);
  rewriter.inlineBlockBefore(&body, distribute,
                             {arguments[0], arguments[1], arguments[2], begin, end});
  rewriter.eraseOp(epilogue.getTerminator());
  arguments.push_back(acc);
  rewriter.inlineBlockBefore(&epilogue, distribute, arguments);
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
  for (DistributeOp op : ops)
    if (failed(expandPartition(rewriter, op)))
      return signalPassFailure();
}
