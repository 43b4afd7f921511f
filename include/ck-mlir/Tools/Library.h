//===- Library.h - The body of ck-library -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets of kernels from the command line.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_LIBRARY_H
#define CK_MLIR_TOOLS_LIBRARY_H

namespace mlir::ck {

/// ck-library: builds, lists, selects, verifies, exports and prunes compiled kernels. Returns the
/// exit status: 0, 1 if a verified kernel is wrong, or 2 after one line on stderr.
int runLibrary(int argc, char **argv);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_LIBRARY_H
