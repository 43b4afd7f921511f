//===- CacheTagsTest.cpp - Which lines a cache holds -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/CacheTags.h"
#include "gtest/gtest.h"

using namespace ckemu;

/// How many of `count` lines, `stride` apart, a cache of `numLines` holds after all were read.
static uint64_t countHeld(uint64_t numLines, uint64_t stride, uint64_t count) {
  CacheTags tags(numLines);
  CacheTags::Place place;
  for (uint64_t i = 0; i < count; ++i)
    if (!tags.find(i * stride, place))
      tags.put(i * stride, place, /*ready=*/0);
  uint64_t held = 0;
  for (uint64_t i = 0; i < count; ++i)
    held += tags.find(i * stride, place);
  return held;
}

TEST(CacheTags, HoldAsManyNeighboursAsTheyHaveLines) {
  for (uint64_t numLines : {16, 24576, 32768, 49152})
    EXPECT_EQ(countHeld(numLines, 1, numLines), numLines) << numLines;
}

/// The numbers of sets are 1536, 2048 and 3072, and 2560 for a part of an L2.
TEST(CacheTags, SpreadStridesOfAPowerOfTwo) {
  for (uint64_t numLines : {24576, 32768, 49152, 40960})
    for (uint64_t stride = 2; stride <= 1024; stride *= 2) {
      const uint64_t count = numLines / 2;
      EXPECT_GE(countHeld(numLines, stride, count), count * 95 / 100)
          << numLines << " lines, stride " << stride;
    }
}
