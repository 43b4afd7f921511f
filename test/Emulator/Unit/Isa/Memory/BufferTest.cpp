//===- BufferTest.cpp - Offsets and ranges of buffer instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offset of a lane is a sum of 32 bits that wraps, and each dword must end in the range. The
// tests compare every lane of loads, stores and atomics with that rule; the range lies in the
// middle of the memory, so that an access beside it would find or change something.
//
//===----------------------------------------------------------------------===//

#include "MemoryWave.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
constexpr unsigned kBase = 4096;

/// Loads and stores by the end of the names of gfx9, which the assembler knows everywhere.
struct Width {
  const char *load, *store;
  unsigned bytes;
  const char *data;
};
constexpr Width kWidths[] = {
    {"ubyte", "byte", 1, "v10"},
    {"ushort", "short", 2, "v10"},
    {"dword", "dword", 4, "v10"},
    {"dwordx2", "dwordx2", 8, "v[10:11]"},
    {"dwordx3", "dwordx3", 12, "v[10:12]"},
    {"dwordx4", "dwordx4", 16, "v[10:13]"},
};

/// An access through one descriptor: the offset of lane i is first + step * i.
struct Range {
  uint32_t first, step, immediate, scalar, records;
};
constexpr Range kRanges[] = {
    {uint32_t(-40), 4, 40, 0, 64},     // what LLVM makes of a constant and a negative register
    {uint32_t(-40), 4, 8, 0, 64},      // negative sums stay out of range
    {uint32_t(-128), 12, 96, 32, 160}, // the scalar offset is added behind the wrap
    {0, 4, 0, 0, 62},
    {2, 4, 0, 0, 64},
    {1, 3, 5, 7, 100},
    {0, 16, 0, 0, 3},
    {0, 4, 0, 64, 60},
    {uint32_t(-16), 4, 0, 16, 64},
};

class Buffers : public testing::TestWithParam<const char *> {
protected:
  bool isCdna() const { return std::string(GetParam()).size() == 6; }
  /// s[4:7] describes memory from kBase on, s8 holds the scalar offset, v4 the offsets.
  void describe(MemoryWave &m, const Range &range) {
    m.setS64(4, m.getAddress() + kBase);
    m.s(6) = range.records;
    m.s(7) = isCdna() ? 0x00020000 : 0x31004000;
    m.s(8) = range.scalar;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      m.v(4)[lane] = range.first + range.step * lane;
  }
  static std::string getOperands(const Range &range) {
    return ", v4, s[4:7], s8 offen offset:" + std::to_string(range.immediate);
  }
};
} // namespace

static uint32_t getOffset(const Range &range, unsigned lane) {
  return range.first + range.step * lane + range.immediate; // wraps
}
static bool isInRange(const Range &range, unsigned lane, unsigned end) {
  return uint64_t(getOffset(range, lane)) + range.scalar + end <= range.records;
}

TEST_P(Buffers, Loads) {
  for (const Range &range : kRanges)
    for (const Width &width : kWidths) {
      MemoryWave m(GetParam());
      describe(m, range);
      m.run(std::string("buffer_load_") + width.load + " " + width.data + getOperands(range));
      for (unsigned lane = 0; lane < m.lanes(); ++lane)
        for (unsigned k = 0; 4 * k < width.bytes; ++k) {
          const unsigned bytes = std::min(4u, width.bytes);
          const uint64_t expected =
              isInRange(range, lane, 4 * k + bytes)
                  ? m.load(kBase + range.scalar + getOffset(range, lane) + 4 * k, bytes)
                  : 0;
          ASSERT_EQ(m.v(10 + k)[lane], expected) << width.load << " of range " << &range - kRanges
                                                 << " lane " << lane << " dword " << k;
        }
    }
}

