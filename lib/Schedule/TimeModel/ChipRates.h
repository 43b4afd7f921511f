//===- ChipRates.h - How fast the units of a chip are -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts, none of which is calibrated.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_TIMEMODEL_CHIPRATES_H
#define CK_MLIR_LIB_SCHEDULE_TIMEMODEL_CHIPRATES_H

#include "ck-mlir/Chip/ChipInfo.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// Of one chip.
struct ChipRates {
  llvm::StringLiteral chip;
  double clockMHz;
  /// Multiply-accumulates of a SIMD in a cycle by size of an element, and by how much of 1 full
  /// matrix pipes slow the clock.
  double macs16, macs8, macs32;
  double slowdown16, slowdown8, slowdown32;
  double slowdownRows32; ///< factor for these of matrix instructions with 32 rows
  double valuCycles;     ///< of a vector instruction of a wave
  double mostWaves;      ///< of a SIMD
  /// Compute units that share workgroups and LDS, each with an L1 of its own. What follows is of
  /// such a unit, a compute unit of CDNA or a work group processor of RDNA, unless it says
  /// otherwise.
  int64_t cusPerUnit;
  double ldsBytes, ldsBytesPerCycle;
  double l1Bytes, l1Line;
  double l1BytesPerCycle, fillBytesPerCycle;
  double l2Bytes, l2BytesPerCycle; ///< of an XCD
  double mallBytes, mallGigabytes; ///< 0 without one
  double memoryGigabytes;
  double memoryCycles, cachedCycles; ///< of a load from memory, and from the last cache before it
  double dispatchCycles;             ///< of an XCD for the start of a wave

  int64_t getUnits(const ChipInfo &info) const { return info.numCus / cusPerUnit; }
  int64_t getSimdsPerUnit(const ChipInfo &info) const { return info.simdsPerCu * cusPerUnit; }
};

const ChipRates &getChipRates(const ChipInfo &chip);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_TIMEMODEL_CHIPRATES_H
