//===- VectorLevel.h - Handlers for the host's vectors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers of instructions are loops over the lanes of a wave, which are as fast as the vectors
// of the host are wide. The emulator itself is portable, its handlers included; beside it lie
// libraries with the same handlers for levels of the x86-64 architecture. Each library holds all
// that its handlers call, so that no function compiled for wider vectors runs on a host without
// them. Every level computes the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_VECTORLEVEL_H
#define CK_MLIR_LIB_EMULATOR_ISA_VECTORLEVEL_H

#include "Emulator/Isa/InstructionTables.h"

namespace ckemu {

/// A level and its tables.
struct VectorLevel {
  llvm::StringRef name; ///< "portable" or that of the architecture, "x86-64-v3"
  const InstructionTable &(*getTable)(Isa isa);
};

/// Whether the processor has level `name`.
bool hasVectorLevel(llvm::StringRef name);

/// Level `name` from its library in `folder`. An error says what is missing.
llvm::Expected<VectorLevel> loadVectorLevel(llvm::StringRef name, llvm::StringRef folder);

/// The level that CK_EMULATOR_VECTORS names; for `auto`, or where the variable is not set, the
/// widest that the host has and that lies beside the emulator. An error names the variable, or the
/// library that cannot be loaded.
llvm::Expected<VectorLevel> selectVectorLevel();

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTORLEVEL_H
