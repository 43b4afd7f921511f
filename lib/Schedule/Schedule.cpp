//===- Schedule.cpp - Questions about schedules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows from the fields of a schedule by themselves, whatever is computed with it.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Schedule/DirectWork.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::ck;

bool mlir::ck::addsInMemory(const Partition &partition) {
  auto *splitK = std::get_if<SplitK>(&partition);
  return splitK && !splitK->twoStage;
}

bool mlir::ck::hasSecondStage(const Partition &partition) {
  auto *splitK = std::get_if<SplitK>(&partition);
  return splitK && splitK->twoStage;
}

bool mlir::ck::hasStreams(const Partition &partition) {
  return std::holds_alternative<StreamK>(partition);
}

llvm::hash_code mlir::ck::hash_value(const Partition &partition) {
  llvm::hash_code kind = llvm::hash_value(partition.index());
  return std::visit(
      llvm::makeVisitor([&](const DataParallel &) { return kind; },
                        [&](const SplitK &splitK) {
                          return llvm::hash_combine(kind, splitK.factor, splitK.twoStage);
                        },
                        [&](const StreamK &streamK) {
                          return llvm::hash_combine(kind, streamK.reduction, streamK.persistent);
                        }),
      partition);
}

llvm::hash_code mlir::ck::hash_value(const WorkgroupMapping &mapping) {
  return llvm::hash_combine(mapping.window, mapping.chunk);
}

llvm::hash_code mlir::ck::hash_value(const Stages &stages) {
  return llvm::hash_combine(stages.rows, stages.columns);
}

llvm::hash_code mlir::ck::hash_value(const Roles &roles) {
  return llvm::hash_combine(roles.load, roles.math);
}

llvm::hash_code mlir::ck::hash_value(const Hints &hints) {
  return llvm::hash_combine(hints.loads, hints.priority);
}

llvm::hash_code mlir::ck::hash_value(const DirectTile &tile) {
  return llvm::hash_combine(tile.channels, tile.columns, tile.rows, tile.slices, tile.mfma);
}

const DirectWork *GemmShape::findDirect(const DirectTile &tile) const {
  if (!direct)
    return nullptr;
  // The work of all numbers of slices is that of one.
  DirectTile known = tile;
  known.slices = std::min<int64_t>(tile.slices, 1);
  auto found = llvm::find_if(*direct, [&](const DirectWork &work) { return work.tile == known; });
  return found == direct->end() ? nullptr : &*found;
}

int64_t Schedule::getNumWaves() const { return roles.load + waves[0] * waves[1]; }

/// By themselves loads are scheduled as early as their addresses allow, mostly before the writes;
/// llvm-mca gives load loops up to a quarter more cycles in the order of the hint.
Hints Schedule::getHints() const {
  return hints.value_or(Hints{/*loads=*/false, /*priority=*/roles.load > 0});
}

bool mlir::ck::leavesTilesOpen(const ScheduleRequest &request) {
  return !request.tile && !request.waves && !request.mma && !request.roles && !request.stages &&
         !request.mapping && !request.hints && !request.copies && !request.reads;
}

ScheduleRequest mlir::ck::makeRequest(const Schedule &schedule) {
  ScheduleRequest request;
  request.partition = schedule.partition;
  request.deterministic = schedule.deterministic;
  request.direct = schedule.direct;
  if (schedule.direct)
    return request;
  request.tile = schedule.tile;
  request.waves = schedule.waves;
  request.mma = schedule.mma;
  request.roles = schedule.roles;
  request.stages = schedule.stages;
  request.mapping = schedule.mapping;
  request.hints = schedule.hints;
  request.copies = schedule.copies;
  request.reads = schedule.reads;
  return request;
}
