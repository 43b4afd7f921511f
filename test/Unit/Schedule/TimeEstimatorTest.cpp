//===- TimeEstimatorTest.cpp - What partitions cost and save -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of two estimates is the shorter, where that is beyond doubt; no number is pinned.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeEstimator.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::ck;

static GemmShape makeShape(int64_t m, int64_t n, int64_t k) {
  GemmShape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.aVector = shape.bVector = 8;
  return shape;
}

/// The estimate of the schedule of `text` for `shapes`, whose partition has `residents` places.
static uint64_t estimate(llvm::StringRef text, llvm::ArrayRef<GemmShape> shapes,
                         int64_t residents = 304) {
  const ChipInfo &chip = **getChip("gfx942");
  Schedule schedule =
      llvm::cantFail(resolveSchedule(llvm::cantFail(parseSchedule(text)), shapes, chip));
  llvm::SmallVector<WorkShape> works;
  for (const GemmShape &shape : shapes)
    works.push_back(getWorkShape(schedule.tile, shape));
  WorkPlan plan =
      llvm::cantFail(WorkPlan::create(works, schedule.partition, residents, chip.numXcds));
  return getModelEstimator().estimate(schedule, shapes, chip, {estimateWork(plan)}).front();
}

static const std::string kTile =
    "tile=64x64x32,waves=2x2,mma=32x32x8,roles=uniform,mapping=1,partition=";

/// A single tile of 3,136 steps.
TEST(TimeEstimator, SharingShortensLongTiles) {
  GemmShape shape = makeShape(64, 64, 100352);
  uint64_t whole = estimate(kTile + "data_parallel", {shape});
  for (const char *partition :
       {"stream_k:tree", "stream_k:linear", "split_k:16:two_stage", "split_k:auto"})
    EXPECT_LT(estimate(kTile + partition, {shape}), whole) << partition;
  // 304 sums one after the other, or along a tree.
  EXPECT_LT(estimate(kTile + "stream_k:tree", {shape}),
            estimate(kTile + "stream_k:linear", {shape}));
  // More slices shorten the K loop and lengthen the sum: the best number lies between.
  uint64_t two = estimate(kTile + "split_k:2:two_stage", {shape});
  uint64_t sixteen = estimate(kTile + "split_k:16:two_stage", {shape});
  uint64_t all = estimate(kTile + "split_k:1024:two_stage", {shape}, 1024);
  EXPECT_LT(sixteen, two);
  EXPECT_LT(sixteen, all);
}

/// A launch more than the work is worth.
TEST(TimeEstimator, SharingLengthensShortTiles) {
  GemmShape shape = makeShape(64, 64, 128);
  uint64_t whole = estimate(kTile + "data_parallel", {shape});
  for (const char *partition : {"stream_k:tree", "split_k:2:two_stage", "split_k:4"})
    EXPECT_GT(estimate(kTile + partition, {shape}, 4), whole) << partition;
}

/// Partitions that share nothing cost what data-parallel costs.
TEST(TimeEstimator, NothingSharedIsDataParallel) {
  GemmShape shape = makeShape(64 * 19, 64 * 16, 512); // 304 tiles
  uint64_t whole = estimate(kTile + "data_parallel", {shape});
  for (const char *partition :
       {"stream_k:tree", "stream_k:linear:persistent", "split_k:1:two_stage", "split_k:auto"})
    EXPECT_EQ(estimate(kTile + partition, {shape}), whole) << partition;
}

TEST(TimeEstimator, MoreWorkTakesLonger) {
  for (const char *partition : {"data_parallel", "stream_k:tree", "split_k:4:two_stage"}) {
    uint64_t last = 0;
    for (int64_t k = 1024; k <= 65536; k *= 2) {
      uint64_t time = estimate(kTile + partition, {makeShape(320, 640, k)});
      EXPECT_GT(time, last) << partition << " " << k;
      last = time;
    }
  }
}

/// A table takes at least as long as each of its GEMMs; a fill takes a tile's time.
TEST(TimeEstimator, TablesOfGemms) {
  GemmShape large = makeShape(1024, 1024, 2048), small = makeShape(1024, 1024, 512);
  GemmShape fill = makeShape(1024, 1024, 0);
  std::string text = kTile + "data_parallel";
  uint64_t both = estimate(text, {large, small});
  EXPECT_GT(both, estimate(text, {large}));
  EXPECT_GT(both, estimate(text, {small}));
  EXPECT_GT(estimate(text, {large, fill}), estimate(text, {large}));
}

/// Times beyond 64 bits are the largest number, not a small one.
TEST(TimeEstimator, Saturates) {
  GemmShape shape = makeShape(int64_t(1) << 30, int64_t(1) << 30, int64_t(1) << 21);
  const ChipInfo &chip = **getChip("gfx942");
  Schedule schedule; // of 128x128x32, which is legal
  WorkPlan plan =
      llvm::cantFail(WorkPlan::create({getWorkShape(schedule.tile, shape)}, Partition(), 1, 1));
  EXPECT_EQ(getModelEstimator().estimate(schedule, {shape}, chip, {estimateWork(plan)}).front(),
            std::numeric_limits<uint64_t>::max());
}
