//===- InstructionTables.h - The instructions of each chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever loads code objects hands the table of the chip to the decoder, which knows no family.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_INSTRUCTIONTABLES_H
#define CK_MLIR_LIB_EMULATOR_ISA_INSTRUCTIONTABLES_H

#include "Emulator/Decode/InstructionTable.h"

namespace ckemu {

/// The table of `isa` with every family below this folder (built once, thread safe).
const InstructionTable &getInstructionTable(Isa isa);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_INSTRUCTIONTABLES_H
