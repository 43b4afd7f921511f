//===- AccessLogTest.cpp - What the checks of order remember -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses wait in a log and are dropped when all waves know them; those that some wave may not
// know must be found, however many come after them.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsLines.h"
#include "Emulator/Check/LdsReads.h"
#include "Emulator/Machine/RecentLoads.h"
#include <gtest/gtest.h>
#include <random>

using namespace ckemu;

namespace {
constexpr unsigned kWaves = 4;

/// A workgroup that knows nothing.
struct Waves : Workgroup {
  Waves() {
    waves.resize(kWaves);
    for (unsigned i = 0; i < kWaves; ++i) {
      waves[i].waveInGroup = i;
      waves[i].workgroup = this;
    }
  }
  /// `wave` comes to know accesses of `agent` up to `clock`.
  void learn(unsigned wave, unsigned agent, uint32_t clock) {
    waves[wave].order.known[agent] = clock;
  }
};

/// Dwords of consecutive addresses.
Lanes64 makeAddresses(uint64_t first) {
  Lanes64 result;
  for (unsigned i = 0; i < kLanes; ++i)
    result[i] = first + 4 * i;
  return result;
}
Lanes makeOffsets(uint32_t first, uint32_t step) {
  Lanes result;
  for (unsigned i = 0; i < kLanes; ++i)
    result[i] = first + step * i;
  return result;
}

class RecentLoadsTest : public testing::Test {
protected:
  static constexpr uint64_t kPlace = 0x10000, kOther = 0x40000;

  void load(unsigned wave, uint64_t address, LaneMask lanes = ~LaneMask(0)) {
    loads.note(group.waves[wave], ++clocks[wave], makeAddresses(address), lanes, 4);
  }
  /// The wave whose load a store of `wave` to kPlace meets.
  std::optional<unsigned> store(unsigned wave) {
    loads.settle(group, makeAddresses(kPlace), /*lanes=*/1, 4);
    return loads.findUnordered(group.waves[wave], kPlace, /*mask=*/15);
  }
  void loadElsewhere(unsigned times) {
    for (unsigned i = 0; i < times; ++i)
      load(/*wave=*/3, kOther);
  }

  Waves group;
  RecentLoads loads;
  uint32_t clocks[kWaves] = {};
};
} // namespace

TEST_F(RecentLoadsTest, FindsLoadsBehindManyOthers) {
  for (unsigned others : {0, 10, 63, 64, 65, 200}) {
    loads.clear();
    EXPECT_EQ(store(1), std::nullopt);
    load(0, kPlace);
    loadElsewhere(others);
    EXPECT_EQ(store(1), 0u) << others;
    EXPECT_EQ(store(0), std::nullopt) << others;
  }
}

TEST_F(RecentLoadsTest, ForgetsWhatAllKnow) {
  load(0, kPlace);
  for (unsigned wave : {1, 2})
    group.learn(wave, kLoadAgents + 0, 1);
  loadElsewhere(100);
  EXPECT_EQ(store(1), std::nullopt);
  EXPECT_EQ(store(3), 0u); // which does not know it
  group.waves[3].state = WaveState::Ended;
  load(0, kPlace);
  EXPECT_EQ(store(1), 0u);
  for (unsigned wave : {1, 2})
    group.learn(wave, kLoadAgents + 0, 2);
  EXPECT_EQ(store(1), std::nullopt);
}

TEST_F(RecentLoadsTest, FindsTheWaveBeforeTheLast) {
  load(0, kPlace);
  load(2, kPlace);
  EXPECT_EQ(store(2), 0u);
  EXPECT_EQ(store(1), 2u);
  group.learn(1, kLoadAgents + 2, 1);
  EXPECT_EQ(store(1), 0u);
}

TEST_F(RecentLoadsTest, LooksAtActiveLanes) {
  load(0, kPlace - 4, /*lanes=*/1);
  EXPECT_EQ(store(1), std::nullopt);
  load(0, kPlace - 4, /*lanes=*/3);
  EXPECT_EQ(store(1), 0u);
}

