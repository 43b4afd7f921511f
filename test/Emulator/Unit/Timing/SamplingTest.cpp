//===- SamplingTest.cpp - Which workgroups are simulated -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/LaunchModel.h"
#include "gtest/gtest.h"
#include <set>

using namespace ckemu;

static TimedLaunch makeLaunch(uint64_t numGroups, unsigned groupsPerUnit) {
  TimedLaunch launch;
  launch.chip = *getChipModel("gfx942");
  launch.parameters = llvm::cantFail(getTimingParameters(*launch.chip));
  launch.computeUnits = 304;
  launch.groupsPerUnit = groupsPerUnit;
  launch.wavesPerGroup = 4;
  launch.numGroups = numGroups;
  return launch;
}

TEST(Sampling, SmallLaunchesAreSimulatedWhole) {
  const GroupSample sample = chooseSample(makeLaunch(100, 2), 1000, /*full=*/false);
  EXPECT_EQ(sample.groups.size(), 100u);
  EXPECT_EQ(sample.simulatedXcds, 8u);
  EXPECT_EQ(sample.skippedRounds, 0u);
  EXPECT_EQ(chooseSample(makeLaunch(5, 2), 1000, false).simulatedXcds, 5u);
}

TEST(Sampling, OfLargerOnesAnXcd) {
  const GroupSample sample = chooseSample(makeLaunch(608, 2), 10000, /*full=*/false);
  EXPECT_EQ(sample.simulatedXcds, 1u);
  EXPECT_EQ(sample.activeXcds, 8u);
  EXPECT_EQ(sample.unitsPerXcd, 38u);
  ASSERT_EQ(sample.groups.size(), 76u);
  for (uint64_t group : sample.groups)
    EXPECT_EQ(group % 8, 0u);
}

TEST(Sampling, GlimpsesAreOfThoseThatRunAtTheSameTime) {
  const GroupSample oneRound = chooseSample(makeLaunch(500, 2), 10000, /*full=*/false);
  EXPECT_EQ(oneRound.glimpses.begin, 0u);
  EXPECT_EQ(oneRound.glimpses.end, 500u);
  const GroupSample manyRounds = chooseSample(makeLaunch(608 * 20, 2), 5000, /*full=*/false);
  ASSERT_GT(manyRounds.skippedRounds, 0u);
  EXPECT_EQ(manyRounds.glimpses.begin, manyRounds.groups.front());
  EXPECT_EQ(manyRounds.glimpses.end, manyRounds.glimpses.begin + 608);
}

TEST(Sampling, NoGlimpsesWhereTheyTellNothing) {
  TimedLaunch launch = makeLaunch(608, 2);
  EXPECT_EQ(chooseSample(launch, 10000, /*full=*/true).glimpses.end, 0u) << "all are simulated";
  TimedLaunch wide = makeLaunch(6080, 16);
  EXPECT_EQ(chooseSample(wide, 1000, false).glimpses.end, 0u) << "too many waves";
  wide.synchronizes = true;
  wide.groupsPerUnit = 1;
  EXPECT_EQ(chooseSample(wide, 10000, false).glimpses.end, 304u) << "the sample has few units";
  launch.synchronizes = launch.takesTickets = true;
  EXPECT_EQ(chooseSample(launch, 10000, false).glimpses.end, 0u) << "others would miss the tickets";
}

TEST(Sampling, OfManyRoundsTheLastOnes) {
  // 20 rounds and a half.
  const uint64_t numGroups = 608 * 20 + 304;
  const GroupSample sample = chooseSample(makeLaunch(numGroups, 2), 5000, /*full=*/false);
  EXPECT_GT(sample.skippedRounds, 0u);
  EXPECT_EQ(sample.groups.size() + sample.skippedRounds * 76, numGroups / 8);
  EXPECT_EQ(sample.groups.back(), numGroups - 8);
}

TEST(Sampling, RoundsAreLeftOutOnlyWhereHalfOfThemAre) {
  // At least three are simulated.
  const GroupSample five = chooseSample(makeLaunch(608 * 5, 2), 1e6, /*full=*/false);
  EXPECT_EQ(five.skippedRounds, 0u);
  EXPECT_EQ(five.groups.size(), 76u * 5);
  EXPECT_EQ(chooseSample(makeLaunch(608 * 6, 2), 1e6, /*full=*/false).skippedRounds, 3u);
}

TEST(Sampling, OfLongWorkgroupsSomeComputeUnits) {
  TimedLaunch launch = makeLaunch(2560, 2);
  launch.computeUnits = 1280;
  const GroupSample sample = chooseSample(launch, 1e6, /*full=*/false);
  EXPECT_EQ(sample.unitsPerXcd, 80u) << "of 160";
  EXPECT_EQ(sample.groups.size(), sample.unitsPerXcd * 2u);
}

TEST(Sampling, OfFewComputeUnitsAll) {
  const GroupSample sample = chooseSample(makeLaunch(608, 2), 1e6, /*full=*/false);
  EXPECT_EQ(sample.unitsPerXcd, 38u);
  EXPECT_EQ(sample.groups.size(), 38u * 2);
}

