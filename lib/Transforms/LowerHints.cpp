//===- LowerHints.cpp - Turn hints into what LLVM schedules by -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hints stay symbolic until here, so that they can be read, dropped or changed on every rung, and
// the numbers of instructions that LLVM asks for are counted in the final code of a lane.
//
//===----------------------------------------------------------------------===//

#include "Transforms/KernelPass.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::ck {
#define GEN_PASS_DEF_LOWERHINTSPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// Kinds of instructions of `rocdl.sched.group.barrier`.
static constexpr int32_t kVectorAlu = 0x2, kGlobalReads = 0x20, kLdsWrites = 0x200;

/// A group of `count` instructions of `kind` that goes behind the groups before it.
static void createGroup(RewriterBase &rewriter, Location loc, int32_t kind, int32_t count) {
  if (count > 0)
    ROCDL::SchedGroupBarrier::create(rewriter, loc, kind, count, /*groupId=*/0);
}

/// Instructions that a group has no use for are no harm, so an upper bound of the arithmetic will
/// do.
static void lowerLoadsFirst(RewriterBase &rewriter, LoadsFirstOp op) {
  int32_t writes = 0, loads = 0, arithmetic = 0;
  for (Operation &other : *op->getBlock()) {
    writes += isa<vector::StoreOp>(other);
    loads += isa<ROCDL::RawPtrBufferLoadOp>(other);
    arithmetic += isa<arith::ArithDialect>(other.getDialect());
  }
  rewriter.setInsertionPoint(op);
  createGroup(rewriter, op.getLoc(), kLdsWrites, writes);
  createGroup(rewriter, op.getLoc(), kGlobalReads, loads);
  createGroup(rewriter, op.getLoc(), kVectorAlu, arithmetic);
  rewriter.eraseOp(op);
}

void ck::lowerHints(RewriterBase &rewriter, gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> hints;
  kernel.walk([&](Operation *op) {
    if (isa<PriorityOp, LoadsFirstOp>(op))
      hints.push_back(op);
  });
  for (Operation *op : hints) {
    if (auto loadsFirst = dyn_cast<LoadsFirstOp>(op)) {
      lowerLoadsFirst(rewriter, loadsFirst);
      continue;
    }
    auto priority = cast<PriorityOp>(op);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<ROCDL::SetPrioOp>(op, priority.getLevel());
  }
}

namespace {
struct LowerHintsPass final : KernelPass<ck::impl::LowerHintsPassBase<LowerHintsPass>, Form::Lane> {
  LogicalResult runOnKernel(gpu::GPUFuncOp kernel) override;
};
} // namespace

LogicalResult LowerHintsPass::runOnKernel(gpu::GPUFuncOp kernel) {
  IRRewriter rewriter(&getContext());
  kernel.walk([&](Operation *op) { numHints += isa<PriorityOp, LoadsFirstOp>(op); });
  lowerHints(rewriter, kernel);
  return success();
}
