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

static TimeEstimate estimate(llvm::StringRef text, const GemmShape &shape,
                             llvm::StringRef chip = "gfx942") {
  const ChipInfo &info = **getChip(chip);
  const Schedule schedule =
      llvm::cantFail(resolveSchedule(llvm::cantFail(parseSchedule(text)), {shape}, info));
  const WorkPlan plan = llvm::cantFail(
      WorkPlan::create({getWorkShape(schedule.tile, shape)}, schedule.partition, info.numCus));
  return estimateTimes(schedule, {shape}, info, {estimateWork(plan)}, getTimeModelConstants(info))
      .front();
}

static const std::string kTile =
    "tile=128x128x64,waves=2x2,mma=32x32x8,roles=uniform,partition=data_parallel,mapping=";

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
      "tile=128x128x32,waves=2x2,mma=32x32x8,roles=uniform,partition=data_parallel,mapping=1";
  EXPECT_GT(estimate(shallow, shape).l1, 1.5 * estimate(kTile + "1", shape).l1);
}

/// Elements that a view has more than once are fetched once.
TEST(TimeModel, RepeatedElementsAreFetchedOnce) {
  GemmShape shape = makeShape(4096, 256, 2304);
  const double before = estimate(kTile + "1", shape).mall;
  shape.aElements = 4096 * 256;
  EXPECT_LT(estimate(kTile + "1", shape).mall, before);
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
