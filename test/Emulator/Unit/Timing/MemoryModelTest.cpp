//===- MemoryModelTest.cpp - Rates and latencies of the memory side -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundChip.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ckemu;

TEST(MemoryModel, LatencyOfEachLevel) {
  TimingParameters p = makeParameters();
  MemoryModel model(p, getChip(), {});
  EXPECT_DOUBLE_EQ(loadOne(model, 1000, 0), 200 + 500) << "memory";
  EXPECT_DOUBLE_EQ(loadOne(model, 1000, 10000), 100) << "L1";
  model.invalidate(0);
  EXPECT_DOUBLE_EQ(loadOne(model, 1000, 20000), 200) << "L2";
  // 256 KiB of others push the line out of the L2, not out of the MALL.
  for (unsigned i = 0; i < 6000; ++i)
    loadOne(model, 1001 + i, 30000 + 1000.0 * i);
  EXPECT_DOUBLE_EQ(loadOne(model, 1000, 7e6), 200 + 200) << "MALL";
}

TEST(MemoryModel, HitsAndMissesOfTheL1) {
  MemoryModel model(makeParameters(), getChip(), {});
  // 128 lines in sets of 4: all fit, and one more pushes out the oldest of its set.
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 0; i < 128; ++i)
      loadOne(model, i, 1e5 * round + 1000.0 * i);
  EXPECT_EQ(model.getTraffic().l1Requests, 256);
  EXPECT_EQ(model.getTraffic().l1Hits, 128);
  loadOne(model, 128, 1e6);
  unsigned missing = 0;
  for (unsigned i = 0; i < 128; ++i) {
    const double before = model.getTraffic().l1Hits;
    loadOne(model, 127 - i, 2e6 + 1000.0 * i);
    missing += model.getTraffic().l1Hits == before;
  }
  EXPECT_EQ(missing, 1u);
}

TEST(MemoryModel, ALineOnItsWayIsWaitedFor) {
  MemoryModel model(makeParameters(), getChip(), {4, 4, 1, 1});
  EXPECT_EQ(loadOne(model, 7, 0), 700);
  EXPECT_EQ(loadOne(model, 7, 300), 400) << "the same unit";
  EXPECT_EQ(loadOne(model, 7, 400, 1), 300) << "another unit";
  EXPECT_EQ(loadOne(model, 7, 650, 2), 200) << "that has it in the L2 before";
  EXPECT_EQ(model.getTraffic().hbmBytes, kLine);
}

TEST(MemoryModel, HalvesOfALine) {
  TimingParameters p = makeParameters();
  p.l1LineBytes = 64;
  MemoryModel model(p, getChip(), {});
  auto load = [&](unsigned sectors, double cycle) {
    return model.access(0, makeSingle(), makeLines(5, 1, sectors), cycle).done - cycle;
  };
  EXPECT_EQ(load(1, 0), 700);
  EXPECT_EQ(load(2, 1000), 100) << "the same half";
  EXPECT_EQ(load(8, 2000), 200) << "the other half is in the L2";
  EXPECT_EQ(load(6, 3000), 100) << "both";
}

TEST(MemoryModel, RateOfL1HitsAndAddresses) {
  MemoryModel model(makeParameters(), getChip(), {});
  stream(model, 1, 0, 4, makeAccess());
  const double cycles = stream(model, 1, 0, 4, makeAccess(), 1e5);
  EXPECT_NEAR(cycles, 4 * 1024 / 64.0 + 100, 16) << "64 bytes a cycle";
  TraceAccess scattered = makeAccess();
  scattered.addressCycles = 64;
  const AccessTimes times = model.access(0, scattered, makeLines(0), 2e5);
  EXPECT_EQ(times.accepted, 2e5 + 64);
}

TEST(MemoryModel, RateFromTheL2) {
  TimingParameters p = makeParameters();
  // One unit gets 64 bytes a cycle, four together what four channels give.
  for (unsigned units : {1u, 8u}) {
    MemoryModel model(p, getChip(), {units, units, 1, 1});
    stream(model, units, 0, 200, makeAccess(), 0, 0);
    for (unsigned unit = 0; unit < units; ++unit)
      model.invalidate(unit);
    const double cycles = stream(model, units, 0, 200, makeAccess(), 1e6, 0);
    const double rate = std::min(units * 64.0, 4 * 128.0);
    EXPECT_NEAR(cycles, units * 200 * 1024 / rate + 200, 0.05 * cycles) << units;
  }
}

