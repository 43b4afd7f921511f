//===- ProfileTest.cpp - Counts by wave and instruction -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch counts on request, against numbers that follow from the source of the kernels.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

/// The statistics of the last launch.
static llvm::json::Object getStatistics() {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(ckEmulatorGetLaunchStatistics());
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return {};
  }
  return std::move(*value->getAsObject());
}

/// The counts `key` per wave of the instructions whose text begins with `mnemonic`.
static std::vector<int64_t> sumByWave(const llvm::json::Object &statistics, StringRef mnemonic,
                                      StringRef key) {
  std::vector<int64_t> sums;
  const llvm::json::Object *profile = statistics.getObject("profile");
  if (!profile) {
    ADD_FAILURE() << "no profile";
    return sums;
  }
  sums.resize(size_t(*profile->getInteger("waves_per_group")));
  for (const llvm::json::Value &value : *profile->getArray("instructions")) {
    const llvm::json::Object &entry = *value.getAsObject();
    const llvm::json::Array *counts = entry.getArray(key);
    if (!counts || !entry.getString("text")->trim().starts_with(mnemonic))
      continue;
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] += *(*counts)[i].getAsInteger();
  }
  return sums;
}

namespace {
class ProfileTest : public testing::Test {
protected:
  void SetUp() override { ckEmulatorSetProfiling(1); }
  void TearDown() override { ckEmulatorSetProfiling(0); }
};
} // namespace

TEST_F(ProfileTest, WavesAreCountedApart) {
  DeviceModule module(CK_PROFILE_CODE);
  DeviceArray<unsigned> out(4 * 64);
  ASSERT_HIP(module.launch("sleep_by_wave", 10, 4 * 64, out.get()));
  EXPECT_EQ(out.read()[255], 3u);
  llvm::json::Object statistics = getStatistics();
  EXPECT_EQ(sumByWave(statistics, "s_sleep", "executions"), (std::vector<int64_t>{10, 20, 30, 40}));
  EXPECT_EQ(sumByWave(statistics, "s_endpgm", "executions"),
            (std::vector<int64_t>{10, 10, 10, 10}));
}

TEST_F(ProfileTest, TotalsAreTheSameWithAndWithoutAProfile) {
  DeviceModule module(CK_PROFILE_CODE);
  DeviceArray<unsigned> out(4 * 64);
  ASSERT_HIP(module.launch("sleep_by_wave", 3, 4 * 64, out.get()));
  llvm::json::Object profiled = getStatistics();
  ckEmulatorSetProfiling(0);
  ASSERT_HIP(module.launch("sleep_by_wave", 3, 4 * 64, out.get()));
  llvm::json::Object plain = getStatistics();
  EXPECT_EQ(plain.get("profile"), nullptr);
  for (const char *key : {"instructions", "wave_instructions", "bytes_stored", "bytes_loaded"})
    EXPECT_EQ(*profiled.get(key), *plain.get(key)) << key;
  int64_t sum = 0;
  for (int64_t count : sumByWave(profiled, "", "executions"))
    sum += count;
  EXPECT_EQ(sum, *plain.getInteger("wave_instructions"));
}

TEST_F(ProfileTest, CacheLines) {
  DeviceModule module(CK_PROFILE_CODE);
  DeviceArray<unsigned> out(64 * 32);
  // 64 dwords side by side fill 2 lines of 128 bytes; 32 dwords apart each has its own.
  for (auto [stride, lines] : {std::pair(1u, 2), std::pair(2u, 4), std::pair(32u, 64)}) {
    ASSERT_HIP(module.launch("store_strided", 1, 64, out.get(), stride));
    llvm::json::Object statistics = getStatistics();
    EXPECT_EQ(sumByWave(statistics, "global_store", "cache_lines"), std::vector<int64_t>{lines});
    EXPECT_EQ(sumByWave(statistics, "global_store", "bytes_stored"), std::vector<int64_t>{256});
    EXPECT_EQ(sumByWave(statistics, "s_", "cache_lines"), std::vector<int64_t>{0});
  }
}

TEST_F(ProfileTest, BankConflictsByInstruction) {
  DeviceModule module(CK_PROFILE_CODE);
  DeviceArray<unsigned> out(64);
  // 32 lanes are served in a cycle; a stride of 2^n dwords puts 2^n of them into each bank in use.
  for (unsigned stride : {1u, 2u, 8u, 32u}) {
    ASSERT_HIP(module.launch("exchange_strided", 5, 64, out.get(), stride));
    EXPECT_EQ(out.read()[63], 70u);
    llvm::json::Object statistics = getStatistics();
    std::vector<int64_t> expected = {int64_t(5 * 2 * (stride - 1))};
    EXPECT_EQ(sumByWave(statistics, "ds_write", "lds_bank_conflicts"), expected) << stride;
    EXPECT_EQ(sumByWave(statistics, "ds_read", "lds_bank_conflicts"), expected) << stride;
    EXPECT_EQ(*statistics.getInteger("lds_bank_conflicts"), 2 * expected[0]);
  }
}
