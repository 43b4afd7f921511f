//===- LdsTranspose.h - Loads into LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the global, scratch and buffer loads that write to LDS instead of registers.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_LDSTRANSPOSE_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_LDSTRANSPOSE_H

#include "Emulator/Isa/Memory/MemoryFormat.h"

namespace ckemu {

/// Writes what the active lanes loaded to LDS: lane l at M0 + the instruction's offset + 4 l, or 16
/// l for more than one dword. Bytes and words of `values[0]` are extended first. False after a
/// fault.
bool storeLoadedToLds(Wave &wave, const Instruction *inst, const MemoryFormat &format,
                      Lanes (&values)[4]);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_LDSTRANSPOSE_H
