//===- LdsBanks.h - Bank conflicts in LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LDS serves an access in phases of some lanes each. Lanes of a phase that want different dwords of
// one bank are served one after another; lanes of different phases do not meet.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MEMORY_LDSBANKS_H
#define CK_MLIR_LIB_EMULATOR_MEMORY_LDSBANKS_H

#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Decode/Lanes.h"

namespace ckemu {

/// Cycles that bank conflicts add to an access of `size` bytes by each of `lanes` at the byte
/// `offsets`. A load and the others (stores, atomics) may have different phases.
unsigned countBankConflicts(const ChipModel &chip, bool isLoad, const Lanes &offsets,
                            LaneMask lanes, unsigned size);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MEMORY_LDSBANKS_H
