//===- ck-emulate.cpp - Run a program on the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Tools/Emulate.
//
//===----------------------------------------------------------------------===//

#include "Tools/Emulate/Emulate.h"

int main(int argc, char **argv) { return mlir::ck::runEmulate(argc, argv); }
