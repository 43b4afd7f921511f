//===- EmulatorLibrary.h - The library of the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ck-emulate opens the library that the program will get, and asks it what is right and what there
// is.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_EMULATORLIBRARY_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_EMULATORLIBRARY_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace ckemu {

/// The library, opened.
class EmulatorLibrary {
public:
  /// Opens the library at `path` or, if that is empty, the one of the installation or the build
  /// tree that the tool belongs to.
  static llvm::Expected<EmulatorLibrary> open(llvm::StringRef path);

  const std::string &getPath() const { return path; }
  /// The folder that has the library under the names of AMD's.
  const std::string &getAliasFolder() const { return aliasFolder; }
  /// Why the variables of the environment cannot be used, with `values` before theirs. A message
  /// about one of `values` names its option.
  llvm::Error check(const std::map<std::string, std::string> &values) const;
  /// See ckEmulatorList.
  llvm::Expected<llvm::json::Array> list(llvm::StringRef what) const;
  /// The names of the functions of HIP that the library exports, in ascending order.
  llvm::Expected<std::vector<std::string>> getFunctions() const;

private:
  std::string path, aliasFolder;
  int (*setVariable)(const char *, const char *) = nullptr;
  const char *(*checkVariables)() = nullptr;
  const char *(*getList)(const char *) = nullptr;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_EMULATORLIBRARY_H
