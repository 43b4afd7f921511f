//===- TraceStoreTest.cpp - Traces between those who execute and the model -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who waits for what.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/TraceStore.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>

using namespace ckemu;

static std::unique_ptr<GroupTrace> makeTrace(uint64_t linearId, size_t runs) {
  auto trace = std::make_unique<GroupTrace>();
  trace->linearId = linearId;
  trace->waves.resize(1);
  trace->waves[0].runs.resize(runs);
  return trace;
}

TEST(TraceStore, BytesAreThoseThatWait) {
  TraceStore store;
  EXPECT_EQ(store.getBytes(), 0u);
  store.put(makeTrace(3, 1000));
  EXPECT_GE(store.getBytes(), 1000 * sizeof(TraceRun));
  store.put(makeTrace(4, 10));
  const std::shared_ptr<const GroupTrace> trace = store.take(3);
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->linearId, 3u);
  EXPECT_LT(store.getBytes(), 1000 * sizeof(TraceRun));
  EXPECT_NE(store.take(4), nullptr);
  EXPECT_EQ(store.getBytes(), 0u);
}

TEST(TraceStore, TakeWaitsUntilItIsClosed) {
  TraceStore store;
  std::shared_ptr<const GroupTrace> first, second;
  std::thread taker([&] {
    first = store.take(1);
    second = store.take(2);
  });
  store.put(makeTrace(1, 1));
  store.close();
  taker.join();
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(second, nullptr);
}

TEST(TraceStore, AFullStoreHoldsUpNobodyWhoIsWaitedFor) {
  TraceStore store;
  store.put(makeTrace(1, 1000));
  std::shared_ptr<const GroupTrace> taken;
  std::thread taker([&] { taken = store.take(2); });
  store.waitForRoom(10); // returns because the taker waits
  store.put(makeTrace(2, 1000));
  taker.join();
  EXPECT_NE(taken, nullptr);
  std::atomic<bool> waited{false};
  std::thread waiter([&] {
    store.waitForRoom(10);
    waited = true;
  });
  EXPECT_NE(store.take(1), nullptr);
  waiter.join(); // there is room
  EXPECT_TRUE(waited);
}

TEST(TraceStore, AnAbandonedStoreStaysEmpty) {
  TraceStore store;
  store.put(makeTrace(1, 1000));
  store.abandon();
  store.put(makeTrace(2, 1000));
  EXPECT_EQ(store.getBytes(), 0u);
  store.waitForRoom(0);
}

TEST(TraceStore, EachReaderTakesEachTrace) {
  TraceStore store(/*readers=*/2);
  store.put(makeTrace(1, 1000));
  store.putGlimpse(0, {5, 6});
  store.putGlimpse(1, {7});
  const std::shared_ptr<const GroupTrace> first = store.take(1);
  EXPECT_GE(store.getBytes(), 1000 * sizeof(TraceRun)); // waits for the other reader
  EXPECT_EQ(store.take(1), first);
  EXPECT_EQ(store.getBytes(), 0u);
  const auto glimpses = store.takeGlimpses({0, 2});
  EXPECT_EQ(*glimpses, (TraceStore::Glimpses{{5, 6}, {7}}));
  EXPECT_EQ(store.takeGlimpses({0, 2}), glimpses);
  // Of another range, whose glimpses may come before those of the first are taken, or later.
  store.putGlimpse(6, {8});
  EXPECT_EQ(*store.takeGlimpses({6, 7}), TraceStore::Glimpses{{8}});
  EXPECT_EQ(store.takeGlimpses({0, 2}), glimpses);
  store.abandon();
  store.put(makeTrace(2, 1000));
  EXPECT_NE(store.getBytes(), 0u); // one reader is left
  store.abandon();
  EXPECT_EQ(store.getBytes(), 0u);
}
