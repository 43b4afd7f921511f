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

#include "Transforms/OutlineKernels/KernelOutline.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "ck-mlir/Transforms/GemmShapes.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "ck-assign-schedule"

namespace mlir::ck {
#define GEN_PASS_DEF_ASSIGNSCHEDULEPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

/// The GEMMs of `op`: itself, or those of a table.
static SmallVector<GemmOp> getGemms(Operation *op) {
  if (auto gemm = dyn_cast<GemmOp>(op))
    return {gemm};
  return llvm::to_vector(cast<GemmTableOp>(op).getBody().getOps<GemmOp>());
}

/// Whether `chip` has the element types of `gemm` and its epilogue; 8-bit floats differ between
/// chips.
static LogicalResult checkTypes(GemmOp gemm, const ChipInfo &chip) {
  SmallVector<Type> types;
  for (Type view : gemm->getOperandTypes())
    types.push_back(cast<ViewType>(view).getElementType());
  gemm.getEpilogue().walk([&](Operation *op) { llvm::append_range(types, op->getResultTypes()); });
  for (Type type : types) {
    std::optional<DataType> dataType = getDataType(type);
    if (dataType != DataType::FP8 && dataType != DataType::BF8)
      continue;
    Type expected = getElementType(gemm.getContext(), *dataType, chip.fp8 == Fp8Kind::Fnuz);
    if (type != expected)
      return gemm.emitError() << chip.name << " takes 8-bit floats of type " << expected
                              << ", got elements of " << type;
  }
  return success();
}

FailureOr<SmallVector<GemmShape>> ck::getGemmShapes(Operation *op) {
  SmallVector<Operation *> parts = {op};
  if (auto table = dyn_cast<GemmTableOp>(op))
    parts = llvm::map_to_vector(table.getBody().front(), [](Operation &part) { return &part; });
  SmallVector<GemmShape> shapes;
  for (Operation *part : parts) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm) {
      ArrayRef<int64_t> sizes = getResultView(part).getType().getShape();
      GemmShape fill;
      std::tie(fill.g, fill.m, fill.n, fill.k) = std::tuple(sizes[0], sizes[1], sizes[2], 0);
      shapes.push_back(fill);
      continue;
    }
    llvm::Expected<GemmShape> shape = getGemmShape(gemm.getA().getType(), gemm.getB().getType(),
                                                   gemm.getC().getType().getElementType());
    if (!shape)
      return gemm.emitError(llvm::toString(shape.takeError()));
    shapes.push_back(*shape);
  }
  return shapes;
}

/// Whether the function around `op` can be given an argument for the workspace: it must have no
/// calls, which would have to pass it.
static bool canHaveWorkspace(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function)
    return false;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOfType<ModuleOp>());
  return uses && uses->empty();
}

LogicalResult ck::assignSchedule(Operation *op, StringRef schedule, const ChipInfo &chip,
                                 int64_t relief) {
  llvm::Expected<ScheduleRequest> request = parseSchedule(schedule);
  if (!request)
    return op->emitError(llvm::toString(request.takeError()));
  request->relief = relief;
  for (GemmOp gemm : getGemms(op))
    if (failed(checkTypes(gemm, chip)))
      return failure();
  FailureOr<SmallVector<GemmShape>> shapes = getGemmShapes(op);
  if (failed(shapes))
    return failure();
  SelectionOptions selection;
  selection.allowWorkspace = canHaveWorkspace(op);
  llvm::Expected<Schedule> resolved = resolveSchedule(*request, *shapes, chip, selection);
  if (!resolved)
    return op->emitError(llvm::toString(resolved.takeError()));
  for (GemmOp gemm : getGemms(op))
    gemm.setScheduleAttr(ScheduleAttr::get(op->getContext(), *resolved));
  return success();
}

namespace {
struct AssignSchedulePass final : ck::impl::AssignSchedulePassBase<AssignSchedulePass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void AssignSchedulePass::runOnOperation() {
  WalkResult result = getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (!isa<GemmOp, GemmTableOp>(op))
      return WalkResult::advance();
    FailureOr<const ChipInfo *> chip = getTargetChip(op);
    if (failed(chip))
      return failure();
    StringRef request = schedule;
    std::optional<ScheduleAttr> present = getGemms(op).front().getSchedule();
    if (request.empty() && present)
      request = present->getText();
    if (failed(assignSchedule(op, request, **chip, relief)))
      return failure();
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
