//===- LdsBanks.cpp - Bank conflicts in LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LdsBanks.h; Chip/LdsPhases.h has the phases of the chips.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Memory/LdsBanks.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace ckemu;

static constexpr unsigned kQuad = 4, kQuads = 8;

/// Extra cycles of lanes [first, first + numLanes), exactly.
template <unsigned kBanks>
static unsigned countGroupConflicts(const Lanes &offsets, LaneMask lanes, unsigned first,
                                    unsigned numLanes, unsigned dwords) {
  // At most kBanks dwords are distinct; `next` chains those of one bank.
  uint32_t seen[kBanks];
  int8_t next[kBanks];
  int8_t head[kBanks];
  uint8_t depth[kBanks] = {};
  std::fill(std::begin(head), std::end(head), int8_t(-1));
  int numSeen = 0;
  unsigned deepest = 0;
  for (unsigned lane = first; lane < first + numLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    for (unsigned k = 0; k < dwords; ++k) {
      uint32_t dword = offsets[lane] / 4 + k;
      unsigned bank = dword % kBanks;
      int at = head[bank];
      while (at >= 0 && seen[at] != dword)
        at = next[at];
      if (at >= 0)
        continue;
      seen[numSeen] = dword;
      next[numSeen] = head[bank];
      head[bank] = int8_t(numSeen++);
      deepest = std::max<unsigned>(deepest, ++depth[bank]);
    }
  }
  return deepest > 1 ? deepest - 1 : 0;
}

/// Extra cycles of an access whose phases are lanes in order. Phases whose lanes use disjoint banks
/// are recognized by the union of their banks.
template <unsigned kBanks>
static unsigned countInOrder(const Lanes &offsets, LaneMask lanes, unsigned dwords,
                             unsigned numLanes) {
  using BankMask = std::conditional_t<kBanks == 64, uint64_t, uint32_t>;
  BankMask pattern = (BankMask(1) << dwords) - 1;
  BankMask banks[kLanes];
  for (unsigned i = 0; i < kLanes; ++i) {
    uint32_t bank = offsets[i] / 4 % kBanks;
    banks[i] = pattern << bank | (bank ? pattern >> (kBanks - bank) : 0);
  }
  unsigned conflicts = 0;
  for (unsigned first = 0; first < kLanes; first += numLanes) {
    LaneMask active = lanes >> first & (~LaneMask(0) >> (kLanes - numLanes));
    BankMask used = 0;
    for (unsigned i = 0; i < numLanes; ++i)
      used |= (active >> i & 1) ? banks[first + i] : 0;
    if (unsigned(llvm::popcount(used)) != unsigned(llvm::popcount(active)) * dwords)
      conflicts += countGroupConflicts<kBanks>(offsets, lanes, first, numLanes, dwords);
  }
  return conflicts;
}

unsigned ckemu::countBankConflicts(const ChipModel &chip, bool isLoad, const Lanes &offsets,
                                   LaneMask lanes, unsigned size) {
  const unsigned dwords = std::max(1u, size / 4);
  const LdsPhases &phases = chip.lds->get(isLoad, dwords);
  Lanes ordered;
  LaneMask orderedLanes = 0;
  for (size_t quad = 0; quad < kLanes / kQuad; ++quad) {
    const size_t from = (quad / kQuads * kQuads + phases.quads[quad % kQuads]) * kQuad;
    std::memcpy(&ordered.lane[quad * kQuad], &offsets.lane[from], kQuad * sizeof(uint32_t));
    orderedLanes |= (lanes >> from & 15) << quad * kQuad;
  }
  return phases.banks == 64 ? countInOrder<64>(ordered, orderedLanes, dwords, phases.lanes)
                            : countInOrder<32>(ordered, orderedLanes, dwords, phases.lanes);
}
