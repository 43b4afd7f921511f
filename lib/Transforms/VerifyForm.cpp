//===- VerifyForm.cpp - Check that a module is in a normal form -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between passes as a check: every pass says which form it requires and which it
// establishes, and a pipeline can verify each of them.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Epilogue.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"

#define DEBUG_TYPE "ck-verify-form"

namespace mlir::ck {
#define GEN_PASS_DEF_VERIFYFORMPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

static constexpr std::pair<StringLiteral, Form> kForms[] = {
    {"problem", Form::Problem},     {"implicit-gemm", Form::ImplicitGemm},
    {"scheduled", Form::Scheduled}, {"grid", Form::Grid},
    {"workgroup", Form::Workgroup}, {"block", Form::Block},
    {"wave", Form::Wave},           {"lane", Form::Lane},
    {"rocdl", Form::Rocdl}};

std::optional<Form> ck::parseForm(StringRef name) {
  for (auto &[text, form] : kForms)
    if (text == name)
      return form;
  return std::nullopt;
}

static StringRef getFormName(Form form) {
  for (auto &[text, candidate] : kForms)
    if (candidate == form)
      return text;
  llvm_unreachable("all forms are in the table");
}

/// True if `op`, outside of kernels, belongs to `form`. Epilogues and yields stand inside ops that
/// are checked themselves.
static bool isAllowedOnHost(Operation *op, Form form) {
  if (!isa<CKDialect>(op->getDialect()) || isEpilogueOp(op))
    return true;
  if (form == Form::Problem)
    return isa<ProblemOpInterface>(op);
  return (form == Form::ImplicitGemm || form == Form::Scheduled) &&
         isa<TransformOp, GemmOp, GemmTableOp, FillOp>(op);
}

/// The dialects of lane-level code. llvm and rocdl come in for buffer descriptors and accesses, and
/// builtin for the cast of a kernel argument to its descriptor.
static bool isLaneDialect(Dialect *dialect) {
  return llvm::is_contained({"affine", "amdgpu", "arith", "builtin", "gpu", "llvm", "math",
                             "memref", "rocdl", "scf", "vector"},
                            dialect->getNamespace());
}

/// True if `op`, inside of a gpu.module, belongs to `form`.
static bool isAllowedInKernels(Operation *op, Form form) {
  bool isCk = isa<CKDialect>(op->getDialect());
  switch (form) {
  case Form::Problem:
  case Form::ImplicitGemm:
  case Form::Scheduled:
    return !isCk;
  case Form::Grid:
    return !isCk || isEpilogueOp(op) ||
           isa<TransformOp, DistributeOp, WorkOp, BlockGemmOp, ZeroAccOp, StoreTileOp,
               AddPartialOp>(op);
  case Form::Workgroup:
    return !isCk || isEpilogueOp(op) ||
           isa<TransformOp, BlockGemmOp, ZeroAccOp, StoreTileOp, StorePartialOp, AddPartialOp,
               SignalOp, AwaitOp, SyncOp>(op);
  case Form::Block:
    return !isCk || isEpilogueOp(op) ||
           isa<TransformOp, LdsRingOp, WaveSpecializeOp, SyncOp, PriorityOp, LoadsFirstOp,
               AcquireOp, CommitOp, WaitOp, ReleaseOp, CursorOp, AdvanceOp, LoadTileOp, WriteTileOp,
               ZeroAccOp, MmaTileOp, StoreTileOp, StorePartialOp, AddPartialOp, SignalOp, AwaitOp>(
               op);
  case Form::Wave:
    return !isCk || isEpilogueOp(op) ||
           isa<TransformOp, CursorOp, AdvanceOp, LoadOp, StoreOp, PointerOp, PriorityOp,
               LoadsFirstOp>(op);
  case Form::Lane:
    return isLaneDialect(op->getDialect()) || isa<PriorityOp, LoadsFirstOp>(op);
  case Form::Rocdl:
    return isa<LLVM::LLVMDialect, ROCDL::ROCDLDialect>(op->getDialect());
  }
  llvm_unreachable("all forms handled");
}

/// What a form asks of an op that belongs to it.
static LogicalResult verifyOp(Operation *op, Form form) {
  auto gemm = dyn_cast<GemmOp>(op);
  if (gemm && form == Form::Scheduled && !(gemm.getSchedule() && gemm.getLayout()))
    return gemm.emitOpError("form 'scheduled' requires a schedule and a layout");
  auto store = dyn_cast<StoreTileOp>(op);
  if (store && form == Form::Block && store.getShuffle() && !store.getRing())
    return store.emitOpError("form 'block' requires a ring to shuffle through");
  auto cursor = dyn_cast<CursorOp>(op);
  if (cursor && form == Form::Block && !cursor.getCursor().getType().getFragment())
    return cursor.emitOpError("form 'block' requires cursors of tiles");
  if (cursor && form == Form::Wave && cursor.getCursor().getType().getFragment())
    return cursor.emitOpError("form 'wave' requires cursors of lanes");
  return success();
}

LogicalResult ck::verifyHostForm(ModuleOp module, Form form) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (!op->getDialect() || isAllowedOnHost(op, form))
      return WalkResult::advance();
    return op->emitOpError("does not belong to form '") << getFormName(form) << "'";
  });
  return failure(result.wasInterrupted());
}

LogicalResult ck::verifyForm(ModuleOp module, Form form) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (op == module.getOperation() || isa<gpu::GPUModuleOp>(op) || !op->getDialect())
      return WalkResult::advance();
    auto kernels = op->getParentOfType<gpu::GPUModuleOp>();
    if (!(kernels ? isAllowedInKernels(op, form) : isAllowedOnHost(op, form)))
      return op->emitOpError("does not belong to form '") << getFormName(form) << "'";
    return verifyOp(op, form);
  });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyFormPass final : ck::impl::VerifyFormPassBase<VerifyFormPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void VerifyFormPass::runOnOperation() {
  markAllAnalysesPreserved();
  std::optional<Form> parsed = parseForm(form);
  if (!parsed) {
    getOperation().emitError() << "unknown form '" << form
                               << "': expected problem, implicit-gemm, scheduled, grid, "
                                  "workgroup, block, wave, lane or rocdl";
    return signalPassFailure();
  }
  if (failed(verifyForm(getOperation(), *parsed)))
    signalPassFailure();
}
