//===- ResidentRangesTest.cpp - What earlier kernels leave in the MALL -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundChip.h"
#include "gtest/gtest.h"
#include <tuple>
#include <utility>

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
    model.setResident(ranges, {/*any=*/true});
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

TEST(SkippedRounds, LeaveWhatTheyChanged) {
  TimingParameters p = makeParameters();
  p.mallBytes = 64 * kLine;
  // The launch reads lines that an earlier kernel has stored, and stores as many.
  const ResidentRange source = {{0, 128 * kLine}, /*changed=*/true, /*touched=*/true};
  const ResidentRange result = {{1000 * kLine, 1128 * kLine}, true, true, /*stored=*/true};
  const ResidentRange other = {{2000 * kLine, 2256 * kLine}, /*changed=*/false};
  struct Case {
    std::vector<ResidentRange> ranges;
    double changed; // of 16 lines that go
  };
  // In the course of the launch, the 64 lines in the MALL go at first, then its own, half of which
  // are changed. In the last case it has so few that the former are all that go.
  for (const auto &[ranges, changed] :
       {Case{{source, result}, 16 * (64 + 192 * .5) / 256}, Case{{source, result, other}, 16 * .5},
        Case{{{{0, 32 * kLine}, true, true}, other}, 16 * 32. / 288}}) {
    MemoryModel model(p, getChip(), {});
    model.setResident(ranges, {/*any=*/true});
    for (unsigned i = 0; i < 16; ++i)
      EXPECT_EQ(loadOne(model, 1112 + i, 1000.0 * i), 700) << "none of them is found";
    EXPECT_NEAR(model.getTraffic().hbmBytes, (16 + changed) * kLine, 1e-6);
  }
}

TEST(ResidentRanges, LinesThatNoOneSharesPushOutMore) {
  TimingParameters p = makeParameters();
  p.mallBytes = 4096 * kLine;
  const SimulatedPart part = {/*numUnits=*/16, /*simulatedUnits=*/2, /*simulatedXcds=*/1,
                              /*activeXcds=*/8};
  MemoryModel model(p, getChip(), part);
  // The MALL is full of changed lines.
  const ResidentRange range = {{1 << 20, (1 << 20) + 4096 * kLine}, true};
  model.setResident(range);
  const SharedRange shared = {{0, 64 * kLine}, /*touchedLines=*/64, /*sharers=*/8};
  model.setSharing(shared);
  // An eighth of the chip reads lines for all: of each line, and of the one that goes for it, the
  // part has an eighth of the traffic.
  for (unsigned i = 0; i < 8; ++i)
    loadOne(model, i, 1000.0 * i);
  EXPECT_DOUBLE_EQ(model.getTraffic().hbmBytes, 2 * 8 * kLine / 8.0);
  // Each of the other eighths stores as many.
  TraceAccess store = makeAccess(TraceAccessKind::Store);
  store.deviceScope = true;
  model.access(0, store, makeLines(1000, 8), 1e5);
  EXPECT_DOUBLE_EQ(model.getTraffic().hbmBytes, (2 + 8) * 8 * kLine / 8.0);
}

namespace {

/// Bytes that go to MALL and memory while a unit stores `count` lines.
std::pair<double, double> storeLines(MemoryModel &model, unsigned count) {
  const MemoryTraffic before = model.getTraffic();
  for (unsigned i = 0; i < count; i += 8)
    model.access(0, makeAccess(TraceAccessKind::Store), makeLines(5000 + i), 1000.0 * i);
  const MemoryTraffic after = model.getTraffic();
  return {after.mallBytes - before.mallBytes, after.hbmBytes - before.hbmBytes};
}

} // namespace

TEST(SkippedRounds, LeaveStoredLinesInTheL2) {
  TimingParameters p = makeParameters();
  p.l2Bytes = 1024 * kLine;
  p.mallBytes = 4096 * kLine;
  const ResidentRange small = {{1 << 20, (1 << 20) + 2048 * kLine}, true};
  const ResidentRange large = {{1 << 20, (1 << 20) + 32768 * kLine}, true};
  struct Case {
    ResidentRange resident;
    double skippedStores, toMall, toMemory; // lines
  };
  // The L2 has room for 512 of skipped rounds and 512 new ones. Where more have come before, each
  // new one pushes out an old one: to the MALL, and from there to memory where that is full.
  for (const auto &[resident, skippedStores, toMall, toMemory] :
       {Case{large, 0, 0, 0}, Case{large, 512, 0, 0}, Case{large, 768, 256, 256},
        Case{large, 4096, 512, 512}, Case{small, 4096, 512, 0}}) {
    MemoryModel model(p, getChip(), {});
    model.setResident(resident, {/*any=*/true, skippedStores});
    const auto [mallBytes, hbmBytes] = storeLines(model, 512);
    EXPECT_DOUBLE_EQ(mallBytes, toMall * kLine) << skippedStores;
    EXPECT_DOUBLE_EQ(hbmBytes, toMemory * kLine) << skippedStores;
  }
}

TEST(SkippedRounds, LeaveAsManyStoredLinesAsTheLaunchPlaces) {
  TimingParameters p = makeParameters();
  p.l2Bytes = 1024 * kLine;
  MemoryModel model(p, getChip(), {});
  model.setResident({}, {/*any=*/true, /*storedLines=*/4096});
  // One of two lines that come is read: so was one of two that go.
  for (unsigned i = 0; i < 256; i += 8) {
    model.access(0, makeAccess(TraceAccessKind::Store), makeLines(5000 + i), 2000.0 * i);
    model.access(0, makeAccess(), makeLines(9000 + i), 2000.0 * i + 1000);
  }
  const double written = model.getTraffic().mallBytes - 256 * kLine;
  EXPECT_NEAR(written, 256 * kLine, 16 * kLine) << "they come in eights, stores first";
}

TEST(SkippedRounds, LeaveTheFewerLinesTheMoreThereAre) {
  TimingParameters p = makeParameters();
  p.mallBytes = 4096 * kLine;
  // Of a launch that takes a bit more room than there is, half is found, of a large one hardly
  // anything.
  for (const auto &[lines, least, most] :
       {std::tuple(4096u, 512u, 512u), std::tuple(4351u, 224u, 288u), std::tuple(6144u, 1u, 24u),
        std::tuple(16384u, 0u, 1u)}) {
    MemoryModel model(p, getChip(), {});
    model.setResident(ResidentRange{{0, lines * kLine}, false, /*touched=*/true}, {/*any=*/true});
    unsigned found = 0;
    for (unsigned i = 0; i < 512; ++i)
      found += loadOne(model, i * lines / 512, 1000.0 * i) == 400;
    EXPECT_GE(found, least) << lines;
    EXPECT_LE(found, most) << lines;
  }
}
