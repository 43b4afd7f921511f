//===- RecentLoads.cpp - Loads that a later store may overtake -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RecentLoads.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/RecentLoads.h"
#include <algorithm>

using namespace ckemu;

// An entry: tag << 32 | wave << 27 | mask of loaded bytes << 23 | clock. The tag is the part of the
// dword's address that the place does not say.
static constexpr unsigned kTagShift = 32, kWaveShift = 27, kMaskShift = 23;
static constexpr uint32_t kClockLimit = (1u << kMaskShift) - 1;
static constexpr uint64_t kWaveBits = 31ull << kWaveShift, kAllBytes = 15ull << kMaskShift;

/// Sixteen consecutive dwords stay together.
static uint32_t getSlot(uint64_t dword, unsigned indexBits) {
  const uint32_t mixed = uint32_t(dword >> indexBits) * 0x9e3779b1u >> 16;
  return uint32_t(dword ^ mixed << 4) & ((1u << indexBits) - 1);
}

void RecentLoads::clear() {
  log.clear();
  constexpr size_t kChunk = 1u << kChunkBits;
  for (; used; used &= used - 1) {
    const size_t first = kChunk * unsigned(__builtin_ctzll(used));
    std::fill_n(latest.get() + first, kChunk, 0);
    std::fill_n(previous.get() + first, kChunk, 0);
  }
}

/// `entry` has no tag yet.
inline void RecentLoads::noteDword(uint64_t dword, uint64_t entry) {
  const uint32_t slot = getSlot(dword, kIndexBits);
  const uint64_t old = latest[slot];
  entry |= dword >> kIndexBits << kTagShift;
  const uint64_t difference = old ^ entry;
  if (difference >> kTagShift == 0) {
    if (difference & kWaveBits)
      previous[slot] = old;
    else if ((difference & ~kAllBytes) == 0) // another part by the same instruction
      entry |= old & kAllBytes;
  }
  latest[slot] = entry;
  used |= 1ull << (slot >> kChunkBits);
}

/// Four dwords whose places are neighbours.
inline void RecentLoads::noteQuad(uint64_t dword, uint64_t entry) {
  const uint32_t slot = getSlot(dword, kIndexBits);
  uint64_t *last = &latest[slot];
  const uint64_t fresh = entry | dword >> kIndexBits << kTagShift;
  uint64_t anyOther = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const uint64_t difference = last[k] ^ fresh;
    anyOther |= difference >> kTagShift == 0 ? difference & kWaveBits : 0;
  }
  if (anyOther) {
    for (unsigned k = 0; k < 4; ++k)
      noteDword(dword + k, entry);
    return;
  }
  for (unsigned k = 0; k < 4; ++k)
    last[k] = fresh;
  used |= 1ull << (slot >> kChunkBits);
}

/// One lane's load of any bytes.
void RecentLoads::noteBytes(const Entry &load, uint64_t address) {
  const uint64_t entry = uint64_t(load.wave) << kWaveShift | load.clock;
  const uint64_t end = address + load.size;
  for (uint64_t at = address & ~uint64_t(3); at < end; at += 4) {
    const uint64_t low = std::max(at, address) - at, high = std::min(at + 4, end) - at;
    const uint64_t mask = ((1u << high) - 1) & ~((1u << low) - 1);
    noteDword(at / 4, entry | mask << kMaskShift);
  }
}

/// Brings the loads of an instruction into the table.
void RecentLoads::apply(const Entry &load) {
  if (!latest) {
    latest = std::make_unique<uint64_t[]>(kSlots);
    previous = std::make_unique<uint64_t[]>(kSlots);
  }
  const bool whole = (load.size | combineBits(load.addresses, load.lanes)) % 4 == 0;
  const uint64_t entry = uint64_t(load.wave) << kWaveShift | kAllBytes | load.clock;
  for (LaneMask lanes = load.lanes; lanes; lanes &= lanes - 1) {
    const uint64_t address = load.addresses[unsigned(__builtin_ctzll(lanes))];
    if (!whole)
      noteBytes(load, address);
    else if (load.size == 16 && address % 16 == 0)
      noteQuad(address / 4, entry);
    else
      for (unsigned k = 0; k < load.size / 4; ++k)
        noteDword(address / 4 + k, entry);
  }
}

void RecentLoads::note(const Wave &wave, uint32_t clock, const Lanes64 &addresses, LaneMask lanes,
                       unsigned size) {
  if (clock > kClockLimit)
    return;
  Entry &entry = log.add(*wave.workgroup, kLoadAgents, [&](const Entry &oldest) { apply(oldest); });
  entry.addresses = addresses;
  entry.lanes = lanes;
  entry.wave = wave.waveInGroup;
  entry.size = size;
  entry.clock = clock;
  entry.extent = {1, 0};
}

void RecentLoads::settle(const Workgroup &group, const Lanes64 &addresses, LaneMask lanes,
                         unsigned size) {
  log.dropKnown(group, kLoadAgents);
  if (log.isEmpty())
    return;
  // The table decides by order, so that all loads before one that the store meets come with it.
  const Extent<uint64_t> stored = findExtent(addresses, lanes);
  unsigned met = 0;
  for (unsigned i = 0; i < log.size(); ++i) {
    Entry &entry = log[i];
    if (entry.extent.least > entry.extent.most)
      entry.extent = findExtent(entry.addresses, entry.lanes);
    if (entry.extent.least < stored.most + size + 3 &&
        stored.least < entry.extent.most + entry.size + 3)
      met = i + 1;
  }
  for (; met; --met, log.removeFirst())
    apply(log[0]);
}

std::optional<unsigned> RecentLoads::findUnordered(const Wave &wave, uint64_t address,
                                                   unsigned mask) const {
  if (!latest)
    return std::nullopt;
  const uint64_t dword = address / 4, tag = dword >> kIndexBits;
  const uint32_t slot = getSlot(dword, kIndexBits);
  for (const uint64_t *table : {latest.get(), previous.get()}) {
    const uint64_t entry = table[slot];
    const unsigned other = entry >> kWaveShift & 31;
    if (entry >> kTagShift == tag && other != wave.waveInGroup && (entry >> kMaskShift & mask) &&
        (entry & kClockLimit) > wave.order.known[kLoadAgents + other])
      return other;
  }
  return std::nullopt;
}
