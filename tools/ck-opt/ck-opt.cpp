//===- ck-opt.cpp - Run passes of the ck ladder -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Opt.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Opt.h"

int main(int argc, char **argv) { return mlir::ck::runOpt(argc, argv); }
