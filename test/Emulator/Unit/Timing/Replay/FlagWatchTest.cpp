//===- FlagWatchTest.cpp - Waves that wait for what others store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two workgroups of one wave, of which the second waits for the first; and barriers.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/FlagWatch.h"
#include "Emulator/Timing/Replay/Barrier.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
class FlagWatchTest : public testing::Test {
protected:
  TimingParameters parameters;
  std::vector<WaveReplay> waves = std::vector<WaveReplay>(2);
  EventWheel events = EventWheel(waves.size());
  const std::vector<uint64_t> groups = {7, 8};
  WaveTrace setter, waiter;

  void SetUp() override {
    parameters.flagCycles = 500;
    parameters.ldsLatency = 48;
    setter.runs = {{0, 9}};
    waiter.runs = {{0, 9}};
    TraceAccess access;
    access.dependency = 0;
    access.numDependencies = 1;
    waiter.accesses = {access};
    waiter.dependencies = {{7, 0, 5}};
    waves[0].trace = &setter;
    waves[1].trace = &waiter;
    waves[0].begin();
    waves[1].begin();
  }

  /// The time at which wave `id` goes on, or -1.
  Cycle getTurn(uint32_t id) {
    uint32_t entry = 0;
    return events.take(entry) && entry == id ? events.getNow() : -1;
  }
};
} // namespace

TEST_F(FlagWatchTest, AWaveGoesOnWhenTheFlagHasComeToIt) {
  FlagWatch flags(groups, waves, events, parameters);
  flags.startGroup(7, 0);
  flags.startGroup(8, 1);
  EXPECT_TRUE(flags.waitForFlags(0, waves[0]));
  EXPECT_FALSE(flags.waitForFlags(1, waves[1]));
  EXPECT_EQ(waves[1].stall, Stall::Flag);
  EXPECT_EQ(waves[0].watched, 5u);
  waves[0].position = 5;
  flags.notify(waves[0], 7, /*hasEnded=*/false, 100);
  EXPECT_EQ(getTurn(1), 100 + 500);
  waves[0].position = 6;
  EXPECT_TRUE(flags.waitForFlags(1, waves[1]));
  EXPECT_EQ(waves[0].watched, WaveReplay::kNever);
}

TEST_F(FlagWatchTest, AWaveThatStartsLaterKnowsWhoWaits) {
  waiter.accesses[0].kind = TraceAccessKind::Lds;
  FlagWatch flags(groups, waves, events, parameters);
  flags.startGroup(8, 1);
  EXPECT_FALSE(flags.waitForFlags(1, waves[1]));
  flags.startGroup(7, 0);
  flags.startWave(waves[0], 7);
  EXPECT_EQ(waves[0].watched, 5u);
  waves[0].position = 2;
  flags.notify(waves[0], 7, /*hasEnded=*/true, 30);
  EXPECT_EQ(getTurn(1), 30 + 48) << "a flag in LDS; nobody waits for who has ended";
}

TEST_F(FlagWatchTest, WhoHasEndedIsNotWaitedFor) {
  FlagWatch flags(groups, waves, events, parameters);
  flags.startGroup(7, 0);
  flags.endGroup(7);
  EXPECT_FALSE(flags.isPending(7));
  EXPECT_TRUE(flags.hasPending());
  EXPECT_TRUE(flags.waitForFlags(1, waves[1]));
  flags.endGroup(8);
  EXPECT_FALSE(flags.hasPending());
}

TEST_F(FlagWatchTest, ADependencyThatCannotBeMetIsBroken) {
  FlagWatch flags(groups, waves, events, parameters);
  EXPECT_FALSE(flags.breakDependency(10));
  EXPECT_FALSE(flags.waitForFlags(1, waves[1]));
  EXPECT_TRUE(flags.breakDependency(10));
  EXPECT_EQ(getTurn(1), 10);
  EXPECT_TRUE(flags.waitForFlags(1, waves[1]));
}

TEST_F(FlagWatchTest, ABarrierEndsWhenTheLastWaveComes) {
  Barrier barrier;
  EXPECT_TRUE(barrier.isNew(waves[0]));
  barrier.arrive();
  barrier.complete(/*alive=*/2, events, 50, /*delay=*/20);
  EXPECT_FALSE(barrier.pass(0, waves[0]));
  EXPECT_EQ(waves[0].stall, Stall::Barrier);
  barrier.arrive();
  barrier.complete(2, events, 90, 20);
  EXPECT_TRUE(barrier.pass(1, waves[1]));
  EXPECT_EQ(getTurn(0), 110);
  EXPECT_FALSE(barrier.isNew(waves[0])) << "it was counted";
  EXPECT_TRUE(barrier.pass(0, waves[0]));
  EXPECT_TRUE(barrier.isNew(waves[0])) << "the next one";
}

TEST_F(FlagWatchTest, ABarrierEndsWithoutWavesThatHaveEnded) {
  Barrier barrier;
  barrier.arrive();
  EXPECT_FALSE(barrier.pass(0, waves[0]));
  barrier.complete(/*alive=*/1, events, 70, 20);
  EXPECT_EQ(getTurn(0), 90);
}
