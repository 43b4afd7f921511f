//===- RunOptions.h - The command line of ck-run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts that the command line leaves, and the options that they mean.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TOOLS_RUNOPTIONS_H
#define CK_MLIR_LIB_TOOLS_RUNOPTIONS_H

#include "ck-mlir/Run/Options.h"
#include "ck-mlir/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The options of ck-run as typed.
struct RunArguments {
  std::string input, problemsFile, filter, chip, schedule, tuning, output, trace, partitionSvg;
  std::string device = "auto", verify = "cpu", init = "int", format = "text", checks;
  int64_t seed = 1, repeat = 1, occupancy = -1;
  bool profile = false, time = false, partitionReport = false, explain = false;
  std::vector<std::string> inputs;
};

/// The command line of ck-run; parsing it fills `arguments`.
cksupport::CommandLine makeRunCommandLine(RunArguments &arguments);

/// The meaning of `arguments`. Errors: a value out of range, options that exclude each other, and
/// what is not supported yet.
llvm::Expected<RunOptions> interpret(const RunArguments &arguments);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TOOLS_RUNOPTIONS_H
