//===- VerifyProgram.cpp - Check where the code of a program is -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipelines of programs nest passes in the functions of one module, and no pass of theirs would say
// that it has seen no others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::ck {
#define GEN_PASS_DEF_VERIFYPROGRAMPASS
#include "ck-mlir/Compiler/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
struct VerifyProgramPass final : ck::impl::VerifyProgramPassBase<VerifyProgramPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void VerifyProgramPass::runOnOperation() {
  markAllAnalysesPreserved();
  getOperation().walk([&](Operation *op) {
    auto module = op->getParentOfType<ModuleOp>();
    if (!isa<func::FuncOp, gpu::GPUModuleOp>(op) || module == getOperation())
      return WalkResult::advance();
    InFlightDiagnostic diag =
        op->emitOpError("expected the code of a program in its module, got it in a nested one: run "
                        "the passes on that module, as 'builtin.module(builtin.module(...))' does");
    diag.attachNote(module.getLoc()) << "the nested module is here";
    signalPassFailure();
    return WalkResult::interrupt();
  });
}
