//===- FlagHistoryTest.cpp - What was written to flags -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who let those go on that wait for a flag.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/FlagHistory.h"
#include "llvm/ADT/ArrayRef.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
/// One flag, at address 64, that workgroup n has changed at its nth write.
class History : public testing::Test {
protected:
  static constexpr uint64_t address = 64;
  FlagHistory history;

  /// The flag takes these values one after another, the first of which it has from the beginning.
  void write(llvm::ArrayRef<uint32_t> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      history.settle(address, values[i]);
      if (i + 1 < values.size())
        history.note(address, {/*group=*/i + 1});
    }
  }
  /// The workgroup since whose write the flag has been positive; 0 when it has always been.
  uint64_t findWhoMadeItPositive() const {
    const FlagHistory::Cause cause = history.findCause(address, [](uint32_t v) { return v > 0; });
    EXPECT_TRUE(cause.isKnown);
    return cause.writer ? cause.writer->group : 0;
  }
};
} // namespace

TEST_F(History, NothingIsKnownOfADwordThatNobodyWrites) {
  auto always = [](uint32_t) { return true; };
  EXPECT_FALSE(history.findCause(address, always).isKnown);
  history.settle(address, 3); // someone looked
  EXPECT_FALSE(history.findCause(address, always).isKnown);
}

TEST_F(History, TheFirstOfThoseWhoSatisfyIsTheCause) {
  write({0, 5, 4, 3});
  EXPECT_EQ(findWhoMadeItPositive(), 1u);
}

TEST_F(History, OnlyWithoutInterruption) {
  write({0, 5, 0, 3, 2});
  EXPECT_EQ(findWhoMadeItPositive(), 3u);
}

TEST_F(History, WhatHasAlwaysBeenHasNoCause) {
  write({7, 6, 5});
  EXPECT_EQ(findWhoMadeItPositive(), 0u);
}
