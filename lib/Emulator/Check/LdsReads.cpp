//===- LdsReads.cpp - Who read the LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LdsReads.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsReads.h"
#include <algorithm>

using namespace ckemu;

void ckemu::setCells(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned cells,
                     uint32_t *out, uint32_t value) {
  if (cells == 4) {
    for (; lanes; lanes &= lanes - 1) {
      uint32_t *cell = out + (offsets[unsigned(__builtin_ctzll(lanes))] >> shift);
      cell[0] = cell[1] = cell[2] = cell[3] = value;
    }
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    std::fill_n(out + (offsets[unsigned(__builtin_ctzll(lanes))] >> shift), cells, value);
}

void LdsReads::reset(size_t newCells, unsigned newShift) {
  numCells = newCells;
  shift = newShift;
  last.fill(0);
  for (auto &log : logs)
    log.clear();
  for (std::vector<uint32_t> &clocks : cells)
    clocks.clear();
}

void LdsReads::split(size_t newCells, unsigned newShift) {
  const unsigned split = shift - newShift;
  for (std::vector<uint32_t> &clocks : cells) {
    if (clocks.empty())
      continue;
    std::vector<uint32_t> fine(newCells);
    for (size_t i = 0; i < newCells; ++i)
      fine[i] = clocks[i >> split];
    clocks = std::move(fine);
  }
  numCells = newCells;
  shift = newShift;
}

void LdsReads::apply(const Entry &entry) {
  std::vector<uint32_t> &clocks = cells[entry.wave];
  if (clocks.empty())
    clocks.resize(numCells);
  setCells(entry.offsets, entry.lanes, shift, entry.size >> shift, clocks.data(), entry.clock);
}

void LdsReads::note(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned size,
                    uint32_t clock) {
  auto &log = logs[wave.waveInGroup];
  last[wave.waveInGroup] = clock;
  Entry &entry =
      log.add(*wave.workgroup, /*firstAgent=*/0, [&](const Entry &oldest) { apply(oldest); });
  entry.offsets = offsets;
  entry.lanes = lanes;
  entry.wave = wave.waveInGroup;
  entry.size = size;
  entry.clock = clock;
}

const uint32_t *LdsReads::get(const Workgroup &group, unsigned reader) {
  auto &log = logs[reader];
  log.dropKnown(group, /*firstAgent=*/0);
  for (; !log.isEmpty(); log.removeFirst())
    apply(log[0]);
  if (cells[reader].empty())
    cells[reader].resize(numCells);
  return cells[reader].data();
}
