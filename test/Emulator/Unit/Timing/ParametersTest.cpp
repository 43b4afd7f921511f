//===- ParametersTest.cpp - Parameters of the model of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Parameters.h"
#include "gtest/gtest.h"
#include <set>

using namespace ckemu;

static std::string getError(llvm::StringRef overrides) {
  llvm::Expected<TimingParameters> parameters =
      getTimingParameters(**getChipModel("gfx942"), overrides);
  return parameters ? "" : llvm::toString(parameters.takeError());
}

TEST(TimingParameters, EveryMemberHasARowWithASource) {
  const size_t numMembers = sizeof(TimingParameters) / sizeof(double);
  std::set<std::string> names;
  for (const ParameterRow &row : getParameterRows()) {
    EXPECT_TRUE(names.insert(row.name.str()).second) << row.name.str() << " stands twice";
    EXPECT_EQ(row.source.empty(), !row.ofProduct) << row.name.str();
    EXPECT_FALSE(row.meaning.empty()) << row.name.str();
    EXPECT_FALSE(row.unit.empty()) << row.name.str();
  }
  EXPECT_EQ(names.size(), numMembers);
}

TEST(TimingParameters, EveryChipHasFiguresWithSources) {
  for (const ChipModel &chip : getProcessors()) {
    for (const ParameterRow &row : getParameterRows()) {
      const TimingFigure *figure = chip.timing->find(row.member);
      EXPECT_EQ(figure == nullptr, row.ofProduct != nullptr)
          << row.name.str() << " of " << chip.name.str();
      EXPECT_TRUE(!figure || !figure->source.empty()) << row.name.str();
    }
    // Those that a chip has from another one, it need not repeat.
    for (const TimingFigure &figure : chip.timing->own) {
      EXPECT_EQ(chip.timing->find(figure.parameter), &figure) << chip.name.str() << ": twice";
      if (chip.timing->base) {
        EXPECT_NE(chip.timing->base->find(figure.parameter)->value, figure.value)
            << chip.name.str() << ": " << figure.source.str();
      }
    }
  }
}

TEST(TimingParameters, EveryValueIsInItsRange) {
  for (const ChipModel &chip : getProductModels())
    for (const ParameterRow &row : getParameterRows())
      EXPECT_TRUE(row.accepts(row.getValue(chip)))
          << row.name.str() << " of " << chip.product->name.str() << ": " << row.getValue(chip)
          << ", expected " << row.describeRange();
}

TEST(TimingParameters, ProductsDiffer) {
  const auto full = llvm::cantFail(getTimingParameters(**getChipModel("gfx942")));
  const auto small = llvm::cantFail(getTimingParameters(**getChipModel("gfx942:mi308x")));
  EXPECT_EQ(full.clockMHz, 2100);
  EXPECT_EQ(small.clockMHz, 1830);
  EXPECT_EQ(full.numXcds, 8);
  EXPECT_EQ(small.numXcds, 4);
  EXPECT_EQ(full.l1Latency, small.l1Latency);
}

TEST(TimingParameters, OverridesChangeThem) {
  llvm::Expected<TimingParameters> parameters =
      getTimingParameters(**getChipModel("gfx942"), "clock_mhz=1500, lds_latency=60.5");
  ASSERT_TRUE(bool(parameters));
  EXPECT_EQ(parameters->clockMHz, 1500);
  EXPECT_EQ(parameters->ldsLatency, 60.5);
  EXPECT_EQ(parameters->valuCycles, 4);
}

TEST(TimingParameters, WrongOverridesAreErrors) {
  EXPECT_NE(getError("clock=1").find("'clock' is no parameter of the model of time; expected one "
                                     "of clock_mhz, launch_us"),
            std::string::npos);
  EXPECT_EQ(getError("clock_mhz=fast"),
            "expected a number from 1 to 1000000 for 'clock_mhz', got 'fast'");
  EXPECT_EQ(getError("clock_mhz=-1"),
            "expected a number from 1 to 1000000 for 'clock_mhz', got '-1'");
  EXPECT_EQ(getError("issue_cycles=0"),
            "expected a number from 1 to 10000 for 'issue_cycles', got '0'");
  EXPECT_EQ(getError("hbm_efficiency=1.5"),
            "expected a number from 0.01 to 1 for 'hbm_efficiency', got '1.5'");
  EXPECT_EQ(getError("num_xcds=2.5"),
            "expected a whole number from 1 to 65536 for 'num_xcds', got '2.5'");
  EXPECT_EQ(getError("l1_line_bytes=96"), "expected 64 or 128 for 'l1_line_bytes', got '96'");
  EXPECT_EQ(getError("l1_latency=nan"),
            "expected a number from 0 to 10000 for 'l1_latency', got 'nan'");
}

TEST(TimingParameters, ListsOfOverridesAreRead) {
  EXPECT_EQ(getError(""), "");
  EXPECT_EQ(getError(" "), "");
  EXPECT_EQ(getError(",,,"), "expected name=value, got ''");
  EXPECT_EQ(getError("clock_mhz"), "expected name=value, got 'clock_mhz'");
  EXPECT_EQ(getError("clock_mhz=1000,clock_mhz=2000"), "'clock_mhz' stands twice");
  EXPECT_EQ(getError("mall_bytes=0"), "'mall_bytes' and 'mall_gigabytes' must both be 0, for a "
                                      "chip without a MALL, or neither");
  EXPECT_EQ(getError("mall_bytes=0,mall_gigabytes=0"), "");
}
