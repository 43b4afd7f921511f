//===- SourceLines.h - Lines of source behind addresses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs debug information in the code object: clang and hipcc write it with -g.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_COMMAND_SOURCELINES_H
#define CK_MLIR_LIB_EMULATOR_COMMAND_SOURCELINES_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ckemu {

/// A function of the source that an instruction comes from.
struct SourceFrame {
  std::string function, file; ///< either may be empty
  unsigned line = 0, column = 0;
};

/// The function at `address` of the code object at `path`, and the functions that it was inlined
/// into, innermost first. Empty when the code object does not say.
std::vector<SourceFrame> findSource(llvm::StringRef path, uint64_t address);

/// "file:line:column" of a frame.
std::string describePlace(const SourceFrame &frame);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_COMMAND_SOURCELINES_H
