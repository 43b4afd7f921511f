//===- Recording.h - Tells recorders what waves access -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called where Wave::recorder is not null, after an access was checked and before it is made.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MEMORY_RECORDING_H
#define CK_MLIR_LIB_EMULATOR_MEMORY_RECORDING_H

#include "Emulator/Machine/Access.h"
#include "Emulator/Machine/Wave.h"

namespace ckemu {

/// The lanes of `lanes`, of which there may be none.
void recordGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                  unsigned size, Access access);
/// Lanes `lanes` of an atomic operation changed what they accessed; called after it was made.
void recordUpdate(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
                  unsigned size);
void recordScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size);
void recordScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                   unsigned size);
void recordLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
               unsigned size, Access access, unsigned conflicts);
void recordLdsUpdate(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                     unsigned size);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MEMORY_RECORDING_H
