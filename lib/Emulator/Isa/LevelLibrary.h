//===- LevelLibrary.h - What the library of a level exports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one function of libck_emulator_LEVEL.so that the emulator finds by name.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_LEVELLIBRARY_H
#define CK_MLIR_LIB_EMULATOR_ISA_LEVELLIBRARY_H

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Machine/Wave.h"
#include <cstring>

namespace ckemu {

/// The tables of a library, and what tells it from a library of another build: handlers work on
/// objects of the emulator, whose layout must be the same.
struct LevelDescription {
  const InstructionTable &(*getTable)(Isa isa);
  const char *version;
  size_t waveSize, instructionSize;

  bool operator!=(const LevelDescription &other) const {
    return std::strcmp(version, other.version) != 0 || waveSize != other.waveSize ||
           instructionSize != other.instructionSize;
  }
};

/// The description with the tables that the caller is linked to.
inline LevelDescription describeThisLevel() {
  return {getInstructionTable, CK_EMULATOR_BUILD, sizeof(Wave), sizeof(Instruction)};
}

} // namespace ckemu

extern "C" __attribute__((visibility("default"))) ckemu::LevelDescription ckEmulatorLevelDescribe();

#endif // CK_MLIR_LIB_EMULATOR_ISA_LEVELLIBRARY_H
