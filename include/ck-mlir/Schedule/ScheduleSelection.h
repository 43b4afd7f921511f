//===- ScheduleSelection.h - What a schedule is chosen by -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice itself is `resolveSchedule` of Schedule.h; here is what a compiler or a test may
// change of it.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_SCHEDULESELECTION_H
#define CK_MLIR_SCHEDULE_SCHEDULESELECTION_H

#include "ck-mlir/Schedule/TimeEstimator.h"

namespace mlir::ck {

/// How schedules are chosen.
struct SelectionOptions {
  const TimeEstimator *estimator = nullptr; // null: `getModelEstimator`
  bool allowWorkspace = true; // whether a partition may be chosen that needs a workspace
};

/// `resolveSchedule` with `options`: of all legal schedules the one of the shortest estimated time.
/// `shapes` are the GEMMs of one launch; those without K are only filled, and there must be others.
/// Partitions are chosen for a device with the chip's own number of CUs and one workgroup on each,
/// and give the same bits on every run.
llvm::Expected<Schedule> resolveSchedule(const ScheduleRequest &request,
                                         llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                                         const SelectionOptions &options);

/// The mappings that can make a difference for GEMMs of `works` tiles in `partition` on a chip of
/// `xcds` XCDs, the default one first: windows of 1 to 16 rows, and chunks of 4, of 16 and of as
/// many tiles as an XCD has. Streams have no chunks.
llvm::SmallVector<WorkgroupMapping> enumerateMappings(llvm::ArrayRef<WorkShape> works,
                                                      const Partition &partition, int64_t xcds);

/// True if `request` names none of the fields that speak of tiles and matrix instructions, so that
/// lanes may compute by themselves.
bool leavesTilesOpen(const ScheduleRequest &request);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_SCHEDULESELECTION_H
