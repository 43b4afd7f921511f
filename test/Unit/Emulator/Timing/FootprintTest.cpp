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
#include <set>

using namespace mlir::ck::emulator;

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
  const std::vector<SharedRange> ranges = footprint.getSharing(1.0 / 8);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].sharers, 8);
  EXPECT_EQ(ranges[0].touchedLines, 800);
  EXPECT_EQ(ranges[1].touchedLines, 101);
  EXPECT_NEAR(ranges[1].sharers, 1, 0.02);
  EXPECT_EQ(ranges[1].range.begin, 1100 * kLine);
  EXPECT_EQ(ranges[1].range.end, 1901 * kLine);
}

TEST(Footprint, AllWorkgroupsShareWithNoOne) {
  Footprint footprint(AddressRange{0, 100 * kLine});
  WaveTrace wave;
  wave.lines.emplace_back(3, 1);
  footprint.add(wave);
  EXPECT_EQ(footprint.getSharing(1)[0].sharers, 1);
}

TEST(MemoryParameters, EachHasAMeaningAndASource) {
  std::set<llvm::StringRef> names;
  for (const ParameterRow &row : getMemoryParameterRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name.str();
    EXPECT_FALSE(row.unit.empty() || row.meaning.empty() || row.source.empty()) << row.name.str();
    for (double value : {row.gfx90a, row.gfx942, row.gfx950, row.gfx1100, row.gfx1201})
      EXPECT_GE(value, 0) << row.name.str();
  }
  EXPECT_GT(names.size(), 20u);
}
