//===- TimingTest.cpp - Tests of ck-run --time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading what the emulator says of launches, and sums over kernels.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Timing.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static const char kTiming[] = R"({"modelled_us": 10, "launch_us": 2, "bound": "hbm",
  "utilisation": {"valu": 0.25, "hbm": 0.75}, "stalls": {"loads": 0.5, "lds": 0.125},
  "sampled": {"groups": 3, "of": 7},
  "modelled_error": {"lowest": 0.5, "highest": 1.5, "calls": 9, "kernels": "all", "source": "X"},
  "instructions": [
    {"offset": 256, "executions": 4, "stall_cycles": {"lds": 2, "loads": 10}},
    {"offset": 264, "executions": 4, "stall_cycles": {}}]})";

static KernelTiming read(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  EXPECT_TRUE(bool(value));
  llvm::Expected<KernelTiming> timing = readTiming(*value->getAsObject());
  EXPECT_TRUE(bool(timing));
  return std::move(*timing);
}

TEST(RunTimingTest, LargestFirst) {
  const KernelTiming timing = read(kTiming);
  EXPECT_EQ(timing.bound, "hbm");
  EXPECT_EQ(timing.utilisation.front(), std::make_pair(std::string("hbm"), 0.75));
  EXPECT_EQ(timing.stalls.front(), std::make_pair(std::string("loads"), 0.5));
  EXPECT_EQ(timing.sampledGroups, 3);
  EXPECT_EQ(timing.numGroups, 7);
  EXPECT_EQ(timing.judgedBy, "9 calls, X, all");
}

TEST(RunTimingTest, KernelsFollowEachOther) {
  ProgramTiming program;
  program.kernels.emplace_back("first", read(kTiming));
  EXPECT_EQ(program.getMicroseconds(), 10);
  program.kernels.emplace_back("second", read(kTiming));
  program.kernels.back().second.microseconds = 30;
  EXPECT_EQ(program.getMicroseconds(), 10 + 2 + 30);
  EXPECT_EQ(program.getLongest().microseconds, 30);
  const auto [low, high] = program.getError();
  EXPECT_DOUBLE_EQ(low, 21);
  EXPECT_DOUBLE_EQ(high, 63);
  program.kernels.back().second.highest = 3;
  EXPECT_DOUBLE_EQ(program.getError().second, 10 * 1.5 + 32 * 3) << "each kernel has its own band";
}

TEST(RunTimingTest, StallsOfInstructions) {
  KernelProfile profile;
  profile.roles.resize(1);
  profile.roles[0].instructions.resize(3);
  for (int64_t i = 0; i < 3; ++i)
    profile.roles[0].instructions[size_t(i)].pc = 256 + 8 * i;
  addStalls(profile, read(kTiming));
  const auto &instructions = profile.roles[0].instructions;
  EXPECT_EQ(instructions[0].stallCycles, 3); // 12 cycles in 4 executions
  EXPECT_EQ(instructions[0].stallReason, "loads");
  EXPECT_EQ(instructions[1].stallCycles, 0);
  EXPECT_EQ(instructions[1].stallReason, "");
  EXPECT_EQ(instructions[2].stallCycles, std::nullopt) << "the sample did not execute it";
}

TEST(RunTimingTest, LaunchesWithoutATime) {
  for (auto [text, reason] : {std::pair("{}", "it was not timed"),
                              std::pair(R"({"error": "out of memory"})", "out of memory")}) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    ASSERT_TRUE(bool(value));
    llvm::Expected<KernelTiming> timing = readTiming(*value->getAsObject());
    ASSERT_FALSE(bool(timing));
    EXPECT_EQ(llvm::toString(timing.takeError()),
              std::string("the emulator has no modelled time of the launch: ") + reason);
  }
}

TEST(RunTimingTest, ATimelineThatCouldNotBeWritten) {
  llvm::json::Object object{
      {"modelled_us", 1}, {"launch_us", 1}, {"timeline_error", "cannot write 'a'"}};
  EXPECT_EQ(llvm::toString(readTiming(object).takeError()), "cannot write 'a'");
}
