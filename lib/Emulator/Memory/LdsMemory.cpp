//===- LdsMemory.cpp - Checked access to LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every access is within the LDS of the workgroup, and its bank conflicts are counted.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/LdsShadow.h"
#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Machine/LaneCopy.h"
#include "Emulator/Machine/LaneExtents.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"
#include "Emulator/Memory/LaneMemory.h"
#include "Emulator/Memory/LdsBanks.h"
#include "Emulator/Memory/Recording.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace ckemu;

/// A number for the conflicts of `offsets`: equal for equal offsets, also when all are moved by the
/// same multiple of all banks' bytes, which changes neither banks nor equality.
static uint64_t hashOffsets(const Lanes &offsets, LaneMask lanes, unsigned kind) {
  constexpr uint32_t kBytes = 256; // of 64 banks, a multiple of those of 32
  uint32_t base = offsets[unsigned(__builtin_ctzll(lanes))] & ~(kBytes - 1);
  uint32_t low = 0, high = 0;
  for (unsigned half = 0; half < kLanes; half += 32)
    for (unsigned i = half, active = unsigned(lanes >> half); i < half + 32; ++i) {
      const uint32_t offset = (active >> (i - half) & 1) ? offsets[i] - base : 0;
      low += (offset + i) * (0x9e3779b1u + 2 * i);
      high += (offset ^ 0x5bd1e995u) * (0x85ebca6bu + 0x1000002u * i);
    }
  uint64_t hash = (uint64_t(high) << 32 | low) ^ lanes * 0x9e3779b97f4a7c15ull ^ kind;
  return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9ull;
}

/// countBankConflicts, remembered: the offsets of a loop are mostly those of its last iterations.
static unsigned findConflicts(Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned size,
                              bool isLoad) {
  const ChipModel *named = wave.launch->options.chip;
  const ChipModel &chip = named ? *named : getDefaultChip();
  if (!wave.workgroup)
    return countBankConflicts(chip, isLoad, offsets, lanes, size);
  uint64_t hash = hashOffsets(offsets, lanes, 2 * size + isLoad);
  auto &cache = wave.workgroup->conflictCache;
  auto &entry = cache[hash >> 40 & (cache.size() - 1)];
  if (entry.hash != hash)
    entry = {hash, countBankConflicts(chip, isLoad, offsets, lanes, size)};
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
  const LaneMask outside = wave.ldsSize < size ? lanes : lanes & ~findUpTo(offsets, limit);
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
  if (combineBits(offsets, lanes) % needed == 0)
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

bool ckemu::checkLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                     unsigned size, Access access, const Lanes *const *data) {
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
  const unsigned conflicts = findConflicts(wave, offsets, lanes, size, access == Access::Load);
  wave.counters.ldsBankConflicts += conflicts;
  if (LLVM_UNLIKELY(wave.recorder != nullptr))
    recordLds(wave, inst, offsets, lanes, size, access, conflicts);
  if (access != Access::Load)
    ++wave.counters.ldsStores;
  return true;
}

bool ckemu::loadLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                    unsigned size, Lanes *out) {
  if (!checkLds(wave, inst, offsets, lanes, size, Access::Load))
    return false;
  if (!wave.skipsData(inst))
    copyIn(OffsetLanes{wave.lds, offsets}, lanes, size, out);
  return true;
}

bool ckemu::storeLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                     unsigned size, const Lanes *const *data) {
  if (!checkLds(wave, inst, offsets, lanes, size, Access::Store, data))
    return false;
  if (!wave.skipsData(inst))
    copyOut(OffsetLanes{wave.lds, offsets}, lanes, size, data);
  return true;
}
