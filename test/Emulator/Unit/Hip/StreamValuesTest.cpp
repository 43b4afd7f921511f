//===- StreamValuesTest.cpp - Values in memory that streams wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is complete when it is enqueued, so the value is there before, or another thread writes it.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <thread>

TEST(StreamValues, WritesAndConditions) {
  DeviceArray<uint64_t> values(std::vector<uint64_t>{5, 0});
  EXPECT_HIP(hipStreamWaitValue64(nullptr, values.get(), 5, hipStreamWaitValueEq, UINT64_MAX));
  EXPECT_HIP(hipStreamWaitValue64(nullptr, values.get(), 4, hipStreamWaitValueGte, UINT64_MAX));
  EXPECT_HIP(hipStreamWaitValue64(nullptr, values.get(), 4, hipStreamWaitValueAnd, UINT64_MAX));
  EXPECT_HIP(hipStreamWaitValue64(nullptr, values.get(), 1, hipStreamWaitValueEq, 1));
  EXPECT_HIP(hipStreamWaitValue64(nullptr, values.get(), 2, hipStreamWaitValueNor, UINT64_MAX));
  EXPECT_HIP(hipStreamWriteValue64(nullptr, values.get() + 1, uint64_t(1) << 40, 0));
  EXPECT_HIP(hipStreamWriteValue32(nullptr, values.get() + 1, 3, 0));
  EXPECT_HIP(hipStreamWaitValue32(nullptr, values.get() + 1, 3, hipStreamWaitValueEq, UINT32_MAX));
  EXPECT_EQ(values.read(), (std::vector<uint64_t>{5, (uint64_t(1) << 40) + 3}));
}

TEST(StreamValues, AnotherThreadWrites) {
  DeviceArray<uint32_t> value(std::vector<uint32_t>{0});
  std::thread other([&] {
    for (uint32_t i = 1; i <= 3; ++i)
      EXPECT_HIP(hipStreamWriteValue32(hipStreamPerThread, value.get(), i, 0));
  });
  EXPECT_HIP(hipStreamWaitValue32(nullptr, value.get(), 3, hipStreamWaitValueGte, UINT32_MAX));
  other.join();
  EXPECT_EQ(value.read(), (std::vector<uint32_t>{3}));
}

TEST(StreamValues, Refuses) {
  DeviceArray<uint64_t> value(std::vector<uint64_t>{0});
  EXPECT_EQ(hipStreamWaitValue32(nullptr, value.get(), 1, 4, UINT32_MAX), hipErrorInvalidValue);
  expectMessage("flags must be in [0, 3], got 4");
  EXPECT_EQ(hipStreamWriteValue32(nullptr, value.get(), 1, 1), hipErrorInvalidValue);
  void *odd = reinterpret_cast<char *>(value.get()) + 4;
  EXPECT_EQ(hipStreamWriteValue64(nullptr, odd, 1, 0), hipErrorInvalidValue);
  expectMessage("expected an address that is a multiple of 8");
  uint64_t host = 0;
  EXPECT_EQ(hipStreamWriteValue64(nullptr, &host, 1, 0), hipErrorInvalidValue);
  expectMessage("is not in device memory");
}

TEST(StreamValues, NobodyWrites) {
  const ScopedVariable patience("CK_EMULATOR_WAIT_SECONDS", "1");
  DeviceArray<uint64_t> value(std::vector<uint64_t>{2});
  EXPECT_EQ(hipStreamWaitValue64(nullptr, value.get(), 3, hipStreamWaitValueEq, UINT64_MAX),
            hipErrorLaunchTimeOut);
  expectMessage(
      "stayed 2 for 1 s (CK_EMULATOR_WAIT_SECONDS), which condition 1 on 3 does not hold");
}
