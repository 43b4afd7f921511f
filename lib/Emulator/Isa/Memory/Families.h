//===- Families.h - Instructions on memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One register function for each family: `register`, the folder and the name of its file.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FAMILIES_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FAMILIES_H

#include "Emulator/Decode/InstructionTable.h"

namespace ckemu {

/// Loads to scalar registers.
void registerMemoryScalarLoad(InstructionTable &table);
/// Atomic operations of the scalar unit, of the same chips.
void registerMemoryScalarAtomic(InstructionTable &table);
/// Stores of scalar registers, of gfx90a, gfx942 and gfx950.
void registerMemoryScalarStore(InstructionTable &table);
/// Global, flat and private memory.
void registerMemoryFlat(InstructionTable &table);
/// Atomic operations on global and flat memory.
void registerMemoryAtomic(InstructionTable &table);
/// Global accesses in which the number of the lane matters.
void registerMemoryFlatThread(InstructionTable &table);
/// Buffers.
void registerMemoryBuffer(InstructionTable &table);
/// Buffer accesses that convert elements.
void registerMemoryBufferFormat(InstructionTable &table);
/// Local data share.
void registerMemoryLds(InstructionTable &table);
/// LDS instructions that take their address from M0.
void registerMemoryLdsThread(InstructionTable &table);
/// Transposing reads of LDS, and loads of memory into it.
void registerMemoryLdsTranspose(InstructionTable &table);
/// The names that gfx11 and gfx12 give to scalar and memory instructions; comes last.
void registerMemoryAliases(InstructionTable &table);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FAMILIES_H
