//===- Opt.cpp - The body of ck-opt -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An mlir-opt: whatever the programs around our problems are made of, and our passes.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Opt.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Program.h"
#include "ck-mlir/Support/CommandLine.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include <unistd.h>

using namespace cksupport;
using namespace mlir;

/// Called where LLVM would end the process: ends it as the other tools end when their output cannot
/// be written, with one line.
static void endProcess(void *, const char *reason, bool) {
  llvm::errs() << "ck-opt: error: " << toOneLine(reason) << "\n";
  _exit(kUsageStatus);
}

int mlir::ck::runOpt(int argc, char **argv) {
  guardStandardStreams();
  llvm::install_fatal_error_handler(endProcess);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) { os << getVersionText("ck-opt"); });
  DialectRegistry registry;
  ck::registerAllDialects(registry);
  ck::registerProgramDialects(registry);
  ck::registerAllPasses();
  mlir::registerAllPasses();
  return asMainReturnCode(MlirOptMain(argc, argv, "ck-mlir optimizer driver\n", registry));
}
