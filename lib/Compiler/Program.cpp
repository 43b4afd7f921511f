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
#include "Compiler/PipelineOptions.h"
#include "ck-mlir/Compiler/Passes.h"
#include "ck-mlir/Conversion/Passes.h"
#include "ck-mlir/Serialize/Passes.h"
#include "ck-mlir/Transforms/AtCall.h"
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
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::ck;

static void addLinalgFromTosa(OpPassManager &manager) {
  manager.nest<func::FuncOp>().addPass(tosa::createTosaInferShapesPass());
  manager.nest<func::FuncOp>().addPass(createSpreadTransposeConvPass());
  tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions());
  auto &functions = manager.nest<func::FuncOp>();
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createTosaToSCFPass());
  TosaToArithPassOptions arithmetic;
  arithmetic.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(arithmetic));
  functions.addPass(createConvertElementwiseToLinalgPass());
}

void mlir::ck::buildSetSizesPipeline(OpPassManager &manager, StringRef entry,
                                     ArrayRef<int64_t> sizes) {
  SetSizesPassOptions options;
  options.entry = entry.str();
  options.sizes.assign(sizes.begin(), sizes.end());
  manager.addPass(createSetSizesPass(options));
  // Checks stand before anything relies on sizes that may contradict each other.
  manager.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  manager.addPass(createSymbolDCEPass());
  manager.addPass(createGenerateRuntimeVerificationPass());
  addLinalgFromTosa(manager);
  manager.addPass(createGenerateRuntimeVerificationPass());
  addCleanup(manager);
}

void mlir::ck::buildBufferizationPipeline(OpPassManager &manager) {
  manager.addPass(createVerifyProgramPass());
  addLinalgFromTosa(manager);
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
  manager.addPass(createExpandFloat8Pass());
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
  functions.addPass(createExpandFloat8Pass());
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
  manager.addPass(createConvertAtCallToLLVMPass());
  addCleanup(manager);
}

void mlir::ck::buildProgramPipeline(OpPassManager &manager, const ProgramOptions &options) {
  if (options.atCall)
    manager.addPass(
        createSpecializeAtCallPass({options.chip, options.schedule,
                                    stringifyHostCode(options.host).str(), options.residents}));
  manager.addPass(createAttachTargetPass({options.chip}));
  buildBufferizationPipeline(manager);
  if (options.host == HostCode::Gpu)
    addParallelLoops(manager);
  manager.nest<func::FuncOp>().addPass(createPlaceBuffersPass());
  addCleanup(manager);
  manager.addPass(createCompileProblemsPass(
      {options.chip, options.schedule, options.residents, options.format, options.tuningFile}));
  if (options.host == HostCode::Gpu)
    addUpstreamKernels(manager, options);
  addHostCode(manager);
  manager.addPass(createSerializeKernelsPass({options.format}));
}

StringRef mlir::ck::stringifyHostCode(HostCode host) {
  return host == HostCode::Gpu ? "gpu" : "cpu";
}

namespace {
// NOLINTNEXTLINE(misc-multiple-inheritance): upstream's PassPipelineOptions has two bases.
struct ProgramPipelineOptions : BinaryPipelineOptions {
  Option<HostCode> host{
      *this, "host", llvm::cl::desc("where code runs that is no problem"),
      llvm::cl::values(clEnumValN(HostCode::Cpu, "cpu", "on the host, as loops"),
                       clEnumValN(HostCode::Gpu, "gpu", "parallel loops as kernels of upstream's")),
      llvm::cl::init(HostCode::Cpu)};
  Option<bool> atCall{
      *this, "at-call",
      llvm::cl::desc("compile functions of a batch of unknown size when they are called"),
      llvm::cl::init(true)};
};
} // namespace

void mlir::ck::registerProgramPipelines() {
  registerCKAtCallPasses();
  registerModulePipeline<EmptyPipelineOptions>(
      "ck-bufferize-program", "Lower linalg, TOSA and problems on tensors to memrefs",
      [](OpPassManager &manager, const EmptyPipelineOptions &) {
        buildBufferizationPipeline(manager);
      });
  registerModulePipeline<ProgramPipelineOptions>(
      "ck-compile-program", "Compile a program on tensors to host code and a gpu.binary",
      [](OpPassManager &manager, const ProgramPipelineOptions &options) {
        buildProgramPipeline(manager, {options.chip, options.schedule, options.format, options.host,
                                       options.residents, options.atCall, options.tuningFile});
      });
}

void mlir::ck::registerProgramDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
}
