//===- WorkTimelineTest.cpp - Plans on an idealized device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Known cases by hand, and what holds of every timeline.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkTimeline.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::ck;

static WorkPlan makePlan(llvm::ArrayRef<WorkShape> gemms, llvm::StringRef partition,
                         int64_t residents) {
  ScheduleRequest request = llvm::cantFail(parseSchedule(("partition=" + partition).str()));
  return llvm::cantFail(WorkPlan::create(gemms, *request.partition, residents, /*xcds=*/1));
}

static WorkSummary simulate(llvm::ArrayRef<WorkShape> gemms, llvm::StringRef partition,
                            int64_t residents) {
  return simulateWork(makePlan(gemms, partition, residents));
}

/// Five tiles of 8 steps on 4 places take two rounds, of which the second is nearly empty.
TEST(WorkTimeline, DataParallel) {
  WorkSummary summary = simulate({{1, 1, 5, 8}}, "data_parallel", 4);
  EXPECT_EQ(summary.workgroups, 5);
  EXPECT_EQ(summary.rounds, 2);
  EXPECT_EQ(summary.span, 16);
  EXPECT_DOUBLE_EQ(summary.getEfficiency(), 40.0 / 64.0);
  EXPECT_EQ(summary.minIterations, 8);
  EXPECT_EQ(summary.maxIterations, 8);
  EXPECT_EQ(summary.partialsStored + summary.partialsLoaded + summary.atomicTiles, 0);
}

TEST(WorkTimeline, SplitK) {
  WorkSummary summary = simulate({{1, 1, 5, 8}}, "split_k:3", 4);
  EXPECT_EQ(summary.workgroups, 15);
  EXPECT_EQ(summary.rounds, 4);
  // Slices of 3, 3 and 2 steps: the last round has three of the five of 2 steps.
  EXPECT_EQ(summary.span, 11);
  EXPECT_EQ(summary.minIterations, 2);
  EXPECT_EQ(summary.maxIterations, 3);
  EXPECT_EQ(summary.atomicTiles, 15);
  EXPECT_EQ(summary.depth, 3);
  EXPECT_EQ(summary.partialsStored, 0);
  WorkSummary twoStage = simulate({{1, 1, 5, 8}}, "split_k:3:two_stage", 4);
  EXPECT_EQ(twoStage.atomicTiles, 0);
  EXPECT_EQ(twoStage.partialsStored, 15);
  EXPECT_EQ(twoStage.partialsLoaded, 15);
  EXPECT_EQ(twoStage.depth, 2);
}

/// All five tiles are shared, 10 steps for each stream.
/// 4 whole tiles of 8 steps, then one in 4 streams.
TEST(WorkTimeline, StreamK) {
  for (const char *partition : {"stream_k:linear", "stream_k:tree:persistent"}) {
    const bool persistent = llvm::StringRef(partition).ends_with("persistent");
    WorkSummary summary = simulate({{1, 1, 5, 8}}, partition, 4);
    EXPECT_EQ(summary.workgroups, persistent ? 4 : 8);
    EXPECT_EQ(summary.rounds, persistent ? 1 : 2);
    EXPECT_EQ(summary.span, 10);
    EXPECT_DOUBLE_EQ(summary.getEfficiency(), 1.0);
    EXPECT_EQ(summary.partialsStored, 3);
    EXPECT_EQ(summary.partialsLoaded, 3);
    EXPECT_EQ(summary.atomicTiles, 0);
  }
}

/// Two tiles in 4 streams, and two adders for each of them behind these.
TEST(WorkTimeline, AddersFollowStreams) {
  WorkSummary summary = simulate({{1, 1, 2, 8}}, "stream_k:parallel", 4);
  EXPECT_EQ(summary.workgroups, 4 + 2 * 2);
  EXPECT_EQ(summary.span, 4);
  EXPECT_EQ(summary.minIterations, 4);
  EXPECT_DOUBLE_EQ(summary.getEfficiency(), 1.0);
  EXPECT_EQ(summary.partialsStored, 4);
  EXPECT_EQ(summary.partialsLoaded, 4 * 2);
}

/// One tile in 20 streams: the owner adds all 19 others, or along the tree 7 of the first eight and
/// two of those that add the rest.
TEST(WorkTimeline, DepthOfReductions) {
  EXPECT_EQ(simulate({{1, 1, 1, 40}}, "stream_k:linear", 20).depth, 19);
  EXPECT_EQ(simulate({{1, 1, 1, 40}}, "stream_k:tree", 20).depth, 9);
  EXPECT_EQ(simulate({{1, 1, 1, 40}}, "split_k:1:two_stage", 20).depth, 0);
  EXPECT_EQ(simulate({{1, 1, 1, 40}}, "data_parallel", 20).depth, 0);
}

/// Items on one place follow each other, sums are there when they are added, and the span lies
/// between what perfect balance and what one place would take.
TEST(WorkTimeline, IsConsistent) {
  for (const char *partition :
       {"data_parallel", "split_k:3", "split_k:auto:two_stage", "stream_k:linear", "stream_k:tree",
        "stream_k:tree:persistent", "stream_k:parallel"})
    for (int64_t tiles = 1; tiles <= 20; ++tiles)
      for (int64_t residents = 1; residents <= 9; ++residents) {
        WorkPlan plan = makePlan({{1, 1, tiles, 5}, {1, 1, 2, 0}}, partition, residents);
        std::map<int64_t, int64_t> busyUntil, sums;
        int64_t workgroup = 0, last = 0;
        WorkSummary summary = simulateWork(plan, [&](const PlacedItem &placed) {
          EXPECT_GE(placed.item.workgroup, workgroup);
          workgroup = placed.item.workgroup;
          EXPECT_LT(placed.place, residents);
          EXPECT_GE(placed.begin, busyUntil[placed.place]);
          EXPECT_GT(placed.end, placed.begin);
          EXPECT_GE(placed.done, placed.end);
          busyUntil[placed.place] = placed.done;
          for (int64_t partial : placed.item.waits) {
            ASSERT_TRUE(sums.count(partial));
            EXPECT_GE(placed.done, sums[partial]);
          }
          if (placed.item.partial >= 0)
            sums[placed.item.partial] = placed.done;
          last = std::max(last, placed.done);
        });
        EXPECT_EQ(summary.span, last);
        EXPECT_EQ(summary.workgroups, plan.getGridSize());
        EXPECT_EQ(summary.iterations, 5 * tiles + 2);
        EXPECT_GE(summary.span * residents, summary.iterations);
        EXPECT_LE(summary.span, summary.iterations);
        EXPECT_GT(summary.getEfficiency(), 0.0);
        EXPECT_LE(summary.getEfficiency(), 1.0);
      }
}
