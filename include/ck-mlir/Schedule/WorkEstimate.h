//===- WorkEstimate.h - A plan in a few numbers, by closed forms -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The selection of a schedule compares hundreds of plans, some of millions of workgroups. What it
// needs to know of each follows from the sizes alone, in a time that does not depend on the number
// of workgroups. `simulateWork` (WorkTimeline.h) finds the same workgroup by workgroup.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_WORKESTIMATE_H
#define CK_MLIR_SCHEDULE_WORKESTIMATE_H

#include "ck-mlir/Schedule/WorkPlan.h"

namespace mlir::ck {

/// What a plan comes to. Times are in K steps; a tile without K steps takes one.
struct WorkEstimate {
  Partition partition;
  int64_t residents = 1;  // places for workgroups
  int64_t workgroups = 0; // of the launch, without those that only add
  int64_t iterations = 0; // K steps of all tiles
  /// Tiles, or parts of tiles, that follow each other on a place: of slices on average, rounded up,
  /// of streams at most.
  int64_t items = 0;
  /// K steps of streams that begin at different steps, so that they read nothing together.
  int64_t scatteredIterations = 0;
  double streamSteps = 0;    // of these, what each has
  int64_t withinTiles = 0;   // streams that have a part of one tile each
  int64_t longestStream = 0; // K steps
  int64_t addersOfTile = 0;  // workgroups behind them that add up each tile
  int64_t contributors = 1;  // at most so many workgroups compute the same tile
  /// Tiles that are added up in a second launch, and those of them that follow each other on a
  /// place (two-stage Split-K).
  int64_t reducedTiles = 0, reducedItems = 0;
  int64_t partialTiles = 0; // in the workspace
  int64_t atomicTiles = 0;  // that are added to the result by atomics
  int64_t flagBytes = 0;    // of the workspace
};

/// The numbers of `plan`.
WorkEstimate estimateWork(const WorkPlan &plan);

/// When the last workgroup of `plan` ends, in K steps; that of `simulateWork`. It takes time where
/// slices of different lengths need many rounds.
int64_t estimateSpan(const WorkPlan &plan);

/// The share of all places and times up to `estimateSpan` that computes, in [0, 1].
double estimateEfficiency(const WorkPlan &plan);

/// The output tiles of `shape` in tiles of M, N and K of `tile`; without K it is only filled.
WorkShape getWorkShape(const std::array<int64_t, 3> &tile, const GemmShape &shape);

/// The same of each of `shapes`.
llvm::SmallVector<WorkShape> getWorkShapes(const std::array<int64_t, 3> &tile,
                                           llvm::ArrayRef<GemmShape> shapes);

/// Success if the 32-bit indices of a kernel can count what they must with tiles of `tileElements`:
/// workgroups, shared iterations, and words of the workspace.
llvm::Error checkIndices(const WorkPlan &plan, int64_t tileElements);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_WORKESTIMATE_H
