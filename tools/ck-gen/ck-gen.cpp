//===- ck-gen.cpp - Print the IR of a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Gen.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Gen.h"

int main(int argc, char **argv) { return mlir::ck::runGen(argc, argv); }
