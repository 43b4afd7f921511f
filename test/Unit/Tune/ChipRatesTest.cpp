//===- ChipRatesTest.cpp - One chip in two models -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimate of the compiler and the emulator's model of time share no code; their facts about a
// chip must agree.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TimeModel/ChipRates.h"
#include "Emulator/Timing/Parameters.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

TEST(ChipRates, AgreeWithTheModelOfTheChip) {
  for (llvm::StringRef name : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    const detail::ChipRates &rates = detail::getChipRates(*llvm::cantFail(getChip(name)));
    const auto parameters =
        llvm::cantFail(ckemu::getTimingParameters(*llvm::cantFail(ckemu::getChipModel(name))));
    EXPECT_EQ(rates.clockMHz, parameters.clockMHz) << name.str();
    EXPECT_EQ(rates.l2Bytes, parameters.l2Bytes) << name.str();
    EXPECT_EQ(rates.mallBytes, parameters.mallBytes) << name.str();
    EXPECT_EQ(rates.mallGigabytes, parameters.mallGigabytes) << name.str();
    EXPECT_EQ(rates.memoryGigabytes, parameters.hbmGigabytes) << name.str();
    EXPECT_EQ(rates.dispatchCycles, parameters.dispatchCycles) << name.str();
    EXPECT_EQ(rates.slowdown16, parameters.f16Slowdown) << name.str();
    EXPECT_EQ(rates.slowdown8, parameters.bits8Slowdown) << name.str();
    EXPECT_EQ(rates.slowdown32, parameters.wideSlowdown) << name.str();
    EXPECT_EQ(rates.slowdownRows32, parameters.wideTileSlowdown) << name.str();
    EXPECT_EQ(rates.l1Line, parameters.l1LineBytes) << name.str();
    EXPECT_EQ(rates.cusPerUnit, parameters.l1Count) << name.str();
    EXPECT_EQ(rates.l1Bytes, parameters.l1Bytes) << name.str();
    EXPECT_EQ(rates.fillBytesPerCycle, parameters.l1FillBytesPerCycle) << name.str();
    EXPECT_EQ(rates.ldsBytesPerCycle, parameters.ldsBytes) << name.str();
  }
}
