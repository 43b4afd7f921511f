//===- FootprintTest.cpp - What workgroups touch of device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing of allocations, what stays in the MALL, and the table of parameters.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Footprint.h"
#include "gtest/gtest.h"

using namespace ckemu;

static constexpr uint64_t kLine = TraceLine::kBytes;

TEST(Footprint, TellsWhatIsShared) {
  const AddressRange allocations[] = {{1000 * kLine, 2000 * kLine}, {0, 800 * kLine}, {5, 5}};
  Footprint footprint(allocations);
  WaveTrace wave;
  for (uint64_t i = 0; i < 800; ++i)
    wave.lines.emplace_back(i, 15); // all of one
  for (uint64_t i = 1100; i < 1901; i += 8)
    wave.lines.emplace_back(i, 15); // every eighth line of a part of the other
  wave.lines.emplace_back(900, 15); // of none
  footprint.add(wave);
  footprint.add(wave); // a line counts once
  const std::vector<SharedRange> ranges = footprint.getSharing(1.0 / 8, 1.0 / 4);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].sharers, 8);
  EXPECT_EQ(ranges[0].sharersOfXcd, 4);
  EXPECT_EQ(ranges[0].touchedLines, 800);
  EXPECT_EQ(ranges[1].touchedLines, 101);
  EXPECT_NEAR(ranges[1].sharers, 1, 0.02);
  EXPECT_EQ(ranges[1].range.begin, 1000 * kLine) << "later rounds go on in the same allocation";
  EXPECT_EQ(ranges[1].range.end, 2000 * kLine);
}

TEST(Footprint, AllWorkgroupsShareWithNoOne) {
  Footprint footprint(AddressRange{0, 100 * kLine});
  WaveTrace wave;
  wave.lines.emplace_back(3, 1);
  footprint.add(wave);
  EXPECT_EQ(footprint.getSharing(1, 1)[0].sharers, 1);
}

TEST(Footprint, LosesWhatDoesNotFitIntoTheL2) {
  // The second workgroup comes to the lines of the first after 40 others.
  const AddressRange allocations[] = {{0, 32 * kLine}, {100 * kLine, 140 * kLine}};
  std::vector<uint64_t> first, second;
  for (uint64_t i = 0; i < 72; ++i) {
    first.push_back(i < 32 ? i : 68 + i);
    second.push_back(i < 40 ? 100 + i : i - 40);
  }
  Footprint sample(allocations);
  sample.addGroup(first);
  for (const auto &[cacheLines, sharers] : {std::pair(16u, 1.0), std::pair(256u, 2.0)}) {
    Footprint xcd(allocations);
    xcd.addConcurrent({first, second}, cacheLines);
    const std::vector<SharedRange> ranges = Footprint::compare(sample, xcd, sample, xcd);
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(ranges[0].sharersOfXcd, sharers);
  }
}

TEST(Footprint, ComparesWhatWorkgroupsTouch) {
  // Workgroups of a grid of eight columns: rows share A, columns share B.
  const AddressRange allocations[] = {{0, 64 * kLine}, {64 * kLine, 128 * kLine}, {900, 1000}};
  Footprint sample(allocations), xcd(allocations), chip(allocations);
  for (uint64_t group = 0; group < 64; ++group) {
    const uint64_t lines[] = {group / 8, 64 + group % 8, 500};
    chip.addGroup(lines);
    if (group % 8 < 2)
      xcd.addGroup(lines);
    if (group == 0)
      sample.addGroup(lines);
  }
  const std::vector<SharedRange> ranges = Footprint::compare(sample, chip, sample, xcd);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].range.begin, 0u);
  EXPECT_EQ(ranges[0].range.end, 64 * kLine);
  EXPECT_EQ(ranges[0].touchedLines, 1);
  EXPECT_EQ(ranges[0].sharersOfXcd, 2);
  EXPECT_EQ(ranges[0].sharers, 8);
  EXPECT_EQ(ranges[1].sharersOfXcd, 8);
  EXPECT_EQ(ranges[1].sharers, 8);
}

TEST(Footprint, XcdsFetchEachForItself) {
  // Eight workgroups on two XCDs in turn, all of which touch one line; two of each are simulated.
  const uint64_t line = 3;
  Footprint none(AddressRange{0, 64 * kLine}), sample = none, chip = none;
  std::vector<Footprint> sampleOfXcd(2, none), xcds(2, none);
  for (uint64_t group = 0; group < 8; ++group) {
    chip.addGroup(line);
    xcds[group % 2].addGroup(line);
    if (group < 4) {
      sample.addGroup(line);
      sampleOfXcd[group % 2].addGroup(line);
    }
  }
  const auto ranges = Footprint::compare(sample, chip, sampleOfXcd, xcds);
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ranges[0].sharersOfXcd, 2) << "four for two";
  EXPECT_EQ(ranges[0].sharers, 2) << "eight for four";
}
