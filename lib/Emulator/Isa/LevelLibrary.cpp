//===- LevelLibrary.cpp - What the library of a level exports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of libck_emulator_LEVEL.so alone.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/LevelLibrary.h"

ckemu::LevelDescription ckEmulatorLevelDescribe() { return ckemu::describeThisLevel(); }
