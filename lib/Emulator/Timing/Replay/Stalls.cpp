//===- Stalls.cpp - What waves waited for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Stalls.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Stalls.h"

using namespace ckemu;

llvm::StringRef ckemu::getStallName(Stall stall) {
  static constexpr llvm::StringLiteral kNames[kNumStalls] = {
      "none",  "dependency", "valu", "matrix", "salu",    "lds_queue", "memory_queue",
      "loads", "stores",     "lds",  "scalar", "barrier", "flag",      "fetch"};
  return kNames[size_t(stall)];
}
