//===- ChipModel.cpp - What the emulator must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processors, and the occupancy rule.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Chip/ChipModel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace ckemu;

/// CDNA3: 4 SIMDs a unit; 512 registers per lane and SIMD shared by VGPRs and AGPRs.
static constexpr ChipModel kGfx942 = {"gfx942",
                                      Isa::Gfx942,
                                      ":sramecc+:xnack-",
                                      /*waveSize=*/64,
                                      /*simdsPerUnit=*/4,
                                      /*wavesPerSimd=*/8,
                                      /*registersPerSimd=*/512,
                                      /*registerGranule=*/8,
                                      /*encodingGranule=*/8,
                                      /*ldsBytes=*/64 * 1024,
                                      /*unitLdsBytes=*/64 * 1024,
                                      /*ldsGranule=*/512,
                                      /*maxGroupsPerUnit=*/16,
                                      /*unifiedRegisters=*/true,
                                      /*architectedFlatScratch=*/true,
                                      /*packedWorkItemIds=*/true,
                                      /*product=*/nullptr};

/// CDNA2: scratch through a buffer descriptor or FLAT_SCRATCH.
static constexpr ChipModel makeGfx90a() {
  ChipModel chip = kGfx942;
  chip.name = "gfx90a";
  chip.isa = Isa::Gfx90a;
  chip.architectedFlatScratch = false;
  return chip;
}

/// CDNA4: 160 KiB of LDS.
static constexpr ChipModel makeGfx950() {
  ChipModel chip = kGfx942;
  chip.name = "gfx950";
  chip.isa = Isa::Gfx950;
  chip.ldsBytes = chip.unitLdsBytes = 160 * 1024;
  chip.ldsGranule = 1280;
  return chip;
}

/// RDNA3: WGPs of 4 SIMDs; wave32 with 1536 registers per lane and SIMD.
static constexpr ChipModel makeRdna(llvm::StringLiteral name, Isa isa) {
  ChipModel chip = kGfx942;
  chip.name = name;
  chip.isa = isa;
  chip.targetFeatures = "";
  chip.waveSize = 32;
  chip.wavesPerSimd = 16;
  chip.registersPerSimd = 1536;
  chip.registerGranule = 24;
  chip.unitLdsBytes = 128 * 1024;
  chip.ldsGranule = 1024;
  chip.maxGroupsPerUnit = 32;
  chip.unifiedRegisters = false;
  return chip;
}

static constexpr ChipModel kProcessors[] = {makeGfx90a(),
                                            kGfx942,
                                            makeGfx950(),
                                            makeRdna("gfx1100", Isa::Gfx11),
                                            makeRdna("gfx1101", Isa::Gfx11),
                                            makeRdna("gfx1201", Isa::Gfx12)};

llvm::ArrayRef<ChipModel> ckemu::getProcessors() { return kProcessors; }

unsigned ckemu::getGroupsPerUnit(const ChipModel &chip, const GroupResources &resources) {
  const unsigned scale = resources.waveSize / chip.waveSize, parts = resources.halfUnit ? 2 : 1;
  const unsigned simds = chip.simdsPerUnit / parts;
  unsigned registers = unsigned(
      llvm::alignTo(std::max(1u, resources.vectorRegisters), chip.registerGranule / scale));
  unsigned wavesPerSimd = std::min(chip.wavesPerSimd, chip.registersPerSimd / scale / registers);
  unsigned waves = std::max(1u, resources.waves);
  unsigned groups = wavesPerSimd * simds / waves;
  // Waves of one group are spread over the SIMDs; a group that needs an uneven share still needs
  // room on each SIMD that it uses.
  unsigned wavesOnFullestSimd = unsigned(llvm::divideCeil(waves, simds));
  if (wavesOnFullestSimd > wavesPerSimd)
    return 0;
  if (unsigned lds = unsigned(llvm::alignTo(resources.ldsBytes, chip.ldsGranule)))
    groups = std::min(groups, chip.unitLdsBytes / parts / lds);
  if (waves > 1)
    groups = std::min(groups, chip.maxGroupsPerUnit / parts);
  return groups * parts;
}
