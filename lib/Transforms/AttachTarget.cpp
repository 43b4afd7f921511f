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
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mlir::ck {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
struct AttachTargetPass final : ck::impl::AttachTargetPassBase<AttachTargetPass> {
  using Base::Base;

  /// The attribute is one of the dialect, which a module may have no other part of.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<CKDialect>();
  }
  void runOnOperation() override;
};
} // namespace

/// Emits an error at `kernels` if they have targets in `attributes`, but none for `chip`.
static LogicalResult verifyTargets(Operation *kernels, ArrayRef<Attribute> attributes,
                                   StringRef chip) {
  ROCDL::ROCDLTargetAttr other;
  for (Attribute attribute : attributes) {
    auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(attribute);
    if (target && target.getChip() == chip)
      return success();
    other = target ? target : other;
  }
  if (!other)
    return success();
  return kernels->emitOpError("expected kernels for '")
         << chip << "', got some for '" << other.getChip() << "'";
}

/// Emits an error at kernels of `module` that are for other chips than `chip`.
static LogicalResult verifyKernels(ModuleOp module, StringRef chip) {
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    ArrayAttr targets = kernels.getTargetsAttr();
    if (targets && failed(verifyTargets(kernels, targets.getValue(), chip)))
      return failure();
  }
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    SmallVector<Attribute> targets;
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      targets.push_back(object.getTarget());
    if (failed(verifyTargets(binary, targets, chip)))
      return failure();
  }
  return success();
}

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
  if (failed(verifyKernels(getOperation(), chip)))
    return signalPassFailure();
  getOperation()->setAttr(CKDialect::kTargetAttrName, TargetAttr::get(&getContext(), chip));
}
