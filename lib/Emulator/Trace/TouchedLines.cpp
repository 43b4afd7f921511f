//===- TouchedLines.cpp - Which lines the lanes of an access touch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes side by side are handled together: those of most accesses lie one behind the other in
// memory, at least as many as an L1 takes in one cycle.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/TouchedLines.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

using namespace ckemu;

/// Bytes whose lanes an L1 takes in one cycle where they lie in one block of as many bytes.
static constexpr unsigned kBlockBytes = 64;

/// Lanes whose access begins where that of the lane before begins or ends.
static LaneMask findJoined(const Lanes64 &addresses, uint64_t size) {
  LaneMask joined = 0;
  unsigned lane = 1;
#if defined(__AVX2__)
  const __m256i step = _mm256_set1_epi64x(int64_t(size)), none = _mm256_setzero_si256();
  for (; lane + 4 <= kLanes; lane += 4) {
    const auto load = [&](unsigned first) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(&addresses.lane[first]));
    };
    const __m256i difference = _mm256_sub_epi64(load(lane), load(lane - 1));
    const __m256i equal =
        _mm256_or_si256(_mm256_cmpeq_epi64(difference, step), _mm256_cmpeq_epi64(difference, none));
    joined |= LaneMask(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) << lane;
  }
#endif
  for (; lane < kLanes; ++lane) {
    const uint64_t difference = addresses[lane] - addresses[lane - 1];
    joined |= LaneMask(difference == size || difference == 0) << lane;
  }
  return joined;
}

namespace {
/// The distinct lines of one access, behind what `lines` has already.
class LineSet {
public:
  explicit LineSet(std::vector<TraceLine> &lines) : lines(lines), first(lines.size()) {}
  /// Adds bytes [first, last].
  void add(uint64_t first, uint64_t last) {
    constexpr unsigned kSectors = TraceLine::kBytes / TraceLine::kSectorBytes;
    const uint64_t lastSector = last / TraceLine::kSectorBytes;
    for (uint64_t sector = first / TraceLine::kSectorBytes; sector <= lastSector;) {
      const uint64_t line = sector / kSectors;
      const uint64_t end = std::min(lastSector, line * kSectors + kSectors - 1);
      const unsigned count = unsigned(end - sector + 1);
      addSectors(line, ((1u << count) - 1) << (sector % kSectors));
      sector = end + 1;
    }
  }

private:
  static constexpr unsigned kSlots = 128;
  std::vector<TraceLine> &lines;
  const size_t first;
  /// By a hash of the line: its place behind `first`, plus one; 0: none. An access of at most 16
  /// bytes touches two lines.
  std::array<uint8_t, kSlots> slots = {};

  void addSectors(uint64_t line, unsigned sectors) {
    const size_t count = lines.size() - first;
    if (count != 0 && lines.back().getLine() == line) {
      lines.back().bits |= sectors;
      return;
    }
    TraceLine *found = lines.data() + first;
    uint8_t &slot = slots[(line ^ line >> 7) % kSlots];
    size_t place = slot;
    if (place != 0 && found[place - 1].getLine() != line) // another line has the slot
      for (place = count; place != 0 && found[place - 1].getLine() != line; --place) {
      }
    if (place != 0) {
      found[place - 1].bits |= sectors;
      return;
    }
    lines.emplace_back(line, sectors);
    slot = uint8_t(count + 1);
  }
};

/// The distinct blocks that the lanes of one cycle touch.
class BlockCounter {
public:
  /// Adds bytes [first, last] of lane `lane`.
  void add(unsigned chunk, uint64_t first, uint64_t last) {
    if (chunk != current) {
      total += count;
      count = 0;
      current = chunk;
    }
    for (uint64_t block = first / kBlockBytes; block <= last / kBlockBytes; ++block)
      if (std::find(blocks.begin(), blocks.begin() + count, block) == blocks.begin() + count)
        blocks[count++] = block;
  }
  unsigned getTotal() const { return total + count; }

private:
  /// 16 lanes of two blocks each.
  std::array<uint64_t, 32> blocks;
  unsigned current = 0, count = 0, total = 0;
};
} // namespace

unsigned ckemu::findTouchedLines(const Lanes64 &addresses, uint64_t shift, LaneMask lanes,
                                 unsigned size, std::vector<TraceLine> &lines) {
  const unsigned chunk = size > 8 ? 4 : size > 4 ? 8 : 16; // lanes of one cycle
  const LaneMask chunkStarts = ~LaneMask(0) / ((LaneMask(1) << chunk) - 1);
  const LaneMask joined = findJoined(addresses, size) & lanes & lanes << 1;
  const LaneMask starts = lanes & (~joined | chunkStarts);
  const LaneMask stops = starts | ~lanes;
  LineSet set(lines);
  BlockCounter blocks;
  for (LaneMask rest = starts; rest; rest &= rest - 1) {
    const unsigned lane = unsigned(__builtin_ctzll(rest));
    const LaneMask following = stops & ~LaneMask(1) << lane;
    const unsigned end = following ? unsigned(__builtin_ctzll(following)) : kLanes;
    const uint64_t first = addresses[lane] + shift, last = addresses[end - 1] + shift + size - 1;
    set.add(first, last);
    blocks.add(lane / chunk, first, last);
  }
  return blocks.getTotal();
}

void ckemu::countChangedDwords(const Lanes64 &addresses, uint64_t shift, LaneMask lanes,
                               unsigned size, llvm::MutableArrayRef<TraceLine> lines) {
  size_t last = 0; // neighbours mostly touch the same line
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    const uint64_t first = addresses[unsigned(__builtin_ctzll(rest))] + shift;
    const uint64_t line = first / TraceLine::kBytes;
    if (lines[last].getLine() != line)
      last = size_t(llvm::find_if(lines, [&](const TraceLine &l) { return l.getLine() == line; }) -
                    lines.begin());
    lines[last].addChangedDwords(std::max(1u, size / 4));
  }
}
