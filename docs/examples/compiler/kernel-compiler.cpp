//===- kernel-compiler.cpp - A compiler over ck-mlir's -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An mlir-opt with ck-mlir's dialect and passes, two passes of its own, and a pipeline of its own
// that runs one in front of ck-mlir's ladder and the other between two of its rungs.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Serialize/Passes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

namespace {
/// This compiler is for inference: it refuses all but forward convolutions.
struct ForwardOnlyPass final : PassWrapper<ForwardOnlyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForwardOnlyPass)

  StringRef getArgument() const override { return "example-forward-only"; }
  StringRef getDescription() const override { return "Refuse all but forward convolutions"; }

  void runOnOperation() override {
    getOperation().walk([&](ck::ProblemOpInterface op) {
      if (isa<ck::ConvFwdOp>(op))
        return;
      op->emitOpError("is not supported: expected forward convolutions only");
      signalPassFailure();
    });
  }
};

/// Puts a prefix in front of the names of kernels, so that those of several compilers can be told
/// apart in one program.
struct PrefixKernelsPass final : PassWrapper<PrefixKernelsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrefixKernelsPass)

  PrefixKernelsPass() = default;
  PrefixKernelsPass(const PrefixKernelsPass &other) : PassWrapper(other) {}
  explicit PrefixKernelsPass(StringRef text) { prefix = text.str(); }

  StringRef getArgument() const override { return "example-prefix-kernels"; }
  StringRef getDescription() const override { return "Rename kernels"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<gpu::GPUFuncOp> kernels;
    module.walk([&](gpu::GPUFuncOp kernel) { kernels.push_back(kernel); });
    for (gpu::GPUFuncOp kernel : kernels) {
      auto name = StringAttr::get(&getContext(), prefix + kernel.getName());
      if (failed(SymbolTable::replaceAllSymbolUses(kernel, name, module)))
        return signalPassFailure();
      kernel.setName(name);
    }
  }

  Option<std::string> prefix{*this, "prefix", llvm::cl::desc("in front of the names"),
                             llvm::cl::init("example_")};
};

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("chip to compile for"),
                           llvm::cl::init("gfx942")};
  Option<std::string> prefix{*this, "prefix", llvm::cl::desc("in front of the names of kernels"),
                             llvm::cl::init("example_")};
};
} // namespace

/// The pipeline: check, go down ck-mlir's ladder, rename the kernels where they have just come into
/// being, and make code objects of them.
static void buildPipeline(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(std::make_unique<ForwardOnlyPass>());
  ck::LoweringOptions lowering;
  lowering.chip = options.chip;
  lowering.extension = [&](ck::Form form, OpPassManager &between) {
    if (form == ck::Form::Grid)
      between.addPass(std::make_unique<PrefixKernelsPass>(options.prefix));
  };
  ck::buildLoweringPipeline(manager, ck::Form::Problem, ck::Form::Rocdl, lowering);
  manager.addPass(ck::createSerializeKernelsPass());
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  ck::registerAllDialects(registry);
  ck::registerAllPasses();
  PassRegistration<ForwardOnlyPass>();
  PassRegistration<PrefixKernelsPass>();
  PassPipelineRegistration<PipelineOptions>("example-compile", "Compile forward convolutions",
                                            buildPipeline);
  return asMainReturnCode(MlirOptMain(argc, argv, "A compiler over ck-mlir's\n", registry));
}
