//===- ScheduleCheckTest.cpp - Legal and illegal schedules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each refusal has its reason, and what passes fits the hardware.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/Schedule.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static const ChipInfo &getGfx942() { return **getChip("gfx942"); }

/// A backward-weight GEMM whose operands are contiguous along M and N.
static GemmShape makeShape(int64_t vector = 8) {
  GemmShape shape;
  shape.m = shape.n = shape.k = 1024;
  shape.aVector = shape.bVector = vector;
  return shape;
}

/// The reason why `schedule` is refused, or "legal".
static std::string check(const Schedule &schedule, const GemmShape &shape = makeShape()) {
  llvm::Error error = checkSchedule(schedule, shape, getGfx942());
  return error ? llvm::toString(std::move(error)) : "legal";
}

static Schedule makeSchedule(std::array<int64_t, 3> tile, std::array<int64_t, 2> waves,
                             std::array<int64_t, 3> mma) {
  Schedule schedule;
  schedule.tile = tile;
  schedule.waves = waves;
  schedule.mma = mma;
  return schedule;
}

TEST(ScheduleCheck, TilesOfTheSupportedRangeAreLegal) {
  EXPECT_EQ(check(Schedule()), "legal");
  EXPECT_EQ(check(makeSchedule({16, 16, 16}, {1, 1}, {16, 16, 16}), makeShape(1)), "legal");
  EXPECT_EQ(check(makeSchedule({256, 128, 32}, {2, 2}, {32, 32, 8})), "legal");
  EXPECT_EQ(check(makeSchedule({256, 128, 32}, {4, 4}, {32, 32, 8})), "legal");
  EXPECT_EQ(check(makeSchedule({128, 128, 32}, {2, 2}, {16, 16, 16})), "legal");
}

TEST(ScheduleCheck, TileMustDivideIntoWavesAndInstructions) {
  EXPECT_EQ(check(makeSchedule({96, 128, 32}, {2, 2}, {32, 32, 8})),
            "tile M must be a multiple of 2 waves x 32 = 64, got 96");
  EXPECT_EQ(check(makeSchedule({128, 16, 32}, {2, 2}, {16, 16, 16})),
            "tile N must be a multiple of 2 waves x 16 = 32, got 16");
  EXPECT_EQ(check(makeSchedule({128, 128, 20}, {2, 2}, {32, 32, 8})),
            "tile K must be a multiple of the matrix instruction's K = 8, got 20");
}

TEST(ScheduleCheck, HintsNeedLoadWaves) {
  Schedule schedule;
  schedule.hints = Hints();
  EXPECT_EQ(check(schedule), "legal");
  for (Hints hints : {Hints{true, false}, Hints{false, true}}) {
    schedule.hints = hints;
    EXPECT_EQ(check(schedule), "hints require load waves, got roles=uniform");
  }
  schedule.roles = {4, 4};
  EXPECT_EQ(check(schedule), "legal");
}

TEST(ScheduleCheck, MatrixInstructionMustExist) {
  EXPECT_EQ(check(makeSchedule({128, 128, 32}, {2, 2}, {32, 32, 16})),
            "gfx942 has no matrix instruction 32x32x16 for f16; expected one of 32x32x8, 16x16x16");
  GemmShape shape = makeShape();
  shape.aType = shape.bType = DataType::I32;
  EXPECT_EQ(check(Schedule(), shape), "gfx942 has no matrix instruction for i32");
}

TEST(ScheduleCheck, LdsIsLimited) {
  EXPECT_EQ(check(makeSchedule({256, 256, 64}, {2, 2}, {32, 32, 8})),
            "schedule needs 131072 bytes of LDS, gfx942 has 65536 for a workgroup");
}

TEST(ScheduleCheck, ThreadsAreLimited) {
  EXPECT_EQ(check(makeSchedule({256, 256, 16}, {8, 4}, {32, 32, 8})),
            "schedule needs 2048 threads, gfx942 has at most 1024 in a workgroup");
}

TEST(ScheduleCheck, RegistersAreLimited) {
  EXPECT_EQ(check(makeSchedule({256, 256, 16}, {1, 4}, {32, 32, 8})),
            "accumulators need 256 registers a lane, expected at most 128 without async copies and "
            "reads ahead; use more waves");
  EXPECT_EQ(check(makeSchedule({256, 128, 16}, {2, 4}, {32, 32, 8})), "legal");
  EXPECT_EQ(check(makeSchedule({256, 256, 16}, {2, 4}, {32, 32, 8})), "legal");
  EXPECT_EQ(check(makeSchedule({256, 512, 16}, {4, 4}, {32, 32, 8})),
            "schedule needs 128 accumulator and 62 operand registers a lane, gfx942 has 128 with "
            "16 waves");
}

TEST(ScheduleCheck, TilesMustDivideAmongThreads) {
  EXPECT_EQ(check(makeSchedule({32, 192, 8}, {1, 6}, {32, 32, 8})),
            "cannot divide the A tile of 32x8 elements evenly among 384 threads");
}

TEST(ScheduleCheck, LoadsOfAThreadAreLimited) {
  EXPECT_EQ(check(makeSchedule({64, 64, 64}, {1, 1}, {32, 32, 8}), makeShape(1)),
            "a thread issues 128 loads for a K step, expected at most 32; use more waves or a "
            "smaller tile");
  EXPECT_EQ(check(makeSchedule({64, 64, 64}, {2, 2}, {32, 32, 8}), makeShape(1)), "legal");
}

TEST(ScheduleCheck, RolesAndWaves) {
  Schedule schedule;
  schedule.roles = {4, 4};
  EXPECT_EQ(check(schedule), "legal");
  schedule.roles = {2, 4};
  EXPECT_EQ(check(schedule), "legal");
  schedule.roles = {4, 2};
  EXPECT_EQ(check(schedule), "roles=4+2 has 2 math waves, waves=2x2 has 4");
  schedule.roles = {16, 4};
  EXPECT_EQ(check(schedule), "schedule needs 1280 threads, gfx942 has at most 1024 in a workgroup");
  schedule.roles = {3, 4};
  EXPECT_EQ(check(schedule),
            "cannot divide the A tile of 128x32 elements evenly among 192 threads");
}

TEST(ScheduleCheck, SlotsOfTheRing) {
  for (int64_t stages : {2, 3, 4}) {
    Schedule schedule;
    schedule.stages = stages;
    EXPECT_EQ(check(schedule), "legal");
  }
  for (int64_t stages : {1, 5}) {
    Schedule schedule;
    schedule.stages = stages;
    EXPECT_EQ(check(schedule), "stages must be in [2, 4], got " + std::to_string(stages));
  }
}

TEST(ScheduleCheck, AnotherSlotForColumns) {
  Schedule schedule = makeSchedule({128, 64, 64}, {2, 2}, {16, 16, 16});
  schedule.stages = {2, 3};
  EXPECT_EQ(check(schedule), "different stages of rows and columns require roles=uniform, "
                             "copies=async and reads=ahead");
  schedule.copies = Copies::Async;
  schedule.reads = Reads::Ahead;
  EXPECT_EQ(getLdsBytes(schedule, makeShape(), getGfx942()), 2 * 16384 + 3 * 8192);
  schedule.stages = {2, 4};
  EXPECT_EQ(check(schedule), "expected as many stages of columns as of rows or one more, got 2+4");
  schedule.stages = {3, 2};
  EXPECT_EQ(check(schedule), "expected as many stages of columns as of rows or one more, got 3+2");
}

// Load waves hold no accumulators, math waves no tile on its way.
TEST(ScheduleCheck, RegistersOfTheMostDemandingRole) {
  Schedule schedule = makeSchedule({96, 240, 48}, {1, 15}, {16, 16, 16});
  schedule.roles = {1, 15};
  EXPECT_EQ(check(schedule), "load waves need 158 registers a lane, gfx942 has 128 with 16 waves");
  schedule = makeSchedule({128, 128, 64}, {2, 2}, {32, 32, 8});
  schedule.roles = {1, 4};
  EXPECT_EQ(check(schedule), "legal");
}

TEST(ScheduleCheck, ChunksNeedSeveralXcds) {
  Schedule schedule;
  const ChipInfo &oneXcd = *llvm::cantFail(getChip("gfx90a"));
  for (WorkgroupMapping mapping : {WorkgroupMapping{8, 1}, WorkgroupMapping{1, 64}}) {
    schedule.mapping = mapping;
    EXPECT_EQ(check(schedule), "legal");
  }
  EXPECT_EQ(llvm::toString(checkSchedule(schedule, makeShape(), oneXcd)),
            "mapping=1:64 gives chunks of 64 tiles to XCDs, gfx90a has one; expected mapping=1");
  schedule.mapping.chunk = 1;
  EXPECT_FALSE(llvm::errorToBool(checkSchedule(schedule, makeShape(), oneXcd)));
}

