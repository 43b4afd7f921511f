//===- LibraryCommands.h - What ck-library can do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each command is a function from the options of the command line to a text.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TOOLS_LIBRARYCOMMANDS_H
#define CK_MLIR_LIB_TOOLS_LIBRARYCOMMANDS_H

#include "ck-mlir/Library/Registry.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The command line of ck-library.
struct LibraryToolOptions {
  std::string input; // a set, an archive or a problem
  std::vector<std::string> chips, values, tuning;
  int64_t threads = 0;
  std::string cache = getDefaultCacheDirectory();
  int64_t cacheMegabytes = 1024;
  std::string set;               // of `select`
  std::string rank = "estimate"; // of `select`
  std::string filter;            // of `verify`
  int64_t seed = 1;              // of `verify`
  std::string output;            // of `export`
  std::string device = "auto";   // of `verify` and `select`
  bool allowStale = false;
  bool json = false;
};

/// The text to print and the exit status.
struct CommandResult {
  std::string text;
  int status = 0;
};

llvm::Expected<CommandResult> buildSet(const LibraryToolOptions &options);
llvm::Expected<CommandResult> listSets(const LibraryToolOptions &options);
llvm::Expected<CommandResult> showSet(const LibraryToolOptions &options);
llvm::Expected<CommandResult> selectKernel(const LibraryToolOptions &options);
llvm::Expected<CommandResult> verifySet(const LibraryToolOptions &options);
llvm::Expected<CommandResult> exportSet(const LibraryToolOptions &options);
llvm::Expected<CommandResult> pruneCache(const LibraryToolOptions &options);

/// A library, and what the options ask for of it.
struct OpenSet {
  std::string name, description;
  std::optional<KernelArchive> archive; // if it was one
  std::unique_ptr<KernelLibrary> library;
  std::unique_ptr<Registry> registry;
};

/// Opens the set or the archive `input`.
llvm::Expected<OpenSet> openSet(const LibraryToolOptions &options, llvm::StringRef input);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TOOLS_LIBRARYCOMMANDS_H
