//===- ProblemFile.h - Problems by name -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of problems, such as the layers of a network.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_PROBLEMFILE_H
#define CK_MLIR_RUN_PROBLEMFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::ck {

/// A problem string, what it is called, and how often a network has it.
struct NamedProblem {
  std::string name, text;
  int64_t count = 1;
};

/// The problems of the file {"problems": [{"name": ..., "problem": ..., "count": ...}]} at `path`
/// whose name or text contains `filter`; name and count may be missing. Errors name the file and
/// what is wrong with it, or that no problem matches. The problem strings are not parsed.
llvm::Expected<std::vector<NamedProblem>> readProblemFile(const std::string &path,
                                                          llvm::StringRef filter = "");

} // namespace mlir::ck

#endif // CK_MLIR_RUN_PROBLEMFILE_H
