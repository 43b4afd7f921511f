//===- DropSync.cpp - Break the synchronization of a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check for races is worth something if it finds them. Any one barrier, any one
// wait for LDS accesses at a barrier, or any one fence between workgroups can be left out of a
// kernel.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::ck::test {
#define GEN_PASS_DEF_DROPSYNCPASS
#include "test/lib/Passes.h.inc"
} // namespace mlir::ck::test

using namespace mlir;
using namespace mlir::ck::test;

namespace {
struct DropSyncPass final : ck::test::impl::DropSyncPassBase<DropSyncPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// A bare barrier, without the fences that wait for memory, in the place of `barrier`.
static void makeBare(RewriterBase &rewriter, Operation *barrier) {
  rewriter.setInsertionPoint(barrier);
  ROCDL::SBarrierOp::create(rewriter, barrier->getLoc());
}

/// Drops fence number `text` of `fences`, between workgroups.
static LogicalResult dropFence(RewriterBase &rewriter, gpu::GPUModuleOp kernels, StringRef text,
                               SmallVectorImpl<Operation *> &fences) {
  size_t number = 0;
  if (text.getAsInteger(10, number) || number >= fences.size() || !fences[number])
    return kernels.emitError() << "expected fence:N with N below " << fences.size()
                               << ", each once, got 'fence:" << text << "'";
  rewriter.eraseOp(fences[number]);
  fences[number] = nullptr;
  return success();
}

/// Drops what `item`, `barrier:N` or `wait:N`, names of `barriers`.
static LogicalResult drop(RewriterBase &rewriter, gpu::GPUModuleOp kernels, StringRef item,
                          SmallVectorImpl<Operation *> &barriers) {
  auto [kind, text] = item.split(':');
  size_t number = 0;
  bool known = kind == "barrier" || kind == "wait";
  if (!known || text.getAsInteger(10, number) || number >= barriers.size())
    return kernels.emitError() << "expected barrier:N, wait:N or fence:N with N below "
                               << barriers.size() << ", got '" << item << "'";
  Operation *&barrier = barriers[number];
  if (!barrier)
    return kernels.emitError() << "barrier " << number << " is dropped already";
  if (auto wait = dyn_cast_if_present<amdgpu::MemoryCounterWaitOp>(barrier->getPrevNode()))
    rewriter.eraseOp(wait);
  if (kind == "wait")
    makeBare(rewriter, barrier);
  rewriter.eraseOp(barrier);
  barrier = nullptr;
  return success();
}

void DropSyncPass::runOnOperation() {
  SmallVector<Operation *> barriers, fences;
  getOperation().walk([&](Operation *op) {
    auto fence = dyn_cast<LLVM::FenceOp>(op);
    if (fence && fence.getSyncscope() == "agent")
      fences.push_back(op);
    if (isa<amdgpu::LDSBarrierOp, gpu::BarrierOp>(op))
      barriers.push_back(op);
  });
  IRRewriter rewriter(&getContext());
  for (StringRef item : llvm::split(StringRef(dropped.getValue()), ",")) {
    bool isFence = item.consume_front("fence:");
    LogicalResult result = isFence ? dropFence(rewriter, getOperation(), item, fences)
                                   : drop(rewriter, getOperation(), item, barriers);
    if (failed(result))
      return signalPassFailure();
  }
}
