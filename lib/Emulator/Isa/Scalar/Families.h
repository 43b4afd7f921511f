//===- Families.h - Instructions on scalar registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One register function for each family: `register`, the folder and the name of its file.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_SCALAR_FAMILIES_H
#define CK_MLIR_LIB_EMULATOR_ISA_SCALAR_FAMILIES_H

#include "Emulator/Decode/InstructionTable.h"

namespace ckemu {

/// Moves, and functions of the bits of one value.
void registerScalarBits(InstructionTable &table);
/// What computes the execution mask and keeps the old one.
void registerScalarExecMask(InstructionTable &table);
/// Two values: arithmetic, logic, shifts.
void registerScalarArithmetic(InstructionTable &table);
/// Comparisons, which set SCC.
void registerScalarCompare(InstructionTable &table);
/// One of them: its operands are no results.
void addComparison(InstructionTable &table, const std::string &name, Handler handler,
                   SourceType type);
/// Moves, sums and products with an immediate of 16 bits.
void registerScalarImmediate(InstructionTable &table);
/// MODE and other hardware registers.
void registerScalarHardwareRegisters(InstructionTable &table);
/// Register numbers that are relative to M0.
void registerScalarRelativeRegisters(InstructionTable &table);
/// Program control: branches, jumps, calls, barriers, waits, end of program.
void registerScalarControl(InstructionTable &table);
/// Floating-point instructions of gfx12.
void registerScalarFloat(InstructionTable &table);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_SCALAR_FAMILIES_H
