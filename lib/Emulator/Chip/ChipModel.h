//===- ChipModel.h - What the emulator must know of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator's own table, deliberately separate from the compiler's: the judge shares no facts
// with the judged. What code meets is that of the instruction set references and of LLVM's AMDGPU
// usage document. There is one row for each processor in ChipModel.cpp, which is all of the chip;
// what differs from one product with such a processor to the next stands in Products.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHIP_CHIPMODEL_H
#define CK_MLIR_LIB_EMULATOR_CHIP_CHIPMODEL_H

#include "Emulator/Chip/LdsPhases.h"
#include "Emulator/Chip/MatrixRates.h"
#include "Emulator/Chip/TimingFigures.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace ckemu {

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

/// What a product is sold as, or a partition of one.
struct ChipProduct {
  llvm::StringLiteral chip; ///< LLVM processor, "gfx942"
  llvm::StringLiteral name; ///< what CK_EMULATOR_CHIP has behind the colon, "mi300x"
  llvm::StringLiteral deviceName;
  unsigned computeUnits;    ///< CUs, or WGPs of RDNA
  unsigned xcds;            ///< dies that these are divided into, each with an L2
  unsigned clockMHz;        ///< peak engine clock
  unsigned l2Bytes;         ///< of a die
  unsigned l2Channels;      ///< of a die
  uint64_t mallBytes;       ///< Infinity Cache; 0 where there is none
  unsigned mallGigabytes;   ///< GB/s
  uint64_t memoryBytes;     ///< on the device
  unsigned memoryGigabytes; ///< GB/s at best
  unsigned memoryClockMHz;  ///< as HIP reports it
  unsigned memoryBusBits;
  double powerShare; ///< of how the matrix pipes slow the clock: 1 on the full chip
  llvm::StringLiteral source;
};

/// Bits of an immediate.
struct BitField {
  uint8_t shift = 0, width = 0;

  constexpr unsigned read(unsigned bits) const { return bits >> shift & ((1u << width) - 1); }
};

/// Where the counters stand in the immediate of s_waitcnt.
struct WaitFields {
  BitField loads, highLoads; ///< low and high bits
  BitField lds;              ///< also of scalar loads
  bool countsStores;         ///< the counter of loads counts stores as well
};

/// One chip.
struct ChipModel {
  llvm::StringLiteral name; ///< LLVM processor, "gfx942"
  Isa isa;
  llvm::StringLiteral targetFeatures; ///< suffix of gcnArchName, ":sramecc+:xnack-"
  unsigned waveSize;                  ///< lanes of a wave, where a kernel can choose: by default
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
  unsigned maxGroupsPerUnit;    ///< workgroups of more than one wave
  bool unifiedRegisters;        ///< AGPRs share the file and the allocation with VGPRs (gfx90a+)
  bool architectedFlatScratch;  ///< scratch is set up by the hardware (gfx942+)
  bool packedWorkItemIds;       ///< v0 holds x, y and z in 10 bits each (gfx90a+)
  bool writesBackL2;            ///< what one XCD stores, others see when its L2 is written back
  unsigned unitsPerScalarCache; ///< units that share a scalar and an instruction cache
  WaitFields waits;
  const LdsAccesses *lds;
  MatrixRates matrixRates;
  const TimingFigures *timing;
  const ChipProduct *product = nullptr;
};

/// gfx942, the model where nothing is said.
const ChipModel &getDefaultChip();

/// The processors in the order of their names, each without a product.
llvm::ArrayRef<ChipModel> getProcessors();
/// All products, those of one processor beside each other.
llvm::ArrayRef<ChipProduct> getProducts();

/// A model of each processor with its first product, in the order of names, and of each product.
llvm::ArrayRef<ChipModel> getChipModels();
llvm::ArrayRef<ChipModel> getProductModels();

/// The model of `name`, "gfx942" or "gfx942:mi308x"; without a product, the first one of the
/// processor. An error lists what is modelled.
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

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHIP_CHIPMODEL_H
