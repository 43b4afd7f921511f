//===- PipelineOptions.h - Options that pipelines share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same words on the command line mean the same for a problem and for a program.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_COMPILER_PIPELINEOPTIONS_H
#define CK_MLIR_LIB_COMPILER_PIPELINEOPTIONS_H

#include "ck-mlir/Compiler/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

#pragma GCC visibility push(hidden)
namespace mlir::ck {

/// What kernels are compiled for.
struct KernelPipelineOptions : PassPipelineOptions<KernelPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("chip of the chip table"),
                           llvm::cl::init("gfx942")};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("schedule string of every problem; fields left out are chosen"),
      llvm::cl::init("")};
  Option<int64_t> residents{*this, "residents",
                            llvm::cl::desc("workgroups that can be resident at the same time; 0: "
                                           "one on every compute unit of the chip"),
                            llvm::cl::init(0)};
  Option<std::string> tuningFile{
      *this, "tuning-file",
      llvm::cl::desc("file of tuned schedules, for fields that the schedule string leaves out"),
      llvm::cl::init("")};

  LoweringOptions get() const {
    LoweringOptions options;
    options.chip = chip;
    options.schedule = schedule;
    options.residents = residents;
    options.tuningFile = tuningFile;
    return options;
  }
};

/// In which form they are wanted.
// NOLINTNEXTLINE(misc-multiple-inheritance): upstream's PassPipelineOptions has two bases.
struct BinaryPipelineOptions : KernelPipelineOptions {
  Option<std::string> format{*this, "format",
                             llvm::cl::desc("what the gpu.binary holds: isa, object or binary"),
                             llvm::cl::init("binary")};
};

/// Adds canonicalization and the elimination of common subexpressions.
void addCleanup(OpPassManager &manager);

/// Registers a pipeline of modules. Nested in an operation of another kind it is refused: passes of
/// modules that are added there end the process.
template <typename Options>
void registerModulePipeline(StringRef name, StringRef description,
                            const std::function<void(OpPassManager &, const Options &)> &build) {
  registerPassPipeline(
      name, description,
      [name = name.str(), build](OpPassManager &manager, StringRef text,
                                 function_ref<LogicalResult(const Twine &)> emitError) {
        StringRef anchor = manager.getOpAnchorName();
        if (anchor != ModuleOp::getOperationName())
          return emitError("pipeline '" + name + "' is for " + ModuleOp::getOperationName() +
                           ", got " + anchor);
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        build(manager, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> visit) { visit(Options()); });
}

} // namespace mlir::ck
#pragma GCC visibility pop

#endif // CK_MLIR_LIB_COMPILER_PIPELINEOPTIONS_H
