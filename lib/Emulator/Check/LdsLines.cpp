//===- LdsLines.cpp - The accesses of the LDS by line -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LdsLines.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsLines.h"

using namespace ckemu;

namespace {
/// The clocks of eight waves.
using Clocks __attribute__((vector_size(32))) = uint32_t;
constexpr unsigned kClocks = 8;
} // namespace

void LdsLines::reset(unsigned ldsBytes, unsigned numWaves) {
  bytes = ldsBytes;
  stride = (numWaves + kClocks - 1) / kClocks * kClocks;
  const size_t lines = bytes / kBytes + 1;
  clocks.assign(lines * 3 * stride, 0);
  hasAtomics.assign(lines, false);
  looks.assign(lines, 0);
}

/// Lines between those of the lanes count as accessed, too.
void LdsLines::note(unsigned place, const Range &range, const Lanes &offsets, LaneMask lanes,
                    unsigned size, uint32_t clock) {
  auto set = [&](uint32_t line) { clocks[size_t(line) * 3 * stride + place] = clock; };
  if (LLVM_LIKELY(range.isShort())) {
    for (uint32_t line = range.first; line <= range.last; ++line)
      set(line);
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t offset = offsets[unsigned(__builtin_ctzll(lanes))];
    set(offset / kBytes);
    set((offset + size - 1) / kBytes);
  }
}

bool LdsLines::areKnown(const Range &range, const uint32_t *known, bool withReaders) const {
  if (!range.isShort())
    return false;
  Clocks later = {};
  auto compare = [&](const uint32_t *at, const Clocks &limit) {
    Clocks clock;
    std::memcpy(&clock, at, sizeof(clock));
    later |= (Clocks)(clock > limit);
  };
  for (unsigned first = 0; first < stride; first += kClocks) {
    Clocks lds, loads;
    std::memcpy(&lds, known + first, sizeof(lds));
    std::memcpy(&loads, known + kMaxWaves + first, sizeof(loads));
    const uint32_t *at = clocks.data() + size_t(range.first) * 3 * stride + first;
    for (uint32_t line = range.first; line <= range.last; ++line, at += size_t(3) * stride) {
      if (withReaders)
        compare(at, lds);
      compare(at + stride, lds);
      compare(at + 2 * stride, loads);
    }
  }
  uint64_t parts[sizeof(later) / 8], any = 0;
  std::memcpy(parts, &later, sizeof(later));
  for (uint64_t part : parts)
    any |= part;
  for (uint32_t line = range.first; line <= range.last; ++line)
    any |= hasAtomics[line];
  return any == 0;
}

bool LdsLines::areWritten(const Range &range, const uint32_t *writers, unsigned shift) {
  if (!range.isShort())
    return false;
  for (uint32_t line = range.first; line <= range.last; ++line) {
    if (LLVM_LIKELY(looks[line] == kWritten))
      continue;
    if (looks[line] == kLooks)
      return false;
    const size_t end = std::min((line + 1) * kBytes, bytes) >> shift;
    bool isWritten = true;
    for (size_t cell = size_t(line) * kBytes >> shift; cell < end; ++cell)
      isWritten &= writers[cell] != 0;
    looks[line] = isWritten ? kWritten : looks[line] + 1;
    if (!isWritten)
      return false;
  }
  return true;
}
