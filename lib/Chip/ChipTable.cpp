//===- ChipTable.cpp - One row of facts per chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that knows chip names. Rows are derived from each other by named differences, so
// that a fact is written once. Sources of the facts:
//   [ISA]   the instruction set manual of the chip's generation (CDNA1-4, RDNA3, RDNA3.5, RDNA4)
//   [LLVM]  AMDGPUUsage and the subtarget features of LLVM 22; test/Unit/Chip compares with them
//   [DS]    AMD's data sheet of the product (number of CUs)
//   [CK]    Composable Kernel, include/ck/ck.hpp (word 3 of a buffer descriptor)
//
//===----------------------------------------------------------------------===//

#include "Chip/MatrixInstructions.h"
#include "ck-mlir/Chip/ChipInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <vector>

using namespace mlir::ck;

/// CDNA1: wave64, 64 KiB LDS of 32 banks, 4 SIMDs a CU, 256 VGPRs and 256 AGPRs a lane [ISA].
static ChipInfo makeGfx908() {
  ChipInfo chip;
  chip.name = "gfx908";
  chip.marketingName = "MI100";
  chip.waveSize = 64;
  chip.ldsBytes = 64 * 1024;
  chip.maxThreads = 1024; // [LLVM] amdgpu-flat-work-group-size
  chip.vgprs = 512;
  chip.simdVgprs = 512;
  chip.numCus = 120; // [DS]
  chip.simdsPerCu = 4;
  chip.ldsBanks = 32;
  chip.bufferFlags = 0x00020000; // [CK] gfx9: DATA_FORMAT 32
  chip.hasMfma = true;
  chip.hasBackOffBarrier = false; // [LLVM] feature back-off-barrier
  chip.hasAtomicF16 = true;       // [LLVM] feature atomic-buffer-global-pk-add-f16-no-rtn-insts
  chip.matrixInstructions = getGfx908Instructions();
  return chip;
}

/// CDNA2: one unified file of 512 registers; full-rate bf16 [ISA].
static ChipInfo makeGfx90a() {
  ChipInfo chip = makeGfx908();
  chip.name = "gfx90a";
  chip.marketingName = "MI250X";
  chip.hasBackOffBarrier = true; // [LLVM]
  chip.numCus = 110;             // [DS] one of the two dies
  chip.asyncCopyBytes = 4;       // [ISA] buffer_load_dword with lds
  chip.preloadsArguments = true; // [LLVM] feature kernarg-preload
  chip.matrixInstructions = getGfx90aInstructions();
  return chip;
}

/// CDNA3: 8-bit MFMA of twice the K, fp8 and bf8 (FNUZ) [ISA].
static ChipInfo makeGfx942() {
  ChipInfo chip = makeGfx90a();
  chip.name = "gfx942";
  chip.marketingName = "MI300X";
  chip.numCus = 304;          // [DS]
  chip.numXcds = 8;           // [DS]
  chip.writeThrough = 1 << 4; // [LLVM] sc1, as of stores of agent scope
  chip.fp8 = Fp8Kind::Fnuz;
  chip.matrixInstructions = getGfx942Instructions();
  return chip;
}

/// CDNA4: 160 KiB LDS of 64 banks, MFMA of twice the K, fp8 and bf8 (OCP) [ISA].
static ChipInfo makeGfx950() {
  ChipInfo chip = makeGfx942();
  chip.name = "gfx950";
  chip.marketingName = "MI355X";
  chip.ldsBytes = 160 * 1024;
  chip.ldsBanks = 64;
  chip.asyncCopyBytes = 16;        // [ISA] buffer_load_dwordx4 with lds
  chip.hasTransposingReads = true; // [ISA] ds_read_b64_tr_b16
  chip.numCus = 256;               // [DS]
  chip.hasAtomicBF16 = true;       // [LLVM] feature atomic-buffer-pk-add-bf16-inst
  chip.fp8 = Fp8Kind::Ocp;
  chip.matrixInstructions = getGfx950Instructions();
  return chip;
}