TEST(Sampling, OfWorkgroupsThatWaitForOneAnotherSomeUnitsOfAllXcds) {
  TimedLaunch launch = makeLaunch(608, 2);
  launch.synchronizes = true;
  // As long as all of them are affordable, all are simulated.
  EXPECT_EQ(chooseSample(launch, 60000, /*full=*/false).groups.size(), 608u);
  const GroupSample sample = chooseSample(launch, 200000, /*full=*/false);
  EXPECT_EQ(sample.simulatedXcds, 8u);
  ASSERT_LT(sample.unitsPerXcd, 38u);
  ASSERT_GT(sample.unitsPerXcd, 1u);
  // Neighbours, of both places of a unit.
  const uint64_t neighbours = 8ull * sample.unitsPerXcd;
  ASSERT_EQ(sample.groups.size(), 2 * neighbours);
  for (uint64_t i = 0; i < neighbours; ++i) {
    EXPECT_EQ(sample.groups[i], i);
    EXPECT_EQ(sample.groups[neighbours + i], 304 + i);
  }
  EXPECT_EQ(sample.glimpses.end, 608u);
  const unsigned more = 2 * sample.unitsPerXcd;
  EXPECT_EQ(chooseSample(launch, 200000, false, more).unitsPerXcd, std::min(more, 38u));
  EXPECT_EQ(chooseSample(launch, 200000, false, 100).unitsPerXcd, 38u);
}

TEST(Sampling, OfWorkgroupsThatWaitForOneAnotherAllRounds) {
  // Parts of tiles may come first or last, and whole tiles between.
  TimedLaunch launch = makeLaunch(608 * 20 + 304, 2);
  launch.synchronizes = true;
  const GroupSample sample = chooseSample(launch, 5000, /*full=*/false);
  EXPECT_EQ(sample.skippedRounds, 0u);
  EXPECT_EQ(sample.groups.size(), 41u * 8 * sample.unitsPerXcd);
  // Glimpses are of both.
  EXPECT_EQ(sample.glimpses.begin, 0u);
  EXPECT_EQ(sample.glimpses.end, 608u);
  EXPECT_EQ(sample.lastGlimpses.begin, launch.numGroups - 608);
  EXPECT_EQ(sample.lastGlimpses.end, launch.numGroups);
  launch.numGroups = 2 * 608 - 1; // of which some would be in both
  EXPECT_TRUE(chooseSample(launch, 50000, /*full=*/false).lastGlimpses.isEmpty());
}

TEST(Sampling, ProbesAreSpreadOverTheLaunch) {
  const std::vector<uint64_t> probes = chooseProbes(makeLaunch(608 * 20, 2));
  ASSERT_GE(probes.size(), 8u);
  EXPECT_EQ(probes.front(), 0u);
  EXPECT_EQ(probes.back(), 608u * 20 - 1);
  EXPECT_TRUE(std::is_sorted(probes.begin(), probes.end()));
  EXPECT_EQ(chooseProbes(makeLaunch(1, 2)), std::vector<uint64_t>(probes.size(), 0));
}

TEST(Sampling, AlikeProbesChangeNothing) {
  const TimedLaunch launch = makeLaunch(608 * 20 + 304, 2);
  const GroupSample usual = chooseSample(launch, 5000, /*full=*/false);
  const GroupSample sample = chooseSample(launch, {5000, 5100, 5000, 5400});
  EXPECT_TRUE(sample.isEven);
  EXPECT_EQ(sample.groups, usual.groups);
  EXPECT_EQ(sample.skippedRounds, usual.skippedRounds);
  EXPECT_EQ(sample.unitsPerXcd, usual.unitsPerXcd);
}

TEST(Sampling, OfUnevenWorkgroupsRoundsAreSpreadOverTheLaunch) {
  // 48 rounds and a half of 76 workgroups for each XCD.
  const uint64_t numGroups = 608 * 48 + 304;
  const GroupSample sample = chooseSample(makeLaunch(numGroups, 2), {9000, 9000, 1000, 1000});
  EXPECT_FALSE(sample.isEven);
  EXPECT_EQ(sample.simulatedXcds, 1u);
  ASSERT_GT(sample.skippedRounds, 0u);
  std::set<uint64_t> rounds;
  for (uint64_t group : sample.groups)
    rounds.insert(group / 608);
  EXPECT_GE(rounds.size(), 9u);
  EXPECT_EQ(rounds.size() + sample.skippedRounds, 49u) << "the half round is always simulated";
  EXPECT_EQ(*rounds.rbegin(), 48u);
  // As many in each half of the launch.
  const auto inFirstHalf = std::distance(rounds.begin(), rounds.lower_bound(24));
  EXPECT_EQ(size_t(2 * inFirstHalf), rounds.size() - 1);
  EXPECT_EQ(sample.glimpses.begin, *rounds.begin() * 608);
  EXPECT_EQ(sample.groups.front(), sample.glimpses.begin);
}

TEST(Sampling, OfWorkgroupsThatTakeTicketsWholeRounds) {
  // 20 rounds and a half; what the last ones wait for lies on other XCDs.
  const uint64_t numGroups = 608 * 20 + 304;
  TimedLaunch launch = makeLaunch(numGroups, 2);
  launch.synchronizes = launch.takesTickets = true;
  const GroupSample sample = chooseSample(launch, 5000, /*full=*/false);
  EXPECT_EQ(sample.simulatedXcds, 8u);
  EXPECT_EQ(sample.unitsPerXcd, 38u);
  EXPECT_GT(sample.skippedRounds, 0u);
  ASSERT_EQ(sample.groups.size() + sample.skippedRounds * 608, numGroups);
  for (size_t i = 0; i < sample.groups.size(); ++i)
    ASSERT_EQ(sample.groups[i], sample.skippedRounds * 608 + i);
}

TEST(Sampling, AllWhenAllAreAskedFor) {
  const GroupSample sample = chooseSample(makeLaunch(5000, 2), 1e6, /*full=*/true);
  const std::set<uint64_t> groups(sample.groups.begin(), sample.groups.end());
  EXPECT_EQ(groups.size(), 5000u);
  EXPECT_EQ(sample.unitsPerXcd, 38u);
}
