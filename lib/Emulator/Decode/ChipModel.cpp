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

#include "Emulator/Decode/ChipModel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::ck::emulator;

/// MI300X: 304 CUs of 4 SIMDs; 512 registers per lane and SIMD shared by VGPRs and AGPRs.
static constexpr ChipModel kGfx942 = {"gfx942",
                                      Isa::Gfx942,
                                      "AMD Instinct MI300X (ck-mlir emulator)",
                                      ":sramecc+:xnack-",
                                      /*waveSize=*/64,
                                      /*computeUnits=*/304,
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
                                      /*clockKHz=*/2100000,
                                      /*memoryClockKHz=*/1300000,
                                      /*memoryBusBits=*/8192,
                                      /*memoryBytes=*/192ull << 30,
                                      /*l2Bytes=*/4 << 20};

/// One of the two dies of an MI250X; scratch through a buffer descriptor or FLAT_SCRATCH.
static constexpr ChipModel makeGfx90a() {
  ChipModel chip = kGfx942;
  chip.name = "gfx90a";
  chip.isa = Isa::Gfx90a;
  chip.product = "AMD Instinct MI250X (ck-mlir emulator)";
  chip.computeUnits = 110;
  chip.architectedFlatScratch = false;
  chip.clockKHz = 1700000;
  chip.memoryClockKHz = 1600000;
  chip.memoryBusBits = 4096;
  chip.memoryBytes = 64ull << 30;
  chip.l2Bytes = 8 << 20;
  return chip;
}

/// MI355X: 160 KiB of LDS.
static constexpr ChipModel makeGfx950() {
  ChipModel chip = kGfx942;
  chip.name = "gfx950";
  chip.isa = Isa::Gfx950;
  chip.product = "AMD Instinct MI355X (ck-mlir emulator)";
  chip.computeUnits = 256;
  chip.ldsBytes = chip.unitLdsBytes = 160 * 1024;
  chip.ldsGranule = 1280;
  chip.clockKHz = 2400000;
  chip.memoryClockKHz = 2000000;
  chip.memoryBytes = 288ull << 30;
  return chip;
}

/// RX 7900 XTX: 48 WGPs of 4 SIMDs; wave32 with 1536 registers per lane and SIMD.
static constexpr ChipModel makeGfx1100() {
  ChipModel chip = kGfx942;
  chip.name = "gfx1100";
  chip.isa = Isa::Gfx11;
  chip.product = "AMD Radeon RX 7900 XTX (ck-mlir emulator)";
  chip.targetFeatures = "";
  chip.waveSize = 32;
  chip.computeUnits = 48;
  chip.wavesPerSimd = 16;
  chip.registersPerSimd = 1536;
  chip.registerGranule = 24;
  chip.unitLdsBytes = 128 * 1024;
  chip.ldsGranule = 1024;
  chip.maxGroupsPerUnit = 32;
  chip.unifiedRegisters = false;
  chip.clockKHz = 2500000;
  chip.memoryClockKHz = 1250000;
  chip.memoryBusBits = 384;
  chip.memoryBytes = 24ull << 30;
  chip.l2Bytes = 6 << 20;
  return chip;
}

/// RX 9070 XT: 32 WGPs.
static constexpr ChipModel makeGfx1201() {
  ChipModel chip = makeGfx1100();
  chip.name = "gfx1201";
  chip.isa = Isa::Gfx12;
  chip.product = "AMD Radeon RX 9070 XT (ck-mlir emulator)";
  chip.computeUnits = 32;
  chip.clockKHz = 2970000;
  chip.memoryClockKHz = 1258000;
  chip.memoryBusBits = 256;
  chip.memoryBytes = 16ull << 30;
  chip.l2Bytes = 8 << 20;
  return chip;
}

static constexpr ChipModel kChips[] = {makeGfx90a(), kGfx942, makeGfx950(), makeGfx1100(),
                                       makeGfx1201()};

llvm::ArrayRef<ChipModel> mlir::ck::emulator::getChipModels() { return kChips; }

llvm::Expected<const ChipModel *> mlir::ck::emulator::getChipModel(llvm::StringRef name) {
  std::string known;
  for (const ChipModel &chip : kChips) {
    if (chip.name == name)
      return &chip;
    known += (known.empty() ? "" : ", ") + chip.name.str();
  }
  return llvm::createStringError("chip must be one of " + known + ", got '" + name + "'");
}

unsigned mlir::ck::emulator::getGroupsPerUnit(const ChipModel &chip,
                                              const GroupResources &resources) {
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
