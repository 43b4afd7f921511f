//===- VerifyForm.cpp - Check that a module is in a normal form -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check of lib/IR/Form.cpp as a pass.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Form.h"
#include "ck-mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::ck {
#define GEN_PASS_DEF_VERIFYFORMPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
struct VerifyFormPass final : ck::impl::VerifyFormPassBase<VerifyFormPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void VerifyFormPass::runOnOperation() {
  markAllAnalysesPreserved();
  std::optional<Form> parsed = parseForm(form);
  if (!parsed) {
    getOperation().emitError() << "unknown form '" << form << "': expected one of "
                               << llvm::join(getFormNames(), ", ");
    return signalPassFailure();
  }
  if (failed(verifyForm(getOperation(), *parsed)))
    signalPassFailure();
}
