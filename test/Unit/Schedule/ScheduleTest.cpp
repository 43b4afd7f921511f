//===- ScheduleTest.cpp - Questions about schedules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What callers may ask a schedule or a partition, and that values that differ are told apart.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Schedule.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mlir::ck;

/// Every kind, with each field of it changed once.
static std::vector<Partition> getPartitions() {
  return {DataParallel(),
          SplitK{2, false},
          SplitK{3, false},
          SplitK{2, true},
          StreamK{Reduction::Linear, false},
          StreamK{Reduction::Tree, false},
          StreamK{Reduction::Linear, true}};
}

TEST(Schedule, PartitionsDifferInEveryField) {
  std::vector<Partition> partitions = getPartitions();
  for (size_t i = 0; i < partitions.size(); ++i)
    for (size_t j = 0; j < partitions.size(); ++j) {
      EXPECT_EQ(partitions[i] == partitions[j], i == j) << i << " and " << j;
      EXPECT_EQ(hash_value(partitions[i]) == hash_value(partitions[j]), i == j)
          << i << " and " << j;
    }
}

TEST(Schedule, PartitionsAddUpInMemoryOrLater) {
  std::vector<bool> inMemory, later, streams;
  for (const Partition &partition : getPartitions()) {
    inMemory.push_back(addsInMemory(partition));
    later.push_back(hasSecondStage(partition));
    streams.push_back(hasStreams(partition));
  }
  EXPECT_EQ(inMemory, std::vector<bool>({false, true, true, false, false, false, false}));
  EXPECT_EQ(later, std::vector<bool>({false, false, false, true, false, false, false}));
  EXPECT_EQ(streams, std::vector<bool>({false, false, false, false, true, true, true}));
}

TEST(Schedule, LoadWavesCountAndMathWavesComeFirst) {
  Schedule schedule;
  schedule.waves = {2, 3};
  EXPECT_EQ(schedule.getNumWaves(), 6);
  EXPECT_EQ(schedule.getHints(), Hints());
  schedule.roles = {4, 6};
  EXPECT_EQ(schedule.getNumWaves(), 10);
  EXPECT_EQ(schedule.getHints(), (Hints{/*loads=*/false, /*priority=*/true}));
  schedule.hints = Hints{/*loads=*/true, /*priority=*/false};
  EXPECT_EQ(schedule.getHints(), (Hints{/*loads=*/true, /*priority=*/false}));
}

TEST(Schedule, ARequestAsksForEveryField) {
  Schedule schedule;
  schedule.tile = {64, 32, 16};
  schedule.waves = {2, 1};
  schedule.mma = {16, 16, 16};
  schedule.roles = {1, 2};
  schedule.stages = 3;
  schedule.partition = StreamK{Reduction::Tree, true};
  schedule.mapping = {8, 64};
  schedule.deterministic = true;
  schedule.hints = Hints{true, true};
  ScheduleRequest request = makeRequest(schedule);
  EXPECT_EQ(request.tile, schedule.tile);
  EXPECT_EQ(request.waves, schedule.waves);
  EXPECT_EQ(request.mma, schedule.mma);
  EXPECT_EQ(request.roles, schedule.roles);
  EXPECT_EQ(request.stages, 3);
  EXPECT_EQ(request.partition, schedule.partition);
  EXPECT_EQ(request.mapping, (WorkgroupMapping{8, 64}));
  EXPECT_EQ(request.deterministic, true);
  EXPECT_EQ(request.hints, schedule.hints);
}
