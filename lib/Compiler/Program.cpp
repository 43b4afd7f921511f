//===- Program.cpp - Whole programs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ladder in the middle of upstream's passes. Buffers are placed while problems are still ops
// that say what they read and write; kernels are outlined after that.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Program.h"
#include "ck-mlir/Conversion/Passes.h"
#include "ck-mlir/Serialize/Passes.h"
#include "ck-mlir/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::ck;

static void addCleanup(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlir::ck::buildBufferizationPipeline(OpPassManager &manager) {
  tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions());
  auto &functions = manager.nest<func::FuncOp>();
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createTosaToSCFPass());
  TosaToArithPassOptions arithmetic;
  arithmetic.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(arithmetic));
  functions.addPass(createConvertElementwiseToLinalgPass());
  addCleanup(manager);
  manager.nest<func::FuncOp>().addPass(createConvertLinalgToCKPass());
  manager.nest<func::FuncOp>().addPass(createLinalgElementwiseOpFusionPass());
  addCleanup(manager);
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  bufferization::buildBufferDeallocationPipeline(manager);
  manager.addPass(createConvertBufferizationToMemRefPass());
  addCleanup(manager);
}

/// Parallel loops become `gpu.launch`, a workgroup for each iteration.
static void addParallelLoops(OpPassManager &manager) {
  auto &functions = manager.nest<func::FuncOp>();
  functions.addPass(createConvertLinalgToParallelLoopsPass());
  functions.addPass(createGpuMapParallelLoopsPass());
  manager.addPass(createConvertParallelLoopToGpuPass());
  manager.addPass(createLowerAffinePass());
  addCleanup(manager);
}

/// Kernels of `gpu.launch` ops take upstream's way to the chip.
static void addUpstreamKernels(OpPassManager &manager, const ProgramOptions &options) {
  manager.addPass(createGpuKernelOutliningPass());
  GpuROCDLAttachTargetOptions target;
  target.moduleMatcher = "_kernel(_[0-9]+)?$"; // as outlining names modules; ours have a target
  target.chip = options.chip;
  manager.addPass(createGpuROCDLAttachTarget(target));
  auto &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToROCDLOpsOptions conversion;
  conversion.chipset = options.chip;
  conversion.useBarePtrCallConv = true;
  conversion.runtime = gpu::amd::Runtime::HIP;
  kernels.addPass(createConvertGpuOpsToROCDLOps(conversion));
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

/// Everything outside of kernels becomes host code.
static void addHostCode(OpPassManager &manager) {
  auto &functions = manager.nest<func::FuncOp>();
  functions.addPass(createGpuAsyncRegionPass());
  functions.addPass(createConvertLinalgToLoopsPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  GpuToLLVMConversionPassOptions conversion;
  conversion.kernelBarePtrCallConv = true;
  manager.addPass(createGpuToLLVMConversionPass(conversion));
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(manager);
}

void mlir::ck::buildProgramPipeline(OpPassManager &manager, const ProgramOptions &options) {
  buildBufferizationPipeline(manager);
  if (options.host == HostCode::Gpu)
    addParallelLoops(manager);
  manager.nest<func::FuncOp>().addPass(createPlaceBuffersPass());
  addCleanup(manager);
  LoweringOptions lowering;
  lowering.chip = options.chip;
  lowering.schedule = options.schedule;
  lowering.residents = options.residents;
  lowering.allocWorkspace = true;
  buildLoweringPipeline(manager, Form::Problem, Form::Rocdl, lowering);
  if (options.host == HostCode::Gpu)
    addUpstreamKernels(manager, options);
  addHostCode(manager);
  manager.addPass(createSerializeKernelsPass({options.format}));
}

namespace {
struct ProgramPipelineOptions : PassPipelineOptions<ProgramPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("chip of the chip table"),
                           llvm::cl::init("gfx942")};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("schedule string of every problem; fields left out are chosen"),
      llvm::cl::init("")};
  Option<std::string> format{*this, "format",
                             llvm::cl::desc("what the gpu.binary holds: isa, object or binary"),
                             llvm::cl::init("binary")};
  Option<HostCode> host{
      *this, "host", llvm::cl::desc("where code runs that is no problem"),
      llvm::cl::values(clEnumValN(HostCode::Cpu, "cpu", "on the host, as loops"),
                       clEnumValN(HostCode::Gpu, "gpu", "parallel loops as kernels of upstream's")),
      llvm::cl::init(HostCode::Cpu)};
  Option<int64_t> residents{*this, "residents",
                            llvm::cl::desc("workgroups that can be resident at the same time; 0: "
                                           "one on every compute unit of the chip"),
                            llvm::cl::init(0)};
};
} // namespace

void mlir::ck::registerProgramPipelines() {
  PassPipelineRegistration<>("ck-bufferize-program",
                             "Lower linalg, TOSA and problems on tensors to memrefs",
                             [](OpPassManager &manager) { buildBufferizationPipeline(manager); });
  PassPipelineRegistration<ProgramPipelineOptions>(
      "ck-compile-program", "Compile a program on tensors to host code and a gpu.binary",
      [](OpPassManager &manager, const ProgramPipelineOptions &options) {
        buildProgramPipeline(manager, {options.chip, options.schedule, options.format, options.host,
                                       options.residents});
      });
}

void mlir::ck::registerProgramDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
}
