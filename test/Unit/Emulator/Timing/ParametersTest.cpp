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

using namespace mlir::ck::emulator;

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
    EXPECT_FALSE(row.source.empty()) << row.name.str();
    EXPECT_FALSE(row.meaning.empty()) << row.name.str();
    EXPECT_FALSE(row.unit.empty()) << row.name.str();
  }
  EXPECT_EQ(names.size(), numMembers);
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
            "expected a number that is not negative for 'clock_mhz', got 'fast'");
  EXPECT_EQ(getError("clock_mhz=-1"),
            "expected a number that is not negative for 'clock_mhz', got '-1'");
}
