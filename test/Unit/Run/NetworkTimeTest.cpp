//===- NetworkTimeTest.cpp - Tests of the time of a network -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::ck;
using testing::HasSubstr;

/// A layer that takes `time` microseconds, and `least` at least.
static RunReport makeLayer(llvm::StringRef name, double time, double least, int64_t count = 1) {
  RunReport report;
  report.name = name.str();
  report.chip = "gfx942";
  report.status = RunStatus::Ran;
  report.count = count;
  KernelTiming kernel;
  kernel.microseconds = time;
  kernel.lowest = 0.5;
  kernel.highest = 2;
  kernel.bound = "LDS";
  report.timing = ProgramTiming();
  report.timing->kernels.emplace_back(name.str(), kernel);
  report.roofline = Roofline{least, least / 2};
  return report;
}

static std::string print(llvm::ArrayRef<RunReport> reports) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printNetwork(os, reports);
  return text;
}

TEST(NetworkTime, SharesOfTheSum) {
  const std::vector<RunReport> layers = {makeLayer("first", 10, 5), makeLayer("second", 30, 3, 2),
                                         makeLayer("third", 30, 27)};
  EXPECT_EQ(
      print(layers),
      "problem  count    us  share %  bound by  status  roofline  of      reached %  above us\n"
      "first        1  10.0     10.0  LDS       ran          5.0  matrix       50.0       5.0\n"
      "second       2  60.0     60.0  LDS       ran          6.0  matrix       10.0      54.0\n"
      "third        1  30.0     30.0  LDS       ran         27.0  matrix       90.0       3.0\n"
      "3 problems take 100.0 us on gfx942 by the model of the chip, not measured (50.0 to 200.0); "
      "their rooflines are 38.0 us, 38.0 % of it\n"
      "furthest above the roofline: second (54.0 us), first (5.0 us), third (3.0 us)\n");
  std::string text;
  llvm::raw_string_ostream os(text);
  printJson(os, llvm::ArrayRef(layers));
  const llvm::json::Value json = llvm::cantFail(llvm::json::parse(text));
  const llvm::json::Object &second = *(*json.getAsArray())[1].getAsObject();
  EXPECT_EQ(second.getInteger("count"), 2);
  EXPECT_DOUBLE_EQ(second.getNumber("modelled_share").value_or(0), 0.6);
  EXPECT_DOUBLE_EQ(second.getNumber("roofline_us").value_or(0), 3);
  EXPECT_EQ(second.getString("roofline_bound"), llvm::StringRef("matrix"));
}

TEST(NetworkTime, WhatHasNoTimeHasAReason) {
  RunReport broken;
  broken.name = "broken";
  broken.status = RunStatus::Unsupported;
  broken.reason = "it is too large";
  EXPECT_EQ(print({broken}), "broken: unsupported: it is too large\n");
  EXPECT_THAT(print({makeLayer("good", 10, 5), broken}),
              HasSubstr("1 problems take 10.0 us on gfx942"));
}
