//===- Variables.h - The variables that set the emulator up -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See docs/Environment.md. A program that opens the emulator itself gives values to it, not to the
// environment, which is its own and that of the processes that it starts.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_VARIABLES_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_VARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace ckemu {

/// All variables that the emulator reads.
llvm::ArrayRef<llvm::StringLiteral> getVariableNames();
/// Gives the variable `name` a value, which stands before that of the environment from now on.
/// False when the emulator has no such variable. Thread safe.
bool setVariable(llvm::StringRef name, llvm::StringRef value);
/// The value of the variable `name`; none where it is empty.
std::optional<std::string> getVariable(const char *name);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_VARIABLES_H
