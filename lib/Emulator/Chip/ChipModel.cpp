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

static constexpr LdsAccesses kCdnaLds = {{&kInOrder32, &kInOrder16, &kCrossed8, &kCrossed8},
                                         {&kInOrder32, &kInOrder16, &kInOrder8, &kInOrder8}};
static constexpr LdsAccesses kGfx950Lds = {{&kDoubled32, &kDoubled32, &kCrossed8, &kDoubled16},
                                           {&kInOrder32, &kInOrder16, &kInOrder8, &kInOrder8}};
static constexpr LdsAccesses kRdnaLds = {{&kInOrder32, &kInOrder16, &kInOrder8, &kInOrder8},
                                         {&kInOrder32, &kInOrder16, &kInOrder8, &kInOrder8}};

/// CDNA3: 4 SIMDs a unit; 512 registers per lane and SIMD shared by VGPRs and AGPRs. Matrix rates:
/// the CDNA3 instruction set reference and AMD's matrix instruction calculator.
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
                                      /*writesBackL2=*/true,
                                      /*unitsPerScalarCache=*/2,
                                      {{0, 4}, {14, 2}, {8, 4}, /*countsStores=*/true},
                                      &kCdnaLds,
                                      MatrixRates(),
                                      &kGfx942Figures};

/// CDNA2: scratch through a buffer descriptor or FLAT_SCRATCH; one die, whose L2 all see.
static constexpr ChipModel makeGfx90a() {
  ChipModel chip = kGfx942;
  chip.name = "gfx90a";
  chip.isa = Isa::Gfx90a;
  chip.architectedFlatScratch = false;
  chip.writesBackL2 = false;
  chip.matrixRates.bits16 = chip.matrixRates.bits16Deep = 128;
  chip.matrixRates.bits8 = chip.matrixRates.bits8Deep = 128;
  chip.timing = &kGfx90aFigures;
  return chip;
}

/// CDNA4: 160 KiB of LDS; f64 products at half of the rate, those with twice the k at twice.
static constexpr ChipModel makeGfx950() {
  ChipModel chip = kGfx942;
  chip.name = "gfx950";
  chip.isa = Isa::Gfx950;
  chip.ldsBytes = chip.unitLdsBytes = 160 * 1024;
  chip.ldsGranule = 1280;
  chip.lds = &kGfx950Lds;
  chip.matrixRates.f64 = 16;
  chip.matrixRates.bits16Deep = 512;
  chip.matrixRates.bits8Deep = 1024;
  chip.timing = &kGfx950Figures;
  return chip;
}

/// RDNA3: WGPs of 4 SIMDs, each a pair of units; wave32 with 1536 registers per lane and SIMD.
static constexpr ChipModel makeRdna3(llvm::StringLiteral name) {
  ChipModel chip = kGfx942;
  chip.name = name;
  chip.isa = Isa::Gfx11;
  chip.targetFeatures = "";
  chip.waveSize = 32;
  chip.wavesPerSimd = 16;
  chip.registersPerSimd = 1536;
  chip.registerGranule = 24;
  chip.unitLdsBytes = 128 * 1024;
  chip.ldsGranule = 1024;
  chip.maxGroupsPerUnit = 32;
  chip.unifiedRegisters = false;
  chip.writesBackL2 = false;
  chip.unitsPerScalarCache = 1;
  chip.waits = {{10, 6}, {}, {4, 6}, /*countsStores=*/false};
  chip.lds = &kRdnaLds;
  chip.matrixRates.wmma16 = chip.matrixRates.wmma8 = 32;
  chip.matrixRates.wmma4 = 16;
  chip.timing = &kGfx1100Figures;
  return chip;
}

/// RDNA4: waits are instructions of their own; WMMA at twice and four times the rate.
static constexpr ChipModel makeGfx1201() {
  ChipModel chip = makeRdna3("gfx1201");
  chip.isa = Isa::Gfx12;
  chip.matrixRates.wmma16 = 16;
  chip.matrixRates.wmma8 = chip.matrixRates.wmma4 = 8;
  chip.timing = &kGfx1201Figures;
  return chip;
}

static constexpr ChipModel kProcessors[] = {
    makeGfx90a(), kGfx942, makeGfx950(), makeRdna3("gfx1100"), makeRdna3("gfx1101"), makeGfx1201()};

const ChipModel &ckemu::getDefaultChip() { return kGfx942; }

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
