//===- EmulateOptions.h - Options of ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every variable of the emulator has an option; test/Emulator/Command/variables.test compares them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_EMULATEOPTIONS_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_EMULATEOPTIONS_H

#include "ck-mlir/Support/CommandLine.h"
#include <map>
#include <memory>
#include <optional>

namespace ckemu {

/// A variable of the emulator and the option that sets it.
struct VariableOption {
  llvm::StringLiteral variable, option;
  llvm::StringLiteral valueName; ///< empty: a flag, which stands for "on"
  llvm::StringLiteral help;
};

llvm::ArrayRef<VariableOption> getVariableOptions();

/// A value of a variable, and what has given it.
struct Setting {
  std::string name; ///< "--log", or "CK_EMULATOR_LOG" where the environment has it
  std::string value;
};

/// What the command line asks for.
struct EmulateOptions {
  std::vector<std::string> command;             ///< the program and its arguments
  std::map<std::string, std::string> variables; ///< those that options set, by name
  std::map<std::string, Setting> files;         ///< absolute paths, by the name of their variable
  std::string library;                          ///< empty: that beside the tool
  bool preload = false;
  std::string report; ///< a file for JSON
  bool explain = false, disassemble = false, quiet = false;
  std::optional<int> faultStatus, errorStatus;
  bool listChips = false, listFunctions = false;
  std::string listInstructions; ///< a chip

  /// The value of `variable`, of an option or else of the environment.
  std::optional<Setting> find(llvm::StringRef variable) const;
};

/// The options of the tool as text and flags, before they are looked at together.
class EmulateCommandLine {
public:
  EmulateCommandLine();
  cksupport::CommandLine &get() { return commandLine; }
  /// What was parsed. Errors name the options that are wrong together.
  llvm::Expected<EmulateOptions> finish();

private:
  cksupport::CommandLine commandLine;
  EmulateOptions options;
  std::vector<std::string> texts; ///< by row of getVariableOptions()
  std::unique_ptr<bool[]> flags;  ///< the same
  bool time = false;
  std::string faultStatus, errorStatus;

  llvm::Error checkLists() const;
  llvm::Error finishFiles();
  llvm::Error finishTiming();
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_EMULATEOPTIONS_H
