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

#include "Transforms/AssignResults.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
#include "Transforms/ScheduleRemark.h"
#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"

namespace mlir::ck {
#define GEN_PASS_DEF_ASSIGNSCHEDULEPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

static SmallVector<GemmOp> getGemms(Operation *op) {
  SmallVector<GemmOp> gemms;
  for (Operation *part : getGemmParts(op))
    if (auto gemm = dyn_cast<GemmOp>(part))
      gemms.push_back(gemm);
  return gemms;
}

/// Whether `chip` has the element types of `gemm` and its epilogue.
static LogicalResult checkTypes(GemmOp gemm, const ChipInfo &chip) {
  SmallVector<Type> types;
  for (Type view : gemm->getOperandTypes())
    types.push_back(cast<ViewType>(view).getElementType());
  gemm.getEpilogue().walk([&](Operation *op) { llvm::append_range(types, op->getResultTypes()); });
  for (Type type : types)
    if (llvm::Error error = checkElementType(type, chip))
      return gemm.emitError(llvm::toString(std::move(error)));
  return success();
}

LogicalResult ck::assignSchedule(Operation *op, const ScheduleRequest &request,
                                 const ChipInfo &chip, int64_t residents, bool allocWorkspace,
                                 const TuningTable *table) {
  for (GemmOp gemm : getGemms(op))
    if (failed(checkTypes(gemm, chip)))
      return failure();
  FailureOr<SmallVector<GemmShape>> shapes = getGemmShapes(op);
  if (failed(shapes))
    return failure();
  if (request.direct)
    for (Operation *part : getGemmParts(op))
      if (llvm::Expected<DirectWork> work = getDirectWork(part, *request.direct); !work)
        return part->emitError(llvm::toString(work.takeError()));
  SelectionOptions selection;
  selection.allowWorkspace = allocWorkspace || canHaveWorkspace(op);
  ConsideredSchedules considered;
  bool hasRemarks = op->getContext()->getRemarkEngine();
  if (hasRemarks)
    selection.estimator = &considered;
  std::optional<Schedule> tuned;
  if (auto problem = op->getAttrOfType<StringAttr>(CKDialect::kProblemAttrName); table && problem)
    tuned = findTuned(*table, problem, request, *shapes, chip, selection);
  llvm::Expected<Schedule> resolved =
      tuned ? *tuned : resolveSchedule(request, *shapes, chip, selection);
  if (!resolved)
    return op->emitError(llvm::toString(resolved.takeError()));
  op->removeDiscardableAttr(CKDialect::kProblemAttrName);
  if (hasRemarks)
    considered.remark(op, *resolved);
  return assignResults(op, getGemmParts(op), *shapes, *resolved, chip, residents, allocWorkspace);
}

namespace {
struct AssignSchedulePass final : ck::impl::AssignSchedulePassBase<AssignSchedulePass> {
  using Base::Base;
  FailureOr<std::shared_ptr<const TuningTable>> openTable(const ChipInfo &chip);
  void runOnOperation() override;
};
} // namespace

/// The table of the tuning file; null without a file.
FailureOr<std::shared_ptr<const TuningTable>> AssignSchedulePass::openTable(const ChipInfo &chip) {
  if (tuningFile.empty())
    return std::shared_ptr<const TuningTable>();
  llvm::Expected<std::shared_ptr<const TuningTable>> table = openTuningFile(tuningFile, chip.name);
  if (!table)
    return getOperation().emitError(llvm::toString(table.takeError()));
  return *table;
}

void AssignSchedulePass::runOnOperation() {
  if (failed(verifyResidents(getOperation(), residents)) ||
      failed(verifyInput(getOperation(), Form::ImplicitGemm)))
    return signalPassFailure();
  llvm::Expected<ScheduleRequest> asked = parseSchedule(schedule);
  if (!asked) {
    getOperation().emitError(llvm::toString(asked.takeError()));
    return signalPassFailure();
  }
  WalkResult result = getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (!isa<GemmOp, GemmTableOp>(op))
      return WalkResult::advance();
    FailureOr<const ChipInfo *> chip = getTargetChip(op);
    if (failed(chip))
      return failure();
    FailureOr<std::shared_ptr<const TuningTable>> table = openTable(**chip);
    if (failed(table))
      return failure();
    ScheduleRequest request = *asked;
    GemmOp first = getGemms(op).front();
    if (schedule.empty() && first.getSchedule())
      request = makeRequest(first.getSchedule()->getValue());
    else if (schedule.empty() && first.getDirect())
      request.direct = first.getDirect()->getValue();
    request.relief = relief;
    if (failed(assignSchedule(op, request, **chip, residents, allocWorkspace, table->get())))
      return failure();
    for (GemmOp gemm : getGemms(op)) {
      ++numScheduled;
      numShuffled += gemm.getShuffle().has_value();
    }
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
