//===- Gen.h - The body of ck-gen -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where problems become IR, and where other programs learn what chips there are.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_GEN_H
#define CK_MLIR_TOOLS_GEN_H

namespace mlir::ck {

/// ck-gen: prints the rung-0 IR of a problem, or the chip table. Returns the exit status: 0, or 2
/// after one line on stderr.
int runGen(int argc, char **argv);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_GEN_H
