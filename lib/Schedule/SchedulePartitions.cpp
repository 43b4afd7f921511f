//===- SchedulePartitions.cpp - Partitions to choose from -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel would refuse is left out here, so that what is chosen can be generated.
//
//===----------------------------------------------------------------------===//

#include "Schedule/SchedulePartitions.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::ck;
using llvm::SmallVector;

/// How often slices fill the chip: more of them only add to the sums.
static constexpr int64_t kMostRounds = 4;

/// Slices beyond powers of two are those that fill the chip once, and as many of them as go round
/// the XCDs.
static SmallVector<int64_t> enumerateSlices(llvm::ArrayRef<WorkShape> works, int64_t residents,
                                            int64_t xcds) {
  int64_t most = 1, tiles = 0;
  for (const WorkShape &work : works) {
    most = std::max(most, work.kSteps);
    tiles += work.getTiles();
  }
  most = std::min({most, kMaxAutoSlices, 2 * kMostRounds * residents / tiles});
  SmallVector<int64_t> factors;
  for (int64_t factor = 2; factor <= most; factor *= 2)
    factors.push_back(factor);
  int64_t fitting = *llvm::max_element(resolveSlices(works, /*factor=*/0, residents));
  for (int64_t factor : {fitting, fitting / xcds * xcds})
    if (factor > 1 && !llvm::is_contained(factors, factor))
      factors.push_back(factor);
  return factors;
}

static SmallVector<Partition> enumeratePartitions(const ScheduleRequest &request,
                                                  bool allowWorkspace,
                                                  llvm::ArrayRef<WorkShape> works,
                                                  const ChipInfo &chip) {
  if (request.partition)
    return {*request.partition};
  SmallVector<Partition> partitions = {DataParallel()};
  if (!allowWorkspace)
    return partitions;
  for (int64_t factor : enumerateSlices(works, chip.numCus, chip.numXcds))
    partitions.push_back(SplitK{factor, /*twoStage=*/true});
  // Of tiles of one step there is nothing to share.
  if (llvm::none_of(works, [](const WorkShape &work) { return work.kSteps > 1; }))
    return partitions;
  partitions.push_back(StreamK{Reduction::Tree, /*persistent=*/false});
  if (splitStreams(works, chip.numCus, chip.numXcds).dealtTiles > 0)
    partitions.push_back(StreamK{Reduction::Parallel, /*persistent=*/false});
  return partitions;
}

SmallVector<WorkgroupMapping> mlir::ck::enumerateMappings(llvm::ArrayRef<WorkShape> works,
                                                          const Partition &partition,
                                                          int64_t xcds) {
  constexpr int64_t kWindows[] = {1, 2, 4, 8, 16};
  int64_t tiles = 0, rows = 1;
  for (const WorkShape &work : works) {
    tiles += work.getTiles();
    rows = std::max(rows, work.rows);
  }
  SmallVector<WorkgroupMapping> mappings;
  for (int64_t window : kWindows) {
    if (window > 1 && window / 2 >= rows)
      continue;
    mappings.push_back({window, 1});
    if (xcds == 1 || hasStreams(partition))
      continue;
    for (int64_t chunk : {int64_t(4), int64_t(16), int64_t(llvm::divideCeil(tiles, xcds))})
      if (chunk > 1 && chunk * xcds <= tiles + xcds)
        mappings.push_back({window, chunk});
  }
  return mappings;
}

detail::PartitionChoice detail::choosePartitions(const ScheduleRequest &request,
                                                 bool allowWorkspace,
                                                 const std::array<int64_t, 3> &tile,
                                                 llvm::ArrayRef<GemmShape> shapes,
                                                 const ChipInfo &chip) {
  const SmallVector<WorkShape> works = getWorkShapes(tile, shapes);
  PartitionChoice choice;
  for (const Partition &partition : enumeratePartitions(request, allowWorkspace, works, chip)) {
    llvm::Expected<WorkPlan> plan = WorkPlan::create(works, partition, chip.numCus, chip.numXcds);
    llvm::Error error = plan ? checkIndices(*plan, tile[0] * tile[1]) : plan.takeError();
    if (error)
      choice.reason = llvm::toString(std::move(error));
    else
      choice.works.push_back(estimateWork(*plan));
  }
  return choice;
}
