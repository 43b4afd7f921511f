//===- RunOptionsTest.cpp - Tests of ck-run's options -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values, defaults, and one line per misuse.
//
//===----------------------------------------------------------------------===//

#include "Tools/RunOptions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace cksupport;
using namespace mlir::ck;

static llvm::Expected<RunOptions> parse(std::initializer_list<const char *> texts) {
  RunArguments arguments;
  CommandLine line = makeRunCommandLine(arguments);
  std::vector<const char *> list(texts);
  if (llvm::Error error = line.parse(list))
    return std::move(error);
  return interpret(arguments);
}

static std::string getError(std::initializer_list<const char *> texts) {
  llvm::Expected<RunOptions> options = parse(texts);
  return options ? "" : llvm::toString(options.takeError());
}

TEST(RunOptionsTest, Defaults) {
  RunOptions options = llvm::cantFail(parse({"gemm:f16:M=1,N=1,K=1"}));
  EXPECT_EQ(options.input, "gemm:f16:M=1,N=1,K=1");
  EXPECT_FALSE(options.isModuleInput());
  EXPECT_FALSE(options.chip.has_value());
  EXPECT_EQ(options.device, DeviceChoice::Auto);
  EXPECT_EQ(options.verify, VerifyMode::Cpu);
  EXPECT_EQ(options.init, InitKind::Int);
  EXPECT_EQ(options.repeat, 1);
  EXPECT_FALSE(options.json);
  EXPECT_FALSE(options.checks.has_value());
}

TEST(RunOptionsTest, Values) {
  RunOptions options = llvm::cantFail(
      parse({"--chip=gfx950", "--device", "emulator", "--verify=none", "--init=normal", "--seed=7",
             "--input=x=a.npy", "--input", "dy=b=c.npy", "--output=o.npy", "--repeat=3",
             "--format=json", "--checks=off", "--schedule=tile=64x64x32,waves=2x2", "a.mlir"}));
  EXPECT_TRUE(options.isModuleInput());
  EXPECT_EQ(options.chip, "gfx950");
  EXPECT_EQ(options.device, DeviceChoice::Emulator);
  EXPECT_EQ(options.verify, VerifyMode::None);
  EXPECT_EQ(options.init, InitKind::Normal);
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.inputs[0], std::make_pair(std::string("x"), std::string("a.npy")));
  EXPECT_EQ(options.inputs[1], std::make_pair(std::string("dy"), std::string("b=c.npy")));
  EXPECT_EQ(options.output, "o.npy");
  EXPECT_EQ(options.repeat, 3);
  EXPECT_TRUE(options.json);
  EXPECT_EQ(options.checks, false);
  EXPECT_EQ(options.schedule, "tile=64x64x32,waves=2x2");
  EXPECT_EQ(llvm::cantFail(parse({"a.mlir", "--verify=device"})).verify, VerifyMode::Device);
}

TEST(RunOptionsTest, PartitionReport) {
  EXPECT_FALSE(llvm::cantFail(parse({"a"})).partitionReport);
  RunOptions options = llvm::cantFail(parse({"a", "--partition-report"}));
  EXPECT_TRUE(options.partitionReport);
  EXPECT_EQ(options.partitionSvg, "");
  EXPECT_EQ(options.occupancy, 1);
  options =
      llvm::cantFail(parse({"a", "--partition-report", "--partition-svg=b.svg", "--occupancy=2"}));
  EXPECT_EQ(options.partitionSvg, "b.svg");
  EXPECT_EQ(options.occupancy, 2);

  EXPECT_EQ(getError({"a", "--partition-svg=b.svg"}),
            "--partition-svg requires --partition-report");
  EXPECT_EQ(getError({"a", "--occupancy=2"}), "--occupancy requires --partition-report");
  EXPECT_EQ(getError({"a", "--partition-report", "--occupancy=0"}),
            "--occupancy must be in [1, 1024], got 0");
  EXPECT_EQ(llvm::cantFail(parse({"--problems=b.json", "--partition-report"})).problemsFile,
            "b.json");
  for (const char *other : {"--partition-svg=b.svg", "--occupancy=1"})
    EXPECT_EQ(getError({"--problems=b.json", "--partition-report", other}),
              "--partition-svg and --occupancy require a single problem");
  for (const char *other :
       {"--output=o.npy", "--input=x=a.npy", "--profile", "--time", "--trace=t.json"})
    EXPECT_EQ(getError({"a", "--partition-report", other}),
              "--partition-report runs nothing: expected no --input, --output, --profile, --time "
              "or --trace");
}

TEST(RunOptionsTest, Misuse) {
  EXPECT_EQ(getError({}), "expected a PROBLEM, a FILE.mlir or --problems=FILE.json");
  EXPECT_EQ(getError({"a", "--problems=b.json"}), "cannot run both 'a' and --problems");
  EXPECT_EQ(getError({"a", "--filter=x"}), "--filter requires --problems");
  EXPECT_EQ(getError({"--problems=b.json", "--output=o.npy"}),
            "--input and --output require a single problem");
  EXPECT_EQ(getError({"a", "--input=x"}), "--input must be NAME=FILE.npy, got 'x'");
  EXPECT_EQ(getError({"a", "--repeat=0"}), "--repeat must be in [1, 1000000], got 0");
  EXPECT_EQ(getError({"a", "--device=hip", "--checks=on"}),
            "--checks requires the emulator, got --device=hip");
  for (const char *bad : {"--device=gpu", "--verify=", "--init=zero", "--seed=-1", "--repeat=x",
                          "--format=xml", "--checks=yes", "--unknown", "-x", "--debug"}) {
    std::string error = getError({"a", bad});
    EXPECT_NE(error, "") << bad;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}
