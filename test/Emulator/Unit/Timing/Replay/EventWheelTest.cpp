//===- EventWheelTest.cpp - What happens next -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/EventWheel.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace ckemu;

TEST(EventWheel, EntriesOfACycleLeaveInTheirOrder) {
  EventWheel wheel(4);
  wheel.add(2, 10);
  wheel.add(0, 10);
  wheel.add(3, 5);
  wheel.add(1, 10);
  uint32_t entry = 0;
  for (uint32_t expected : {3, 2, 0, 1}) {
    ASSERT_TRUE(wheel.take(entry));
    EXPECT_EQ(entry, expected);
  }
  EXPECT_EQ(wheel.getNow(), 10);
  EXPECT_FALSE(wheel.take(entry));
}

TEST(EventWheel, WhatIsPastComesNow) {
  EventWheel wheel(2);
  wheel.add(0, 100);
  uint32_t entry = 0;
  ASSERT_TRUE(wheel.take(entry));
  wheel.add(1, 50);
  ASSERT_TRUE(wheel.take(entry));
  EXPECT_EQ(wheel.getNow(), 100);
}

/// Against a sorted set, with times near and far.
TEST(EventWheel, TimesAscend) {
  constexpr uint32_t kEntries = 500;
  EventWheel wheel(kEntries);
  std::multiset<Cycle> expected;
  std::mt19937 random(7);
  auto draw = [&] {
    const Cycle offset = random() % 10 == 0 ? random() % 100000 : random() % 300;
    return wheel.getNow() + offset;
  };
  for (uint32_t i = 0; i < kEntries; ++i) {
    const Cycle time = draw();
    wheel.add(i, time);
    expected.insert(time);
  }
  for (unsigned i = 0; i < 100000; ++i) {
    uint32_t entry = 0;
    ASSERT_TRUE(wheel.take(entry));
    ASSERT_EQ(wheel.getNow(), *expected.begin());
    expected.erase(expected.begin());
    const Cycle time = draw();
    wheel.add(entry, time);
    expected.insert(time);
  }
}
