//===- ScheduleSelectTest.cpp - Schedules for every problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request without fields always succeeds, with a legal schedule that suits the problem's shape.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleCheck.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "gtest/gtest.h"
#include <functional>

using namespace mlir::ck;

static const ChipInfo &getGfx942() { return **getChip("gfx942"); }

static GemmShape makeShape(int64_t g, int64_t m, int64_t n, int64_t k, int64_t aVector,
                           int64_t bVector) {
  GemmShape shape;
  shape.g = g;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.aVector = aVector;
  shape.bVector = bVector;
  return shape;
}

/// The chosen schedule; the test fails if there is none.
static Schedule select(const GemmShape &shape, llvm::StringRef request = "",
                       const ChipInfo &chip = getGfx942()) {
  llvm::Expected<Schedule> schedule =
      resolveSchedule(llvm::cantFail(parseSchedule(request)), {shape}, chip);
  if (schedule)
    return *schedule;
  ADD_FAILURE() << llvm::toString(schedule.takeError());
  return Schedule();
}

static std::string selectError(llvm::StringRef request) {
  llvm::Expected<Schedule> schedule = resolveSchedule(
      llvm::cantFail(parseSchedule(request)), {makeShape(1, 64, 576, 1568, 8, 8)}, getGfx942());
  return schedule ? "resolved" : llvm::toString(schedule.takeError());
}