TEST(MemoryModel, RateOfTheMallAndMemory) {
  TimingParameters p = makeParameters();
  const SimulatedPart part = {32, 16, 1, 2};
  for (bool isResident : {false, true}) {
    MemoryModel model(p, getChip(), part);
    const ResidentRange all = {{0, 1 << 20}};
    if (isResident)
      model.setResident(all);
    const unsigned count = 32;
    const double cycles = stream(model, 16, 0, count, makeAccess(), 0, 8 * count);
    // Half of the chip: half of 128 and of 0.8 * 40 bytes a cycle.
    const double rate = isResident ? 64 : 16, latency = isResident ? 400 : 700;
    EXPECT_NEAR(cycles, 16 * count * 1024 / rate + latency, 0.03 * cycles) << isResident;
  }
}

TEST(MemoryModel, TheFabricLimitsAnXcd) {
  TimingParameters p = makeParameters();
  p.mallGigabytes = p.hbmGigabytes = 1e9;
  MemoryModel model(p, getChip(), {16, 16, 1, 1});
  const double cycles = stream(model, 16, 0, 32, makeAccess(), 0, 256);
  EXPECT_NEAR(cycles, 16 * 32 * 1024 / (4 * 64.0) + 700, 0.05 * cycles);
}

TEST(MemoryModel, RequestsInFlightAreLimited) {
  TimingParameters p = makeParameters();
  p.l1Misses = 64;
  p.hbmGigabytes = p.mallGigabytes = 1e9;
  MemoryModel model(p, getChip(), {});
  // 64 lines are taken at the rate of the L1, the 65th when the first is there.
  double cycle = 0;
  for (unsigned i = 0; i < 8; ++i)
    cycle = model.access(0, makeAccess(), makeLines(8 * i), cycle).accepted;
  EXPECT_EQ(cycle, 8 * 16);
  const AccessTimes times = model.access(0, makeAccess(), makeLines(64), cycle);
  EXPECT_GE(times.accepted, 700);
  EXPECT_LE(times.accepted, 700 + 8 * 16);
}

TEST(MemoryModel, HalvesWaitOnceForRequestsInFlight) {
  TimingParameters p = makeParameters();
  p.l1LineBytes = 64;
  p.l1Misses = 16; // as many as the halves of an access, which waits for the one before
  p.hbmGigabytes = p.mallGigabytes = 1e9;
  MemoryModel model(p, getChip(), {});
  double cycle = 0;
  for (unsigned i = 0; i < 10; ++i)
    cycle = model.access(0, makeAccess(), makeLines(8 * i), cycle).accepted;
  EXPECT_GE(cycle, 9 * 700);
  EXPECT_LE(cycle, 9 * (700 + 2 * 16));
}

TEST(MemoryModel, WhatAllReadIsFetchedOnce) {
  const SimulatedPart part = {32, 16, 1, 2};
  for (double sharers : {1.0, 2.0}) {
    MemoryModel model(makeParameters(), getChip(), part);
    model.setSharing(SharedRange{{0, 1 << 30}, 1000, sharers, 1});
    stream(model, 16, 0, 8, makeAccess(), 0, 64);
    const MemoryTraffic traffic = model.getTraffic();
    EXPECT_EQ(traffic.mallBytes, 16 * 8 * 1024) << "each XCD reads it from the MALL";
    EXPECT_EQ(traffic.hbmBytes, 16 * 8 * 1024 / sharers);
  }
}

TEST(MemoryModel, EarlierRoundsHaveFetchedWhatLaterOnesRead) {
  SharedRange range = {{0, 1 << 30}, 1000, 1, 1, /*linesOfRound=*/100};
  for (const double before : {0.0, 0.5, 1.0}) {
    range.fetchedBefore = before;
    MemoryModel model(makeParameters(), getChip(), {});
    model.setSharing(range);
    for (unsigned round = 0; round < 11; ++round) {
      for (unsigned i = 100 * round; i < 100 * (round + 1); ++i)
        loadOne(model, i, 1000.0 * i);
      const auto lines = uint64_t(model.getTraffic().hbmBytes / kLine);
      EXPECT_EQ(lines % 100, 0u) << "a round is known, or is not";
    }
    EXPECT_EQ(model.getTraffic().hbmBytes / kLine, 100 + 1000 * (1 - before));
  }
}

TEST(MemoryModel, UnitsOfAnXcdShareItsFetches) {
  // 4 of 16 units of one XCD: what all 16 read is fetched once for them.
  MemoryModel model(makeParameters(), getChip(), {16, 4, 1, 1});
  model.setSharing(SharedRange{{0, 1 << 30}, 1000, 4, 4});
  stream(model, 4, 0, 8, makeAccess(), 0, 64);
  EXPECT_EQ(model.getTraffic().mallBytes, 4 * 8 * 1024 / 4);
  EXPECT_EQ(model.getTraffic().hbmBytes, 4 * 8 * 1024 / 4);
}

