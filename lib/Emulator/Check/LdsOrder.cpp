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

/// The first line that lanes touch, and the last.
static std::pair<uint32_t, uint32_t> findLines(const Lanes &offsets, LaneMask lanes, unsigned size,
                                               unsigned lineBytes) {
  const uint32_t some = offsets[unsigned(__builtin_ctzll(lanes))]; // in place of inactive lanes
  uint32_t first = some, last = some;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t offset = lanes >> lane & 1 ? offsets[lane] : some;
    first = std::min(first, offset);
    last = std::max(last, offset);
  }
  return {first / lineBytes, (last + size - 1) / lineBytes};
}

/// False when no line of the access holds a clock of `reader` above `limit`.
bool LdsShadow::mayHaveLaterReads(unsigned reader, const Lanes &offsets, LaneMask lanes,
                                  unsigned size, uint32_t limit) const {
  const auto [first, last] = findLines(offsets, lanes, size, kLineBytes);
  const uint32_t *clocks = lineReads.data() + numLines * reader;
  return std::any_of(clocks + first, clocks + last + 1,
                     [&](uint32_t clock) { return clock > limit; });
}

/// Lines between those of the lanes count as read, too: a look at the cells finds out.
void LdsShadow::noteLines(unsigned reader, const Lanes &offsets, LaneMask lanes, unsigned size,
                          uint32_t clock) {
  constexpr uint32_t kFewLines = 32;
  uint32_t *clocks = lineReads.data() + numLines * reader;
  const auto [first, last] = findLines(offsets, lanes, size, kLineBytes);
  if (last - first < kFewLines) {
    std::fill(clocks + first, clocks + last + 1, clock);
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t offset = offsets[unsigned(__builtin_ctzll(lanes))];
    clocks[offset / kLineBytes] = clocks[(offset + size - 1) / kLineBytes] = clock;
  }
}

/// True when the access conflicts with nothing, which one look at each lane shows. Otherwise
/// findConflicts decides, by lane.
bool LdsShadow::isPlainlyOrdered(const Wave &wave, const Lanes &offsets, LaneMask lanes,
                                 unsigned cells, const Issue &issue) const {
  if (!checks.races || exhausted || issue.access == Access::Atomic)
    return false;
  const uint32_t *known = wave.order.known;
  const bool isStore = issue.access == Access::Store;
  if (!knowsWriters(offsets, lanes, shift, cells, writers.data(), known,
                    /*mustBeWritten=*/checks.uninitialized && !isStore))
    return false;
  for (unsigned other = 0; isStore && other < waves; ++other)
    if (other != wave.waveInGroup && lastReads[other] > known[other] &&
        mayHaveLaterReads(other, offsets, lanes, cells << shift, known[other]) &&
        !areUpTo(offsets, lanes, shift, cells, readsOf(other), known[other]))
      return false;
  return true;
}