TEST(ScheduleSelect, AlwaysFindsALegalSchedule) {
  for (llvm::StringRef name : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"})
    for (int64_t g : {1, 64})
      for (int64_t m : {1, 3, 36, 64, 1000})
        for (int64_t n : {1, 9, 147, 576, 4608})
          for (int64_t k : {1, 98, 100352})
            for (int64_t vector : {1, 2, 4, 8}) {
              const ChipInfo &chip = **getChip(name);
              GemmShape shape = makeShape(g, m, n, k, vector, vector);
              llvm::Error error = checkSchedule(select(shape, "", chip), shape, chip);
              EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
            }
}

TEST(ScheduleSelect, EveryTypeWithAMatrixInstructionHasASchedule) {
  for (const ChipInfo &chip : getChips())
    for (const MatrixInstruction &inst : chip.matrixInstructions)
      for (int64_t m : {1, 64, 4096})
        for (int64_t vector : {1, 16}) {
          GemmShape shape = makeShape(1, m, 576, 1568, vector, vector);
          shape.aType = shape.bType = inst.aType;
          Schedule schedule = select(shape, "", chip);
          llvm::Error error = checkSchedule(schedule, shape, chip);
          EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
          EXPECT_FALSE(chip.findMatrixInstruction(schedule.mma, inst.aType)->reducedPrecision);
        }
}

TEST(ScheduleSelect, EveryMatrixInstructionCanBeAskedFor) {
  for (const ChipInfo &chip : getChips())
    for (const MatrixInstruction &inst : chip.matrixInstructions) {
      GemmShape shape = makeShape(1, 70, 50, 150, 2, 2);
      shape.aType = shape.bType = inst.aType;
      std::string request = "mma=" + std::to_string(inst.m) + "x" + std::to_string(inst.n) + "x" +
                            std::to_string(inst.k);
      std::array<int64_t, 3> expected = {inst.m, inst.n, inst.k};
      EXPECT_EQ(select(shape, request, chip).mma, expected) << chip.name.str() << " " << request;
    }
}

/// By a tenth each time, so that the next choice is not much slower than the last one.
TEST(ScheduleSelect, ReliefTakesRegistersStepByStep) {
  const GemmShape shape = makeShape(1, 4096, 4096, 4096, 1, 1);
  ScheduleRequest request;
  double last = 0;
  for (request.relief = 0; request.relief < 4; ++request.relief) {
    llvm::Expected<Schedule> schedule = resolveSchedule(request, {shape}, getGfx942());
    ASSERT_TRUE(static_cast<bool>(schedule)) << llvm::toString(schedule.takeError());
    const double pressure = detail::getPressure(*schedule, shape, getGfx942());
    if (request.relief > 0)
      EXPECT_LE(pressure, 0.9 * last) << toString(*schedule);
    last = pressure;
  }
}

TEST(ScheduleSelect, LargeProblemsGetLargeTiles) {
  // 64 x 76 tiles of 128 x 128 are 16 rounds of 304.
  Schedule schedule = select(makeShape(1, 8192, 9728, 4096, 8, 8));
  EXPECT_GE(schedule.tile[0] * schedule.tile[1], 96 * 128) << toString(schedule);
  EXPECT_FALSE(hasSecondStage(schedule.partition));
}

TEST(ScheduleSelect, TilesDoNotExceedSmallDimensions) {
  EXPECT_LE(select(makeShape(1, 36, 2304, 13600, 4, 8)).tile[0], 64);
  Schedule depthwise = select(makeShape(64, 1, 9, 1568, 1, 1));
  EXPECT_EQ(depthwise.tile[0], 16);
  EXPECT_EQ(depthwise.tile[1], 16);
  EXPECT_EQ(depthwise.mma, (std::array<int64_t, 3>{16, 16, 16}));
}

/// Backward-weight of 3x3, where B steps through (n, ho, wo) with two range checks.
TEST(ScheduleSelect, LoadWavesComputeAddresses) {
  GemmShape shape = makeShape(1, 64, 576, 100352, 8, 8);
  shape.bAddressOps = 10;
  EXPECT_GT(select(shape, "copies=staged").roles.load, 0);
  EXPECT_EQ(select(shape, "roles=uniform").roles.load, 0);
}

/// A WMMA takes the vector unit from load waves with less priority; what is usual is not named.
TEST(ScheduleSelect, MathWavesHaveNoPriorityBesideWmma) {
  const GemmShape shape = makeShape(1, 1024, 1024, 1024, 8, 8);
  auto getHints = [&](llvm::StringRef chip, const std::string &fields) {
    return select(shape, "tile=128x128x32,mma=16x16x16," + fields, **getChip(chip)).hints;
  };
  for (llvm::StringRef chip : {"gfx1100", "gfx1201"}) {
    EXPECT_EQ(getHints(chip, "waves=2x2,roles=4+4"), Hints());
    EXPECT_EQ(getHints(chip, "waves=2x2,roles=4+4,hints=priority"), (Hints{false, true}));
    EXPECT_EQ(getHints(chip, "waves=2x2,roles=uniform"), std::nullopt);
  }
  EXPECT_EQ(getHints("gfx1100", "waves=4x2,roles=4+8"), std::nullopt);
  EXPECT_EQ(getHints("gfx1201", "waves=4x2,roles=4+8"), Hints());
  EXPECT_EQ(getHints("gfx942", "waves=2x2,roles=4+4,hints=priority"), std::nullopt);
  EXPECT_EQ(getHints("gfx942", "waves=2x2,roles=4+4,hints=none"), Hints());
  EXPECT_EQ(getHints("gfx942", "waves=2x2,roles=uniform,hints=none"), std::nullopt);
}

TEST(ScheduleSelect, WavesOfTheRequestAreTheMathWaves) {
  GemmShape shape = makeShape(1, 2048, 2048, 2048, 8, 8);
  shape.bAddressOps = 10;
  EXPECT_EQ(select(shape, "copies=staged,waves=2x2").roles.math, 4);
  EXPECT_EQ(select(shape, "copies=staged,waves=1x2").roles.math, 2);
  EXPECT_EQ(select(shape, "waves=4x4").roles.load, 0); // no load waves beside so many
}

/// Streams keep more in registers than tiles of 256x256 leave.
TEST(ScheduleSelect, StreamsNeedRegisters) {
  const ChipInfo &chip = **getChip("gfx950");
  GemmShape shape = makeShape(1, 4096, 4096, 4096, 8, 8);
  shape.aContiguousK = shape.bContiguousK = true;
  const std::string request = "tile=256x256x64,waves=2x4,mma=16x16x32,roles=uniform,stages=2+3,"
                              "copies=async,reads=ahead,partition=";
  EXPECT_EQ(select(shape, request + "data_parallel", chip).tile[0], 256);
  llvm::Expected<Schedule> shared =
      resolveSchedule(llvm::cantFail(parseSchedule(request + "stream_k:tree")), {shape}, chip);
  EXPECT_EQ(llvm::toString(shared.takeError()),
            "streams leave too few registers for the tile; use more waves or a smaller tile");
}

/// The places of twenty copies in three slots do not fit into scalar registers beside a stream, but
/// a request may try.
TEST(ScheduleSelect, StreamsHaveRoomForFewCopies) {
  const ChipInfo &chip = **getChip("gfx90a");
  GemmShape shape = makeShape(1, 320, 960, 4096, 8, 8);
  shape.aContiguousK = shape.bContiguousK = true;
  const std::string request =
      "tile=64x96x64,waves=4x1,mma=16x16x16,roles=uniform,stages=3,copies=async,reads=ahead";
  EXPECT_FALSE(std::holds_alternative<StreamK>(select(shape, request, chip).partition));
  EXPECT_TRUE(std::holds_alternative<StreamK>(
      select(shape, request + ",partition=stream_k:tree", chip).partition));
}

TEST(ScheduleSelect, AnyRolesFindATile) {
  for (llvm::StringRef name : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"})
    for (llvm::StringRef roles : {"1+1", "1+4", "2+4", "4+2", "3+4", "4+3", "3+3", "1+3", "3+1",
                                  "5+2", "2+5", "5+3", "6+4", "4+6"})
      for (int64_t m : {9, 36, 1000})
        for (int64_t vector : {1, 8}) {
          const ChipInfo &chip = **getChip(name);
          GemmShape shape = makeShape(1, m, 576, 1568, vector, vector);
          Schedule schedule = select(shape, ("roles=" + roles).str(), chip);
          EXPECT_EQ(std::to_string(schedule.roles.load) + "+" + std::to_string(schedule.roles.math),
                    roles.str());
          llvm::Error error = checkSchedule(schedule, shape, chip);
          EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
        }
}

/// The plan of `schedule`, which was selected for `shape`.
static WorkPlan getPlan(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip) {
  return llvm::cantFail(WorkPlan::create({getWorkShape(schedule.tile, shape)}, schedule.partition,
                                         chip.numCus, chip.numXcds));
}

/// Backward-weight of few channels and many positions has few tiles of many K steps.
TEST(ScheduleSelect, FewTilesAreShared) {
  for (llvm::StringRef name : {"gfx942", "gfx90a", "gfx1100"}) {
    const ChipInfo &chip = **getChip(name);
    for (auto [m, n, k] : {std::array<int64_t, 3>{64, 64, 100352}, {128, 1152, 25088}}) {
      GemmShape shape = makeShape(1, m, n, k, 8, 8);
      Schedule schedule = select(shape, "", chip);
      EXPECT_FALSE(std::holds_alternative<DataParallel>(schedule.partition));
      EXPECT_GT(estimateEfficiency(getPlan(schedule, shape, chip)), 0.75) << name.str();
    }
  }
}

/// What fills the chip, and what is too short for a second launch, is not shared.
TEST(ScheduleSelect, OtherTilesAreNot) {
  for (const GemmShape &shape :
       {makeShape(1, 50176, 256, 576, 8, 8), makeShape(1, 64, 64, 64, 8, 8),
        makeShape(304, 128, 128, 4096, 8, 8)})
    EXPECT_TRUE(std::holds_alternative<DataParallel>(select(shape).partition))
        << toString(select(shape));
}

/// Every chosen partition adds up in a fixed order; atomics are there when they are asked for.
TEST(ScheduleSelect, AtomicsAreNeverChosen) {
  for (int64_t m : {16, 64, 500})
    for (int64_t k : {1, 1000, 100000}) {
      Schedule schedule = select(makeShape(1, m, 64, k, 8, 8));
      EXPECT_FALSE(addsInMemory(schedule.partition));
    }
  GemmShape shape = makeShape(1, 64, 64, 100352, 8, 8);
  EXPECT_EQ(toString(select(shape, "partition=split_k:auto").partition), "split_k:auto");
  EXPECT_EQ(toString(select(shape, "partition=split_k:8").partition), "split_k:8");
}

TEST(ScheduleSelect, WithoutWorkspaceNothingIsShared) {
  ScheduleRequest request;
  SelectionOptions options;
  options.allowWorkspace = false;
  GemmShape shape = makeShape(1, 64, 64, 100352, 8, 8);
  Schedule schedule = llvm::cantFail(resolveSchedule(request, {shape}, getGfx942(), options));
  EXPECT_TRUE(std::holds_alternative<DataParallel>(schedule.partition));
  // What is asked for is kept, for later passes to refuse with the reason.
  request.partition = select(shape).partition;
  schedule = llvm::cantFail(resolveSchedule(request, {shape}, getGfx942(), options));
  EXPECT_EQ(toString(schedule.partition), toString(*request.partition));
}

/// Partitions that 32-bit indices cannot count are not chosen, and refused where they are asked
/// for.
TEST(ScheduleSelect, WhatKernelsCannotCount) {
  GemmShape shape = makeShape(40000, 300, 300, 200000, 8, 8);
  Schedule chosen = select(shape);
  WorkPlan plan =
      llvm::cantFail(WorkPlan::create({getWorkShape(chosen.tile, shape)}, chosen.partition,
                                      getGfx942().numCus, getGfx942().numXcds));
  llvm::Error error = checkIndices(plan, chosen.tile[0] * chosen.tile[1]);
  EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  llvm::Expected<Schedule> schedule = resolveSchedule(
      llvm::cantFail(parseSchedule("tile=32x32x32,partition=split_k:6250:two_stage")), {shape},
      getGfx942());
  ASSERT_FALSE(static_cast<bool>(schedule));
  EXPECT_EQ(llvm::toString(schedule.takeError()),
            "the grid has 25000000000 workgroups: at most 2147483647");
}

/// GEMMs without K are tiles to fill, which every schedule can.
TEST(ScheduleSelect, FillsTakePart) {
  GemmShape fill = makeShape(1, 64, 64, 0, 1, 1);
  GemmShape gemm = makeShape(1, 512, 512, 4608, 8, 8);
  llvm::Expected<Schedule> schedule = resolveSchedule({}, {fill, gemm, fill}, getGfx942());
  ASSERT_TRUE(static_cast<bool>(schedule)) << llvm::toString(schedule.takeError());
  llvm::Error error = checkSchedule(*schedule, gemm, getGfx942());
  EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
}

namespace {
/// Likes one partition, and tiles of 64x64.
class Fancy final : public TimeEstimator {
public:
  explicit Fancy(std::string partition) : partition(std::move(partition)) {}
  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule, llvm::ArrayRef<GemmShape>,
                                       const ChipInfo &,
                                       llvm::ArrayRef<WorkEstimate> works) const override {
    uint64_t time = schedule.tile[0] == 64 && schedule.tile[1] == 64 ? 10 : 20;
    llvm::SmallVector<uint64_t> times;
    for (const WorkEstimate &work : works)
      times.push_back(time - (toString(work.partition) == partition ? 5 : 0));
    return times;
  }

private:
  std::string partition;
};
} // namespace

TEST(ScheduleSelect, TheEstimatorDecides) {
  GemmShape shape = makeShape(1, 500, 500, 2000, 8, 8);
  for (std::string partition :
       {"data_parallel", "stream_k:tree", "split_k:2:two_stage", "split_k:16:two_stage"}) {
    Fancy fancy(partition);
    Schedule schedule = llvm::cantFail(resolveSchedule({}, {shape}, getGfx942(), {&fancy}));
    EXPECT_EQ(toString(schedule.partition), partition);
    EXPECT_EQ(schedule.tile[0] * schedule.tile[1], 64 * 64);
  }
}

/// More slices than fill the chip a few times are not considered, whatever an estimator says.
TEST(ScheduleSelect, SlicesThatFillTheChip) {
  Fancy fancy("split_k:16:two_stage");
  Schedule schedule = llvm::cantFail(
      resolveSchedule({}, {makeShape(1, 2000, 2000, 2000, 8, 8)}, getGfx942(), {&fancy}));
  EXPECT_NE(toString(schedule.partition), "split_k:16:two_stage");
}

TEST(ScheduleSelect, IsDeterministic) {
  GemmShape shape = makeShape(2, 200, 1152, 3136, 8, 8);
  EXPECT_EQ(toString(select(shape)), toString(select(shape)));
}

TEST(ScheduleSelect, TheTextOfAScheduleLeavesNothingOpen) {
  const GemmShape shape = makeShape(1, 8192, 8192, 512, 8, 8);
  Schedule schedule = select(shape, "mapping=4:16");
  EXPECT_EQ(toString(select(shape, toString(schedule))), toString(schedule));
  schedule.mapping = WorkgroupMapping();
  EXPECT_EQ(toString(select(shape, toString(schedule))), toString(schedule));
}

TEST(ScheduleSelect, KeepsTheFieldsOfTheRequest) {
  Schedule schedule = select(makeShape(1, 64, 576, 1568, 8, 8), "tile=128x64x32,mma=16x16x16");
  EXPECT_EQ(schedule.tile, (std::array<int64_t, 3>{128, 64, 32}));
  EXPECT_EQ(schedule.mma, (std::array<int64_t, 3>{16, 16, 16}));
  schedule = select(makeShape(1, 64, 576, 1568, 8, 8), "waves=4x1,deterministic=true");
  EXPECT_EQ(schedule.waves, (std::array<int64_t, 2>{4, 1}));
  EXPECT_TRUE(schedule.deterministic);
}

TEST(ScheduleSelect, ReasonOfTheClosestRefusal) {
  EXPECT_EQ(selectError("tile=100x128x32"),
            "tile M must be a multiple of 1 waves x 16 = 16, got 100");
  EXPECT_EQ(selectError("tile=512x512x64"),
            "schedule needs 262144 bytes of LDS, gfx942 has 65536 for a workgroup");
  EXPECT_EQ(selectError("waves=8x8"),
            "schedule needs 4096 threads, gfx942 has at most 1024 in a workgroup");
  EXPECT_EQ(selectError("mma=4x4x4"),
            "gfx942 has no matrix instruction 4x4x4 for f16; expected one of 32x32x8, 16x16x16");
  EXPECT_EQ(selectError("stages=5"), "stages must be in [2, 4], got 5");
  EXPECT_EQ(selectError("roles=4+2,waves=2x2"), "roles=4+2 has 2 math waves, waves=2x2 has 4");
}
