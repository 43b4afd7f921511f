//===- AssignResults.cpp - The way of results to memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule leaves open follows from the views of the results: along which dimension lanes
// hold accumulators, whether results go through LDS, and whether a partition can add them up.
//
//===----------------------------------------------------------------------===//

#include "Transforms/AssignResults.h"
#include "Transforms/OutlineKernels/KernelOutline.h"
#include "Transforms/StoreLayout.h"
#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/Schedule/WorkEstimate.h"
#include <limits>

using namespace mlir;
using namespace mlir::ck;

/// The views that `parts` write. Emits an error for one of these, or a D operand, that address code
/// cannot follow.
static FailureOr<SmallVector<ViewAnalysis>> analyzeResults(ArrayRef<Operation *> parts) {
  SmallVector<ViewAnalysis> results;
  for (Operation *part : parts) {
    SmallVector<Value> views(getDs(part));
    views.push_back(getResultView(part));
    std::optional<ViewAnalysis> last;
    for (Value view : views) {
      llvm::Expected<ViewAnalysis> analysis = analyzeView(cast<ViewType>(view.getType()));
      if (!analysis)
        return part->emitOpError(llvm::toString(analysis.takeError()));
      last = std::move(*analysis);
    }
    results.push_back(std::move(*last));
  }
  return results;
}

/// Verifies that slices of `part`, which writes `result`, can be added up in memory, where lanes
/// hold accumulators along `dim`.
static LogicalResult verifyAddition(Operation *op, Operation *part, const ViewAnalysis &result,
                                    const Partition &partition, const MatrixInstruction &mma,
                                    unsigned dim, const ChipInfo &chip) {
  auto refuse = [&](const Twine &reason) {
    return op->emitOpError("partition '") << toString(partition) << "' adds up results " << reason
                                          << "; expected '" << toString(partition) << ":two_stage'";
  };
  if (!getEpilogue(part).empty())
    return refuse("in memory, but they go through an epilogue");
  if (auto gemm = dyn_cast<GemmOp>(part); gemm && gemm.getOmitPadding())
    return refuse("in memory, but those that are NaN are computed again from all of K");
  DataType type = *getDataType(result.view.getElementType());
  int64_t width = chip.getAtomicWidth(type);
  if (width == 0)
    return refuse("in memory, but " + chip.name + " has no atomic addition for " + getName(type));
  int64_t bytes = result.numElements * getSizeInBytes(type);
  if (bytes > std::numeric_limits<int32_t>::max())
    return refuse("in memory, but their tensor has " + Twine(bytes) + " bytes: at most 2147483647");
  if (getAccWidth(result, mma, dim) % width != 0)
    return refuse("of 16 bits in memory by twos, but neighbours are not aligned in memory");
  return success();
}

/// Gives `parts` of `op` the results of a lane.
static LogicalResult assignDirect(Operation *op, ArrayRef<Operation *> parts,
                                  const DirectTile &tile, bool allocWorkspace) {
  if (tile.slices > 1 && !allocWorkspace &&
      failed(verifyWorkspace(op, "direct '" + toString(tile) + "'")))
    return failure();
  for (Operation *part : parts)
    if (llvm::Expected<DirectWork> work = getDirectWork(part, tile); !work)
      return part->emitOpError(llvm::toString(work.takeError()));
  for (Operation *part : parts) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm)
      continue;
    gemm.removeScheduleAttr();
    gemm.removeLayoutAttr();
    gemm.removeShuffleAttr();
    gemm.setDirectAttr(DirectAttr::get(part->getContext(), tile));
  }
  return success();
}

LogicalResult ck::assignResults(Operation *op, ArrayRef<Operation *> parts,
                                ArrayRef<GemmShape> shapes, const Schedule &schedule,
                                const ChipInfo &chip, int64_t residents, bool allocWorkspace) {
  if (schedule.direct)
    return assignDirect(op, parts, *schedule.direct, allocWorkspace);
  FailureOr<SmallVector<ViewAnalysis>> results = analyzeResults(parts);
  if (failed(results))
    return failure();
  SmallVector<WorkShape> works = llvm::map_to_vector(
      shapes, [&](const GemmShape &shape) { return getWorkShape(schedule.tile, shape); });
  llvm::Expected<WorkPlan> plan = WorkPlan::create(
      works, schedule.partition, residents > 0 ? residents : chip.numCus, chip.numXcds);
  if (!plan)
    return op->emitOpError(llvm::toString(plan.takeError()));
  auto isAdded = [&](int64_t slices) { return addsInMemory(schedule.partition) && slices > 1; };
  SmallVector<StoredResult> stored;
  for (auto [result, slices] : llvm::zip_equal(*results, plan->getSlices()))
    stored.push_back({result, isAdded(slices)});

  auto first = cast<GemmOp>(*llvm::find_if(parts, llvm::IsaPred<GemmOp>));
  auto scheduleAttr = ScheduleAttr::get(schedule, first.getA().getType().getElementType());
  const MatrixInstruction &mma = *scheduleAttr.getMma().find(chip);
  auto layout = AccLayoutAttr::get(op->getContext(), scheduleAttr.getWaves(), scheduleAttr.getMma(),
                                   chooseAccDim(stored, mma, chip));
  auto acc = AccType::get(scheduleAttr.getTile().take_front(2), layout);
  if (llvm::Error error = checkIndices(*plan, ShapedType::getNumElements(acc.getShape())))
    return op->emitOpError(llvm::toString(std::move(error)));
  if (plan->getPartialTiles() > 0 && !allocWorkspace &&
      failed(verifyWorkspace(op, "partition '" + toString(schedule.partition) + "'")))
    return failure();
  for (auto [part, result, slices] : llvm::zip_equal(parts, *results, plan->getSlices()))
    if (isAdded(slices) &&
        failed(verifyAddition(op, part, result, schedule.partition, mma, acc.getAccDim(), chip)))
      return failure();

  for (auto [part, result, shape] : llvm::zip_equal(parts, stored, shapes)) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm)
      continue;
    gemm.removeDirectAttr();
    gemm.setScheduleAttr(scheduleAttr);
    gemm.setLayoutAttr(layout);
    if (ShuffleAttr shuffle = chooseShuffle(result, acc, chip, getLdsBytes(schedule, shape, chip)))
      gemm.setShuffleAttr(shuffle);
    else
      gemm.removeShuffleAttr();
  }
  return success();
}
