//===- LdsBanksTest.cpp - Bank conflicts in LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The experiments by which the phases were found: two lanes that want different rows of the same
// banks meet when they share a phase. And the cycles of strided loads, as they were measured.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Memory/LdsBanks.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <set>
#include <vector>

using namespace ckemu;

using Groups = std::vector<std::set<unsigned>>;

/// The lanes of ranges as in {{0, 3}, {20, 23}}, and of the same ranges in the other half.
static Groups makeGroups(const std::vector<std::vector<std::pair<unsigned, unsigned>>> &ranges) {
  Groups groups;
  for (unsigned half = 0; half < kLanes; half += 32)
    for (const auto &group : ranges) {
      groups.emplace_back();
      for (auto [first, last] : group)
        for (unsigned lane = first; lane <= last; ++lane)
          groups.back().insert(lane + half);
    }
  return groups;
}

/// Lanes in order, `size` of them a group.
static Groups makeInOrder(unsigned size) {
  Groups groups(64 / size);
  for (unsigned lane = 0; lane < 64; ++lane)
    groups[lane / size].insert(lane);
  return groups;
}

static const Groups kCrossed =
    makeGroups({{{0, 3}, {20, 23}}, {{4, 7}, {16, 19}}, {{8, 11}, {28, 31}}, {{12, 15}, {24, 27}}});
static const Groups kGfx950Wide =
    makeGroups({{{0, 3}, {12, 15}, {20, 27}}, {{4, 11}, {16, 19}, {28, 31}}});

namespace {
struct Case {
  Isa isa;
  bool isLoad;
  unsigned size;
  Groups groups;
};
} // namespace

/// A chip with the instruction set.
static const ChipModel &getChip(Isa isa) {
  return *llvm::find_if(getProcessors(), [&](const ChipModel &chip) { return chip.isa == isa; });
}

static const Case kCases[] = {
    {Isa::Gfx942, true, 8, makeInOrder(16)},  {Isa::Gfx942, true, 16, kCrossed},
    {Isa::Gfx942, true, 12, kCrossed},        {Isa::Gfx942, false, 16, makeInOrder(8)},
    {Isa::Gfx942, false, 12, makeInOrder(8)}, {Isa::Gfx942, false, 8, makeInOrder(16)},
    {Isa::Gfx942, true, 4, makeInOrder(32)},  {Isa::Gfx90a, true, 16, kCrossed},
    {Isa::Gfx950, true, 16, kGfx950Wide},     {Isa::Gfx950, true, 8, makeInOrder(32)},
    {Isa::Gfx950, true, 12, kCrossed},        {Isa::Gfx950, false, 8, makeInOrder(16)},
    {Isa::Gfx950, true, 4, makeInOrder(32)},  {Isa::Gfx950, false, 16, makeInOrder(8)},
    {Isa::Gfx11, true, 16, makeInOrder(8)},   {Isa::Gfx12, true, 8, makeInOrder(16)},
    {Isa::Gfx12, false, 4, makeInOrder(32)},
};

/// Cycles beyond one for each phase, counted bank by bank.
static unsigned countByHand(const Case &c, unsigned banks, const Lanes &offsets, LaneMask lanes) {
  unsigned extra = 0;
  for (const std::set<unsigned> &group : c.groups) {
    std::map<unsigned, std::set<unsigned>> rows;
    size_t deepest = 1;
    for (unsigned lane : group)
      for (unsigned i = 0; i < c.size / 4 && lanes >> lane & 1; ++i) {
        const unsigned dword = offsets[lane] / 4 + i;
        rows[dword % banks].insert(dword);
        deepest = std::max(deepest, rows[dword % banks].size());
      }
    extra += unsigned(deepest) - 1;
  }
  return extra;
}

static Lanes makeStrided(unsigned bytes) {
  Lanes offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    offsets[lane] = lane * bytes;
  return offsets;
}

static unsigned getBanks(const Case &c) {
  return c.isa == Isa::Gfx950 && c.isLoad && c.size != 12 ? 64 : 32;
}

TEST(LdsBanks, LanesOfAPhaseMeet) {
  for (const Case &c : kCases)
    for (unsigned a = 0; a < kLanes; ++a)
      for (unsigned b = 0; b < a; ++b) {
        Lanes offsets = {};
        offsets[a] = 1024; // another row of the same banks
        bool together = false;
        for (const std::set<unsigned> &group : c.groups)
          together |= group.count(a) && group.count(b);
        const LaneMask lanes = LaneMask(1) << a | LaneMask(1) << b;
        ASSERT_EQ(countBankConflicts(getChip(c.isa), c.isLoad, offsets, lanes, c.size),
                  unsigned(together))
            << unsigned(c.isa) << ' ' << c.isLoad << ' ' << c.size << ": " << a << ", " << b;
        offsets[a] = 0;
        ASSERT_EQ(countBankConflicts(getChip(c.isa), c.isLoad, offsets, lanes, c.size), 0u)
            << "one dword";
      }
}

TEST(LdsBanks, RowsThatFillTheBanks) {
  for (const Case &c : kCases) {
    const unsigned row = 4 * getBanks(c);
    Lanes offsets = {};
    offsets[1] = row;
    EXPECT_EQ(countBankConflicts(getChip(c.isa), c.isLoad, offsets, 3, c.size), 1u) << row;
    offsets[1] = row / 2;
    EXPECT_EQ(countBankConflicts(getChip(c.isa), c.isLoad, offsets, 3, c.size), 0u) << row;
  }
}

TEST(LdsBanks, RandomOffsetsAsCountedByHand) {
  uint64_t state = 1;
  for (const Case &c : kCases)
    for (unsigned round = 0; round < 50; ++round) {
      Lanes offsets;
      LaneMask lanes = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        offsets[lane] = uint32_t(state >> 40) % 256 * (round % 2 ? 4 : c.size);
        lanes |= LaneMask(round % 5 == 0 || state >> 63) << lane;
      }
      ASSERT_EQ(countBankConflicts(getChip(c.isa), c.isLoad, offsets, lanes, c.size),
                countByHand(c, getBanks(c), offsets, lanes))
          << unsigned(c.isa) << ' ' << c.isLoad << ' ' << c.size;
    }
}

/// Of 64 loads of a dword each, measured on gfx942: 4, 8, 16, 32 and 64 cycles for strides of 2 to
/// 32 dwords, and no more than without a stride for odd ones.
TEST(LdsBanks, StridesOfDwords) {
  for (unsigned stride = 1; stride <= 32; stride *= 2) {
    EXPECT_EQ(2 + countBankConflicts(getChip(Isa::Gfx942), true, makeStrided(4 * stride), ~0ull, 4),
              2 * stride);
    EXPECT_EQ(
        countBankConflicts(getChip(Isa::Gfx942), true, makeStrided(4 * (stride | 1)), ~0ull, 4),
        0u);
  }
}

TEST(LdsBanks, RowsInOrderAreFreeOnAllChips) {
  for (Isa isa : kIsas)
    for (unsigned size : {1u, 2u, 4u, 8u, 16u})
      for (bool isLoad : {false, true})
        EXPECT_EQ(countBankConflicts(getChip(isa), isLoad, makeStrided(size), ~0ull, size), 0u)
            << unsigned(isa) << ' ' << size;
}
