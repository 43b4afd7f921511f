//===- Program.h - The program that is run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finding, starting and waiting.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_PROGRAM_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_PROGRAM_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ckemu {

/// How a program has ended.
struct ProgramEnd {
  int status = 0; ///< when it has ended by itself
  int signal = 0; ///< that has ended it, or 0
};

/// The file that `name` stands for, looked for in PATH if it has no slash; an error when there is
/// none that can be executed.
llvm::Expected<std::string> findProgram(llvm::StringRef name);

/// Runs the program at `path` in the environment of this process and waits for it. Signals that end
/// this process go to the program.
llvm::Expected<ProgramEnd> runProgram(const std::string &path,
                                      const std::vector<std::string> &command);

/// Ends this process by the signal `number`, without a core of its own.
[[noreturn]] void endBySignal(int number);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_PROGRAM_H
