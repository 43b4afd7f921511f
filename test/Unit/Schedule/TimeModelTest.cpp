//===- TimeModelTest.cpp - What a launch takes, from its schedule -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static GemmShape makeShape(int64_t m, int64_t n, int64_t k) {
  GemmShape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.aVector = shape.bVector = 8;
  shape.aContiguousK = shape.bContiguousK = true;
  return shape;
}

static TimeEstimate estimate(llvm::StringRef text, const GemmShape &shape, const ChipInfo &info,
                             const TimeModelConstants &constants) {
  llvm::Expected<Schedule> resolved =
      resolveSchedule(llvm::cantFail(parseSchedule(text)), {shape}, info);
  if (!resolved)
    llvm::report_fatal_error(resolved.takeError());
  const Schedule &schedule = *resolved;
  const WorkPlan plan = llvm::cantFail(WorkPlan::create(
      {getWorkShape(schedule.tile, shape)}, schedule.partition, info.numCus, info.numXcds));
  return estimateTimes(schedule, {shape}, info, {estimateWork(plan)}, constants).front();
}

static TimeEstimate estimate(llvm::StringRef text, const GemmShape &shape,
                             llvm::StringRef chip = "gfx942") {
  const ChipInfo &info = **getChip(chip);
  return estimate(text, shape, info, getTimeModelConstants(info));
}

static const std::string kTile =
    "tile=128x128x64,waves=2x2,mma=32x32x8,roles=uniform,partition=data_parallel,"
    "copies=staged,mapping=";

/// 4096 cubed are 2^36 multiply-accumulates; the chip does 304 x 4 x 256 of them in a cycle.
TEST(TimeModel, MatrixTimeIsWorkOverRate) {
  const TimeEstimate time = estimate(kTile + "1", makeShape(4096, 4096, 4096));
  EXPECT_NEAR(time.matrix, double(int64_t(1) << 36) / (304 * 4 * 256) / 2100, 0.1);
  EXPECT_GT(time.total, time.matrix);
}

/// No launch is faster than any unit that it needs.
TEST(TimeModel, TheTotalIsAtLeastEachPart) {
  for (int64_t size : {64, 512, 4096}) {
    const TimeEstimate time = estimate("", makeShape(size, size, size));
    for (double part : {time.matrix, time.valu, time.lds, time.l2, time.mall, time.memory})
      EXPECT_LE(part, time.total) << size;
    EXPECT_FALSE(time.getBound().empty());
  }
}

/// Tiles that an XCD has side by side share rows and columns in its L2.
TEST(TimeModel, ChunksSaveTraffic) {
  const GemmShape shape = makeShape(4096, 4224, 4096); // 33 columns, which go to all XCDs in turn
  EXPECT_LT(estimate(kTile + "8:64", shape).mall, 0.7 * estimate(kTile + "1", shape).mall);
}

/// A line of 128 bytes of which a step takes a half is fetched twice.
TEST(TimeModel, ShallowTilesFetchLinesAgain) {
  GemmShape shape = makeShape(4096, 4096, 4096);
  const std::string shallow =
      "tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,partition=data_parallel,copies=staged,"
      "mapping=1";
  EXPECT_GT(estimate(shallow, shape).l1, 1.5 * estimate(kTile + "1", shape).l1);
}

/// Rows that begin 12 bytes after one another have 32 bytes of each step in the same lines.
TEST(TimeModel, OverlappingRowsShareLines) {
  GemmShape shape = makeShape(4096, 64, 192);
  shape.aVector = 2;
  const std::string tile =
      "tile=128x64x16,waves=2x2,mma=16x16x16,roles=uniform,partition=data_parallel,copies=staged";
  const double apart = estimate(tile, shape).l2;
  shape.aPitch = 6;
  EXPECT_GT(apart, 1.5 * estimate(tile, shape).l2);
}

/// Tiles need rows of pixels around their own, which a chunk of neighbours fetches once.
TEST(TimeModel, NeighboursShareTheHalo) {
  GemmShape shape = makeShape(100352, 128, 1152);
  shape.aElements = 100352 * 128;
  const double without = estimate(kTile + "1", shape).mall;
  shape.aSpan = 2 * 56 * 128 + 3 * 128; // three rows of images of 56 x 56
  EXPECT_GT(estimate(kTile + "1", shape).mall, 1.3 * without);
  EXPECT_LT(estimate(kTile + "1:98", shape).mall, 1.1 * without);
}

/// Elements that a view has more than once are fetched once.
TEST(TimeModel, RepeatedElementsAreFetchedOnce) {
  GemmShape shape = makeShape(4096, 256, 2304);
  const double before = estimate(kTile + "1", shape).mall;
  shape.aElements = 4096 * 256;
  EXPECT_LT(estimate(kTile + "1", shape).mall, before);
}

