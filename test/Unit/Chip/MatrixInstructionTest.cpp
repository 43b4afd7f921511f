//===- MatrixInstructionTest.cpp - Lane layouts are bijections -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrong lane layout gives wrong numbers far from its cause; here it is caught at its root.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Chip/ChipInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::ck;

/// Calls `fn` with each matrix instruction of each chip.
template <typename Fn>
static void forEachInstruction(Fn fn) {
  for (const ChipInfo &chip : getChips()) {
    EXPECT_FALSE(chip.matrixInstructions.empty()) << chip.name.str();
    for (const MatrixInstruction &inst : chip.matrixInstructions) {
      SCOPED_TRACE(chip.name.str() + " " + std::to_string(inst.m) + "x" + std::to_string(inst.n) +
                   "x" + std::to_string(inst.k) + " " + getName(inst.aType).str());
      fn(chip, inst);
    }
  }
}

// Every element of A is held by the same number of lanes: one, or two by gfx11's WMMA. Of an outer
// product all lanes that share rows hold them, a lane for each column.
TEST(MatrixInstruction, OperandLayoutCoversTheTileEvenly) {
  forEachInstruction([](const ChipInfo &chip, const MatrixInstruction &inst) {
    std::map<std::pair<int64_t, int64_t>, int64_t> holders;
    for (int64_t lane = 0; lane < chip.waveSize; ++lane)
      for (int64_t i = 0; i < inst.getRowsPerLane(); ++i)
        for (int64_t j = 0; j < inst.kPerLane; ++j)
          ++holders[{inst.getOperandRow(lane, i), inst.getOperandK(lane, j)}];
    EXPECT_EQ(static_cast<int64_t>(holders.size()), inst.m * inst.k);
    int64_t copies = chip.waveSize * inst.getRowsPerLane() * inst.kPerLane / (inst.m * inst.k);
    EXPECT_TRUE(copies == 1 || (copies == 2 && inst.unit == MatrixUnit::Wmma) ||
                (copies == inst.n && inst.unit == MatrixUnit::Fma));
    for (const auto &[element, count] : holders) {
      EXPECT_EQ(count, copies);
      EXPECT_LT(element.first, inst.m);
      EXPECT_LT(element.second, inst.k);
    }
  });
}

TEST(MatrixInstruction, AccumulatorLayoutIsABijection) {
  forEachInstruction([](const ChipInfo &chip, const MatrixInstruction &inst) {
    std::map<std::pair<int64_t, int64_t>, int64_t> holders;
    for (int64_t lane = 0; lane < chip.waveSize; ++lane)
      for (int64_t reg = 0; reg < inst.accPerLane; ++reg)
        ++holders[{inst.getAccRow(lane, reg), inst.getAccColumn(lane)}];
    EXPECT_EQ(static_cast<int64_t>(holders.size()), inst.m * inst.n);
    EXPECT_EQ(chip.waveSize * inst.accPerLane, inst.m * inst.n);
    for (const auto &[element, count] : holders) {
      EXPECT_EQ(count, 1);
      EXPECT_LT(element.first, inst.m);
      EXPECT_LT(element.second, inst.n);
    }
  });
}

// Aligned runs of registers hold aligned runs of consecutive rows.
TEST(MatrixInstruction, AccumulatorRunsAreConsecutive) {
  forEachInstruction([](const ChipInfo &chip, const MatrixInstruction &inst) {
    int64_t run = inst.getAccRun();
    EXPECT_EQ(inst.accPerLane % run, 0);
    for (int64_t lane = 0; lane < chip.waveSize; ++lane)
      for (int64_t reg = 0; reg < inst.accPerLane; ++reg) {
        int64_t first = inst.getAccRow(lane, reg / run * run);
        EXPECT_EQ(first % run, 0);
        EXPECT_EQ(inst.getAccRow(lane, reg), first + reg % run);
      }
  });
}

TEST(MatrixInstruction, AccumulatorTypeFollowsTheOperands) {
  forEachInstruction([](const ChipInfo &, const MatrixInstruction &inst) {
    EXPECT_EQ(inst.aType, inst.bType);
    EXPECT_EQ(inst.accType, isInteger(inst.aType) ? DataType::I32 : DataType::F32);
  });
}

