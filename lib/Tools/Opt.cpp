//===- Opt.cpp - The body of ck-opt -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers what the ladder needs and no more: start-up time is part of every lit test.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Opt.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Serialize/Passes.h"
#include "ck-mlir/Tools/CommandLine.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ErrorHandling.h"
#include <unistd.h>

using namespace mlir;

/// Called where LLVM would end the process: ends it as the other tools end when their output cannot
/// be written, with one line.
static void endProcess(void *, const char *reason, bool) {
  llvm::errs() << "ck-opt: error: " << ck::toOneLine(reason) << "\n";
  _exit(ck::kUsageStatus);
}

int mlir::ck::runOpt(int argc, char **argv) {
  guardStandardStreams();
  llvm::install_fatal_error_handler(endProcess);
  DialectRegistry registry;
  ck::registerAllDialects(registry);
  registry.insert<bufferization::BufferizationDialect, linalg::LinalgDialect, tosa::TosaDialect,
                  transform::TransformDialect>();
  linalg::registerTransformDialectExtension(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);

  ck::registerAllPasses();
  bufferization::registerBufferizationPasses();
  registerTransformsPasses(); // canonicalize, cse, loop-invariant-code-motion, ...
  affine::registerAffinePasses();
  memref::registerMemRefPasses();
  registerGPUPasses();
  registerConversionPasses();
  registerLinalgPasses();
  tosa::registerTosaPasses();
  transform::registerTransformPasses();
  return asMainReturnCode(MlirOptMain(argc, argv, "ck-mlir optimizer driver\n", registry));
}
