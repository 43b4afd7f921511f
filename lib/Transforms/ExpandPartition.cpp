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

/// Replaces `work`, whose tiles belong to workgroups `first` and following, by the code of
/// workgroup `workgroup` at the insertion point.
static void expandWork(RewriterBase &rewriter, WorkOp work, Value workgroup, int64_t first) {
  Location loc = work.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  if (first != 0)
    workgroup = arith::SubIOp::create(rewriter, loc, workgroup, constant(first));
  auto tile = affine::AffineDelinearizeIndexOp::create(rewriter, loc, workgroup, work.getTiles());
  SmallVector<Value> arguments(tile.getResults());
  Value begin = constant(0), end = constant(work.getKSteps());
  Block *target = rewriter.getInsertionBlock();
  Block::iterator place = rewriter.getInsertionPoint();

  Block &body = work.getBody().front(), &epilogue = work.getEpilogue().front();
  auto bodyYield = cast<YieldOp>(body.getTerminator());
  Value acc = bodyYield.getOperand(0);
  rewriter.eraseOp(bodyYield);
  rewriter.inlineBlockBefore(&body, target, place,
                             {arguments[0], arguments[1], arguments[2], begin, end});
  rewriter.eraseOp(epilogue.getTerminator());
  arguments.push_back(acc);
  rewriter.inlineBlockBefore(&epilogue, target, place, arguments);
}

LogicalResult ck::expandPartition(RewriterBase &rewriter, DistributeOp distribute) {
  if (distribute.getPartition().getText() != "data_parallel")
    return distribute.emitOpError("partition '")
           << distribute.getPartition().getText()
           << "' is not supported yet: expected 'data_parallel'";
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(distribute);
  Location loc = distribute.getLoc();
  Value workgroup = gpu::BlockIdOp::create(rewriter, loc, gpu::Dimension::x);
  SmallVector<WorkOp> works(distribute.getBody().getOps<WorkOp>());
  int64_t first = 0;
  for (WorkOp work : works) {
    int64_t end = first;
    ArrayRef<int64_t> tiles = work.getTiles();
    end += tiles[0] * tiles[1] * tiles[2];
    if (work != works.back()) {
      Value limit = arith::ConstantIndexOp::create(rewriter, loc, end);
      Value inside =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, workgroup, limit);
      auto branch = scf::IfOp::create(rewriter, loc, inside, /*withElseRegion=*/true);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      expandWork(rewriter, work, workgroup, first);
      rewriter.setInsertionPointToStart(branch.elseBlock());
    } else {
      expandWork(rewriter, work, workgroup, first);
    }
    first = end;
  }
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