/// RDNA3: wave32, WMMA, 2 SIMDs a CU with 1536 registers a lane of which a wave uses 256 [ISA].
static ChipInfo makeGfx1100() {
  ChipInfo chip;
  chip.name = "gfx1100";
  chip.marketingName = "RX 7900 XTX";
  chip.waveSize = 32;
  chip.ldsBytes = 64 * 1024; // [LLVM] one workgroup's limit
  chip.maxThreads = 1024;    // [LLVM]
  chip.vgprs = 256;
  chip.simdVgprs = 1536; // [LLVM] feature 1_5xvgprs
  chip.numCus = 96;      // [DS]
  chip.simdsPerCu = 2;
  chip.ldsBanks = 32;
  chip.bufferFlags = 0x31004000; // [CK] gfx11 and gfx12
  chip.hasWmma = true;
  // LLVM 22.1 loses halves of registers where it names them: elements of vectors of halves are not
  // moved into place at -O1 and above. With whole registers it is right.
  chip.features = "-real-true16";
  chip.matrixInstructions = getGfx11Instructions();
  return chip;
}

static ChipInfo makeGfx1101() {
  ChipInfo chip = makeGfx1100();
  chip.name = "gfx1101";
  chip.marketingName = "RX 7800 XT";
  chip.numCus = 60; // [DS]
  return chip;
}

/// The smaller register file of RDNA3: 1024 registers a lane [LLVM].
static ChipInfo makeGfx1102() {
  ChipInfo chip = makeGfx1100();
  chip.name = "gfx1102";
  chip.marketingName = "RX 7600";
  chip.numCus = 32; // [DS]
  chip.simdVgprs = 1024;
  return chip;
}

static ChipInfo makeGfx1103() {
  ChipInfo chip = makeGfx1102();
  chip.name = "gfx1103";
  chip.marketingName = "Radeon 780M";
  chip.numCus = 12; // [DS]
  return chip;
}

/// RDNA3.5.
static ChipInfo makeGfx1150() {
  ChipInfo chip = makeGfx1102();
  chip.name = "gfx1150";
  chip.marketingName = "Radeon 890M";
  chip.numCus = 16; // [DS]
  return chip;
}

static ChipInfo makeGfx1151() {
  ChipInfo chip = makeGfx1100();
  chip.name = "gfx1151";
  chip.marketingName = "Radeon 8060S";
  chip.numCus = 40; // [DS]
  return chip;
}

/// RDNA4: WMMA without repeated operands, fp8 and bf8 (OCP) [ISA].
static ChipInfo makeGfx1200() {
  ChipInfo chip = makeGfx1100();
  chip.name = "gfx1200";
  chip.marketingName = "RX 9060 XT";
  chip.numCus = 32; // [DS]
  chip.features = "";
  chip.fp8 = Fp8Kind::Ocp;
  chip.matrixInstructions = getGfx12Instructions();
  chip.hasAtomicF16 = chip.hasAtomicBF16 = true; // [LLVM]
  return chip;
}

static ChipInfo makeGfx1201() {
  ChipInfo chip = makeGfx1200();
  chip.name = "gfx1201";
  chip.marketingName = "RX 9070 XT";
  chip.numCus = 64; // [DS]
  return chip;
}

llvm::ArrayRef<ChipInfo> mlir::ck::getChips() {
  static const std::vector<ChipInfo> chips = {
      makeGfx908(),  makeGfx90a(),  makeGfx942(),  makeGfx950(),  makeGfx1100(), makeGfx1101(),
      makeGfx1102(), makeGfx1103(), makeGfx1150(), makeGfx1151(), makeGfx1200(), makeGfx1201()};
  return chips;
}

llvm::Expected<const ChipInfo *> mlir::ck::getChip(llvm::StringRef name) {
  llvm::ArrayRef<ChipInfo> chips = getChips();
  const ChipInfo *found = llvm::find_if(chips, [&](const ChipInfo &c) { return c.name == name; });
  if (found != chips.end())
    return found;
  std::string known =
      llvm::join(llvm::map_range(chips, [](const ChipInfo &c) { return c.name; }), ", ");
  return llvm::createStringError("unknown chip '" + name + "'; expected one of " + known);
}

int64_t ChipInfo::getAtomicWidth(DataType type) const {
  switch (type) {
  case DataType::F32:
  case DataType::I32:
    return 1;
  case DataType::F16:
    return hasAtomicF16 ? 2 : 0;
  case DataType::BF16:
    return hasAtomicBF16 ? 2 : 0;
  default:
    return 0;
  }
}

int64_t ChipInfo::getVgprBudget(int64_t waves) const {
  int64_t wavesPerSimd = std::max<int64_t>(1, (waves + simdsPerCu - 1) / simdsPerCu);
  return std::min(vgprs, simdVgprs / wavesPerSimd);
}
