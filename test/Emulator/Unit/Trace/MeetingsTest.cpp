//===- MeetingsTest.cpp - Which waves meet -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/Meetings.h"
#include "gtest/gtest.h"

using namespace ckemu;

/// Waves that leave something at their position 50 and go on.
static constexpr uint32_t kLeaves = 50, kBefore = 40, kAfter = 90;

/// Wave `number` of workgroup `id` waits for that of `others` at `position`.
static void addWaiter(Meetings &meetings, uint64_t id, const std::vector<uint64_t> &others,
                      uint32_t position, uint32_t number = 0) {
  GroupTrace trace;
  trace.linearId = id;
  trace.waves.resize(number + 1);
  WaveTrace &wave = trace.waves[number];
  for (uint64_t other : others) {
    TraceAccess access;
    access.position = position;
    access.dependency = uint32_t(wave.dependencies.size());
    access.numDependencies = 1;
    wave.dependencies.push_back({other, number, kLeaves});
    wave.accesses.push_back(access);
  }
  meetings.add(trace);
}

TEST(Meetings, NoneWhereNoOneWaits) {
  Meetings meetings;
  EXPECT_EQ(meetings.findLargest(), 0u);
  addWaiter(meetings, 3, {3}, kAfter);
  EXPECT_EQ(meetings.findLargest(), 0u) << "waves of one workgroup";
}

TEST(Meetings, OneWaitsForAll) {
  Meetings meetings;
  addWaiter(meetings, 3, {0, 1, 2}, kAfter);
  addWaiter(meetings, 5, {4}, kAfter);
  EXPECT_EQ(meetings.findLargest(), 4u);
}

TEST(Meetings, ThoseOfATreeAreOne) {
  Meetings meetings;
  addWaiter(meetings, 6, {7}, kBefore);
  addWaiter(meetings, 4, {5, 6}, kAfter);
  EXPECT_EQ(meetings.findLargest(), 4u);
}

TEST(Meetings, AWaveLeavesOneForAnother) {
  // Workgroup 4 leaves its part for 5 and then waits for 2 and 3: two tiles.
  Meetings meetings;
  addWaiter(meetings, 5, {4}, kAfter);
  addWaiter(meetings, 4, {2, 3}, kAfter);
  EXPECT_EQ(meetings.findLargest(), 3u);
}

TEST(Meetings, WavesMeetTheirLike) {
  Meetings meetings;
  for (uint32_t number = 0; number < 4; ++number)
    addWaiter(meetings, 5, {4}, kAfter, number);
  EXPECT_EQ(meetings.findLargest(), 2u);
}