TEST(MemoryModel, WhatIsSharedMayChange) {
  MemoryModel model(makeParameters(), getChip(), {16, 4, 1, 1});
  const SharedRange byAll = {{0, 1 << 30}, 1000, 4, 4}, byNone = {{0, 1 << 30}, 1000, 1, 1};
  model.setSharing(byAll);
  stream(model, 4, 0, 8, makeAccess(), 0, 64);
  const MemoryTraffic before = model.getTraffic();
  model.changeSharing(byNone);
  stream(model, 4, 0, 8, makeAccess(), 0, 64);
  EXPECT_EQ(model.getTraffic().mallBytes, before.mallBytes) << "caches have it still";
  stream(model, 4, 1 << 16, 8, makeAccess(), 0, 64);
  EXPECT_EQ(model.getTraffic().mallBytes, 5 * before.mallBytes) << "of others the part has none";
}

TEST(MemoryModel, ThePartHasOfCachesWhatItSharesInTime) {
  // A quarter of an XCD goes twice through half of what its L2 holds. Units share nothing at once.
  const std::vector<SharedRange> atOnce = {{{0, 1 << 30}, 1000, 1, 1}};
  const std::vector<SharedRange> inTime = {{{0, 1 << 30}, 1000, 4, 4}};
  for (const bool isKnown : {false, true}) {
    MemoryModel model(makeParameters(), getChip(), {16, 4, 1, 1});
    model.setSharing(atOnce);
    if (isKnown)
      model.setCapacity({atOnce, inTime});
    double cycle = 0;
    for (unsigned i = 0; i < 256; ++i)
      cycle = model.access(0, makeAccess(), makeLines(8 * (i % 128)), cycle).done;
    const double lines = model.getTraffic().l2HitBytes / kLine;
    if (isKnown)
      EXPECT_GT(lines, 1000);
    else
      EXPECT_LT(lines, 200);
    EXPECT_EQ(model.getTraffic().mallBytes, (2048 - lines) * kLine)
        << "fetched for this part alone";
  }
}

TEST(MemoryModel, StoresAndTheirBlocks) {
  TimingParameters p = makeParameters();
  // Whole lines cost two blocks of 64 bytes, a quarter of one costs one.
  for (unsigned sectors : {15u, 1u}) {
    MemoryModel model(p, getChip(), {16, 16, 1, 1});
    std::vector<double> free(16, 0);
    double done = 0;
    for (unsigned i = 0; i < 16; ++i)
      for (unsigned unit = 0; unit < 16; ++unit) {
        const uint64_t first = 8 * (i + 16 * unit);
        AccessTimes times = model.access(unit, makeAccess(TraceAccessKind::Store),
                                         makeLines(first, 8, sectors), free[unit]);
        free[unit] = times.accepted;
        done = std::max(done, times.done);
      }
    const double blocks = 16 * 16 * 8 * (sectors == 15 ? 2 : 1);
    EXPECT_NEAR(done, blocks * 64 / 32 / 4 + 200, 0.06 * done) << sectors;
    EXPECT_EQ(model.getTraffic().hbmBytes, 0) << "it stays in the L2";
    const double before = model.getTraffic().mallBytes;
    EXPECT_GT(model.finish(done), done);
    EXPECT_EQ(model.getTraffic().mallBytes - before, blocks * 64) << "and goes to the MALL";
    EXPECT_EQ(model.finish(1e9), 1e9) << "once";
  }
}

TEST(MemoryModel, ChangedLinesAreWrittenWhenTheyGo) {
  TimingParameters p = makeParameters();
  p.l2Bytes = 64 * kLine;
  p.mallBytes = 0;
  p.mallGigabytes = 0;
  MemoryModel model(p, getChip(), {});
  for (unsigned i = 0; i < 64; ++i)
    model.access(0, makeAccess(TraceAccessKind::Store), makeLines(i, 1, 3), 1000.0 * i);
  EXPECT_EQ(model.getTraffic().hbmBytes, 0);
  for (unsigned i = 0; i < 64; ++i)
    loadOne(model, 64 + i, 1e5 + 1000.0 * i);
  EXPECT_EQ(model.getTraffic().hbmBytes, 64 * 64 + 64 * kLine);
}

TEST(MemoryModel, AtomicsMeetBehindTheL2) {
  for (double numXcds : {1.0, 2.0}) {
    TimingParameters p = makeParameters();
    p.numXcds = numXcds;
    MemoryModel model(p, getChip(), {});
    loadOne(model, 9, 0);
    const AccessTimes times =
        model.access(0, makeAccess(TraceAccessKind::Atomic), makeChangedLine(9, 1, 1), 1e4);
    EXPECT_EQ(times.done - 1e4, numXcds == 1 ? 200 : 400);
    // Of a load with device scope the L1 keeps nothing, either.
    TraceAccess flag = makeSingle();
    flag.deviceScope = true;
    EXPECT_EQ(model.access(0, flag, makeLines(9, 1, 1), 2e4).done - 2e4, numXcds == 1 ? 100 : 400);
  }
}

