//===- LdsBanks.cpp - Bank conflicts in LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phases and banks of the chips. Measured: loads of 8 and 16 bytes and the 32 banks of gfx942
// (tingqli/pyhip archive/bank-conflict); loads of 8, 12 and 16 and stores of 8 bytes of gfx950
// (HazyResearch/HipKittens, analysis/paper_experiments/phases). Documented: stores of 16 bytes of
// CDNA go by 8 lanes in order (Composable Kernel, LDS bank conflicts); the halves of a WGP have 32
// banks each, which serve 32 lanes in a cycle (RDNA white paper). Assumed: gfx90a is as gfx942;
// loads of 12 bytes go as those of 16 on gfx942; loads of 4 bytes of gfx950 go by 32 lanes, over 64
// banks as its other loads; transposing reads go as loads of as many bytes, by which Triton's
// layouts for them are made, too (composePaddedLayoutForAsyncCopyCDNA4, written by AMD); stores of
// 12 bytes go as those of 16; wider accesses of RDNA go by as many lanes in order as 32 banks
// serve.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Memory/LdsBanks.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace ckemu;

namespace {

/// How an access goes: `lanes` lanes in each phase. Four lanes that follow one another always share
/// a phase; `quads` is the order of the eight fours of 32 lanes, the same in both halves of a wave.
struct Phases {
  unsigned banks, lanes;
  uint8_t quads[8];
};

constexpr unsigned kQuad = 4, kQuads = 8;
constexpr Phases kInOrder32 = {32, 32, {0, 1, 2, 3, 4, 5, 6, 7}};
constexpr Phases kInOrder16 = {32, 16, {0, 1, 2, 3, 4, 5, 6, 7}};
constexpr Phases kInOrder8 = {32, 8, {0, 1, 2, 3, 4, 5, 6, 7}};
/// {0-3, 20-23}, {4-7, 16-19}, {8-11, 28-31}, {12-15, 24-27}.
constexpr Phases kCrossed8 = {32, 8, {0, 5, 1, 4, 2, 7, 3, 6}};
constexpr Phases kDoubled32 = {64, 32, {0, 1, 2, 3, 4, 5, 6, 7}};
/// {0-3, 12-15, 20-27}, {4-11, 16-19, 28-31}.
constexpr Phases kDoubled16 = {64, 16, {0, 3, 5, 6, 1, 2, 4, 7}};

} // namespace

static const Phases &getPhases(Isa isa, bool isLoad, unsigned dwords) {
  if (isa == Isa::Gfx950 && isLoad && dwords != 3)
    return dwords == 4 ? kDoubled16 : kDoubled32;
  if (isCdna(isa) && isLoad && dwords > 2)
    return kCrossed8;
  return dwords == 1 ? kInOrder32 : dwords == 2 ? kInOrder16 : kInOrder8;
}

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

unsigned ckemu::countBankConflicts(Isa isa, bool isLoad, const Lanes &offsets, LaneMask lanes,
                                   unsigned size) {
  const unsigned dwords = std::max(1u, size / 4);
  const Phases &phases = getPhases(isa, isLoad, dwords);
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
