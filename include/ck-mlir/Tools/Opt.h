//===- Opt.h - The body of ck-opt -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tools are libraries with a short main, so that what they do can be tested and reused.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_OPT_H
#define CK_MLIR_TOOLS_OPT_H

namespace mlir::ck {

/// ck-opt: an mlir-opt with the ck dialect, the passes and pipelines of this project and the
/// upstream dialects and passes that its ladder uses. Returns the exit status.
int runOpt(int argc, char **argv);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_OPT_H
