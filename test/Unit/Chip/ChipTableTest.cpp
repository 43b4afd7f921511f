//===- ChipTableTest.cpp - The chip table against LLVM's subtargets -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fact in the table that LLVM knows as well must agree with LLVM: the backend is what compiles.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Chip/ChipInfo.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/TargetParser.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

/// LLVM's subtarget of a chip.
static std::unique_ptr<llvm::MCSubtargetInfo> getSubtarget(const ChipInfo &chip) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  EXPECT_NE(target, nullptr) << message;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, chip.name, ""));
}

TEST(ChipTable, NamesAreKnownToLlvmAndUnique) {
  llvm::StringSet<> names;
  for (const ChipInfo &chip : getChips()) {
    EXPECT_NE(llvm::AMDGPU::parseArchAMDGCN(chip.name), llvm::AMDGPU::GK_NONE) << chip.name.str();
    EXPECT_TRUE(names.insert(chip.name).second) << chip.name.str();
  }
}

TEST(ChipTable, ChipsAreInAscendingOrder) {
  auto getVersion = [](const ChipInfo &chip) {
    llvm::AMDGPU::IsaVersion version = llvm::AMDGPU::getIsaVersion(chip.name);
    return std::make_tuple(version.Major, version.Minor, version.Stepping);
  };
  for (size_t i = 1; i < getChips().size(); ++i)
    EXPECT_LT(getVersion(getChips()[i - 1]), getVersion(getChips()[i]));
}

TEST(ChipTable, WaveSizeAgreesWithLlvm) {
  for (const ChipInfo &chip : getChips()) {
    auto subtarget = getSubtarget(chip);
    bool wave64 = subtarget->checkFeatures("+wavefrontsize64");
    EXPECT_EQ(chip.waveSize, wave64 ? 64 : 32) << chip.name.str();
  }
}

TEST(ChipTable, LdsLimitAgreesWithLlvm) {
  for (const ChipInfo &chip : getChips()) {
    auto subtarget = getSubtarget(chip);
    std::string feature = "+addressablelocalmemorysize" + std::to_string(chip.ldsBytes);
    EXPECT_TRUE(subtarget->checkFeatures(feature)) << chip.name.str() << " " << feature;
  }
}

TEST(ChipTable, RegisterFilesAgreeWithLlvm) {
  for (const ChipInfo &chip : getChips()) {
    auto subtarget = getSubtarget(chip);
    if (chip.hasMfma) {
      EXPECT_TRUE(subtarget->checkFeatures("+mai-insts")) << chip.name.str();
      EXPECT_EQ(chip.vgprs, 512) << chip.name.str(); // 256 VGPRs and 256 AGPRs
      continue;
    }
    bool large = subtarget->checkFeatures("+allocate1_5xvgprs");
    EXPECT_EQ(chip.vgprs, 256) << chip.name.str();
    EXPECT_EQ(chip.simdVgprs, large ? 1536 : 1024) << chip.name.str();
  }
}

TEST(ChipTable, MatrixInstructionsAgreeWithLlvm) {
  for (const ChipInfo &chip : getChips()) {
    auto subtarget = getSubtarget(chip);
    EXPECT_EQ(chip.hasMfma, subtarget->checkFeatures("+mai-insts")) << chip.name.str();
    EXPECT_EQ(chip.hasWmma, subtarget->checkFeatures("+gfx11-insts")) << chip.name.str();
    EXPECT_EQ(chip.hasBackOffBarrier, subtarget->checkFeatures("+back-off-barrier"))
        << chip.name.str();
    EXPECT_EQ(chip.fp8 != Fp8Kind::None, subtarget->checkFeatures("+fp8-conversion-insts"))
        << chip.name.str();
    bool hasBf16 = chip.findMatrixInstruction({32, 32, 8}, DataType::BF16) != nullptr;
    EXPECT_EQ(hasBf16, subtarget->checkFeatures("+gfx90a-insts")) << chip.name.str();
    bool hasFp8 = chip.findMatrixInstruction({32, 32, 16}, DataType::FP8) != nullptr;
    EXPECT_EQ(hasFp8, subtarget->checkFeatures("+fp8-insts")) << chip.name.str();
    bool hasWideF16 = chip.findMatrixInstruction({32, 32, 16}, DataType::F16) != nullptr;
    EXPECT_EQ(hasWideF16, subtarget->checkFeatures("+gfx950-insts")) << chip.name.str();
    EXPECT_EQ(chip.hasTransposingReads, subtarget->checkFeatures("+gfx950-insts"))
        << chip.name.str();
  }
}

TEST(ChipTable, UnknownChipIsAnErrorThatListsTheKnownOnes) {
  llvm::Expected<const ChipInfo *> chip = getChip("gfx9999");
  ASSERT_FALSE(static_cast<bool>(chip));
  std::string message = llvm::toString(chip.takeError());
  EXPECT_EQ(message.find("unknown chip 'gfx9999'; expected one of gfx908, gfx90a, gfx942"), 0u)
      << message;
}

TEST(ChipTable, VgprBudgetIsSharedByTheWavesOfASimd) {
  const ChipInfo &chip = **getChip("gfx942");
  EXPECT_EQ(chip.getVgprBudget(1), 512);
  EXPECT_EQ(chip.getVgprBudget(4), 512);
  EXPECT_EQ(chip.getVgprBudget(5), 256);
  EXPECT_EQ(chip.getVgprBudget(16), 128);
}
