//===- ck-tune.cpp - The best schedules of problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Tune.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Tune.h"

int main(int argc, char **argv) { return mlir::ck::runTune(argc, argv); }
