//===- MatrixCyclesTest.cpp - Rates of matrix instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the passes of four cycles that llvm-mca gives for the same instruction. It does not know
// that 8-bit types of f8f6f4 take twice the time of smaller ones: there the CDNA4 reference.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Timing/Replay/InstructionCost.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
struct MatrixCase {
  const char *chip, *name;
  unsigned resultRegisters;
  bool isSmall;
  unsigned passes;
};
} // namespace

static constexpr MatrixCase kCases[] = {
    {"gfx90a", "v_mfma_f32_32x32x8f16", 16, false, 16},
    {"gfx90a", "v_mfma_f32_16x16x16f16", 4, false, 8},
    {"gfx90a", "v_mfma_f32_32x32x4f16", 32, false, 16},
    {"gfx90a", "v_mfma_f32_4x4x4f16", 4, false, 2},
    {"gfx90a", "v_mfma_f32_32x32x4bf16", 16, false, 16},
    {"gfx90a", "v_mfma_f32_32x32x8bf16_1k", 16, false, 16},
    {"gfx90a", "v_mfma_f32_16x16x16bf16_1k", 4, false, 8},
    {"gfx90a", "v_mfma_i32_32x32x8i8", 16, false, 16},
    {"gfx90a", "v_mfma_i32_16x16x16i8", 4, false, 8},
    {"gfx90a", "v_mfma_f64_16x16x4f64", 8, false, 8},
    {"gfx90a", "v_mfma_f32_32x32x2f32", 16, false, 16},
    {"gfx90a", "v_mfma_f32_16x16x4f32", 4, false, 8},
    {"gfx90a", "v_mfma_f32_32x32x1f32", 32, false, 16},
    {"gfx90a", "v_mfma_f64_4x4x4f64", 2, false, 4},
    {"gfx942", "v_mfma_f32_32x32x8_f16", 16, false, 8},
    {"gfx942", "v_mfma_f32_16x16x16_f16", 4, false, 4},
    {"gfx942", "v_mfma_f32_32x32x4_2b_f16", 32, false, 16},
    {"gfx942", "v_mfma_f32_16x16x4_4b_f16", 16, false, 8},
    {"gfx942", "v_mfma_f32_4x4x4_16b_f16", 4, false, 2},
    {"gfx942", "v_mfma_f32_16x16x8_xf32", 4, false, 4},
    {"gfx942", "v_mfma_f32_32x32x4_xf32", 16, false, 8},
    {"gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 4, false, 4},
    {"gfx942", "v_mfma_f32_32x32x16_fp8_fp8", 16, false, 8},
    {"gfx942", "v_mfma_i32_32x32x16_i8", 16, false, 8},
    {"gfx942", "v_mfma_i32_16x16x4_4b_i8", 16, false, 8},
    {"gfx942", "v_mfma_f64_16x16x4_f64", 8, false, 8},
    {"gfx942", "v_mfma_f32_32x32x2_f32", 16, false, 16},
    {"gfx942", "v_mfma_f32_16x16x1_4b_f32", 16, false, 8},
    {"gfx942", "v_mfma_f32_4x4x1_16b_f32", 4, false, 2},
    {"gfx942", "v_smfmac_f32_16x16x32_f16", 4, false, 4},
    {"gfx942", "v_smfmac_f32_32x32x16_f16", 16, false, 8},
    {"gfx942", "v_smfmac_f32_16x16x64_fp8_fp8", 4, false, 4},
    {"gfx942", "v_mfma_f64_4x4x4_4b_f64", 2, false, 4},
    {"gfx950", "v_mfma_f32_16x16x32_f16", 4, false, 4},
    {"gfx950", "v_mfma_f32_32x32x16_f16", 16, false, 8},
    {"gfx950", "v_mfma_f32_16x16x16_f16", 4, false, 4},
    {"gfx950", "v_mfma_f32_32x32x8_f16", 16, false, 8},
    {"gfx950", "v_mfma_f32_32x32x16_fp8_fp8", 16, false, 8},
    {"gfx950", "v_mfma_i32_16x16x64_i8", 4, false, 4},
    {"gfx950", "v_mfma_i32_32x32x32_i8", 16, false, 8},
    {"gfx950", "v_mfma_f32_16x16x128_f8f6f4", 4, false, 8},
    {"gfx950", "v_mfma_f32_32x32x64_f8f6f4", 16, false, 16},
    {"gfx950", "v_mfma_f32_16x16x128_f8f6f4", 4, true, 4},
    {"gfx950", "v_mfma_f64_16x16x4_f64", 8, false, 16},
    {"gfx950", "v_smfmac_f32_16x16x64_f16", 4, false, 4},
    {"gfx950", "v_smfmac_f32_32x32x32_f16", 16, false, 8},
    {"gfx950", "v_smfmac_f32_16x16x128_fp8_fp8", 4, false, 4},
    {"gfx950", "v_mfma_f32_32x32x2_f32", 16, false, 16},
};

/// What the row of an instruction says that it multiplies.
static MatrixShape getShape(const char *name, const ChipModel &chip) {
  const OpcodeInfo *info = getInstructionTable(chip.isa).lookup(name);
  EXPECT_TRUE(info) << name;
  return info ? info->facts.matrix : MatrixShape();
}

TEST(MatrixCycles, ArePassesOfFourCycles) {
  for (const MatrixCase &test : kCases) {
    const ChipModel &chip = **getChipModel(test.chip);
    EXPECT_EQ(getMatrixCycles(getShape(test.name, chip), chip.matrixRates, test.resultRegisters,
                              test.isSmall),
              4 * test.passes)
        << test.name << " of " << test.chip;
  }
}

TEST(MatrixCycles, OtherInstructionsHaveNoShape) {
  for (const char *name : {"v_fma_f32", "s_mul_i32", "v_accvgpr_read_b32"})
    EXPECT_EQ(getShape(name, **getChipModel("gfx942")).m, 0) << name;
}

TEST(MatrixCycles, SlowdownsByTypeAndRate) {
  TimingParameters p;
  p.f16Slowdown = 0.4;
  p.bits8Slowdown = 0.2;
  p.wideTileSlowdown = 2;
  auto get = [&](const char *name, const char *chipName) {
    const ChipModel &chip = **getChipModel(chipName);
    return getMatrixSlowdown(getShape(name, chip), chip.matrixRates, p);
  };
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_16x16x16_f16", "gfx942"), 0.4);
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_32x32x8_f16", "gfx942"), 0.8) << "of 32 rows";
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_16x16x32_f16", "gfx950"), 0.4);
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_16x16x16_f16", "gfx950"), 0.2) << "half as fast";
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_16x16x32_fp8_fp8", "gfx950"), 0.1) << "half as fast";
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_16x16x128_f8f6f4", "gfx950"), 0.2);
  p.powerShare = 0.5;
  EXPECT_DOUBLE_EQ(get("v_mfma_f32_16x16x16_f16", "gfx942"), 0.2) << "more power for each unit";
}
