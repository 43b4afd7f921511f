//===- CompileProblems.cpp - Kernels that keep their registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Compile.cpp does for one problem, for all those of a module in their places. See
// docs/decisions/0009-no-spills.md.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Passes.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Serialize/Serialize.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::ck {
#define GEN_PASS_DEF_COMPILEPROBLEMSPASS
#include "ck-mlir/Compiler/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// How often schedules are chosen.
static constexpr int64_t kAttempts = 6;

namespace {
struct CompileProblemsPass final : ck::impl::CompileProblemsPassBase<CompileProblemsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override;
  OpPassManager makeLadder(int64_t relief) const;
  LogicalResult lower(int64_t relief);
  LogicalResult serialize(gpu::GPUModuleOp module, std::vector<KernelResources> &spilled);
  FailureOr<std::vector<KernelResources>> serializeNew();
  void restore(ModuleOp original);
  void refuse(ArrayRef<KernelResources> spilled);
  void runOnOperation() override;

  llvm::StringSet<> others; // names of gpu.module ops that are not ours
};
} // namespace

OpPassManager CompileProblemsPass::makeLadder(int64_t relief) const {
  LoweringOptions options;
  options.chip = chip;
  options.schedule = schedule;
  options.residents = residents;
  options.tuningFile = tuningFile;
  options.relief = relief;
  options.allocWorkspace = true;
  OpPassManager ladder(ModuleOp::getOperationName());
  buildLoweringPipeline(ladder, Form::Problem, Form::Rocdl, options);
  return ladder;
}

void CompileProblemsPass::getDependentDialects(DialectRegistry &registry) const {
  makeLadder(0).getDependentDialects(registry);
  registerSerializationTranslations(registry);
}

/// Runs the ladder. Only the first attempt says why it failed: the others ask for less than is
/// known to be possible.
LogicalResult CompileProblemsPass::lower(int64_t relief) {
  OpPassManager ladder = makeLadder(relief);
  if (relief == 0)
    return runPipeline(ladder, getOperation());
  ScopedDiagnosticHandler silence(&getContext(), [](Diagnostic &) { return success(); });
  return runPipeline(ladder, getOperation());
}

LogicalResult CompileProblemsPass::serialize(gpu::GPUModuleOp module,
                                             std::vector<KernelResources> &spilled) {
  SerializeOptions options;
  options.emitAssembly = format == "isa";
  options.emitObject = format == "object";
  llvm::Expected<SerializedModule> serialized = serializeGpuModule(module, options);
  if (!serialized)
    return module.emitError() << "failed to serialize gpu.module @" << module.getName() << ": "
                              << llvm::toString(serialized.takeError());
  for (const KernelResources &kernel : serialized->kernels)
    if (kernel.sgprSpills > 0 || kernel.vgprSpills > 0 || kernel.scratchBytes > 0)
      spilled.push_back(kernel);
  if (options.emitAssembly || options.emitObject)
    serialized->codeObject.clear();
  replaceByBinary(module, *serialized);
  return success();
}

/// Serializes what the ladder made; returns the kernels that spill.
FailureOr<std::vector<KernelResources>> CompileProblemsPass::serializeNew() {
  std::vector<KernelResources> spilled;
  for (auto module : llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>()))
    if (!others.contains(module.getName()) && failed(serialize(module, spilled)))
      return failure();
  return spilled;
}

void CompileProblemsPass::restore(ModuleOp original) {
  OwningOpRef<ModuleOp> copy = original.clone();
  getOperation().getBodyRegion().takeBody(copy->getBodyRegion());
  getOperation()->setAttrs(original->getAttrDictionary());
  getAnalysisManager().invalidate({});
}

/// Emits an error at the launch of each kernel of `spilled`.
void CompileProblemsPass::refuse(ArrayRef<KernelResources> spilled) {
  getOperation().walk([&](gpu::LaunchFuncOp launch) {
    StringRef name = launch.getKernelName().getValue();
    const auto *kernel =
        llvm::find_if(spilled, [&](const auto &kernel) { return kernel.name == name; });
    if (kernel != spilled.end())
      launch.emitOpError() << "kernel '" << name << "' spills " << kernel->sgprSpills
                           << " scalar and " << kernel->vgprSpills << " vector registers"
                           << (schedule.empty() ? "" : " with the given schedule")
                           << "; use more waves or a smaller tile";
  });
  signalPassFailure();
}

/// True if `module` has something that the ladder takes or refuses.
static bool hasCkOps(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool isCk = isa_and_present<CKDialect>(op->getDialect());
        return isCk ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void CompileProblemsPass::runOnOperation() {
  CompileOptions given;
  given.chip = chip;
  given.schedule = schedule;
  given.residents = residents;
  given.tuningFile = tuningFile;
  if (llvm::Error error = given.check()) {
    getOperation().emitError(llvm::toString(std::move(error)));
    return signalPassFailure();
  }
  if (!hasCkOps(getOperation())) {
    getOperation()->removeAttr(CKDialect::kTargetAttrName); // as the end of the ladder does
    return;
  }
  others.clear();
  for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
    others.insert(module.getName());
  OwningOpRef<ModuleOp> original = getOperation().clone();
  std::vector<KernelResources> spilled;
  for (int64_t relief = 0; relief < kAttempts; ++relief) {
    if (relief > 0)
      restore(*original);
    if (failed(lower(relief))) {
      if (relief > 0)
        break;
      return signalPassFailure();
    }
    FailureOr<std::vector<KernelResources>> found = serializeNew();
    if (failed(found))
      return signalPassFailure();
    if (found->empty())
      return;
    spilled = std::move(*found);
  }
  // The launches of the first attempt are those that errors are at.
  restore(*original);
  (void)lower(0);
  refuse(spilled);
}
