//===- Form.cpp - The normal forms of the lowering -*- C++ -*-===//
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

#include "ck-mlir/IR/Form.h"
#include "IR/Verify/ScheduleLegality.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;

namespace {
struct FormEntry {
  Form form;
  StringLiteral name;
  StringLiteral pass; // that takes the form
};
} // namespace

static constexpr FormEntry kForms[] = {{Form::Problem, "problem", "ck-conv-to-gemm"},
                                       {Form::ImplicitGemm, "implicit-gemm", "ck-assign-schedule"},
                                       {Form::Scheduled, "scheduled", "ck-gemm-to-grid"},
                                       {Form::Grid, "grid", "ck-expand-partition"},
                                       {Form::Workgroup, "workgroup", "ck-pipeline-block-gemm"},
                                       {Form::Block, "block", "ck-distribute-to-waves"},
                                       {Form::Wave, "wave", "ck-expand-math"},
                                       {Form::Arithmetic, "arithmetic", "ck-lower-transforms"},
                                       {Form::Lane, "lane", "ck-lower-hints"},
                                       {Form::Upstream, "upstream", "ck-convert-to-rocdl"},
                                       {Form::Rocdl, "rocdl", "ck-serialize-kernels"}};

std::optional<Form> ck::parseForm(StringRef name) {
  for (const FormEntry &entry : kForms)
    if (entry.name == name)
      return entry.form;
  return std::nullopt;
}

StringRef ck::getName(Form form) { return kForms[static_cast<unsigned>(form)].name; }

SmallVector<StringRef> ck::getFormNames() {
  return llvm::map_to_vector(kForms, [](const FormEntry &entry) { return StringRef(entry.name); });
}

//===----------------------------------------------------------------------===//
// Which ops belong to a form
//===----------------------------------------------------------------------===//

static bool isCk(Operation *op) { return isa_and_present<CKDialect>(op->getDialect()); }

/// True if `op`, outside of kernels, belongs to `form`. Epilogues and yields stand inside ops that
/// are checked themselves.
static bool isAllowedOnHost(Operation *op, Form form) {
  if (!isCk(op) || isEpilogueOp(op))
    return true;
  if (form == Form::Problem)
    return isa<ProblemOpInterface>(op);
  return (form == Form::ImplicitGemm || form == Form::Scheduled) &&
         isa<TransformOp, GemmOp, GemmTableOp, FillOp>(op);
}

/// True for what ck-expand-math expands.
static bool isFunction(Operation *op) {
  if (isa<math::SqrtOp>(op) || !isFunctionOfF32(op))
    return isa<math::FloorOp, math::CeilOp>(op);
  return getElementTypeOrSelf(op->getResult(0).getType()).isF32();
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
  switch (form) {
  case Form::Problem:
  case Form::ImplicitGemm:
  case Form::Scheduled:
    return !isCk(op);
  case Form::Grid:
    return !isCk(op) || isEpilogueOp(op) ||
           isa<TransformOp, DistributeOp, WorkOp, BlockGemmOp, ZeroAccOp, StoreTileOp, AddPartialOp,
               DirectGemmOp, DirectSumOp>(op);
  case Form::Workgroup:
    return !isCk(op) || isEpilogueOp(op) ||
           isa<TransformOp, BlockGemmOp, ZeroAccOp, StoreTileOp, StorePartialOp, AddPartialOp,
               SumPartialsOp, GatherSumOp, SignalOp, AwaitOp, ResetSignalOp, MathWaveOp, SyncOp,
               DirectGemmOp, DirectSumOp>(op);
  case Form::Block:
    return !isCk(op) || isEpilogueOp(op) ||
           isa<TransformOp, LdsRingOp, WaveSpecializeOp, SyncOp, PriorityOp, LoadsFirstOp,
               AcquireOp, CommitOp, WaitOp, ReleaseOp, CursorOp, AdvanceOp, LoadTileOp, WriteTileOp,
               CopyTileOp, CommitCopiesOp, ReadUnitOp, MmaUnitOp, ZeroAccOp, MmaTileOp, StoreTileOp,
               StorePartialOp, AddPartialOp, SumPartialsOp, GatherSumOp, SignalOp, AwaitOp,
               ResetSignalOp, MathWaveOp, DirectGemmOp, DirectSumOp>(op);
  case Form::Wave:
  case Form::Arithmetic:
    if (isFunction(op) || isa<DirectGemmOp, DirectSumOp>(op) ||
        isa_and_present<DirectGemmOp, DirectSumOp>(op->getParentOp()))
      return form == Form::Wave;
    return !isCk(op) || isa<TransformOp, CursorOp, AdvanceOp, LoadOp, IsInsideOp, StoreOp, CopyOp,
                            PointerOp, PriorityOp, LoadsFirstOp>(op);
  case Form::Lane:
  case Form::Upstream:
    if (isa<PriorityOp, LoadsFirstOp>(op))
      return form == Form::Lane;
    return isLaneDialect(op->getDialect()) && !isFunction(op);
  case Form::Rocdl:
    return isa<LLVM::LLVMDialect, ROCDL::ROCDLDialect>(op->getDialect());
  }
  llvm_unreachable("all forms handled");
}

static bool isAllowed(Operation *op, bool inKernels, Form form) {
  return inKernels ? isAllowedInKernels(op, form) : isAllowedOnHost(op, form);
}

/// The pass that lowers `op`, which stands in no form from `form` on; empty if there is none.
static StringRef getPassBefore(Operation *op, bool inKernels, Form form) {
  if (isFunction(op))
    return inKernels && form > Form::Wave ? "ck-expand-math" : "";
  if (isa<DirectGemmOp, DirectSumOp>(op))
    return inKernels && form > Form::Wave ? "ck-expand-direct" : "";
  if (!isCk(op)) // of which the forms above `lane` have any
    return isLaneDialect(op->getDialect()) ? "ck-convert-to-rocdl" : "";
  for (const FormEntry &entry : llvm::reverse(kForms))
    if (isAllowed(op, inKernels, entry.form))
      return entry.form < form ? StringRef(entry.pass) : "";
  return "";
}

