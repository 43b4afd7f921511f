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

#include "ck-mlir/Emulator/InstructionTable.h"

namespace mlir::ck::emulator {

/// Program control: branches, barrier, waits, end of program.
void registerSopp(InstructionTable &table);

/// Calls every function above.
void registerAllFamilies(InstructionTable &table);

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_ISA_FAMILIES_H