TEST_P(Buffers, Stores) {
  for (const Range &range : kRanges)
    for (const Width &width : kWidths) {
      MemoryWave m(GetParam());
      describe(m, range);
      std::vector<uint8_t> expected(m.memory(), m.memory() + MemoryWave::kBytes);
      for (unsigned lane = 0; lane < m.lanes(); ++lane)
        for (unsigned k = 0; 4 * k < width.bytes; ++k) {
          const unsigned bytes = std::min(4u, width.bytes);
          const uint32_t value = m.v(10 + k)[lane] = 0x01010101u * (lane + 1) + k;
          if (isInRange(range, lane, 4 * k + bytes))
            std::memcpy(&expected[kBase + range.scalar + getOffset(range, lane) + 4 * k], &value,
                        bytes);
        }
      m.run(std::string("buffer_store_") + width.store + " " + width.data + getOperands(range));
      // Where lanes overlap, dwords of one that lies partly out of range go one by one.
      if (range.step >= width.bytes)
        ASSERT_EQ(expected, std::vector<uint8_t>(m.memory(), m.memory() + MemoryWave::kBytes))
            << width.store << " of range " << &range - kRanges;
    }
}

TEST_P(Buffers, AtomicsAreAllOrNothing) {
  constexpr Range ranges[] = {{uint32_t(-80), 8, 80, 0, 60}, {uint32_t(-64), 8, 64, 8, 100}};
  for (const Range &range : ranges) {
    MemoryWave m(GetParam());
    describe(m, range);
    std::vector<uint8_t> expected(m.memory(), m.memory() + MemoryWave::kBytes);
    for (unsigned lane = 0; lane < m.lanes(); ++lane) {
      m.v(10)[lane] = lane + 1;
      m.v(11)[lane] = 0;
      uint64_t value;
      uint8_t *at = &expected[kBase + range.scalar + getOffset(range, lane) % 4096];
      std::memcpy(&value, at, 8);
      value += isInRange(range, lane, 8) ? lane + 1 : 0;
      std::memcpy(at, &value, 8);
    }
    m.run("buffer_atomic_add_x2 v[10:11]" + getOperands(range));
    EXPECT_EQ(expected, std::vector<uint8_t>(m.memory(), m.memory() + MemoryWave::kBytes));
  }
}

TEST_P(Buffers, OffsetsOfRecordsWrap) {
  MemoryWave m(GetParam());
  describe(m, {uint32_t(-40), 0, 0, 0, 20});
  m.s(5) |= 24 << 16; // 20 records of 24 bytes
  m.s(7) = isCdna() ? 0x00020000 : 0x01004000;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    m.v(4)[lane] = lane;
    m.v(5)[lane] = uint32_t(-40) + 4 * (lane % 4);
  }
  m.run("buffer_load_dwordx2 v[10:11], v[4:5], s[4:7], s8 idxen offen offset:52");
  for (unsigned lane = 0; lane < m.lanes(); ++lane)
    for (unsigned k = 0; k < 2; ++k) {
      const uint32_t offset = 12 + 4 * (lane % 4) + 4 * k;
      // RDNA looks at the offset, too.
      const bool inRange = lane < 20 && (isCdna() || offset + 4 <= 24);
      EXPECT_EQ(m.v(10 + k)[lane], inRange ? m.load(kBase + 24 * lane + offset, 4) : 0)
          << "lane " << lane << " dword " << k;
    }
}

/// Without an index, records have a range of bytes on CDNA.
TEST_P(Buffers, RecordsWithoutIndex) {
  if (!isCdna())
    GTEST_SKIP() << "RDNA's descriptors say what is compared";
  const Range range = {uint32_t(-8), 4, 8, 0, 62};
  MemoryWave m(GetParam());
  describe(m, range);
  m.s(5) |= 24 << 16;
  m.run("buffer_load_dword v10" + getOperands(range));
  for (unsigned lane = 0; lane < m.lanes(); ++lane)
    EXPECT_EQ(m.v(10)[lane], lane < 15 ? m.load(kBase + 4 * lane, 4) : 0) << "lane " << lane;
}

INSTANTIATE_TEST_SUITE_P(Chips, Buffers,
                         testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });
