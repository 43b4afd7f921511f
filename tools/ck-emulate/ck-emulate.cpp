//===- ck-emulate.cpp - Run a program on the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is in lib/Emulator/Command.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/Emulate.h"

int main(int argc, char **argv) { return ckemu::runEmulate(argc, argv); }
