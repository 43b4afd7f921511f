//===- Tune.h - The body of ck-tune -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best schedules of problems, from the command line.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_TUNE_H
#define CK_MLIR_TOOLS_TUNE_H

namespace mlir::ck {

/// ck-tune: times schedules of problems. Returns the exit status: 0, or 2 after one line on stderr.
int runTune(int argc, char **argv);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_TUNE_H
