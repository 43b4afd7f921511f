//===- ck-library.cpp - Sets of compiled kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Library.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Library.h"

int main(int argc, char **argv) { return mlir::ck::runLibrary(argc, argv); }
