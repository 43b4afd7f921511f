//===- RunBroken.cpp - ck-run with broken kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: ck-run-broken LIST ARGUMENTS...
//
// ck-run, called with ARGUMENTS, on kernels that lack what LIST names, see the pass ck-drop-sync.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "ck-mlir/Tools/Run.h"

using namespace mlir;
using namespace mlir::ck;

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: ck-run-broken LIST ARGUMENTS...\n";
    return 2;
  }
  auto drop = [list = std::string(argv[1])](Form form, OpPassManager &manager) {
    if (form == Form::Lane)
      manager.nest<gpu::GPUModuleOp>().addPass(test::createDropSyncPass({list}));
  };
  argv[1] = argv[0];
  return runRun(argc - 1, argv + 1, drop);
}