TEST(MemoryModel, AtomicsAreTakenByDwords) {
  // All of a line at once, or a quarter of it four times: the channel works for as long.
  for (const unsigned parts : {1u, 4u}) {
    MemoryModel model(makeParameters(), getChip(), {});
    for (unsigned i = 0; i < parts; ++i)
      model.access(0, makeAccess(TraceAccessKind::Atomic), makeChangedLine(9, 15, 32 / parts), 0);
    EXPECT_EQ(model.getTraffic().l2BusyCycles, 2 * 4) << parts;
  }
}

TEST(MemoryModel, AtomicsThatWaitForTheChannelGoOnTogether) {
  TimingParameters p = makeParameters();
  p.numXcds = 2;
  p.atomicCycles = 400;
  for (const double distance : {0.0, 1e4}) {
    MemoryModel model(p, getChip(), {});
    for (unsigned i = 0; i < 4; ++i)
      model.access(0, makeAccess(TraceAccessKind::Atomic), makeChangedLine(9, 15, 8), distance * i);
    const double once = 2 * TraceLine::kBytes; // read and written
    EXPECT_EQ(model.getTraffic().mallBytes, distance == 0 ? 2 * once : 4 * once)
        << "the first goes at once, and the others wait for it";
  }
}

TEST(MemoryModel, ScalarsAndInstructions) {
  MemoryModel model(makeParameters(), getChip(), {4, 4, 1, 1});
  const std::vector<TraceLine> half = makeLines(20, 1, 3);
  EXPECT_EQ(model.loadScalar(0, half, 0), 50 + (700 - 100));
  EXPECT_EQ(model.loadScalar(1, half, 1000) - 1000, 50) << "a pair of units shares the cache";
  EXPECT_EQ(model.loadScalar(2, half, 2000) - 2000, 50 + (200 - 100)) << "the next pair does not";
  EXPECT_EQ(model.fetch(0, 4000, 3000) - 3000, 300);
  EXPECT_EQ(model.fetch(1, 4000, 3100), 3300) << "a pair shares the cache: it is on its way";
  EXPECT_EQ(model.fetch(1, 4000, 4000), 4000);
  EXPECT_EQ(model.fetch(1, 4001, 5000) - 5000, 30) << "was asked for before";
  EXPECT_EQ(model.fetch(2, 4001, 6000) - 6000, 300);
}

TEST(MemoryModel, WritesBackAnXcd) {
  MemoryModel model(makeParameters(), getChip(), {4, 4, 2, 2});
  model.access(0, makeAccess(TraceAccessKind::Store), makeLines(0), 0);
  model.access(2, makeAccess(TraceAccessKind::Store), makeLines(100), 0);
  const double before = model.getTraffic().mallBytes;
  EXPECT_GE(model.writeBack(1, 1000), 1000 + 400);
  EXPECT_EQ(model.getTraffic().mallBytes - before, 1024) << "that of one XCD alone";
  EXPECT_EQ(model.writeBack(1, 5000), 5200) << "nothing is left";
}

TEST(MemoryModel, BytesAreConserved) {
  MemoryModel model(makeParameters(), getChip(), {8, 8, 2, 2});
  uint64_t state = 1;
  double cycle = 0, lines = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const unsigned count = 1 + unsigned(state >> 60);
    const auto kind = state >> 40 & 1 ? TraceAccessKind::Load : TraceAccessKind::Store;
    const AccessTimes times = model.access(unsigned(state >> 50 & 7), makeAccess(kind),
                                           makeLines(state >> 33 & 0x3fff, count), cycle);
    EXPECT_GE(times.accepted, cycle);
    EXPECT_GE(times.done, cycle + 100);
    lines += count;
    cycle += 40;
  }
  model.finish(cycle);
  const MemoryTraffic t = model.getTraffic();
  EXPECT_EQ(t.l1Requests, lines);
  EXPECT_EQ(t.l2Bytes, (t.l1Requests - t.l1Hits) * kLine);
  // What misses in the L2 is read from the MALL; what is written goes there once or more.
  EXPECT_GE(t.mallBytes, t.mallHitBytes);
  EXPECT_LE(t.l2HitBytes, t.l2Bytes);
  EXPECT_GE(t.hbmBytes, 0x3fff * kLine / 2);
}

TEST(MemoryModel, SameCallsSameTimes) {
  double times[2];
  for (double &time : times) {
    MemoryModel model(makeParameters(), getChip(), {8, 8, 2, 2});
    time = stream(model, 8, 0, 64, makeAccess(), 0, 128);
  }
  EXPECT_EQ(times[0], times[1]);
}
