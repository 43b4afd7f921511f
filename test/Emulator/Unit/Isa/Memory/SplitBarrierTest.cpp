//===- SplitBarrierTest.cpp - The barrier of gfx12 in two halves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves signal and wait in instructions of their own: who waits, who passes, who counts.
//
//===----------------------------------------------------------------------===//

#include "MemoryWave.h"

using namespace ckemu;
using namespace ckemu::test;

TEST(SplitBarrier, SignalsAndWaits) {
  MemoryWave m("gfx1201", /*numWaves=*/3);
  const std::string signalAndWait = "s_barrier_signal_isfirst -1\ns_cselect_b32 s20, 1, 2\n"
                                    "s_barrier_wait -1\ns_mov_b32 s21, 7";
  m.run("s_barrier_wait -1\ns_mov_b32 s21, 7", 2);
  EXPECT_FALSE(m.group.releaseBarrier());
  m.run(signalAndWait, 0);
  EXPECT_EQ(m.s(20, 0), 1u);
  EXPECT_FALSE(m.hasEnded(0));
  EXPECT_FALSE(m.group.releaseBarrier()) << "one of three has signalled";
  m.run("s_barrier_signal -1\ns_barrier_signal_isfirst -1\ns_cselect_b32 s20, 1, 2", 1);
  EXPECT_EQ(m.s(20, 1), 2u);
  EXPECT_EQ(m.wave(0).state, WaveState::Running) << "three signals complete the barrier";
  m.resume(0);
  m.resume(2);
  EXPECT_EQ(m.s(21, 0), 7u);
  EXPECT_EQ(m.s(21, 2), 7u);
  // The wave that has not waited yet passes at once, but only once.
  m.run("s_barrier_wait -1\ns_mov_b32 s21, 9", 1);
  EXPECT_EQ(m.s(21, 1), 9u);
  m.run("s_barrier_wait -1\ns_mov_b32 s21, 11", 1);
  EXPECT_FALSE(m.hasEnded(1));
  // Waves that end are no members any more.
  m.wave(0).state = WaveState::Ended;
  m.run("s_barrier_signal -1", 2);
  EXPECT_FALSE(m.group.releaseBarrier());
  m.wave(2).state = WaveState::Ended;
  EXPECT_TRUE(m.group.releaseBarrier());
  m.resume(1);
  EXPECT_EQ(m.s(21, 1), 11u);
}
