//===- Compile.h - The body of ck-compile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the command line to files that a HIP program loads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_COMPILE_H
#define CK_MLIR_TOOLS_COMPILE_H

namespace mlir::ck {

/// ck-compile: compiles a problem or a .mlir file into a directory: <name>.hsaco, <name>.s with
/// --emit=isa, manifest.json. Returns the exit status: 0, or 2 after one line on stderr.
int runCompile(int argc, char **argv);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_COMPILE_H
