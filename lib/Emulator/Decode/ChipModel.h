//===- ChipModel.h - What the emulator must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator's own table, deliberately separate from the compiler's: the judge shares no facts
// with the judged. Figures are those of the instruction set references and LLVM's AMDGPU usage
// document; the number of CUs is that of the product named.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_CHIPMODEL_H
#define CK_MLIR_LIB_EMULATOR_DECODE_CHIPMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace mlir::ck::emulator {

/// What decides which instructions exist and what they do.
enum class Isa : uint8_t {
  Gfx90a, ///< CDNA2
  Gfx942, ///< CDNA3
  Gfx950, ///< CDNA4
  Gfx11,  ///< RDNA3
  Gfx12   ///< RDNA4
};
/// All of Isa, in order.
inline constexpr Isa kIsas[] = {Isa::Gfx90a, Isa::Gfx942, Isa::Gfx950, Isa::Gfx11, Isa::Gfx12};
/// gfx90a, gfx942 and gfx950: wave64, AGPRs, MFMA, the encodings and names of gfx9.
constexpr bool isCdna(Isa isa) { return isa <= Isa::Gfx950; }

/// One chip.
struct ChipModel {
  llvm::StringLiteral name; ///< LLVM processor, "gfx942"
  Isa isa;
  llvm::StringLiteral product;        ///< device name
  llvm::StringLiteral targetFeatures; ///< suffix of gcnArchName, ":sramecc+:xnack-"
  unsigned waveSize;                  ///< lanes of a wave, where a kernel can choose: by default
  /// What workgroups are placed on: CUs, or the WGPs of RDNA, which are pairs of CUs.
  unsigned computeUnits;
  unsigned simdsPerUnit;
  unsigned wavesPerSimd;
  /// 32-bit vector registers per lane that the waves of a SIMD share, the allocation granule of a
  /// wave and the granule that descriptors count in: for waves of `waveSize`. Waves of twice as
  /// many lanes have half of each.
  unsigned registersPerSimd;
  unsigned registerGranule;
  unsigned encodingGranule;
  unsigned ldsBytes;     ///< largest per workgroup
  unsigned unitLdsBytes; ///< per compute unit
  unsigned ldsGranule;
  unsigned maxGroupsPerUnit;   ///< workgroups of more than one wave
  bool unifiedRegisters;       ///< AGPRs share the file and the allocation with VGPRs (gfx90a+)
  bool architectedFlatScratch; ///< scratch is set up by the hardware (gfx942+)
  bool packedWorkItemIds;      ///< v0 holds x, y and z in 10 bits each (gfx90a+)
  unsigned clockKHz;
  unsigned memoryClockKHz;
  unsigned memoryBusBits;
  uint64_t memoryBytes;
  unsigned l2Bytes;
};

/// All models, in the order of the chips' names.
llvm::ArrayRef<ChipModel> getChipModels();

/// The model of `name`; an error lists the chips that are modelled.
llvm::Expected<const ChipModel *> getChipModel(llvm::StringRef name);

/// Resources of one workgroup that limit how many are resident.
struct GroupResources {
  unsigned waveSize = 64;
  unsigned waves = 1;
  bool halfUnit = false; ///< CU mode of RDNA: the waves share one of the two halves of the unit
  unsigned vectorRegisters = 0; ///< per wave, VGPRs and AGPRs together where they are unified
  unsigned ldsBytes = 0;
};

/// Workgroups that one compute unit holds at a time; 0 when one does not fit.
unsigned getGroupsPerUnit(const ChipModel &chip, const GroupResources &resources);

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_DECODE_CHIPMODEL_H