/// Emits the error for `op`, which does not belong to `form`.
static LogicalResult refuse(Operation *op, bool inKernels, Form form) {
  InFlightDiagnostic diag = op->emitOpError("does not belong to form '") << getName(form) << "'";
  StringRef pass = getPassBefore(op, inKernels, form);
  if (!pass.empty())
    return diag << ": expected '" << pass << "' to run before";
  for (const FormEntry &entry : kForms)
    if (entry.form > form && isAllowed(op, inKernels, entry.form))
      return diag << " but to form '" << entry.name << "', which comes after it";
  return diag;
}

/// What a form asks of an op that belongs to it.
static LogicalResult verifyOp(Operation *op, Form form) {
  bool isLaunch = isa<GemmOp, GemmTableOp>(op) && !isa<GemmTableOp>(op->getParentOp());
  if (isLaunch && form == Form::Scheduled)
    return verifyScheduled(op);
  if (auto gemm = dyn_cast<BlockGemmOp>(op); gemm && form == Form::Workgroup)
    return verifyScheduled(gemm);
  auto store = dyn_cast<StoreTileOp>(op);
  if (store && form == Form::Block && store.getShuffle() && !store.getRing())
    return store.emitOpError("form 'block' requires a ring to shuffle through");
  auto cursor = dyn_cast<CursorOp>(op);
  if (cursor && form == Form::Block && !cursor.getCursor().getType().getFragment())
    return cursor.emitOpError("form 'block' requires cursors of tiles, got one of form 'wave', "
                              "which comes after it");
  bool isOfLanes = form == Form::Wave || form == Form::Arithmetic;
  if (cursor && isOfLanes && cursor.getCursor().getType().getFragment())
    return cursor.emitOpError("form '")
           << getName(form) << "' requires cursors of lanes: expected 'ck-distribute-to-waves' to "
           << "run before";
  return success();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Passes lower what stands in the module that they run on: emits an error if `nested` holds some
/// of it.
static LogicalResult verifyNested(ModuleOp nested) {
  WalkResult result = nested.walk([&](Operation *op) -> WalkResult {
    if (!isCk(op) && !isa<gpu::GPUModuleOp>(op))
      return WalkResult::advance();
    InFlightDiagnostic diag = nested.emitOpError()
                              << "expected no '" << op->getName()
                              << "' in a nested module: run the passes on that module, as "
                                 "'builtin.module(builtin.module(...))' does";
    diag.attachNote(op->getLoc()) << "the op is here";
    return diag;
  });
  return failure(result.wasInterrupted());
}

/// Calls `verify` with every op of a registered dialect in `root` and whether the op is in a
/// kernel, up to the first failure. What is in nested modules must not concern the passes.
static LogicalResult verifyOps(Operation *root,
                               function_ref<LogicalResult(Operation *, bool)> verify) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (op == root || isa<gpu::GPUModuleOp>(op) || !op->getDialect())
      return WalkResult::advance();
    if (auto nested = dyn_cast<ModuleOp>(op))
      return failed(verifyNested(nested)) ? WalkResult::interrupt() : WalkResult::skip();
    return verify(op, op->getParentOfType<gpu::GPUModuleOp>() != nullptr);
  });
  return failure(result.wasInterrupted());
}

LogicalResult ck::verifyForm(ModuleOp module, Form form) {
  return verifyOps(module, [form](Operation *op, bool inKernels) -> LogicalResult {
    if (!isAllowed(op, inKernels, form))
      return refuse(op, inKernels, form);
    return verifyOp(op, form);
  });
}

/// True for what a pass that takes `form` looks for. Hints stay from `block` to `lane`, so that
/// they do not tell these forms apart.
static bool isLowered(Operation *op, bool inKernels, Form form) {
  switch (form) {
  case Form::Problem:
  case Form::ImplicitGemm:
  case Form::Scheduled:
    return isCk(op) && !inKernels;
  case Form::Grid:
    return isa<DistributeOp, DirectGemmOp, DirectSumOp>(op);
  case Form::Workgroup:
  case Form::Block:
  case Form::Wave:
  case Form::Arithmetic:
    return isCk(op) && inKernels && !isa<PriorityOp, LoadsFirstOp>(op);
  case Form::Lane:
  case Form::Upstream:
    return isa<gpu::GPUFuncOp>(op);
  case Form::Rocdl:
    return isa<LLVM::LLVMDialect>(op->getDialect()) && inKernels;
  }
  llvm_unreachable("all forms handled");
}

LogicalResult ck::verifyInput(Operation *root, Form form) {
  bool found = false;
  LogicalResult result = verifyOps(root, [&](Operation *op, bool inKernels) -> LogicalResult {
    found |= isLowered(op, inKernels, form);
    bool concerns = isCk(op) || (inKernels && form == Form::Rocdl);
    if (!concerns)
      return success();
    if (!isAllowed(op, inKernels, form))
      return refuse(op, inKernels, form);
    return verifyOp(op, form);
  });
  auto module = dyn_cast<ModuleOp>(root);
  if (failed(result) || found || !module || form == Form::Rocdl)
    return result;
  bool isBehind = !module.getOps<gpu::BinaryOp>().empty();
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    isBehind |= !kernels.getBody()->empty();
  if (isBehind)
    return module.emitError("expected something of form '")
           << getName(form) << "' in the module, got only kernels of other forms";
  return success();
}
