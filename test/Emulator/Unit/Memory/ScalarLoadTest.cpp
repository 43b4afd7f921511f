//===- ScalarLoadTest.cpp - Scalar loads at the end of what there is -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers widen scalar loads, so that they end beyond an allocation or over bytes that nothing
// wrote. That is no error, and what is read there is a NaN; a load that leaves the aligned block
// where the allocation ends, or that has no byte of its own, is one.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <cmath>
#include <cstring>
#include <numeric>

using uint = unsigned;

namespace {
class ScalarLoads : public testing::Test {
protected:
  DeviceModule module{CK_SCALAR_LOADS_CODE};
  DeviceArray<uint> out{8};

  /// Loads `count` dwords at `offset` of `in`.
  hipError_t load(uint count, const uint *in, uint offset) {
    return module.launch(count == 4 ? "load_4" : "load_8", 1, 64, in, offset, out.get());
  }
  /// Expects `valid` ascending numbers from `first` on, and NaNs behind them.
  void expectNumbers(uint first, uint valid, uint count) {
    const std::vector<uint> words = out.read();
    for (uint i = 0; i < count; ++i) {
      float number;
      std::memcpy(&number, &words[i], sizeof(number));
      if (i < valid)
        EXPECT_EQ(words[i], first + i) << "dword " << i;
      else
        EXPECT_TRUE(std::isnan(number)) << "dword " << i;
    }
  }
};
} // namespace

static std::vector<uint> count(uint first, uint size) {
  std::vector<uint> result(size);
  std::iota(result.begin(), result.end(), first);
  return result;
}

TEST_F(ScalarLoads, EndBeyondTheAllocation) {
  DeviceArray<uint> three(count(10, 3)), seven(count(20, 7)), one(count(30, 1));
  ASSERT_HIP(load(4, three.get(), 0));
  expectNumbers(10, 3, 4);
  ASSERT_HIP(load(8, seven.get(), 0));
  expectNumbers(20, 7, 8);
  ASSERT_HIP(load(4, one.get(), 0));
  expectNumbers(30, 1, 4);
}

TEST_F(ScalarLoads, EndInTheBlockOfTheLastByte) {
  // [8, 20) of 20 bytes: what is beyond is in the block of 16 that the last dword begins.
  DeviceArray<uint> five(count(10, 5));
  ASSERT_HIP(load(4, five.get(), 8));
  expectNumbers(12, 3, 4);
}

TEST_F(ScalarLoads, LeaveTheBlock) {
  DeviceArray<uint> four(count(10, 4)), six(count(20, 6));
  EXPECT_EQ(load(4, four.get(), 8), hipErrorIllegalAddress);
  expectMessage("scalar load of 16 bytes");
  expectMessage("is out of bounds");
  EXPECT_EQ(load(8, six.get(), 16), hipErrorIllegalAddress);
  expectMessage("scalar load of 32 bytes");
  // The first dword is outside.
  EXPECT_EQ(load(4, six.get(), 32), hipErrorIllegalAddress);
  expectMessage("is out of bounds");
}

TEST_F(ScalarLoads, WhatNothingWroteBesideWhatWas) {
  DeviceArray<uint> memory(64);
  const std::vector<uint> values = count(40, 3);
  ASSERT_HIP(hipMemcpy(memory.get(), values.data(), 12, hipMemcpyHostToDevice));
  ASSERT_HIP(load(4, memory.get(), 0));
  expectNumbers(40, 3, 4);
  ASSERT_HIP(load(8, memory.get(), 0));
  expectNumbers(40, 3, 8);
  EXPECT_EQ(load(4, memory.get(), 16), hipErrorIllegalAddress);
  expectMessage("scalar load of 16 bytes");
  expectMessage("reads memory that was never written");
}

TEST_F(ScalarLoads, PartOfADword) {
  DeviceArray<uint> memory(4);
  const uint value = 0x11223344;
  ASSERT_HIP(hipMemcpy(memory.get(), &value, 2, hipMemcpyHostToDevice));
  ASSERT_HIP(load(4, memory.get(), 0));
  const uint word = out.read()[0];
  EXPECT_EQ(word & 0xffff, 0x3344u);
  EXPECT_EQ(word >> 16 & 0x7c00, 0x7c00u); // not a finite half
}
