//===- ResidentRangesTest.cpp - What earlier kernels leave in the MALL -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundChip.h"
#include "gtest/gtest.h"

using namespace ckemu;

TEST(ResidentRanges, ComeFromTheMall) {
  MemoryModel model(makeParameters(), getChip(), {});
  const ResidentRange range = {{1000 * kLine, 1002 * kLine}};
  model.setResident(range);
  EXPECT_DOUBLE_EQ(loadOne(model, 1001, 0), 400);
  EXPECT_DOUBLE_EQ(loadOne(model, 1002, 1000), 700);
  EXPECT_EQ(model.getTraffic().hbmBytes, kLine);
  EXPECT_EQ(model.getTraffic().mallHitBytes, kLine);
}

TEST(ResidentRanges, GoWhenTheMallIsFull) {
  TimingParameters p = makeParameters();
  p.mallBytes = 64 * kLine;
  MemoryModel model(p, getChip(), {});
  const ResidentRange ranges[] = {{{0, 32 * kLine}}, {{1000 * kLine, 1032 * kLine}}};
  model.setResident(ranges);
  for (unsigned i = 0; i < 16; ++i)
    EXPECT_EQ(loadOne(model, 5000 + i, 1000.0 * i), 700);
  EXPECT_EQ(loadOne(model, 1000, 1e5), 700) << "the first of what was used longest ago is gone";
  EXPECT_EQ(loadOne(model, 7, 1e5 + 1000), 700) << "in both ranges";
  EXPECT_EQ(loadOne(model, 1031, 1e5 + 2000), 400) << "their ends are not";
  EXPECT_EQ(loadOne(model, 31, 1e5 + 3000), 400) << "in both ranges";
}

TEST(ResidentRanges, LeaveTheirEndsBeyondTheMall) {
  TimingParameters p = makeParameters();
  p.mallBytes = 64 * kLine;
  const ResidentRange ranges[] = {{{0, 64 * kLine}}, {{1000 * kLine, 1064 * kLine}}};
  {
    MemoryModel model(p, getChip(), {});
    model.setResident(ranges);
    EXPECT_EQ(loadOne(model, 63, 0), 400) << "half of each is there";
    EXPECT_EQ(loadOne(model, 1033, 1000), 400);
    EXPECT_EQ(loadOne(model, 1031, 2000), 700);
    model.setResident(ranges, /*skipped=*/true);
    EXPECT_EQ(loadOne(model, 1034, 3000), 700) << "rounds that are not simulated have come";
  }
  // Who goes through them again from the begin finds nothing: each line that comes pushes out one
  // that was still to be read.
  MemoryModel model(p, getChip(), {});
  model.setResident(ranges);
  double cycle = 0;
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned line : {i, 1000 + i}) {
      EXPECT_EQ(loadOne(model, line, cycle), 700) << line;
      cycle += 1000;
    }
}

TEST(ResidentRanges, ThatWereChangedAreWrittenBack) {
  TimingParameters p = makeParameters();
  p.mallBytes = 64 * kLine;
  MemoryModel model(p, getChip(), {});
  // Of 64 resident lines, the second half was changed; 16 that come push out 8 of each half.
  const ResidentRange ranges[] = {{{0, 32 * kLine}, false}, {{1000 * kLine, 1032 * kLine}, true}};
  model.setResident(ranges);
  for (unsigned i = 0; i < 16; ++i)
    loadOne(model, 5000 + i, 1000.0 * i);
  EXPECT_DOUBLE_EQ(model.getTraffic().hbmBytes, (16 + 8) * kLine);
  // Lines that are read stay changed: 64 others push out all, of which 24 were changed.
  for (unsigned i = 0; i < 24; ++i)
    EXPECT_EQ(loadOne(model, 1008 + i, 1e5 + 1000.0 * i), 400);
  for (unsigned i = 0; i < 256; ++i)
    loadOne(model, 6000 + i, 1e6 + 1000.0 * i);
  EXPECT_DOUBLE_EQ(model.getTraffic().hbmBytes, (16 + 8 + 256 + 24) * kLine);
}

TEST(ResidentRanges, SkippedRoundsLeaveWhatTheyChanged) {
  TimingParameters p = makeParameters();
  p.mallBytes = 64 * kLine;
  MemoryModel model(p, getChip(), {});
  // Rounds that are not simulated have filled the MALL, with changed lines by three quarters.
  const ResidentRange ranges[] = {{{0, 64 * kLine}, false}, {{1000 * kLine, 1192 * kLine}, true}};
  model.setResident(ranges, /*skipped=*/true);
  for (unsigned i = 0; i < 16; ++i)
    EXPECT_EQ(loadOne(model, 1176 + i, 1000.0 * i), 700) << "none of them is found";
  EXPECT_DOUBLE_EQ(model.getTraffic().hbmBytes, (16 + 12) * kLine) << "but they are written back";
}
