//===- ProblemTest.cpp - Tests of a run on a device that does nothing -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The judge must notice a kernel that writes nothing, and every failing HIP call ends a run with
// its name.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir::ck;
using testing::HasSubstr;
using testing::StartsWith;

static constexpr const char *problemText = "conv_bwd_weight:f16:N=1,K=16,C=16,in=4x4,filter=1x1";

namespace {
class RunProblemTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("CK_HIP_LIBRARY", CK_IDLE_HIP, 1);
    options.device = DeviceChoice::Hip;
  }
  void TearDown() override {
    unsetenv("CK_HIP_LIBRARY");
    unsetenv("CK_IDLE_HIP_FAIL");
    unsetenv("CK_IDLE_HIP_NONE");
  }

  RunReport run() {
    auto [device, chip] = llvm::cantFail(openRunDevice(options));
    return runProblem(device, chip, options, problemText);
  }

  std::string openAndGetError() {
    auto opened = openRunDevice(options);
    return opened ? "" : llvm::toString(opened.takeError());
  }

  RunOptions options;
};
} // namespace

TEST_F(RunProblemTest, AKernelThatWritesNothingIsAMismatch) {
  for (InitKind init : {InitKind::Int, InitKind::Uniform, InitKind::Normal}) {
    options.init = init;
    RunReport report = run();
    EXPECT_EQ(report.status, RunStatus::Mismatch);
    EXPECT_EQ(report.mismatches, 256);
    EXPECT_EQ(report.elements, 256);
    EXPECT_THAT(report.reason, StartsWith("dw[g=0, k=0, y=0, x=0, c=0]: expected "));
  }
}

TEST_F(RunProblemTest, ReportsTheTimeOfAGpu) {
  options.verify = VerifyMode::None;
  options.repeat = 3;
  RunReport report = run();
  EXPECT_EQ(report.status, RunStatus::Ran);
  EXPECT_EQ(report.problem, problemText);
  EXPECT_EQ(report.device, "hip");
  EXPECT_EQ(report.chip, "gfx942");
  EXPECT_EQ(report.runMs, 1.5);
  EXPECT_FALSE(report.emulatedSeconds.has_value());
  EXPECT_FALSE(report.mismatches.has_value());
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_TRUE(report.kernels[0].instructions.empty());
}

TEST_F(RunProblemTest, EveryFailingCallEndsTheRun) {
  for (const char *call :
       {"hipMalloc", "hipMemcpy", "hipMemset", "hipModuleLoadData", "hipModuleGetFunction",
        "hipModuleLaunchKernel", "hipStreamCreate", "hipStreamSynchronize", "hipEventCreate",
        "hipEventRecord", "hipEventElapsedTime"}) {
    setenv("CK_IDLE_HIP_FAIL", call, 1);
    RunReport report = run();
    EXPECT_EQ(report.status, RunStatus::Error) << call;
    EXPECT_THAT(report.reason, StartsWith(call));
    EXPECT_THAT(report.reason, HasSubstr("failed: HIP error (719)")) << call;
  }
}

TEST_F(RunProblemTest, NoDevice) {
  setenv("CK_IDLE_HIP_NONE", "1", 1);
  EXPECT_EQ(openAndGetError(), "no AMD GPU found: hipGetDeviceCount returned 0 devices");
  setenv("CK_IDLE_HIP_FAIL", "hipGetDeviceCount", 1);
  EXPECT_EQ(openAndGetError(), "no AMD GPU found: hipGetDeviceCount returned HIP error (719)");
}

TEST_F(RunProblemTest, AnEmptyVariableOfChecksIsNone) {
  options.device = DeviceChoice::Emulator;
  setenv("CK_EMULATOR_CHECKS", "", 1);
  auto [device, chip] = llvm::cantFail(openRunDevice(options));
  // What the run has set stands before the environment, which makes no sense from here on.
  setenv("CK_EMULATOR_CHECKS", "sometimes", 1);
  RunReport report = runProblem(device, chip, options, problemText);
  unsetenv("CK_EMULATOR_CHECKS");
  EXPECT_EQ(report.status, RunStatus::Ok) << report.reason;
}

TEST_F(RunProblemTest, AnotherChip) {
  options.chip = "gfx90a";
  EXPECT_EQ(openAndGetError(), "the GPU is a gfx942, cannot run code for gfx90a");
}

TEST_F(RunProblemTest, RefusedBeforeCompilation) {
  auto [device, chip] = llvm::cantFail(openRunDevice(options));
  RunReport malformed = runProblem(device, chip, options, "conv_fwd:f16:N=0");
  EXPECT_EQ(malformed.status, RunStatus::Error);
  RunReport huge = runProblem(device, chip, options,
                              "conv_bwd_weight:f16:N=1000000,K=64,C=64,in=1400x1400,filter=3x3");
  EXPECT_EQ(huge.status, RunStatus::Unsupported);
  EXPECT_THAT(huge.reason, HasSubstr("MiB of host memory"));
  options.schedule = "tile=256x256x64";
  RunReport lds = runProblem(device, chip, options, problemText);
  EXPECT_EQ(lds.status, RunStatus::Unsupported);
  EXPECT_THAT(lds.reason, HasSubstr("LDS"));
}