/// What a filter comes back to must still be in the L2: of rows that all XCDs run together, gfx90a
/// holds 8 MB, while 128 x 208 rows of 160 channels have 8.5 MB, and 256 x 208 twice that.
TEST(TimeModel, LargeTilesLoseWhatFiltersComeBackTo) {
  GemmShape shape = makeShape(102400, 64, 1440);
  shape.aElements = 102400 * 160;
  const std::string rest = "x64x32,waves=4x1,mma=32x32x8,roles=uniform,partition=data_parallel";
  const double small = estimate("tile=64" + std::string("x64x32,waves=2x1,mma=32x32x8,") +
                                    "roles=uniform,stages=4,partition=data_parallel",
                                shape, "gfx90a")
                           .memory;
  EXPECT_GT(estimate("tile=256" + rest, shape, "gfx90a").memory, 1.2 * small);
}

/// Stores of 32 bytes write blocks of 64 in two goes.
TEST(TimeModel, NarrowStoresTakeTheL2Longer) {
  const GemmShape shape = makeShape(65536, 96, 64);
  const std::string tile = "tile=128x96x64,mma=16x16x16,roles=uniform,partition=data_parallel,";
  // Two blocks of 16 columns are joined, or each of three stands alone.
  EXPECT_GT(estimate(tile + "waves=2x2", shape, "gfx1201").l2,
            1.2 * estimate(tile + "waves=4x1", shape, "gfx1201").l2);
}

/// Lanes that read elements which lie apart take the L1 longer.
TEST(TimeModel, ScatteredLoadsTakeTheL1Longer) {
  GemmShape shape = makeShape(4096, 64, 256);
  shape.aVector = 1;
  shape.aContiguousK = false;
  const std::string tile =
      "tile=64x64x64,waves=2x2,mma=16x16x16,roles=uniform,partition=data_parallel";
  const double together = estimate(tile, shape).l1;
  shape.aStride = 32;
  EXPECT_GT(estimate(tile, shape).l1, 1.5 * together);
}

/// Streams fill their pipelines for each of their tiles, and store it.
TEST(TimeModel, StreamsEndEachOfTheirTiles) {
  const std::string schedule =
      "tile=128x128x64,waves=2x2,mma=16x16x16,roles=uniform,partition=stream_k:linear";
  // 64 streams with one tile of a step each, and 96 tiles for as many.
  const double one = estimate(schedule, makeShape(128 * 32, 256, 64), "gfx1201").ends;
  EXPECT_GT(estimate(schedule, makeShape(128 * 48, 256, 64), "gfx1201").ends, 1.2 * one);
}

/// A second launch, flags and atomics cost time, also of work that needs none.
TEST(TimeModel, SharingHasAFixup) {
  const GemmShape shape = makeShape(256, 256, 4096);
  const std::string tile = "tile=64x64x64,waves=2x2,mma=32x32x8,roles=uniform,partition=";
  EXPECT_EQ(estimate(tile + "data_parallel", shape).fixup, 0);
  double last = 0;
  for (const char *partition : {"split_k:2:two_stage", "split_k:16:two_stage"}) {
    const double fixup = estimate(tile + partition, shape).fixup;
    EXPECT_GT(fixup, last) << partition;
    last = fixup;
  }
}

/// Microseconds that a launch takes longer with operands in memory.
static double getLonger(const TimeEstimate &time) { return time.fromMemory - time.total; }

/// An L1 waits for so many lines at a time that a large tile multiplies meanwhile, and half of it
/// does not.
TEST(TimeModel, OperandsInMemoryTakeLonger) {
  const GemmShape shape = makeShape(8192, 5120, 5120);
  const std::string paths = ",waves=2x2,mma=16x16x32,roles=uniform,copies=async,reads=ahead,"
                            "partition=data_parallel,stages=2+3,mapping=4:80";
  const double large = getLonger(estimate("tile=256x256x64" + paths, shape, "gfx950"));
  const double half = getLonger(estimate("tile=256x128x64" + paths, shape, "gfx950"));
  EXPECT_GT(large, 1);
  EXPECT_GT(half, 2 * large);
}

/// 64 rows of tiles at a time are as large as the MALL, which loses them until the next round; a
/// fourth of that stays.
TEST(TimeModel, RowsThatTheMallLosesComeAgain) {
  const GemmShape shape = makeShape(32768, 7168, 8192);
  const std::string tile = "tile=256x256x64,waves=2x2,mma=16x16x32,roles=uniform,copies=async,"
                           "reads=ahead,partition=data_parallel,stages=2+3,mapping=";
  const TimeEstimate lost = estimate(tile + "8:448", shape, "gfx950");
  const TimeEstimate kept = estimate(tile + "8:4", shape, "gfx950");
  EXPECT_GT(lost.memory, 2 * kept.memory);
  EXPECT_GT(lost.total, kept.total);
  EXPECT_GT(lost.fromMemory, kept.fromMemory);
}

