//===- GroupPlacesTest.cpp - Where workgroups and waves run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which places of a small chip workgroups get, and when.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/GroupPlaces.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
class GroupPlacesTest : public testing::Test {
protected:
  TimedLaunch launch;
  GroupSample sample;

  /// Six workgroups on two units of one XCD with two places each.
  void SetUp() override {
    launch.chip = *getChipModel("gfx1100");
    launch.groupsPerUnit = 2;
    sample.unitsPerXcd = 2;
    for (uint64_t id = 0; id < 6; ++id)
      sample.groups.push_back(id);
  }
};
} // namespace

TEST_F(GroupPlacesTest, TheUnitWithTheFewestWorkgroupsGetsTheNext) {
  GroupPlaces places(launch, sample);
  places.setDispatchCycles(10);
  const unsigned units[] = {0, 1, 0, 1};
  for (uint32_t i = 0; i < 4; ++i) {
    const auto start = places.startGroup(0, 5);
    ASSERT_TRUE(start);
    EXPECT_EQ(start->place, i);
    EXPECT_EQ(start->unit, units[i]);
    EXPECT_EQ(start->time, 5 + 10 * Cycle(i));
  }
  EXPECT_FALSE(places.startGroup(0, 100)) << "all places are taken";
  places.endGroup(1);
  const auto next = places.startGroup(0, 100);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->unit, 1u);
  EXPECT_EQ(next->time, 100);
  places.endGroup(0);
  places.endGroup(1);
  EXPECT_EQ(places.startGroup(0, 200)->unit, 0u) << "which has waited longer";
  EXPECT_FALSE(places.startGroup(0, 300)) << "all have started";
}

TEST_F(GroupPlacesTest, XcdsTakeTurns) {
  sample.simulatedXcds = sample.activeXcds = 2;
  GroupPlaces places(launch, sample);
  const auto first = places.startGroup(1, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->place, 1u);
  EXPECT_EQ(first->unit, 2u) << "the first of the second XCD";
  EXPECT_EQ(places.startGroup(1, 0)->place, 3u);
  EXPECT_EQ(places.startGroup(0, 0)->place, 0u);
}

TEST_F(GroupPlacesTest, WavesAreSpreadOverSimds) {
  GroupPlaces places(launch, sample);
  const GroupPlaces::SimdRange all = places.chooseSimds(1);
  EXPECT_EQ(all.first, 4u);
  EXPECT_EQ(all.count, 4u);
  for (unsigned simd : {4, 5, 6, 7, 4})
    EXPECT_EQ(places.startWave(all), simd);
  places.endWave(6);
  EXPECT_EQ(places.startWave(all), 6u);
}

TEST_F(GroupPlacesTest, InCuModeAWorkgroupStaysInAHalf) {
  launch.halfUnit = true;
  GroupPlaces places(launch, sample);
  const GroupPlaces::SimdRange first = places.chooseSimds(0);
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.count, 2u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_LT(places.startWave(first), 2u);
  EXPECT_EQ(places.chooseSimds(0).first, 2u) << "the half with a SIMD that has fewer waves";
}
