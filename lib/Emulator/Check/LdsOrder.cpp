//===- LdsOrder.cpp - LDS accesses that are in order -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nearly all accesses of a kernel are ordered after those before them. What is here shows that of a
// whole instruction, with one look at the cells of each lane; it may fail to, and then the lanes
// are looked at one by one (LdsShadow.cpp).
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsShadow.h"
#include <algorithm>
#include <cstring>

using namespace ckemu;

namespace {
/// Four cells, as the host compares them.
using CellQuad __attribute__((vector_size(16))) = uint32_t;
} // namespace

static CellQuad loadQuad(const uint32_t *cells) {
  CellQuad result;
  std::memcpy(&result, cells, sizeof(result));
  return result;
}

/// Calls visit(cell) for lanes of `lanes` with the first cell of each, until it returns false.
template <class Visit>
static bool allLanes(const Lanes &offsets, LaneMask lanes, unsigned shift, Visit visit) {
  if (lanes == ~LaneMask(0)) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (!visit(offsets[lane] >> shift))
        return false;
    return true;
  }
  for (; lanes; lanes &= lanes - 1)
    if (!visit(offsets[unsigned(__builtin_ctzll(lanes))] >> shift))
      return false;
  return true;
}

/// True when the wave knows the writers of all cells and none of them is an atomic or, where
/// `mustBeWritten` is set, missing. One instruction gives all of its cells the same writer, so that
/// most cells have the writer that was looked at last.
static bool knowsWriters(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned cells,
                         const uint32_t *writers, const uint32_t *known, bool mustBeWritten) {
  uint32_t last = mustBeWritten ? ~0u : 0; // of no writer that is known
  auto isKnown = [&](uint32_t writer) {
    if (LLVM_LIKELY(writer == last))
      return true;
    if ((writer & kLdsAtomic) || (mustBeWritten && writer == 0) ||
        (writer & kLdsClockMask) > known[writer >> kLdsAgentShift])
      return false;
    last = writer;
    return true;
  };
  if (cells != 4)
    return allLanes(offsets, lanes, shift, [&](size_t first) {
      for (size_t cell = first; cell < first + cells; ++cell)
        if (!isKnown(writers[cell]))
          return false;
      return true;
    });
  return allLanes(offsets, lanes, shift, [&](size_t first) {
    const CellQuad quad = loadQuad(writers + first), others = quad ^ last;
    uint64_t halves[2];
    std::memcpy(halves, &others, sizeof(halves));
    if (LLVM_LIKELY((halves[0] | halves[1]) == 0))
      return true;
    return isKnown(quad[0]) && isKnown(quad[1]) && isKnown(quad[2]) && isKnown(quad[3]);
  });
}

/// True when no cell holds a clock above `limit`.
static bool areUpTo(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned cells,
                    const uint32_t *clocks, uint32_t limit) {
  if (cells != 4) {
    uint32_t latest = 0;
    (void)allLanes(offsets, lanes, shift, [&](size_t first) {
      for (size_t cell = first; cell < first + cells; ++cell)
        latest = std::max(latest, clocks[cell]);
      return true;
    });
    return latest <= limit;
  }
  CellQuad latest = {};
  (void)allLanes(offsets, lanes, shift, [&](size_t first) {
    latest = __builtin_elementwise_max(latest, loadQuad(clocks + first));
    return true;
  });
  return std::max(std::max(latest[0], latest[1]), std::max(latest[2], latest[3])) <= limit;
}

/// True when the access conflicts with nothing, which the lines show, or one look at each lane.
/// Otherwise findConflicts decides, by lane.
bool LdsShadow::isPlainlyOrdered(const Wave &wave, const Lanes &offsets, LaneMask lanes,
                                 unsigned cells, const LdsLines::Range &range, const Issue &issue) {
  if (!checks.races || exhausted || issue.access == Access::Atomic)
    return false;
  const uint32_t *known = wave.order.known;
  const bool isStore = issue.access == Access::Store;
  const bool mustBeWritten = checks.uninitialized && !isStore;
  if (lines.areKnown(range, known, /*withReaders=*/isStore) &&
      (!mustBeWritten || lines.areWritten(range, writers.data(), shift)))
    return true;
  if (!knowsWriters(offsets, lanes, shift, cells, writers.data(), known, mustBeWritten))
    return false;
  for (unsigned other = 0; isStore && other < waves; ++other)
    if (other != wave.waveInGroup && reads.getLast(other) > known[other] &&
        lines.mayHaveLaterReads(other, range, known[other]) &&
        !areUpTo(offsets, lanes, shift, cells, reads.get(*wave.workgroup, other), known[other]))
      return false;
  return true;
}
