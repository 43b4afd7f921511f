//===- Lsp.h - The body of ck-lsp-server -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server with the ck dialect, for editors.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TOOLS_LSP_H
#define CK_MLIR_TOOLS_LSP_H

namespace mlir::ck {

/// ck-lsp-server: speaks the Language Server Protocol on standard input and output. It knows the
/// ck dialect and all dialects of upstream. Returns the exit status.
int runLspServer(int argc, char **argv);

} // namespace mlir::ck

#endif // CK_MLIR_TOOLS_LSP_H