/// What the MALL cannot hold comes from memory in any case.
TEST(TimeModel, LargeOperandsComeFromMemory) {
  const TimeEstimate time = estimate(kTile + "1", makeShape(65536, 1024, 8192));
  EXPECT_LT(getLonger(time), 0.01 * time.total);
}

/// The MALL holds the end of operands that are larger, 97 of 64 MiB here. One round of workgroups
/// reads everywhere, and finds some of it; the first of two pushes out what the second reads.
TEST(TimeModel, RoundsPushOutWhatLaterOnesRead) {
  const std::string rest = ",mma=16x16x16,roles=4+8,stages=2,partition=data_parallel,hints=none,"
                           "reads=ahead";
  const GemmShape shape = makeShape(128, 11008, 4096);
  const double one = estimate("tile=128x192x32,waves=4x2" + rest, shape, "gfx1201").memory;
  EXPECT_GT(estimate("tile=128x96x64,waves=8x1" + rest, shape, "gfx1201").memory, 1.3 * one);
  EXPECT_GT(one, 0);
}

/// Operands that lie in the order of K are read from their begin to their end, which is gone by
/// then.
TEST(TimeModel, OperandsInTheOrderOfKPushThemselvesOut) {
  const std::string tile = "tile=64x128x64,waves=4x2,mma=16x16x16,roles=4+8,stages=2,"
                           "partition=data_parallel,hints=none,reads=ahead";
  GemmShape shape = makeShape(4096, 128, 8192); // 66 MiB, of which the MALL has 64
  const double sideBySide = estimate(tile, shape, "gfx1201").memory;
  shape.aContiguousK = false;
  EXPECT_GT(estimate(tile, shape, "gfx1201").memory, 8 * sideBySide);
  EXPECT_GT(sideBySide, 0);
}

/// Slices that go round the XCDs bring each operand to fewer L2s.
TEST(TimeModel, SlicesGoRoundTheXcds) {
  const GemmShape shape = makeShape(512, 512, 8192);
  const std::string tile =
      "tile=64x64x64,waves=2x2,mma=32x32x8,roles=uniform,copies=staged,partition=split_k:";
  EXPECT_LT(estimate(tile + "8:two_stage", shape).mall,
            0.7 * estimate(tile + "7:two_stage", shape).mall);
}

/// 192 tiles of 256 steps make 256 streams of 192 steps: every eighth begins at the same step of
/// its tile, and these share operands. Of 188 tiles, streams have 188 steps, and no two begin
/// alike.
TEST(TimeModel, StreamsThatBeginAlikeShareOperands) {
  const std::string streams = "tile=256x192x64,waves=4x2,mma=16x16x32,roles=uniform,copies=async,"
                              "reads=ahead,stages=2+3,partition=stream_k:tree,mapping=1";
  const double alike = estimate(streams, makeShape(1024, 9216, 16384), "gfx950").mall;
  const double apart = estimate(streams, makeShape(1024, 9024, 16384), "gfx950").mall;
  EXPECT_LT(alike, 0.7 * apart);
}

/// 32 groups of one tile: streams that begin alike in different groups share nothing, those of one
/// group with as many tiles do.
TEST(TimeModel, StreamsOfGroupsShareNothing) {
  const std::string streams = "tile=16x64x128,waves=1x4,mma=16x16x16,roles=4+4,stages=2,"
                              "partition=stream_k:tree,reads=ahead";
  GemmShape groups = makeShape(16, 128, 10000), one = makeShape(16 * 32, 128, 10000);
  groups.g = 32;
  groups.aContiguousK = groups.bContiguousK = one.aContiguousK = one.bContiguousK = false;
  EXPECT_GT(estimate(streams, groups).mall, 1.15 * estimate(streams, one).mall);
}

/// Five rows of tiles in windows of four: those of the last row read all columns once more.
TEST(TimeModel, LowWindowsShareLess) {
  const std::string tile = "tile=128x256x64,waves=2x2,mma=16x16x32,roles=uniform,copies=async,"
                           "reads=ahead,stages=3,partition=data_parallel,mapping=";
  const GemmShape shape = makeShape(640, 37888, 5120);
  EXPECT_LT(estimate(tile + "8:92", shape, "gfx950").mall,
            estimate(tile + "4:92", shape, "gfx950").mall);
}

