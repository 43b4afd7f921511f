//===- LdsMemory.cpp - Checked access to LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bank conflicts follow a simple model: 32 banks of 4 bytes, 64 on gfx950; a cycle serves as many
// consecutive lanes as the banks hold (of 32: 32 lanes of 4 bytes, 16 of 8, 8 of 12 or 16); lanes
// that read the same dword share it. A group of lanes costs as many cycles as the busiest bank has
// distinct dwords, and all beyond the first are counted.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsShadow.h"
#include "Emulator/Decode/ChipModel.h"
#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"
#include "Emulator/Memory/LaneMemory.h"
#include "Emulator/Memory/Recording.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace mlir::ck::emulator;

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

/// Extra cycles of an instruction. Groups whose lanes use disjoint banks are recognized by the
/// union of their banks.
template <unsigned kBanks>
static unsigned countConflicts(const Lanes &offsets, LaneMask lanes, unsigned size) {
  using BankMask = std::conditional_t<kBanks == 64, uint64_t, uint32_t>;
  unsigned dwords = std::max(1u, size / 4);
  unsigned numLanes = kBanks / (dwords == 3 ? 4 : dwords);
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
    if (countLanes(active) == numLanes)
      for (unsigned i = 0; i < numLanes; ++i)
        used |= banks[first + i];
    else
      for (unsigned i = 0; i < numLanes; ++i)
        used |= (active >> i & 1) ? banks[first + i] : 0;
    if (countLanes(used) != countLanes(active) * dwords)
      conflicts += countGroupConflicts<kBanks>(offsets, lanes, first, numLanes, dwords);
  }
  return conflicts;
}

/// A number for the conflicts of `offsets`: equal for equal offsets, also when all are moved by the
/// same multiple of all banks' bytes, which changes neither banks nor equality.
static uint64_t hashOffsets(const Lanes &offsets, LaneMask lanes, unsigned size) {
  constexpr uint32_t kBytes = 256; // of 64 banks, a multiple of those of 32
  uint32_t base = offsets[unsigned(__builtin_ctzll(lanes))] & ~(kBytes - 1);
  uint32_t low = 0, high = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    uint32_t offset = (lanes >> i & 1) ? offsets[i] - base : 0;
    low += (offset + i) * (0x9e3779b1u + 2 * i);
    high += (offset ^ 0x5bd1e995u) * (0x85ebca6bu + 0x1000002u * i);
  }
  uint64_t hash = (uint64_t(high) << 32 | low) ^ lanes * 0x9e3779b97f4a7c15ull ^ size;
  return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9ull;
}

/// countConflicts, remembered: the offsets of a loop are mostly those of its last iterations.
static unsigned findConflicts(Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned size) {
  const ChipModel *chip = wave.launch->options.chip;
  const bool is64 = chip && chip->ldsBanks == 64;
  const auto count = is64 ? countConflicts<64> : countConflicts<32>;
  if (!wave.workgroup)
    return count(offsets, lanes, size);
  uint64_t hash = hashOffsets(offsets, lanes, size);
  auto &cache = wave.workgroup->conflictCache;
  auto &entry = cache[hash >> 40 & (cache.size() - 1)];
  if (entry.hash != hash)
    entry = {hash, count(offsets, lanes, size)};
  return entry.conflicts;
}

static void reportOutOfBounds(Wave &wave, const Instruction *inst, unsigned lane, uint32_t offset,
                              unsigned size, Access access) {
  const char *name = access == Access::Load ? "load" : access == Access::Store ? "store" : "atomic";
  reportFault(wave, inst, FaultKind::IllegalAddress,
              llvm::formatv("lane {0} LDS {1} of {2} bytes at offset {3} is out of bounds: the "
                            "workgroup has {4} bytes of LDS",
                            lane, name, size, offset, wave.ldsSize));
}

