//===- OrderTest.cpp - The checks of order on every chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right kernels stay silent under several schedules, each wrong twin is caught; built once per
// chip. ChecksTest looks at the messages and at more cases, on one chip.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include "llvm/ADT/StringRef.h"
#include <cstdlib>

namespace {
/// 128 work-items: at least two waves on every chip.
class OrderTest : public testing::Test {
protected:
  static void SetUpTestSuite() { setenv("CK_EMULATOR_CHIP", CK_ORDERS_CHIP, /*overwrite=*/1); }

  void expectRight(const char *kernel, unsigned groups) {
    for (const char *order : {"round_robin", "random:1", "random:2", "random:3"}) {
      ScopedVariable schedule("CK_EMULATOR_SCHEDULE", order);
      DeviceModule module(CK_ORDERS_CODE);
      DeviceArray<unsigned> words(std::vector<unsigned>(512, 0));
      EXPECT_HIP(module.launch(kernel, groups, 128, words.get())) << kernel << " " << order;
    }
  }
  void expectWrong(const char *kernel, unsigned groups, hipError_t error, const char *message) {
    DeviceModule module(CK_ORDERS_CODE);
    DeviceArray<unsigned> words(std::vector<unsigned>(512, 0));
    EXPECT_EQ(module.launch(kernel, groups, 128, words.get()), error) << kernel;
    expectMessage(message);
  }
};
} // namespace

TEST_F(OrderTest, WorkgroupsHandOver) {
  expectRight("ordered", 2);
  expectWrong("without_release", 2, hipErrorIllegalAddress, "the release misses its writeback");
  expectWrong("without_acquire", 2, hipErrorIllegalAddress,
              "the acquire misses its cache invalidation");
}

TEST_F(OrderTest, FlagsAreTakenBack) {
  expectRight("taken_back", 3);
  // Elsewhere stores of flags say what they are, and two of them are in no race.
  const llvm::StringRef chip = CK_ORDERS_CHIP;
  if (chip == "gfx90a" || chip.starts_with("gfx11"))
    expectWrong("taken_back_unseen", 3, hipErrorIllegalAddress, "races with the");
}

TEST_F(OrderTest, WavesExchange) {
  expectRight("exchange", 1);
  expectWrong("exchange_without_barrier", 1, hipErrorIllegalAddress, "races with the");
}

TEST_F(OrderTest, UninitializedMemory) {
  expectWrong("read_beyond_what_is_written", 1, hipErrorIllegalAddress,
              "which no wave has written");
  DeviceModule module(CK_ORDERS_CODE);
  DeviceArray<unsigned> words(512), others(512);
  EXPECT_EQ(module.launch("read_uninitialized", 1, 128, words.get(), others.get()),
            hipErrorIllegalAddress);
  EXPECT_HIP(hipMemset(others.get(), 0, 128 * sizeof(unsigned)));
  EXPECT_HIP(module.launch("read_uninitialized", 1, 128, words.get(), others.get()));
}

TEST_F(OrderTest, WavesExchangeInMemory) {
  expectRight("exchange_in_memory", 1);
  expectWrong("exchange_in_memory_without_barrier", 1, hipErrorIllegalAddress,
              "races with the load of wave");
}

TEST_F(OrderTest, LoadsAndStoresOfDifferentWaves) {
  expectRight("load_before_store", 1);
  expectWrong("load_before_store_without_barrier", 1, hipErrorIllegalAddress,
              "races with the load of wave 0");
  expectWrong("load_after_store_without_barrier", 1, hipErrorIllegalAddress,
              "races with the store of wave 0");
  expectWrong("two_stores", 1, hipErrorIllegalAddress, "races with the store of wave 0");
  expectRight("halves_in_memory", 1);
}

TEST_F(OrderTest, WavesHandOver) {
  expectRight("hand_over_in_memory", 1);
  expectRight("hand_over_in_lds", 1);
}

TEST_F(OrderTest, StoresOfTheSameValue) {
  expectRight("same_values", 2);
  expectRight("same_values_in_lds", 1);
}

TEST_F(OrderTest, AtomicsOfWaves) {
  expectRight("sum_in_memory", 1);
  expectWrong("sum_then_store_without_barrier", 1, hipErrorIllegalAddress,
              "races with the atomic of wave 0");
}

/// The two compute units of a work-group processor have a cache each.
TEST_F(OrderTest, WavesOfTwoComputeUnits) {
  if (llvm::StringRef(CK_ORDERS_CHIP).starts_with("gfx9")) {
    expectRight("bare_barrier", 1);
    expectRight("open_load", 1);
    expectRight("without_invalidation", 1);
    return;
  }
  expectWrong("bare_barrier", 1, hipErrorIllegalAddress,
              "which no wait of that wave has completed");
  expectWrong("open_load", 1, hipErrorIllegalAddress, "races with the load of wave");
  expectWrong("without_invalidation", 1, hipErrorIllegalAddress,
              "no invalidation of the cache after the barrier");
}

/// As the hardware has it, waves that have ended are no members of a barrier; asked for by name,
/// the check sees them.
TEST_F(OrderTest, BarrierMismatch) {
  expectRight("leave_before_barrier", 1);
  expectRight("ends_before_barrier", 1);
  for (const char *names : {"barriers", "on,barriers"}) {
    ScopedVariable checks("CK_EMULATOR_CHECKS", names);
    expectWrong("leave_before_barrier", 1, hipErrorLaunchFailure,
                "waves passed different numbers of barriers");
  }
}
