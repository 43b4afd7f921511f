//===- Families.h - The instruction families -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One register function per file of this folder; registerAllFamilies (Families.cpp) calls each. To
// add a family: a new file with its register function, a line here, a line there, a line in
// CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_FAMILIES_H
#define CK_MLIR_LIB_EMULATOR_ISA_FAMILIES_H

#include "Emulator/Decode/InstructionTable.h"

namespace mlir::ck::emulator {

/// Program control: branches, barrier, waits, end of program.
void registerSopp(InstructionTable &table);
/// Scalar instructions with one, two and no result, and with an immediate.
void registerSop1(InstructionTable &table);
void registerSop2(InstructionTable &table);
void registerSopc(InstructionTable &table);
void registerSopk(InstructionTable &table);
/// Scalar floating-point instructions of gfx12.
void registerSopFloat(InstructionTable &table);
/// Scalar memory.
void registerSmem(InstructionTable &table);
/// Vector integer instructions with one, two and three operands.
void registerVop1(InstructionTable &table);
void registerVop2(InstructionTable &table);
void registerVop3(InstructionTable &table);
/// Vector floating-point instructions with one, two and three operands, and conversions.
void registerVop1Float(InstructionTable &table);
void registerVop2Float(InstructionTable &table);
void registerVop3Float(InstructionTable &table);
void registerVopConvert(InstructionTable &table);
/// Vector comparisons.
void registerVopc(InstructionTable &table);
/// Vector instructions of gfx9 that only some chips have or that others renamed.
void registerVopCdna(InstructionTable &table);
void registerVopScale(InstructionTable &table);
/// Packed, mixed-precision and dot-product instructions.
void registerVop3p(InstructionTable &table);
void registerVop3Mix(InstructionTable &table);
void registerVopDot(InstructionTable &table);
/// Vector instructions that gfx11 and gfx12 have and gfx9 has not.
void registerVopRdna(InstructionTable &table);
/// Their scalar forms, relative moves and exchanges of halves.
void registerVopRdnaMisc(InstructionTable &table);
/// Permutations of lanes within rows and halves.
void registerPermlane(InstructionTable &table);
/// Instructions that are two; comes after all names of vector instructions.
void registerVopd(InstructionTable &table);
/// Matrix products.
void registerMfma(InstructionTable &table);
void registerMfmaScaled(InstructionTable &table);
void registerSmfmac(InstructionTable &table);
void registerWmma(InstructionTable &table);
/// Exchange between lanes.
void registerCrossLane(InstructionTable &table);
/// Local data share.
void registerLds(InstructionTable &table);
/// LDS instructions that take their address from M0.
void registerLdsThread(InstructionTable &table);
/// Transposing reads of LDS, and loads of memory into it.
void registerLdsMatrix(InstructionTable &table);
/// Global, flat and scratch memory, atomics on them, and buffers.
void registerVmem(InstructionTable &table);
void registerVmemAtomic(InstructionTable &table);
/// Global accesses of gfx11 and gfx12 in which the number of the lane matters.
void registerVmemLane(InstructionTable &table);
void registerBuffer(InstructionTable &table);
/// Buffer accesses that convert elements.
void registerBufferFormat(InstructionTable &table);

/// The names that gfx11 and gfx12 give to instructions of the families above; comes last.
void registerRdnaNames(InstructionTable &table);
void registerRdnaVectorNames(InstructionTable &table);

/// Calls every function above.
void registerAllFamilies(InstructionTable &table);

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_ISA_FAMILIES_H
