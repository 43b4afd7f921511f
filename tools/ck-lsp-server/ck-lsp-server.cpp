//===- ck-lsp-server.cpp - A language server for files of the ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Lsp.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Lsp.h"

int main(int argc, char **argv) { return mlir::ck::runLspServer(argc, argv); }
