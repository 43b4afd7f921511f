//===- AssignSchedule.cpp - Choose and check the schedule of every GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedule is decided on the IR, where the user can see and change it, and checked here once:
// no later pass has to refuse anything.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"

#define DEBUG_TYPE "ck-assign-schedule"

namespace mlir::ck {
#define GEN_PASS_DEF_ASSIGNSCHEDULEPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

LogicalResult ck::assignSchedule(GemmOp gemm, StringRef schedule, const ChipInfo &chip) {
  llvm::Expected<ScheduleRequest> request = parseSchedule(schedule);
  if (!request)
    return gemm.emitError(llvm::toString(request.takeError()));
  llvm::Expected<GemmShape> shape = getGemmShape(gemm.getA().getType(), gemm.getB().getType(),
                                                 gemm.getC().getType().getElementType());
  if (!shape)
    return gemm.emitError(llvm::toString(shape.takeError()));
  if (shape->aType != DataType::F16)
    return gemm.emitError("operands of ")
           << getName(shape->aType) << " are not supported yet: expected f16";
  llvm::Expected<Schedule> resolved = resolveSchedule(*request, *shape, chip);
  if (!resolved)
    return gemm.emitError(llvm::toString(resolved.takeError()));
  gemm.setScheduleAttr(ScheduleAttr::get(gemm.getContext(), *resolved));
  return success();
}

namespace {
struct AssignSchedulePass final : ck::impl::AssignSchedulePassBase<AssignSchedulePass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void AssignSchedulePass::runOnOperation() {
  WalkResult result = getOperation().walk([&](GemmOp gemm) -> WalkResult {
    FailureOr<const ChipInfo *> chip = getTargetChip(gemm);
    if (failed(chip))
      return failure();
    StringRef request = schedule;
    if (request.empty() && gemm.getSchedule())
      request = gemm.getSchedule()->getText();
    return assignSchedule(gemm, request, **chip);
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
