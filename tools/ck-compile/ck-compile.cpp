//===- ck-compile.cpp - Compile a problem to a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Compile.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Compile.h"

int main(int argc, char **argv) { return mlir::ck::runCompile(argc, argv); }
