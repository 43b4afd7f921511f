//===- Emulate.h - The body of ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs any program with the emulator in place of AMD's HIP library.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_EMULATE_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_EMULATE_H

namespace ckemu {

/// Returns the exit status of the program, that of --error-exitcode or --fault-exit-code, or 2 for
/// wrong usage; ends by the signal that has ended the program.
int runEmulate(int argc, char **argv);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_EMULATE_H
