//===- Families.h - Matrix products -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One register function for each family: `register`, the folder and the name of its file.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MATRIX_FAMILIES_H
#define CK_MLIR_LIB_EMULATOR_ISA_MATRIX_FAMILIES_H

#include "Emulator/Decode/InstructionTable.h"

namespace ckemu {

/// Products of dense matrices on gfx90a, gfx942 and gfx950.
void registerMatrixMfma(InstructionTable &table);
/// The same with scaled elements, on gfx950.
void registerMatrixMfmaScaled(InstructionTable &table);
/// Products with a sparse matrix.
void registerMatrixSmfmac(InstructionTable &table);
/// Products on gfx11 and gfx12.
void registerMatrixWmma(InstructionTable &table);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MATRIX_FAMILIES_H