// Random reads, and waves that come to know some: what is not known to all is as in a table of all.
TEST(LdsReads, RemembersWhatSomeWaveMayNotKnow) {
  constexpr size_t kCells = 256;
  std::mt19937 random(1);
  Waves group;
  LdsReads reads;
  reads.reset(kCells, /*shift=*/2);
  std::vector<uint32_t> expected[kWaves];
  uint32_t clocks[kWaves] = {};
  for (auto &table : expected)
    table.resize(kCells);
  for (unsigned step = 0; step < 2000; ++step) {
    const unsigned reader = random() % kWaves, learner = random() % kWaves;
    const Lanes offsets = makeOffsets(random() % 128 * 4, 4 * (random() % 2));
    const LaneMask lanes = LaneMask(random()) << 32 | random();
    reads.note(group.waves[reader], offsets, lanes, 4, ++clocks[reader]);
    for (unsigned i = 0; i < kLanes; ++i)
      if (lanes >> i & 1)
        expected[reader][offsets[i] / 4] = clocks[reader];
    if (random() % 4 == 0 && learner != reader)
      group.learn(learner, reader,
                  clocks[reader] - std::min(clocks[reader], uint32_t(random() % 9)));
    if (random() % 50 != 0)
      continue;
    const uint32_t known = getKnownToAll(group, /*firstAgent=*/0, reader);
    const uint32_t *found = reads.get(group, reader);
    for (size_t cell = 0; cell < kCells; ++cell)
      if (expected[reader][cell] > known)
        ASSERT_EQ(found[cell], expected[reader][cell]) << step;
      else
        ASSERT_LE(found[cell], known) << step;
  }
}

TEST(LdsReads, SplitsCells) {
  Waves group;
  LdsReads reads;
  reads.reset(/*numCells=*/128, /*shift=*/2);
  reads.note(group.waves[0], makeOffsets(0, 4), ~LaneMask(0), 4, /*clock=*/1);
  EXPECT_EQ(reads.get(group, 0)[63], 1u);
  EXPECT_EQ(reads.get(group, 0)[64], 0u);
  reads.note(group.waves[0], makeOffsets(0, 4), /*lanes=*/2, 4, /*clock=*/2);
  reads.split(/*newCells=*/256, /*newShift=*/1);
  const uint32_t *found = reads.get(group, 0);
  EXPECT_EQ((std::vector<uint32_t>(found, found + 6)), (std::vector<uint32_t>{1, 1, 2, 2, 1, 1}));
  EXPECT_EQ(found[127], 1u);
  EXPECT_EQ(found[128], 0u);
}

TEST(LdsLines, KnowsAccessesByLine) {
  Waves group;
  LdsLines lines;
  lines.reset(/*ldsBytes=*/2048, kWaves);
  const LaneMask all = ~LaneMask(0);
  const Lanes second = makeOffsets(256, 4), both = makeOffsets(128, 4);
  const auto range = LdsLines::find(second, all, 4), overlapping = LdsLines::find(both, all, 4);
  EXPECT_EQ(range.first, 1u);
  EXPECT_EQ(range.last, 1u);
  EXPECT_EQ(overlapping.first, 0u);
  EXPECT_EQ(overlapping.last, 1u);
  uint32_t *known = group.waves[1].order.known;
  lines.noteRead(0, range, second, all, 4, /*clock=*/3);
  EXPECT_TRUE(lines.areKnown(overlapping, known, /*withReaders=*/false));
  EXPECT_FALSE(lines.areKnown(overlapping, known, /*withReaders=*/true));
  known[0] = 3;
  EXPECT_TRUE(lines.areKnown(overlapping, known, /*withReaders=*/true));
  lines.noteWrite(kMaxWaves + 2, range, second, all, 4, /*clock=*/5); // a load to LDS
  known[2] = 5;
  EXPECT_FALSE(lines.areKnown(overlapping, known, /*withReaders=*/false));
  known[kMaxWaves + 2] = 5;
  EXPECT_TRUE(lines.areKnown(overlapping, known, /*withReaders=*/true));
  lines.noteAtomic(range);
  EXPECT_FALSE(lines.areKnown(overlapping, known, /*withReaders=*/false));
}

TEST(LdsLines, SeesCellsThatNobodyWrote) {
  LdsLines lines;
  lines.reset(/*ldsBytes=*/300, kWaves); // the second line is cut
  std::vector<uint32_t> writers(300 / 4 + 4, 1);
  writers[5] = 0;
  const LdsLines::Range all = {0, 1}, second = {1, 1};
  EXPECT_FALSE(lines.areWritten(all, writers.data(), /*shift=*/2));
  EXPECT_TRUE(lines.areWritten(second, writers.data(), /*shift=*/2));
  writers[5] = 1;
  EXPECT_TRUE(lines.areWritten(all, writers.data(), /*shift=*/2));
}
