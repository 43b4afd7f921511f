//===- Families.cpp - The instruction families -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that lists every family.
//
//===----------------------------------------------------------------------===//

#include "Families.h"

void mlir::ck::emulator::registerAllFamilies(InstructionTable &table) {
  registerSopp(table);
}
