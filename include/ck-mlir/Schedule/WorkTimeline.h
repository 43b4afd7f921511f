//===- WorkTimeline.h - When every workgroup would run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places the work of a plan on an idealized device, to compare partitions by arithmetic alone: a
// K step of a tile takes one unit of time, storing, adding and atomics take none. A tile without K
// steps takes one unit as well. Workgroups start in the order of their numbers, each on the place
// that is free first.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_WORKTIMELINE_H
#define CK_MLIR_SCHEDULE_WORKTIMELINE_H

#include "ck-mlir/Schedule/WorkPlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::ck {

/// An item on its place, one of as many as workgroups can be resident. It computes during
/// [begin, end) and then waits for the sums of others until `done`.
struct PlacedItem {
  const WorkItem &item;
  int64_t place, begin, end, done;
};

/// What a plan comes to.
struct WorkSummary {
  int64_t workgroups = 0;
  int64_t rounds = 0; // of resident workgroups: workgroups / residents, rounded up
  int64_t span = 0;   // when the last workgroup is done
  int64_t iterations = 0, minIterations = 0, maxIterations = 0; // of all, of one workgroup
  int64_t partialsStored = 0, partialsLoaded = 0;               // partial tiles
  int64_t atomicTiles = 0;                                      // tiles added to the result
  /// The most additions to one tile that follow each other: of contributors along the chains of
  /// their receivers, of slices in the second stage, or of atomics.
  int64_t depth = 0;
  int64_t residents = 1;

  /// The share of all places and times up to `span` that computes, in [0, 1].
  double getEfficiency() const;
};

/// Runs `plan`; calls `visit`, if given, for every item, by workgroup.
WorkSummary simulateWork(const WorkPlan &plan,
                         llvm::function_ref<void(const PlacedItem &)> visit = nullptr);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_WORKTIMELINE_H
