//===- AttachTarget.cpp - Set the chip that a module is compiled for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chip is one attribute on the module instead of an option of every pass, so that no two passes
// can disagree about it.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"

#define DEBUG_TYPE "ck-attach-target"

namespace mlir::ck {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
struct AttachTargetPass final : ck::impl::AttachTargetPassBase<AttachTargetPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void AttachTargetPass::runOnOperation() {
  llvm::Expected<const ChipInfo *> info = getChip(chip);
  if (!info) {
    getOperation().emitError(llvm::toString(info.takeError()));
    return signalPassFailure();
  }
  auto present = getOperation()->getAttrOfType<TargetAttr>(CKDialect::kTargetAttrName);
  if (present && present.getChip() != chip) {
    getOperation().emitError() << "expected a module without a target, or with '" << chip
                               << "', got the target '" << present.getChip() << "'";
    return signalPassFailure();
  }
  getOperation()->setAttr(CKDialect::kTargetAttrName, TargetAttr::get(&getContext(), chip));
}
