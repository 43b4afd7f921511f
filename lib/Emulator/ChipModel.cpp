//===- ChipModel.cpp - What the emulator must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows, and the occupancy rule.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Emulator/ChipModel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::ck::emulator;

/// MI300X: 304 CUs of 4 SIMDs; 512 registers per lane and SIMD shared by VGPRs and AGPRs.
static constexpr ChipModel kGfx942 = {"gfx942",
                                      "AMD Instinct MI300X (ck-mlir emulator)",
                                      ":sramecc+:xnack-",
                                      /*waveSize=*/64,
                                      /*computeUnits=*/304,
                                      /*simdsPerUnit=*/4,
                                      /*wavesPerSimd=*/8,
                                      /*registersPerSimd=*/512,
                                      /*registerGranule=*/8,
                                      /*ldsBytes=*/64 * 1024,
                                      /*ldsGranule=*/512,
                                      /*maxGroupsPerUnit=*/16,
                                      /*unifiedRegisters=*/true,
                                      /*architectedFlatScratch=*/true,
                                      /*packedWorkItemIds=*/true,
                                      /*clockKHz=*/2100000,
                                      /*memoryClockKHz=*/1300000,
                                      /*memoryBusBits=*/8192,
                                      /*memoryBytes=*/192ull << 30,
                                      /*l2Bytes=*/4 << 20};

static const ChipModel *const kChips[] = {&kGfx942};

llvm::Expected<const ChipModel *> mlir::ck::emulator::getChipModel(llvm::StringRef name) {
  std::string known;
  for (const ChipModel *chip : kChips) {
    if (chip->name == name)
      return chip;
    known += (known.empty() ? "" : ", ") + chip->name.str();
  }
  return llvm::createStringError("chip must be one of " + known + ", got '" + name + "'");
}

unsigned mlir::ck::emulator::getGroupsPerUnit(const ChipModel &chip,
                                              const GroupResources &resources) {
  unsigned registers =
      unsigned(llvm::alignTo(std::max(1u, resources.vectorRegisters), chip.registerGranule));
  unsigned wavesPerSimd = std::min(chip.wavesPerSimd, chip.registersPerSimd / registers);
  unsigned waves = std::max(1u, resources.waves);
  unsigned groups = wavesPerSimd * chip.simdsPerUnit / waves;
  // Waves of one group are spread over the SIMDs; a group that needs an uneven share still needs
  // room on each SIMD that it uses.
  unsigned wavesOnFullestSimd = unsigned(llvm::divideCeil(waves, chip.simdsPerUnit));
  if (wavesOnFullestSimd > wavesPerSimd)
    return 0;
  if (unsigned lds = unsigned(llvm::alignTo(resources.ldsBytes, chip.ldsGranule)))
    groups = std::min(groups, chip.ldsBytes / lds);
  if (waves > 1)
    groups = std::min(groups, chip.maxGroupsPerUnit);
  return groups;
}
