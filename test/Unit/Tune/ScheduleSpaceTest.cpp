//===- ScheduleSpaceTest.cpp - All schedules that a search may try -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/ScheduleSpace.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir::ck;

static GemmShape makeShape(int64_t m, int64_t n, int64_t k) {
  GemmShape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.aVector = shape.bVector = 8;
  return shape;
}

static std::set<std::string> print(llvm::ArrayRef<Schedule> schedules) {
  std::set<std::string> texts;
  for (const Schedule &schedule : schedules)
    texts.insert(toString(schedule));
  return texts;
}

/// Whether `schedule` is legal for `shape`, with its partition and mapping.
static bool isLegal(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) {
  if (llvm::Error error = checkSchedule(schedule, shape, chip)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return !addsInMemory(schedule.partition);
}

TEST(ScheduleSpace, EverythingIsLegalAndDifferent) {
  for (llvm::StringRef name : {"gfx90a", "gfx942", "gfx1100"}) {
    const ChipInfo &chip = **getChip(name);
    const std::vector<GemmShape> shapes = {makeShape(300, 200, 1000)};
    const ScheduleSpace space = llvm::cantFail(ScheduleSpace::create({}, shapes, chip));
    for (const std::vector<Schedule> &schedules : {space.draw(50, 1), space.rank(50)}) {
      EXPECT_EQ(schedules.size(), 50u);
      EXPECT_EQ(print(schedules).size(), 50u);
      for (const Schedule &schedule : schedules)
        EXPECT_TRUE(isLegal(schedule, shapes[0], chip)) << toString(schedule);
    }
  }
}

/// What the compiler may choose, a search may try: every path of operands that the chip has.
TEST(ScheduleSpace, HoldsAllPathsOfOperands) {
  std::vector<GemmShape> shapes = {makeShape(512, 512, 1024)};
  shapes[0].aContiguousK = shapes[0].bContiguousK = true;
  auto countPaths = [&](llvm::StringRef name, const ScheduleRequest &fixed) {
    std::set<std::tuple<Copies, Reads>> paths;
    const ScheduleSpace space =
        llvm::cantFail(ScheduleSpace::create(fixed, shapes, **getChip(name)));
    for (const Schedule &core : space.getCores())
      paths.insert({core.copies, core.reads});
    return paths.size();
  };
  EXPECT_EQ(countPaths("gfx950", {}), 4u);
  EXPECT_EQ(countPaths("gfx1100", {}), 2u);
  ScheduleRequest async;
  async.copies = Copies::Async;
  EXPECT_EQ(countPaths("gfx950", async), 2u);
}

TEST(ScheduleSpace, DrawsDependOnTheSeedAlone) {
  const ChipInfo &chip = **getChip("gfx942");
  const std::vector<GemmShape> shapes = {makeShape(300, 200, 1000)};
  const ScheduleSpace space = llvm::cantFail(ScheduleSpace::create({}, shapes, chip));
  EXPECT_EQ(print(space.draw(20, 5)), print(space.draw(20, 5)));
  EXPECT_NE(print(space.draw(20, 5)), print(space.draw(20, 6)));
}

/// By estimated time, with at most four of a tile.
TEST(ScheduleSpace, RanksByTheEstimate) {
  const ChipInfo &chip = **getChip("gfx942");
  const std::vector<GemmShape> shapes = {makeShape(2048, 2048, 2048)};
  const ScheduleSpace space = llvm::cantFail(ScheduleSpace::create({}, shapes, chip));
  std::map<std::array<int64_t, 3>, unsigned> ofTile;
  for (const Schedule &schedule : space.rank(40))
    EXPECT_LE(++ofTile[schedule.tile], 4u) << toString(schedule);
  EXPECT_GE(ofTile.size(), 10u);
}

TEST(ScheduleSpace, FixedFieldsStay) {
  const ChipInfo &chip = **getChip("gfx942");
  const std::vector<GemmShape> shapes = {makeShape(300, 200, 1000)};
  const ScheduleRequest fixed =
      llvm::cantFail(parseSchedule("tile=64x64x32,roles=4+4,partition=split_k:2,mapping=2"));
  const ScheduleSpace space = llvm::cantFail(ScheduleSpace::create(fixed, shapes, chip));
  for (const Schedule &schedule : space.draw(10, 1)) {
    EXPECT_EQ(schedule.tile, (std::array<int64_t, 3>{64, 64, 32}));
    EXPECT_EQ(schedule.roles, (Roles{4, 4}));
    EXPECT_EQ(toString(schedule.partition), "split_k:2");
    EXPECT_EQ(toString(schedule.mapping), "2");
  }
}

TEST(ScheduleSpace, WithoutALegalScheduleThereIsAReason) {
  const std::vector<GemmShape> shapes = {makeShape(300, 200, 1000)};
  llvm::Expected<ScheduleSpace> space = ScheduleSpace::create(
      llvm::cantFail(parseSchedule("tile=512x512x64")), shapes, **getChip("gfx942"));
  ASSERT_FALSE(static_cast<bool>(space));
  EXPECT_NE(llvm::toString(space.takeError()).find("no schedule is legal: "), std::string::npos);
}
