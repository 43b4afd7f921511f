//===- Families.h - Instructions on vector registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One register function for each family: `register`, the folder and the name of its file.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_VECTOR_FAMILIES_H
#define CK_MLIR_LIB_EMULATOR_ISA_VECTOR_FAMILIES_H

#include "Emulator/Decode/InstructionTable.h"

namespace ckemu {

/// Moves, exchanges and selections.
void registerVectorMove(InstructionTable &table);
/// Integer arithmetic.
void registerVectorInteger(InstructionTable &table);
/// Logic, shifts, bit fields and bytes.
void registerVectorBits(InstructionTable &table);
/// Functions of one floating-point value, also with scalar operands.
void registerVectorFloatFunctions(InstructionTable &table);
/// Sums, products and fused operations.
void registerVectorFloatArithmetic(InstructionTable &table);
/// The steps of divisions.
void registerVectorFloatDivision(InstructionTable &table);
/// Conversions between types.
void registerVectorConvert(InstructionTable &table);
/// Conversions with a scale, of gfx950.
void registerVectorConvertScaled(InstructionTable &table);
/// Comparisons.
void registerVectorCompare(InstructionTable &table);
/// Two or more values in a register.
void registerVectorPacked(InstructionTable &table);
/// Mixed precision, and dot products of integers.
void registerVectorMixed(InstructionTable &table);
/// Dot products of floats.
void registerVectorDot(InstructionTable &table);
/// Minima, maxima and medians of floats.
void registerVectorMinimumMaximum(InstructionTable &table);
/// Sums of absolute differences.
void registerVectorDifferences(InstructionTable &table);
/// Coordinates of cube maps.
void registerVectorCubeMap(InstructionTable &table);
/// Lanes read and written by number, and exchange through the LDS hardware.
void registerVectorLaneExchange(InstructionTable &table);
/// Lanes moved within and between rows.
void registerVectorLanePermutation(InstructionTable &table);
/// The names that gfx11 and gfx12 give to instructions of the other files; comes after them.
void registerVectorAliases(InstructionTable &table);
/// Instructions that are two; comes after all names of vector instructions.
void registerVectorDual(InstructionTable &table);

/// The handler of an instruction whose `extra.pointer` is `pair`: both halves read their sources
/// before either writes.
Handler selectPairHandler(const InstructionPair &pair);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTOR_FAMILIES_H
