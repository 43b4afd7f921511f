//===- compile-one.cpp - Compiles one problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program with the compiler inside, built against the installed package.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ck;

int main() {
  llvm::Expected<Problem> problem = parseProblem("gemm:f16:M=64,N=64,K=64");
  llvm::Expected<CompiledProgram> program =
      problem ? compileProblem(*problem, CompileOptions()) : problem.takeError();
  if (!program) {
    llvm::errs() << llvm::toString(program.takeError()) << "\n";
    return 1;
  }
  llvm::outs() << "compiled " << program->kernels.front().name << " for " << program->chip << "\n";
  return 0;
}
