//===- ScheduleRemark.cpp - Why a schedule was chosen -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ScheduleRemark.h.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ScheduleRemark.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::ck;

SmallVector<uint64_t> ConsideredSchedules::estimate(const Schedule &schedule,
                                                    ArrayRef<GemmShape> shapes,
                                                    const ChipInfo &chip,
                                                    ArrayRef<WorkEstimate> works) const {
  SmallVector<uint64_t> times = getModelEstimator().estimate(schedule, shapes, chip, works);
  for (auto [work, cycles] : llvm::zip_equal(works, times)) {
    ++count;
    auto [it, isFirst] = byTile.try_emplace(schedule.tile);
    if (!isFirst && cycles >= it->second.cycles)
      continue;
    Schedule seen = schedule;
    seen.partition = work.partition;
    it->second = {cycles, toString(seen)};
  }
  return times;
}

void ConsideredSchedules::remark(Operation *op, const Schedule &chosen) const {
  auto remark = remark::passed(op->getLoc(),
                               remark::RemarkOpts::name("Schedule").category("ck-assign-schedule"));
  remark << remark::metric("Schedule", toString(chosen)) << remark::metric("Considered", count);
  auto best = byTile.find(chosen.tile);
  if (best == byTile.end())
    return;
  remark << remark::metric("EstimatedCycles", best->second.cycles);
  const Seen *other = nullptr;
  for (const auto &[tile, seen] : byTile)
    if (tile != chosen.tile && (!other || seen.cycles < other->cycles))
      other = &seen;
  if (other)
    remark << remark::metric("NextBest", other->schedule)
           << remark::metric("NextBestCycles", other->cycles);
}
