//===- Registration.cpp - Dialects and passes of the compiler -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One list for ck-opt and the library, so that what prints in one parses in the other.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Passes.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/Compiler/Program.h"
#include "ck-mlir/Conversion/Passes.h"
#include "ck-mlir/Conversion/TransformOps.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Serialize/Passes.h"
#include "ck-mlir/Serialize/Serialize.h"
#include "ck-mlir/Transforms/BufferizableOpInterfaceImpl.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"

using namespace mlir;

void mlir::ck::registerAllDialects(DialectRegistry &registry) {
  registry.insert<CKDialect, affine::AffineDialect, amdgpu::AMDGPUDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, ROCDL::ROCDLDialect, scf::SCFDialect,
                  tensor::TensorDialect, vector::VectorDialect>();
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  registerConversionInterfaces(registry);
  registerTransformDialectExtension(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerTilingInterfaceExternalModels(registry);
  registerSerializationTranslations(registry);
}

void mlir::ck::registerAllPasses() {
  registerCKTransformsPasses();
  registerCKConversionPasses();
  registerCKSerializePasses();
  registerCKCompilerPasses();
  registerPipelines();
  registerProgramPipelines();
}

std::unique_ptr<MLIRContext> mlir::ck::createContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
}
