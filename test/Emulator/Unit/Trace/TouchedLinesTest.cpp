//===- TouchedLinesTest.cpp - Which lines the lanes of an access touch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against sets of the bytes that each lane touches.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/TouchedLines.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace ckemu;

namespace {
/// What an access touches.
struct Touched {
  std::map<uint64_t, unsigned> sectors; ///< by line
  unsigned cycles = 0;
  bool operator==(const Touched &other) const {
    return sectors == other.sectors && cycles == other.cycles;
  }
};
} // namespace

/// Byte by byte.
static Touched touchBytes(const Lanes64 &addresses, LaneMask lanes, unsigned size) {
  Touched result;
  const unsigned perCycle = size == 16 || size == 12 ? 4 : size == 8 ? 8 : 16;
  for (unsigned first = 0; first < kLanes; first += perCycle) {
    std::set<uint64_t> blocks;
    for (unsigned lane = first; lane < first + perCycle; ++lane)
      for (unsigned i = 0; (lanes >> lane & 1) && i < size; ++i) {
        const uint64_t byte = addresses[lane] + i;
        blocks.insert(byte / 64);
        result.sectors[byte / 128] |= 1u << (byte % 128 / 32);
      }
    result.cycles += unsigned(blocks.size());
  }
  return result;
}

static Touched touchLanes(const Lanes64 &addresses, LaneMask lanes, unsigned size) {
  constexpr uint64_t shift = 0x7000;
  Lanes64 before = addresses;
  for (uint64_t &address : before.lane)
    address -= shift;
  std::vector<TraceLine> lines = {TraceLine(1, 15)}; // what is there stays
  Touched result;
  result.cycles = findTouchedLines(before, shift, lanes, size, lines);
  EXPECT_EQ(lines[0].getLine(), 1u);
  for (size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(result.sectors.count(lines[i].getLine()), 0u) << "a line is there twice";
    result.sectors[lines[i].getLine()] = lines[i].getSectors();
  }
  return result;
}

static void compare(const Lanes64 &addresses, LaneMask lanes, unsigned size) {
  const Touched expected = touchBytes(addresses, lanes, size);
  const Touched found = touchLanes(addresses, lanes, size);
  EXPECT_EQ(found.cycles, expected.cycles) << "size " << size << " lanes " << lanes;
  EXPECT_EQ(found.sectors, expected.sectors) << "size " << size << " lanes " << lanes;
}

static constexpr unsigned kSizes[] = {1, 2, 4, 8, 12, 16};

TEST(TouchedLines, Strides) {
  Lanes64 addresses;
  for (unsigned size : kSizes)
    for (uint64_t begin : {0x10000, 0x10010, 0x1007f})
      for (int64_t stride : {0, 1, 4, 8, 12, 16, 20, 32, 128, 132, 4096, -4, -16, -128}) {
        for (unsigned i = 0; i < kLanes; ++i)
          addresses[i] = begin + uint64_t(stride * int64_t(i)) + (1 << 20);
        for (LaneMask lanes : {~LaneMask(0), LaneMask(0xffff), LaneMask(1) << 63,
                               LaneMask(0x5555555555555555), LaneMask(0xfffffff0ffff)})
          compare(addresses, lanes, size);
      }
}

TEST(TouchedLines, RowsAndRandomAddresses) {
  std::mt19937_64 random(7);
  Lanes64 addresses;
  for (unsigned size : kSizes)
    for (unsigned repeat = 0; repeat < 200; ++repeat) {
      // Rows of lanes side by side that begin anywhere.
      const unsigned row = 1u << random() % 6;
      const uint64_t range = uint64_t(64) << random() % 12;
      for (unsigned i = 0; i < kLanes; ++i)
        addresses[i] = i % row == 0 ? (1 << 20) + random() % range : addresses[i - 1] + size;
      compare(addresses, random(), size);
      compare(addresses, ~LaneMask(0), size);
    }
}

TEST(TouchedLines, WhatOneCycleTakes) {
  std::vector<TraceLine> lines;
  Lanes64 addresses;
  auto place = [&](uint64_t begin, uint64_t stride) {
    for (unsigned i = 0; i < kLanes; ++i)
      addresses[i] = begin + stride * i;
  };
  // 64 bytes are 4 lanes of 16 bytes and 16 of 4; a row that is not aligned needs twice as many.
  place(4096, 16);
  EXPECT_EQ(findTouchedLines(addresses, 0, ~LaneMask(0), 16, lines), 16u);
  EXPECT_EQ(lines.size(), 8u);
  place(4096, 4);
  EXPECT_EQ(findTouchedLines(addresses, 0, ~LaneMask(0), 4, lines), 4u);
  EXPECT_EQ(lines.size(), 10u);
  place(4096 + 32, 16);
  EXPECT_EQ(findTouchedLines(addresses, 0, ~LaneMask(0), 16, lines), 32u);
  place(4096, 0);
  EXPECT_EQ(findTouchedLines(addresses, 0, ~LaneMask(0), 4, lines), 4u);
  place(4096, 256);
  EXPECT_EQ(findTouchedLines(addresses, 0, ~LaneMask(0), 4, lines), 64u);
  EXPECT_EQ(findTouchedLines(addresses, 0, LaneMask(1), 4, lines), 1u);
}

TEST(TouchedLines, DwordsThatAtomicsChange) {
  Lanes64 addresses;
  auto count = [&](uint64_t stride, unsigned size) {
    for (unsigned i = 0; i < kLanes; ++i)
      addresses[i] = (1 << 20) + stride * i;
    std::vector<TraceLine> lines;
    findTouchedLines(addresses, 0x80, ~LaneMask(0), size, lines);
    countChangedDwords(addresses, 0x80, ~LaneMask(0), size, lines);
    std::vector<unsigned> changed;
    for (const TraceLine &line : lines) {
      EXPECT_EQ(line.getLine(), (1 << 20) / 128 + 1 + changed.size());
      changed.push_back(line.getChangedDwords());
    }
    return changed;
  };
  EXPECT_EQ(count(4, 4), std::vector<unsigned>(2, 32)) << "one behind the other";
  EXPECT_EQ(count(16, 4), std::vector<unsigned>(8, 8)) << "a quarter of each line";
  EXPECT_EQ(count(8, 8), std::vector<unsigned>(4, 32)) << "two dwords a lane";
  EXPECT_EQ(count(0, 4), std::vector<unsigned>(1, 64)) << "all lanes one dword";
}