TEST(ScheduleCheck, AtomicsAreNotDeterministic) {
  Schedule schedule;
  schedule.partition = SplitK{4};
  EXPECT_EQ(check(schedule), "legal");
  schedule.deterministic = true;
  EXPECT_EQ(check(schedule),
            "deterministic=true and partition=split_k:4, whose slices are added by "
            "atomics in any order; expected split_k:4:two_stage");
  schedule.partition = SplitK{4, /*twoStage=*/true};
  EXPECT_EQ(check(schedule), "legal");
  schedule.partition = StreamK();
  EXPECT_EQ(check(schedule), "legal");
}

TEST(CopyShape, MinimisesMemoryInstructions) {
  // 128x32 elements for 256 threads: 4 loads of 4 and 4 writes of 4 beat 8x2 and 2x8.
  std::optional<CopyShape> shape = getCopyShape(128, 32, 256, 8, /*contiguousK=*/false, 8);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->vectorMN, 4);
  EXPECT_EQ(shape->vectorK, 4);
  EXPECT_EQ(shape->passes, 1);
}

TEST(CopyShape, RespectsTheWidthOfLoads) {
  std::optional<CopyShape> shape = getCopyShape(128, 32, 256, 1, /*contiguousK=*/false, 8);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->vectorMN, 1);
  EXPECT_EQ(shape->vectorK, 8);
  EXPECT_EQ(shape->passes, 2);
}

TEST(CopyShape, DealsABlockOfRowsToNeighbouringLanes) {
  EXPECT_EQ(getRowRun(/*mn=*/128, /*vectorMN=*/8, /*bytes=*/2), 4); // 64 bytes
  EXPECT_EQ(getRowRun(128, 4, 4), 4);
  EXPECT_EQ(getRowRun(128, 16, 4), 1);
  EXPECT_EQ(getRowRun(48, 8, 2), 2);  // divides the 6 micro tiles
  EXPECT_EQ(getRowRun(128, 1, 2), 8); // rows whose writes to LDS meet all banks
}

TEST(CopyShape, LoadsAlongAContiguousKOneRowAtATime) {
  std::optional<CopyShape> shape = getCopyShape(128, 32, 256, 8, /*contiguousK=*/true, 8);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->vectorMN, 1);
  EXPECT_EQ(shape->vectorK, 8);
  EXPECT_EQ(shape->passes, 2);
}

// Whatever shape is chosen moves every element exactly once.
TEST(CopyShape, CoversTheTile) {
  for (int64_t mn : {16, 32, 64, 128, 256})
    for (int64_t k : {16, 32, 64})
      for (int64_t threads : {64, 128, 256, 512})
        for (int64_t vector : {1, 2, 4, 8})
          for (bool contiguousK : {false, true}) {
            auto shape = getCopyShape(mn, k, threads, vector, contiguousK, 8);
            if (!shape) {
              EXPECT_NE(mn * k % threads, 0);
              continue;
            }
            EXPECT_EQ(shape->vectorMN * shape->vectorK * shape->passes * threads, mn * k);
            EXPECT_LE(contiguousK ? shape->vectorK : shape->vectorMN, vector);
          }
}

TEST(KPack, IsTheWidestThatTheLanesConsume) {
  auto getPack = [](std::array<int64_t, 3> mma, int64_t tileK) {
    return getKPack(makeSchedule({128, 128, tileK}, {2, 2}, mma), DataType::F16, getGfx942());
  };
  EXPECT_EQ(getPack({32, 32, 8}, 32), 8);
  EXPECT_EQ(getPack({32, 32, 8}, 16), 8);
  EXPECT_EQ(getPack({32, 32, 8}, 8), 4);
  EXPECT_EQ(getPack({16, 16, 16}, 32), 8);
  EXPECT_EQ(getPack({16, 16, 16}, 16), 4);
}

