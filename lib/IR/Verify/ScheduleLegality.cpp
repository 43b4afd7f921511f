//===- ScheduleLegality.cpp - Schedules in the IR -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ScheduleLegality.h.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/ScheduleLegality.h"
#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/Schedule/WorkEstimate.h"

using namespace mlir;
using namespace mlir::ck;

/// Verifies that lanes with `tile` can compute `parts` by themselves.
static LogicalResult verifyDirect(ArrayRef<Operation *> parts, const DirectTile &tile) {
  if (tile.mfma) {
    FailureOr<const ChipInfo *> chip = getTargetChip(parts.front());
    if (failed(chip))
      return failure();
    if (llvm::Error error = checkDirectTile(tile, **chip))
      return parts.front()->emitOpError(llvm::toString(std::move(error)));
  }
  for (Operation *part : parts)
    if (llvm::Expected<DirectWork> work = getDirectWork(part, tile); !work)
      return part->emitOpError(llvm::toString(work.takeError()));
  return success();
}

LogicalResult ck::verifyScheduled(Operation *op) {
  SmallVector<Operation *> parts = getGemmParts(op);
  auto first = cast<GemmOp>(*llvm::find_if(parts, llvm::IsaPred<GemmOp>));
  if (first.getDirect())
    return verifyDirect(parts, first.getDirect()->getValue());
  for (Operation *part : parts)
    if (auto gemm = dyn_cast<GemmOp>(part); gemm && !(gemm.getSchedule() && gemm.getLayout()))
      return gemm.emitOpError("form 'scheduled' requires a schedule and a layout: expected "
                              "'ck-assign-schedule' to run before");
  FailureOr<const ChipInfo *> chip = getTargetChip(op);
  FailureOr<SmallVector<GemmShape>> shapes = getGemmShapes(op);
  if (failed(chip) || failed(shapes))
    return failure();
  Schedule schedule;
  for (auto [part, shape] : llvm::zip_equal(parts, *shapes)) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm)
      continue;
    schedule = gemm.getSchedule()->getValue();
    if (llvm::Error error = checkSchedule(schedule, shape, **chip))
      return gemm.emitOpError(llvm::toString(std::move(error)));
  }
  // Those of a table share the schedule.
  llvm::Expected<WorkPlan> plan =
      WorkPlan::create(getWorkShapes(schedule.tile, *shapes), schedule.partition, (*chip)->numCus,
                       (*chip)->numXcds, schedule.mapping);
  if (!plan)
    return op->emitOpError(llvm::toString(plan.takeError()));
  return success();
}

LogicalResult ck::verifyScheduled(BlockGemmOp gemm) {
  FailureOr<const ChipInfo *> chip = getTargetChip(gemm);
  if (failed(chip))
    return failure();
  llvm::Expected<GemmShape> shape = getGemmShape(gemm.getA().getType(), gemm.getB().getType(),
                                                 gemm.getAcc().getType().getElementType());
  if (!shape)
    return gemm.emitOpError(llvm::toString(shape.takeError()));
  if (llvm::Error error = checkSchedule(gemm.getSchedule().getValue(), *shape, **chip))
    return gemm.emitOpError(llvm::toString(std::move(error)));
  return success();
}
