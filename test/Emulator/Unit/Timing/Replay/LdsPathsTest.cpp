//===- LdsPathsTest.cpp - The LDS of compute units -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses that meet in the array, on a path or in its queue.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/LdsPaths.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
/// Two units of four SIMDs: 128 bytes a cycle, 64 to each pair of SIMDs.
class LdsPathsTest : public testing::Test {
protected:
  TimingParameters parameters;
  LdsPathsTest() {
    parameters.ldsBytes = 128;
    parameters.ldsPairBytes = 64;
    parameters.ldsLatency = 48;
    parameters.ldsQueue = 2;
  }
  LdsPaths lds = LdsPaths(/*numUnits=*/2, /*simdsPerUnit=*/4, /*waveSize=*/64, parameters);
};
} // namespace

TEST_F(LdsPathsTest, AnAccessTakesItsBytesOnThePath) {
  const LdsPaths::Access access = lds.access(0, /*bytesPerLane=*/16, /*conflictCycles=*/0, 10);
  EXPECT_EQ(access.cycles, 1024 / 128.);
  EXPECT_EQ(access.done, 10 + 1024 / 64. + 48);
  const LdsPaths::Access conflicts = lds.access(4, 16, /*conflictCycles=*/30, 10);
  EXPECT_EQ(conflicts.cycles, 1024 / 128. + 30);
  EXPECT_EQ(conflicts.done, 10 + 1024 / 128. + 30 + 48) << "the banks are slower than the path";
}

TEST_F(LdsPathsTest, PairsOfSimdsShareTheArrayAndNotThePath) {
  EXPECT_EQ(lds.access(0, 16, 0, 0).done, 16 + 48);
  EXPECT_EQ(lds.access(1, 16, 0, 0).done, 32 + 48) << "of the same pair";
  EXPECT_EQ(lds.access(2, 16, 0, 0).done, 16 + 16 + 48) << "the array is busy for 8 and 8 cycles";
  EXPECT_EQ(lds.access(4, 16, 0, 0).done, 16 + 48) << "of another unit";
}

TEST_F(LdsPathsTest, TheQueueOfAPairTakesSoMany) {
  Cycle until = 0;
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_TRUE(lds.hasRoom(i % 2, 0, until));
    lds.access(i % 2, 16, 0, 0);
  }
  // The second access begins at 16; then only one waits.
  EXPECT_FALSE(lds.hasRoom(0, 0, until));
  EXPECT_EQ(until, 17);
  EXPECT_TRUE(lds.hasRoom(0, until, until));
  EXPECT_TRUE(lds.hasRoom(2, 0, until)) << "the other pair";
}