// Operands that are converted lie in LDS as what they become, by units of 16 bytes of that.
TEST(Lds, HoldsConvertedOperands) {
  const ChipInfo &chip = **getChip("gfx1100");
  GemmShape shape = makeShape();
  shape.aType = shape.bType = DataType::FP8;
  Schedule schedule = makeSchedule({64, 64, 64}, {2, 2}, {16, 16, 16});
  EXPECT_EQ(getLdsBytes(schedule, shape, chip), 2 * (64 + 64) * 64 * 2);
  EXPECT_EQ(getKPack(schedule, DataType::FP8, chip), 8);
  EXPECT_LE(getCopyShapeA(schedule, shape, chip)->vectorK, 8);
  shape.aType = shape.bType = DataType::F32;
  schedule.mma = {16, 16, 1};
  EXPECT_EQ(getLdsBytes(schedule, shape, chip), 2 * (64 + 64) * 64 * 4);
  EXPECT_EQ(getKPack(schedule, DataType::F32, chip), 4);
}

// Lanes hold 8 rows of each block of an outer product: 4 times 4 blocks a wave would not fit if all
// of them were held at once, but a block of rows after the other does.
TEST(ScheduleCheck, OuterProductsTakeRegistersForTheirRows) {
  const ChipInfo &chip = **getChip("gfx1100");
  GemmShape shape = makeShape();
  shape.aType = shape.bType = shape.cType = DataType::F32;
  auto check = [&](std::array<int64_t, 3> tile, std::array<int64_t, 2> waves) {
    llvm::Error error = checkSchedule(makeSchedule(tile, waves, {16, 16, 1}), shape, chip);
    return error ? llvm::toString(std::move(error)) : "legal";
  };
  EXPECT_EQ(check({64, 64, 16}, {2, 2}), "legal");
  EXPECT_EQ(check({128, 128, 16}, {2, 2}),
            "schedule needs 128 accumulator and 144 operand registers a lane, gfx1100 has 256 with "
            "4 waves");
}

// Shuffled B takes no LDS; lanes load what they multiply in a K step, in units of 16 bytes.
TEST(Lds, HoldsNoShuffledWeights) {
  GemmShape shape = makeShape();
  shape.bShuffled = shape.bContiguousK = true;
  Schedule schedule = makeSchedule({128, 128, 32}, {2, 2}, {16, 16, 16});
  EXPECT_EQ(check(schedule, shape), "legal");
  EXPECT_EQ(getLdsBytes(schedule, shape, getGfx942()), 2 * 128 * 32 * 2);
  EXPECT_EQ(getShuffledLoads(schedule, shape, getGfx942()), 4);
  EXPECT_FALSE(getCopyShapeB(schedule, shape, getGfx942()));
  schedule.tile[2] = 64;
  EXPECT_EQ(getShuffledLoads(schedule, shape, getGfx942()), 8);
  EXPECT_EQ(getShuffledLoads(schedule, makeShape(), getGfx942()), 0);
}

TEST(ScheduleCheck, ShuffledWeightsAreTakenByUnits) {
  GemmShape shape = makeShape();
  shape.bShuffled = shape.bContiguousK = true;
  EXPECT_EQ(check(makeSchedule({128, 128, 16}, {2, 2}, {16, 16, 16}), shape),
            "tile K must be a multiple of 32, of which lanes hold whole units of 16 bytes of "
            "shuffled weights, got 16");
  EXPECT_EQ(check(makeSchedule({128, 128, 128}, {2, 1}, {16, 16, 16}), shape),
            "a thread issues 48 loads for a K step, expected at most 32; use more waves or a "
            "smaller tile");
}

TEST(ScheduleCheck, ShuffledWeightsNeedMatrixInstructionsOfTheirType) {
  const ChipInfo &chip = **getChip("gfx1100");
  GemmShape shape = makeShape();
  shape.bShuffled = true;
  auto check = [&](DataType type, std::array<int64_t, 3> mma) {
    shape.aType = shape.bType = type;
    return llvm::toString(checkSchedule(makeSchedule({64, 64, 64}, {2, 2}, mma), shape, chip));
  };
  EXPECT_EQ(check(DataType::F32, {16, 16, 1}),
            "weights that are shuffled ahead of time are not supported for f32 on gfx1100, which "
            "has no matrix instruction for it");
  EXPECT_EQ(check(DataType::FP8, {16, 16, 16}),
            "weights that are shuffled ahead of time are not supported for fp8 on gfx1100, which "
            "multiplies them as bf16");
}

TEST(Lds, CountsBothOperandsOfEverySlot) {
  EXPECT_EQ(getLdsBytes(Schedule(), makeShape(), getGfx942()), 2 * (128 + 128) * 32 * 2);
}
