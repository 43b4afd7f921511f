//===- WorkEstimateTest.cpp - Closed forms against the simulation -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found in one go must be what the workgroups come to one by one.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkEstimate.h"
#include "ck-mlir/Schedule/WorkTimeline.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::ck;

static WorkPlan makePlan(llvm::ArrayRef<WorkShape> gemms, llvm::StringRef partition,
                         int64_t residents) {
  ScheduleRequest request = llvm::cantFail(parseSchedule(("partition=" + partition).str()));
  return llvm::cantFail(WorkPlan::create(gemms, *request.partition, residents, /*xcds=*/1));
}

/// Compares all numbers of the estimate with what the simulation sees.
static void compare(const WorkPlan &plan, const std::string &what) {
  WorkEstimate estimate = estimateWork(plan);
  std::map<int64_t, int64_t> items; // of each place
  int64_t contributors = 1;
  WorkSummary summary = simulateWork(plan, [&](const PlacedItem &placed) {
    items[placed.place] += placed.item.adder < 0;
    contributors = std::max(contributors, placed.item.contributors);
  });
  int64_t mostItems = 0;
  for (auto [place, count] : items)
    mostItems = std::max(mostItems, count);
  EXPECT_EQ(estimateSpan(plan), summary.span) << what;
  EXPECT_EQ(estimate.workgroups + plan.getAdders(), summary.workgroups) << what;
  EXPECT_EQ(estimate.iterations, summary.iterations) << what;
  EXPECT_EQ(estimate.atomicTiles, summary.atomicTiles) << what;
  EXPECT_DOUBLE_EQ(estimateEfficiency(plan), summary.getEfficiency()) << what;
  // These are bounds: where tiles and streams meet differs from tile to tile.
  EXPECT_GE(estimate.contributors, contributors) << what;
  if (!hasStreams(plan.getPartition())) {
    EXPECT_EQ(estimate.contributors, contributors) << what;
    EXPECT_EQ(estimate.partialTiles, summary.partialsStored) << what;
  } else {
    EXPECT_GE(estimate.items, mostItems) << what;
  }
}

TEST(WorkEstimate, AgreesWithTheSimulation) {
  for (const char *partition : {"data_parallel", "split_k:1", "split_k:2", "split_k:3",
                                "split_k:5:two_stage", "split_k:auto:two_stage", "stream_k:linear",
                                "stream_k:tree", "stream_k:tree:persistent", "stream_k:parallel"})
    for (int64_t residents = 1; residents <= 9; ++residents)
      for (int64_t tiles = 1; tiles <= 24; ++tiles)
        for (int64_t steps : {0, 1, 2, 3, 7, 8, 12})
          compare(makePlan({{1, 1, tiles, steps}}, partition, residents),
                  std::string(partition) + " " + std::to_string(residents) + " places " +
                      std::to_string(tiles) + " tiles " + std::to_string(steps) + " steps");
}

TEST(WorkEstimate, AgreesForTablesOfGemms) {
  for (const char *partition :
       {"data_parallel", "split_k:3:two_stage", "split_k:4", "stream_k:linear", "stream_k:tree",
        "stream_k:tree:persistent", "stream_k:parallel"})
    for (int64_t residents = 1; residents <= 11; ++residents)
      for (int64_t tiles = 1; tiles <= 12; ++tiles)
        for (int64_t steps : {1, 4, 9, 30}) {
          std::string what = std::string(partition) + " " + std::to_string(residents) + " places " +
                             std::to_string(tiles) + " tiles " + std::to_string(steps) + " steps";
          compare(
              makePlan({{1, 1, tiles, steps}, {2, 3, 1, 5}, {1, 1, 3, 0}}, partition, residents),
              what + " first");
          compare(
              makePlan({{1, 1, 7, 2}, {1, 2, tiles, steps}, {1, 1, 2, 2}}, partition, residents),
              what + " second");
        }
}

/// Four tiles of 1,568 steps on 304 places: in streams of 20 or 21 steps, 77 for a tile at most.
TEST(WorkEstimate, FewLongTiles) {
  const WorkPlan wholePlan = makePlan({{1, 2, 2, 1568}}, "data_parallel", 304);
  WorkEstimate whole = estimateWork(wholePlan);
  EXPECT_EQ(estimateSpan(wholePlan), 1568);
  EXPECT_EQ(whole.items, 1);
  EXPECT_EQ(whole.contributors, 1);
  const WorkPlan streamPlan = makePlan({{1, 2, 2, 1568}}, "stream_k:tree", 304);
  WorkEstimate streams = estimateWork(streamPlan);
  EXPECT_EQ(estimateSpan(streamPlan), 21);
  EXPECT_EQ(streams.items, 1);
  EXPECT_EQ(streams.contributors, 76);
  EXPECT_EQ(streams.withinTiles, 304);
  EXPECT_EQ(streams.longestStream, 21);
  EXPECT_EQ(streams.flagBytes, 304 * WorkPlan::kFlagBytes);
  const WorkPlan slicedPlan = makePlan({{1, 2, 2, 1568}}, "split_k:76:two_stage", 304);
  WorkEstimate slices = estimateWork(slicedPlan);
  EXPECT_EQ(estimateSpan(slicedPlan), 21);
  EXPECT_EQ(slices.reducedTiles, 4);
  EXPECT_EQ(slices.reducedItems, 1);
  EXPECT_EQ(slices.partialTiles, 304);
}

/// The number of workgroups does not matter.
TEST(WorkEstimate, ManyWorkgroups) {
  const WorkPlan plan =
      makePlan({{1, 1000000, 1000, 3}, {1, 1000000, 1000, 1}}, "data_parallel", 304);
  WorkEstimate estimate = estimateWork(plan);
  EXPECT_EQ(estimateSpan(plan), 13157895); // ceil(4e9 / 304), as tiles of 1 step fill all gaps
  EXPECT_EQ(estimate.workgroups, 2000000000);
}