/// True when every lane's access ends within the LDS. LDS is always checked, also with the checks
/// off: an access beyond it would corrupt the emulator itself.
static bool checkBounds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                        unsigned size, Access access) {
  uint32_t limit = wave.ldsSize >= size ? wave.ldsSize - size : 0;
  LaneMask outside = 0;
  if (wave.ldsSize < size)
    outside = lanes;
  else
#if defined(__AVX512F__)
    for (unsigned i = 0; i < kLanes; i += 16)
      outside |= LaneMask(_mm512_mask_cmpgt_epu32_mask(__mmask16(lanes >> i),
                                                       _mm512_load_si512(&offsets.lane[i]),
                                                       _mm512_set1_epi32(int(limit))))
                 << i;
#else
    for (unsigned i = 0; i < kLanes; ++i)
      outside |= LaneMask(offsets[i] > limit) << i & lanes;
#endif
  if (!outside)
    return true;
  unsigned lane = unsigned(__builtin_ctzll(outside));
  reportOutOfBounds(wave, inst, lane, offsets[lane], size, access);
  return false;
}

/// LDS instructions take any address in unaligned access mode, which the runtime sets, but those of
/// 12 and 16 bytes want dwords, and atomics their size (AMDGPUUsage, unaligned-access-mode;
/// "LDS misaligned" in the ISA documents).
static bool checkAlignment(Wave &wave, const Instruction *inst, const Lanes &offsets,
                           LaneMask lanes, unsigned size, Access access) {
  const unsigned needed = access == Access::Atomic ? size : size > 8 ? 4 : 1;
  if (needed == 1)
    return true;
  uint32_t parts = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    parts |= (lanes >> i & 1) ? offsets[i] : 0;
  if (parts % needed == 0)
    return true;
  unsigned lane = unsigned(__builtin_ctzll(lanes));
  while (!(lanes >> lane & 1) || offsets[lane] % needed == 0)
    ++lane;
  reportFault(wave, inst, FaultKind::IllegalAddress,
              llvm::formatv("lane {0} LDS {1} of {2} bytes at offset {3} is misaligned: expected a "
                            "multiple of {4}",
                            lane, access == Access::Atomic ? "atomic" : "access", size,
                            offsets[lane], needed));
  return false;
}

bool mlir::ck::emulator::checkLds(Wave &wave, const Instruction *inst, const Lanes &offsets,
                                  LaneMask lanes, unsigned size, Access access,
                                  const Lanes *const *data) {
  if (!lanes) { // waits count it all the same
    ++wave.order.ldsIssued;
    return true;
  }
  if (!checkBounds(wave, inst, offsets, lanes, size, access))
    return false;
  if (wave.launch->checks.alignment && !checkAlignment(wave, inst, offsets, lanes, size, access))
    return false;
  if (wave.ldsShadow && !wave.ldsShadow->access(wave, inst, offsets, lanes, size, access, data))
    return false;
  const unsigned conflicts = findConflicts(wave, offsets, lanes, size);
  wave.counters.ldsBankConflicts += conflicts;
  if (LLVM_UNLIKELY(wave.recorder != nullptr))
    recordLds(wave, inst, offsets, lanes, size, access, conflicts);
  if (access != Access::Load)
    ++wave.counters.ldsStores;
  return true;
}

bool mlir::ck::emulator::loadLds(Wave &wave, const Instruction *inst, const Lanes &offsets,
                                 LaneMask lanes, unsigned size, Lanes *out) {
  if (!checkLds(wave, inst, offsets, lanes, size, Access::Load))
    return false;
  copyIn(OffsetLanes{wave.lds, offsets}, lanes, size, out);
  return true;
}

bool mlir::ck::emulator::storeLds(Wave &wave, const Instruction *inst, const Lanes &offsets,
                                  LaneMask lanes, unsigned size, const Lanes *const *data) {
  if (!checkLds(wave, inst, offsets, lanes, size, Access::Store, data))
    return false;
  copyOut(OffsetLanes{wave.lds, offsets}, lanes, size, data);
  return true;
}
