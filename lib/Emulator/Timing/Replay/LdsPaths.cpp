//===- LdsPaths.cpp - The LDS of compute units -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LdsPaths.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/LdsPaths.h"

using namespace ckemu;

bool LdsPaths::hasRoom(unsigned simd, Cycle now, Cycle &until) const {
  const Path &path = units[simd / simdsPerUnit].paths[getPair(simd)];
  return path.queue.hasRoom(unsigned(parameters.ldsQueue), now, until);
}

LdsPaths::Access LdsPaths::access(unsigned simd, unsigned bytesPerLane, unsigned conflictCycles,
                                  double now) {
  Unit &unit = units[simd / simdsPerUnit];
  Path &path = unit.paths[getPair(simd)];
  const double bytes = double(bytesPerLane) * waveSize;
  // The banks that meet again are busy while the path waits for their data.
  const double cycles = bytes / parameters.ldsBytes + conflictCycles;
  const double ownCycles = std::max(bytes / parameters.ldsPairBytes, cycles);
  const double begin = unit.array.take(now, std::max(now, path.free), cycles);
  path.free = begin + ownCycles;
  path.queue.add(begin);
  return {cycles, begin + ownCycles + parameters.ldsLatency};
}
