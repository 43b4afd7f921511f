//===- CacheTags.h - Which lines a cache holds -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set-associative cache without its data. The memory comes zeroed from the system, page by page
// as it is used, so that a cache of 256 MiB of which a launch uses little costs little.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_CACHETAGS_H
#define CK_MLIR_LIB_EMULATOR_TIMING_CACHETAGS_H

#include "llvm/Support/Alignment.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <emmintrin.h>
#include <memory>
#include <sys/mman.h>

namespace ckemu {

/// Sets of 16 lines with a tree of bits for the order of their use, as in hardware: each of the 15
/// bits of a set says in which half the line lies that goes next. A line is told from others by its
/// low 32 bits: with 128 bytes a line, two that are mixed up lie a multiple of 512 GiB apart.
class CacheTags {
public:
  static constexpr unsigned kWays = 16;

private:
  /// Three cache lines of the host.
  struct alignas(64) Set {
    uint32_t tags[kWays]; ///< line + 1, 0: none
    float ready[kWays];
    uint8_t dirty[kWays];
    uint16_t tree;
  };

public:
  /// The place of a line.
  struct Place {
    Set *set = nullptr;
    unsigned way = 0;

    /// When the line can be used, and its sectors that were changed.
    float &ready() const { return set->ready[way]; }
    uint8_t &dirty() const { return set->dirty[way]; }
    /// The low 32 bits of the number of the line, where there is one.
    bool isUsed() const { return set->tags[way] != 0; }
    uint32_t getLine() const { return set->tags[way] - 1; }
  };

  /// At least one set.
  explicit CacheTags(uint64_t numLines)
      : numSets(uint32_t(std::max<uint64_t>(1, numLines / kWays))),
        bits(llvm::Log2_32_Ceil(numSets)), mask(llvm::isPowerOf2_32(numSets) ? numSets - 1 : 0),
        memory(allocate((size_t(numSets) + 1) * sizeof(Set))) {
    sets = reinterpret_cast<Set *>(llvm::alignAddr(memory.get(), llvm::Align(alignof(Set))));
  }

  uint64_t getNumLines() const { return uint64_t(numSets) * kWays; }
  Place getPlace(uint32_t index) { return {&sets[index / kWays], index % kWays}; }

  /// True when the cache holds `line`, at `place`; else `place` is the one that it would take.
  bool find(uint64_t line, Place &place) {
    place.set = &sets[getSet(line)];
    const uint32_t equal = findEqual(place.set->tags, toTag(line));
    place.way = equal ? unsigned(llvm::countr_zero(equal)) : getNext(place.set->tree);
    if (equal)
      use(place);
    return equal != 0;
  }

  /// Asks the host for what find needs of `line`.
  void prefetch(uint64_t line) const {
    const auto *set = reinterpret_cast<const char *>(&sets[getSet(line)]);
    for (size_t at = 0; at < sizeof(Set); at += alignof(Set))
      __builtin_prefetch(set + at);
  }

  /// Puts `line` at `place`, which find has said.
  void put(uint64_t line, Place place, double ready) {
    place.set->tags[place.way] = toTag(line);
    place.ready() = float(ready);
    use(place);
  }

  void clear() {
    for (uint32_t i = 0; i < numSets; ++i)
      std::memset(sets[i].tags, 0, sizeof(sets[i].tags));
  }

private:
  /// A bit for each of 16 numbers that is `tag`.
  static uint32_t findEqual(const uint32_t *tags, uint32_t tag) {
    const __m128i wanted = _mm_set1_epi32(int(tag));
    auto compare = [&](size_t i) {
      return _mm_cmpeq_epi32(_mm_load_si128(reinterpret_cast<const __m128i *>(tags + 4 * i)),
                             wanted);
    };
    const __m128i low = _mm_packs_epi32(compare(0), compare(1));
    const __m128i high = _mm_packs_epi32(compare(2), compare(3));
    return uint32_t(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  }

  static uint32_t toTag(uint64_t line) { return uint32_t(line) + 1; }

  /// Lines that follow one another have different sets; strides of a power of two are spread, also
  /// where the number of sets is none.
  uint32_t getSet(uint64_t line) const {
    const auto folded = uint32_t(line ^ line >> bits ^ line >> 2 * bits);
    return mask ? folded & mask : folded % numSets;
  }

  /// Node n of a tree has the nodes 2 n and 2 n + 1 below it; the root is 1. A bit is set when the
  /// second half goes next.
  static unsigned getNext(unsigned tree) {
    unsigned node = 1;
    for (unsigned i = 0; i < 4; ++i)
      node = 2 * node + (tree >> node & 1);
    return node - kWays;
  }
  /// The nodes on the way to a line, and those of them whose bit is set once it was used.
  struct Path {
    uint16_t nodes = 0, set = 0;
  };
  static constexpr std::array<Path, kWays> makePaths() {
    std::array<Path, kWays> paths;
    for (unsigned way = 0; way < kWays; ++way)
      for (unsigned node = way + kWays; node > 1; node /= 2) {
        paths[way].nodes |= uint16_t(1u << node / 2);
        paths[way].set |= uint16_t((~node & 1) << node / 2);
      }
    return paths;
  }
  static void use(Place place) {
    static constexpr std::array<Path, kWays> kPaths = makePaths();
    const Path path = kPaths[place.way];
    place.set->tree = uint16_t((place.set->tree & ~path.nodes) | path.set);
  }

  struct Free {
    size_t mapped = 0; ///< bytes; 0: on the heap
    void operator()(void *p) const {
      if (mapped)
        munmap(p, mapped);
      else
        std::free(p);
    }
  };
  /// Zeros. Those of large caches, which accesses touch all over, are on large pages of the host.
  static std::unique_ptr<void, Free> allocate(size_t bytes) {
    constexpr size_t kLargePage = size_t(1) << 21;
    if (bytes < kLargePage) {
      if (void *memory = std::calloc(1, bytes))
        return {memory, Free()};
    } else if (void *memory =
                   mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
               memory != MAP_FAILED) {
      madvise(memory, bytes, MADV_HUGEPAGE); // a wish
      return {memory, Free{bytes}};
    }
    llvm::report_bad_alloc_error("no memory for the tags of a cache");
  }
  uint32_t numSets, bits, mask; ///< mask: 0 where the sets are no power of two
  std::unique_ptr<void, Free> memory;
  Set *sets;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_CACHETAGS_H
