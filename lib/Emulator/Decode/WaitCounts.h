//===- WaitCounts.h - What waves wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_WAITCOUNTS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_WAITCOUNTS_H

#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Decode/Instruction.h"

namespace ckemu {

/// The counts of a wait of code for `chip`.
WaitCounts decodeWait(const Instruction &inst, const ChipModel &chip);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_WAITCOUNTS_H
