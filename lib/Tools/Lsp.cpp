//===- Lsp.cpp - The body of ck-lsp-server -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The server is upstream's; a file that someone writes may hold any of upstream's dialects beside
// ours.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Lsp.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Program.h"
#include "ck-mlir/Support/CommandLine.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

using namespace cksupport;
using namespace mlir;

int mlir::ck::runLspServer(int argc, char **argv) {
  guardStandardStreams();
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << getVersionText("ck-lsp-server"); });
  DialectRegistry registry;
  ck::registerAllDialects(registry);
  ck::registerProgramDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