// What an instruction multiplies is of the operands' type, or of one that holds all their values.
TEST(MatrixInstruction, HeldTypeIsThatOfTheOperandsOrWider) {
  forEachInstruction([](const ChipInfo &chip, const MatrixInstruction &inst) {
    bool isFloat8 = inst.aType == DataType::FP8 || inst.aType == DataType::BF8;
    bool converted = isFloat8 && chip.fp8 == Fp8Kind::None;
    EXPECT_EQ(inst.heldType, converted ? DataType::BF16 : inst.aType);
    if (converted) // the same instruction, so that nothing below has to know
      EXPECT_NE(chip.findMatrixInstruction({inst.m, inst.n, inst.k}, inst.heldType), nullptr);
  });
}

TEST(MatrixInstruction, EveryChipHasOneForEveryType) {
  for (const ChipInfo &chip : getChips())
    for (DataType type :
         {DataType::F16, DataType::BF16, DataType::F32, DataType::I8, DataType::FP8, DataType::BF8})
      EXPECT_TRUE(llvm::any_of(chip.matrixInstructions,
                               [&](const MatrixInstruction &inst) { return inst.aType == type; }))
          << chip.name.str() << " " << getName(type).str();
}

// Spot checks against the tables of the instruction set manuals.
TEST(MatrixInstruction, KnownRowsOfMfma) {
  const ChipInfo &chip = **getChip("gfx942");
  const MatrixInstruction *wide = chip.findMatrixInstruction({32, 32, 8}, DataType::F16);
  ASSERT_NE(wide, nullptr);
  EXPECT_EQ(wide->kPerLane, 4);
  EXPECT_EQ(wide->accPerLane, 16);
  EXPECT_EQ(wide->getAccRow(/*lane=*/0, /*reg=*/0), 0);
  EXPECT_EQ(wide->getAccRow(/*lane=*/32, /*reg=*/0), 4);
  EXPECT_EQ(wide->getAccRow(/*lane=*/33, /*reg=*/5), 13);
  EXPECT_EQ(wide->getAccRun(), 4);
  EXPECT_EQ(wide->getOperandK(/*lane=*/40, /*j=*/3), 7);
  const MatrixInstruction *square = chip.findMatrixInstruction({16, 16, 16}, DataType::F16);
  ASSERT_NE(square, nullptr);
  EXPECT_EQ(square->getAccRow(/*lane=*/17, /*reg=*/2), 6);
  EXPECT_EQ(square->getOperandK(/*lane=*/63, /*j=*/3), 15);
}

TEST(MatrixInstruction, KnownRowsOfWmma) {
  const MatrixInstruction *gfx11 =
      (*getChip("gfx1100"))->findMatrixInstruction({16, 16, 16}, DataType::F16);
  const MatrixInstruction *gfx12 =
      (*getChip("gfx1201"))->findMatrixInstruction({16, 16, 16}, DataType::F16);
  ASSERT_TRUE(gfx11 && gfx12);
  EXPECT_EQ(gfx11->getAccRow(/*lane=*/16, /*reg=*/3), 7);
  EXPECT_EQ(gfx11->getAccRun(), 1);
  EXPECT_EQ(gfx12->getAccRun(), 8);
  EXPECT_EQ(gfx12->getAccRow(/*lane=*/16, /*reg=*/3), 11);
  EXPECT_EQ(gfx11->getOperandK(/*lane=*/16, /*j=*/5), 5);
  EXPECT_EQ(gfx12->getOperandK(/*lane=*/16, /*j=*/5), 13);
}

TEST(MatrixInstruction, KnownRowsOfOuterProducts) {
  const MatrixInstruction *fma =
      (*getChip("gfx1100"))->findMatrixInstruction({16, 16, 1}, DataType::F32);
  ASSERT_NE(fma, nullptr);
  EXPECT_EQ(fma->unit, MatrixUnit::Fma);
  EXPECT_EQ(fma->getRowsPerLane(), 8);
  EXPECT_EQ(fma->getOperandRow(/*lane=*/3, /*i=*/5), 5);
  EXPECT_EQ(fma->getOperandRow(/*lane=*/19, /*i=*/5), 13);
  EXPECT_EQ(fma->getAccRow(/*lane=*/19, /*reg=*/5), 13);
  EXPECT_EQ(fma->getAccColumn(/*lane=*/19), 3);
  EXPECT_EQ(fma->getAccRun(), 8);
  EXPECT_FALSE(fma->isAccInterleaved());
}

TEST(MatrixInstruction, UnknownShapeIsNull) {
  EXPECT_EQ((*getChip("gfx942"))->findMatrixInstruction({32, 32, 4}, DataType::F16), nullptr);
  EXPECT_EQ((*getChip("gfx1100"))->findMatrixInstruction({16, 16, 16}, DataType::F32), nullptr);
}