/// Of waves that copy and read ahead, those that share a SIMD wait for each other.
TEST(TimeModel, WavesOfASimdWaitForEachOther) {
  const std::string rest = ",mma=16x16x32,roles=uniform,copies=async,reads=ahead,stages=2+3,"
                           "partition=data_parallel,mapping=4:128";
  const GemmShape shape = makeShape(8192, 8192, 16384);
  EXPECT_LT(estimate("tile=256x256x64,waves=2x2" + rest, shape, "gfx950").total,
            estimate("tile=256x256x64,waves=2x4" + rest, shape, "gfx950").total);
}

/// Code that a wave goes through once is fetched: few waves have much of it.
TEST(TimeModel, CodeTakesTime) {
  const std::string rest = ",mma=16x16x32,roles=uniform,copies=async,reads=ahead,stages=2,"
                           "partition=data_parallel,mapping=1";
  const GemmShape shape = makeShape(4096, 4096, 128);
  EXPECT_GT(estimate("tile=256x256x64,waves=2x2" + rest, shape, "gfx950").ends,
            estimate("tile=256x256x64,waves=2x4" + rest, shape, "gfx950").ends);
}

/// Where a compute unit has several workgroups, the steps of others hide most of the time in which
/// one of them begins and ends; where it has one, nothing does.
TEST(TimeModel, StepsHideHowOthersBeginAndEnd) {
  const ChipInfo &chip = **getChip("gfx90a");
  const GemmShape shape = makeShape(22016, 1024, 1024);
  const std::string rest = ",mma=32x32x8,roles=2+4,partition=data_parallel,reads=ahead";
  auto grow = [&](const std::string &text) {
    TimeModelConstants constants = getTimeModelConstants(chip);
    const TimeEstimate before = estimate(text + rest, shape, chip, constants);
    constants.groupCycles += 1000;
    const TimeEstimate after = estimate(text + rest, shape, chip, constants);
    return (after.total - before.total) / (after.ends - before.ends);
  };
  EXPECT_LT(grow("tile=128x128x32,waves=2x2,stages=2"), 0.5); // two workgroups
  EXPECT_GT(grow("tile=128x128x32,waves=2x2,stages=3"), 0.9); // LDS for one
}

/// A work group processor of RDNA has five workgroups at a time whose LDS a compute unit has room
/// for twice: of eight, three come in a second round, which take longer than half of the first.
TEST(TimeModel, WorkgroupsShareTheWorkGroupProcessor) {
  const std::string tile =
      "tile=64x128x32,waves=2x2,roles=2+4,stages=2,partition=data_parallel,reads=ahead";
  const int64_t processors = 48;
  const TimeEstimate five = estimate(tile, makeShape(64 * 5 * processors, 128, 8192), "gfx1100"),
                     eight = estimate(tile, makeShape(64 * 8 * processors, 128, 8192), "gfx1100");
  EXPECT_EQ(five.groupsPerUnit, 5);
  EXPECT_GT(eight.total, 1.5 * five.total);
  // Each of the four SIMDs has a math wave.
  EXPECT_LT(estimate(tile, makeShape(64, 128, 8192), "gfx1100").latency, 0.45 * five.matrix);
}

/// Uniform waves do not multiply while they copy.
TEST(TimeModel, UniformWavesWaitForTheirCopies) {
  const ChipInfo &chip = **getChip("gfx1100");
  const GemmShape shape = makeShape(8192, 8192, 4096);
  auto grow = [&](const std::string &roles) {
    TimeModelConstants constants = getTimeModelConstants(chip);
    const std::string text =
        "tile=128x128x32,waves=2x4,stages=2,partition=data_parallel,roles=" + roles;
    const double before = estimate(text, shape, chip, constants).total;
    constants.copyGaps += 0.1;
    return estimate(text, shape, chip, constants).total / before;
  };
  EXPECT_GT(grow("uniform"), 1.05);
  EXPECT_EQ(grow("4+8"), 1);
}

/// Rows that begin at any multiple of four bytes have 64 bytes of a step in two lines, mostly, of
/// which the L2 cannot keep the second for so many workgroups: both are fetched again.
TEST(TimeModel, RowsThatBeginAnywhereNeedMoreLines) {
  GemmShape shape = makeShape(81920, 32, 640);
  const std::string tile = "tile=192x32x32,waves=2x1,mma=32x32x8,roles=4+2,stages=2,"
                           "partition=data_parallel,copies=staged";
  const TimeEstimate aligned = estimate(tile, shape, "gfx90a");
  shape.aVector = 2;
  const TimeEstimate anywhere = estimate(tile, shape, "gfx90a");
  EXPECT_GT(anywhere.l2, 1.5 * aligned.l2);
  EXPECT_GT(anywhere.memory, 1.3 * aligned.memory);
}
