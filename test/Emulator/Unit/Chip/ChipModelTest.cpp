//===- ChipModelTest.cpp - Tests of occupancy and kernel descriptors by chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many workgroups fit a compute unit, and what the same bits of a descriptor mean to each chip.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Load/KernelDescriptor.h"
#include "Emulator/Machine/Wave.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace ckemu;
namespace hsa = llvm::amdhsa;

TEST(ChipModel, NamesOfProducts) {
  EXPECT_EQ((*getChipModel("gfx942"))->product->name, "mi300x");
  EXPECT_EQ((*getChipModel("gfx942:mi308x"))->product->computeUnits, 80u);
  EXPECT_EQ((*getChipModel("gfx1101"))->product->name, "rx7800xt");
  EXPECT_EQ(llvm::toString(getChipModel("gfx90a:mi300x").takeError()),
            "product of gfx90a must be one of mi250x, mi250, mi210, got 'mi300x'");
  EXPECT_EQ(llvm::toString(getChipModel("gfx942:").takeError()),
            "product of gfx942 must be one of mi300x, mi300x-cpx, mi300a, mi308x, mi325x, got ''");
  EXPECT_EQ(llvm::toString(getChipModel("gfx906:mi50").takeError()),
            "chip must be one of gfx90a, gfx942, gfx950, gfx1100, gfx1101, gfx1201, got 'gfx906'");
}

TEST(ChipModel, EveryProcessorHasProducts) {
  ASSERT_EQ(getChipModels().size(), getProcessors().size());
  for (size_t i = 0; i < getProcessors().size(); ++i)
    EXPECT_EQ(getChipModels()[i].name, getProcessors()[i].name);
  EXPECT_EQ(getProductModels().size(), getProducts().size());
  for (const ChipModel &model : getProductModels())
    EXPECT_EQ(model.product->computeUnits % model.product->xcds, 0u) << model.product->name.str();
}

TEST(ChipModel, WorkgroupsThatFit) {
  const struct {
    const char *chip;
    unsigned waveSize, waves, registers, lds;
    bool halfUnit;
    unsigned groups;
  } cases[] = {
      {"gfx942", 64, 4, 128, 0, false, 4},         {"gfx942", 64, 4, 128, 20 * 1024, false, 3},
      {"gfx950", 64, 4, 64, 64 * 1024, false, 2},  {"gfx1100", 32, 8, 96, 0, false, 8},
      {"gfx1100", 32, 8, 192, 0, false, 4},        {"gfx1100", 32, 8, 193, 0, false, 3},
      {"gfx1100", 64, 4, 96, 0, false, 8},         {"gfx1100", 64, 4, 97, 0, false, 7},
      {"gfx1100", 32, 32, 192, 0, false, 1},       {"gfx1100", 32, 32, 192, 0, true, 0},
      {"gfx1201", 32, 8, 96, 64 * 1024, false, 2}, {"gfx1201", 32, 8, 96, 40 * 1024, true, 2}};
  for (const auto &c : cases) {
    GroupResources resources;
    resources.waveSize = c.waveSize;
    resources.waves = c.waves;
    resources.vectorRegisters = c.registers;
    resources.ldsBytes = c.lds;
    resources.halfUnit = c.halfUnit;
    EXPECT_EQ(getGroupsPerUnit(**getChipModel(c.chip), resources), c.groups)
        << c.chip << " wave" << c.waveSize << " " << c.registers << " registers";
  }
}

/// A descriptor with `granules` (less 1) of vector registers, both bits that gfx12 uses otherwise,
/// and the mode of whole WGPs.
static llvm::Expected<KernelDescriptor> parse(const char *chip, uint32_t granules, bool wave32) {
  hsa::kernel_descriptor_t raw = {};
  raw.compute_pgm_rsrc1 = granules << hsa::COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT_SHIFT |
                          1u << 21 | 1u << 23 | 1u << 29;
  raw.compute_pgm_rsrc3 = 63; // ACCUM_OFFSET of gfx90a and later
  raw.kernel_code_properties =
      wave32 ? uint16_t(hsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32) : 0;
  uint8_t bytes[sizeof(raw)];
  std::memcpy(bytes, &raw, sizeof(raw));
  return parseKernelDescriptor(bytes, 0, **getChipModel(chip));
}

TEST(KernelDescriptor, FieldsByChip) {
  const struct {
    const char *chip;
    bool wave32;
    uint32_t numVgprs, mode;
    bool wholeUnit;
  } cases[] = {{"gfx90a", false, 96, 0x300, true},
               {"gfx1100", true, 96, 0x300, true},
               {"gfx1100", false, 48, 0x300, true},
               {"gfx1201", true, 96, kModeDx10Clamp, true},
               {"gfx1201", false, 48, kModeDx10Clamp, true}};
  for (const auto &c : cases) {
    llvm::Expected<KernelDescriptor> descriptor = parse(c.chip, 11, c.wave32);
    ASSERT_TRUE(bool(descriptor)) << llvm::toString(descriptor.takeError());
    EXPECT_EQ(descriptor->waveSize, c.wave32 ? 32u : 64u) << c.chip;
    EXPECT_EQ(descriptor->numVgprs, c.numVgprs) << c.chip;
    EXPECT_EQ(descriptor->numAgprs, 0u) << c.chip;
    EXPECT_EQ(descriptor->mode, c.mode) << c.chip;
    EXPECT_EQ(descriptor->wholeUnit, c.wholeUnit) << c.chip;
  }
  llvm::Expected<KernelDescriptor> wrong = parse("gfx942", 0, /*wave32=*/true);
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(llvm::toString(wrong.takeError()), "waves of 32 lanes do not exist on gfx942");
}
