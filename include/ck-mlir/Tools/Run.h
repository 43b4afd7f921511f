//===- Run.h - The body of ck-run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tools are libraries with a short main, so that what they do can be tested and reused.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_RUN_H
#define CK_MLIR_TOOLS_RUN_H

#include "ck-mlir/Compiler/Pipelines.h"

namespace mlir::ck {

/// ck-run: compiles, executes and verifies a problem, a file of IR, or the problems of a file.
/// Returns the exit status: 0 all verified, 1 some wrong, 2 usage error or not supported. Passes of
/// `extension` are among those that make kernels.
int runRun(int argc, char **argv, const PipelineExtension &extension = nullptr);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_RUN_H
