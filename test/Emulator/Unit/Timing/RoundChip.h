//===- RoundChip.h - A chip of round numbers for the memory side -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must come out of the memory model is computed from its numbers in each test.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_EMULATOR_UNIT_TIMING_ROUNDCHIP_H
#define CK_MLIR_TEST_EMULATOR_UNIT_TIMING_ROUNDCHIP_H

#include "Emulator/Timing/MemoryModel.h"
#include <algorithm>
#include <vector>

namespace ckemu {

inline constexpr unsigned kLine = TraceLine::kBytes;

/// At 1000 MHz a GB/s is a byte in a cycle, and a nanosecond is a cycle.
inline TimingParameters makeParameters() {
  TimingParameters p = {};
  p.clockMHz = 1000;
  p.l1Count = 1;
  p.l1Bytes = 16 * 1024;
  p.l1LineBytes = kLine;
  p.l1Latency = 100;
  p.l1BytesPerCycle = 64;
  p.l1FillBytesPerCycle = 64;
  p.l1Misses = 256;
  p.scalarLatency = 50;
  p.scalarCacheBytes = 4096;
  p.instructionCacheBytes = 4096;
  p.instructionMissCycles = 300;
  p.instructionStreamCycles = 30;
  p.numXcds = 2;
  p.l2Bytes = 256 * 1024;
  p.l2Channels = 4;
  p.l2ReadBytes = 128;
  p.l2WriteBytes = 32;
  p.l2FabricBytes = 64;
  p.l2Latency = 200;
  p.mallBytes = 1 << 20;
  p.mallGigabytes = 128;
  p.mallNanoseconds = 200;
  p.hbmGigabytes = 40;
  p.hbmEfficiency = 0.8;
  p.hbmNanoseconds = 500;
  p.atomicCycles = 4;
  return p;
}

inline const ChipModel &getChip() { return *llvm::cantFail(getChipModel("gfx942")); }

/// A wave of 64 lanes that loads or stores 16 bytes each, one after another.
inline TraceAccess makeAccess(TraceAccessKind kind = TraceAccessKind::Load) {
  TraceAccess access;
  access.kind = kind;
  access.bytesPerLane = 16;
  access.activeLanes = 64;
  access.addressCycles = 16;
  access.deviceScope = kind == TraceAccessKind::Atomic;
  return access;
}

/// One lane that loads 4 bytes.
inline TraceAccess makeSingle() {
  TraceAccess access = makeAccess();
  access.bytesPerLane = 4;
  access.activeLanes = 1;
  access.addressCycles = 1;
  return access;
}

/// `count` lines from line `first` on, whole.
inline std::vector<TraceLine> makeLines(uint64_t first, unsigned count = 8, unsigned sectors = 15) {
  std::vector<TraceLine> lines;
  for (unsigned i = 0; i < count; ++i)
    lines.emplace_back(first + i, sectors);
  return lines;
}

/// One line of which an atomic changes `dwords`.
inline std::vector<TraceLine> makeChangedLine(uint64_t line, unsigned sectors, unsigned dwords) {
  std::vector<TraceLine> lines = makeLines(line, 1, sectors);
  lines[0].addChangedDwords(dwords);
  return lines;
}

inline double loadOne(MemoryModel &model, uint64_t line, double cycle, unsigned unit = 0) {
  return model.access(unit, makeSingle(), makeLines(line, 1, 1), cycle).done - cycle;
}

/// Cycles of the last of `count` accesses of 1 KiB each that follow one another as soon as the L1
/// takes them, each unit with its own from `first` lines on.
inline double stream(MemoryModel &model, unsigned units, uint64_t first, unsigned count,
                     const TraceAccess &access, double start = 0, uint64_t unitStride = 1 << 16) {
  std::vector<double> free(units, start);
  double done = start;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned unit = 0; unit < units; ++unit) {
      AccessTimes times =
          model.access(unit, access, makeLines(first + unit * unitStride + 8ull * i), free[unit]);
      free[unit] = times.accepted;
      done = std::max(done, times.done);
    }
  return done - start;
}

} // namespace ckemu

#endif // CK_MLIR_TEST_EMULATOR_UNIT_TIMING_ROUNDCHIP_H
