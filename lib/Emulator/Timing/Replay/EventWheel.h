//===- EventWheel.h - What happens next -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A queue of numbers ordered by a time in cycles. Most times are close: a wheel of buckets holds
// those within its size, a heap the others. Entries of one cycle leave in the order in which they
// were added.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_EVENTWHEEL_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_EVENTWHEEL_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ckemu {

/// Cycles of the shader clock.
using Cycle = int64_t;

/// An entry is in the queue at most once; entries are small numbers.
class EventWheel {
public:
  explicit EventWheel(size_t numEntries) : next(numEntries, kNone) { last.fill(kNone); }

  Cycle getNow() const { return now; }

  /// Adds `entry` for `time`, at the earliest now.
  void add(uint32_t entry, Cycle time) {
    time = std::max(time, now);
    if (time - now < kSize)
      append(entry, time);
    else
      far.emplace(time, order++, entry);
  }

  /// Takes the entry that comes next and moves the time to it; false when there is none.
  bool take(uint32_t &entry) {
    Cycle time = 0;
    if (!findBucket(time)) {
      if (far.empty())
        return false;
      now = std::get<0>(far.top());
      fetchFar();
      time = now;
    }
    now = time;
    if (!far.empty() && std::get<0>(far.top()) - now < kSize)
      fetchFar();
    const size_t bucket = size_t(now) % kSize;
    const uint32_t tail = last[bucket];
    entry = next[tail];
    if (entry == tail) {
      last[bucket] = kNone;
      used[bucket / 64] &= ~(uint64_t(1) << bucket % 64);
    } else {
      next[tail] = next[entry];
    }
    return true;
  }

  /// The entry that is likely to come next, to be fetched ahead; any other when that takes a
  /// search.
  uint32_t guessNext() const {
    const size_t bucket = size_t(now) % kSize;
    const uint64_t bits = used[bucket / 64] >> bucket % 64;
    return bits ? next[last[bucket + size_t(__builtin_ctzll(bits))]] : 0;
  }

private:
  static constexpr Cycle kSize = 4096;
  static constexpr uint32_t kNone = ~0u;
  using FarEntry = std::tuple<Cycle, uint64_t, uint32_t>;

  std::vector<uint32_t> next;       ///< in the bucket of an entry; the first one behind the last
  std::array<uint32_t, kSize> last; ///< of each bucket
  std::array<uint64_t, kSize / 64> used = {};
  std::priority_queue<FarEntry, std::vector<FarEntry>, std::greater<>> far;
  uint64_t order = 0;
  Cycle now = 0;

  void append(uint32_t entry, Cycle time) {
    const size_t bucket = size_t(time) % kSize;
    const uint32_t tail = last[bucket];
    next[entry] = entry;
    if (tail != kNone)
      std::swap(next[entry], next[tail]);
    last[bucket] = entry;
    used[bucket / 64] |= uint64_t(1) << bucket % 64;
  }

  void fetchFar() {
    while (!far.empty() && std::get<0>(far.top()) - now < kSize) {
      const FarEntry entry = far.top();
      far.pop();
      append(std::get<2>(entry), std::get<0>(entry));
    }
  }

  /// The time of the first bucket that is not empty, from now on.
  bool findBucket(Cycle &time) const {
    const size_t start = size_t(now) % kSize;
    uint64_t bits = used[start / 64] >> start % 64;
    if (bits) {
      time = now + __builtin_ctzll(bits);
      return true;
    }
    Cycle offset = 64 - Cycle(start % 64);
    for (size_t i = 1; i <= used.size(); ++i, offset += 64) {
      bits = used[(start / 64 + i) % used.size()];
      if (bits) {
        time = now + offset + __builtin_ctzll(bits);
        return true;
      }
    }
    return false;
  }
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_EVENTWHEEL_H
