//===- ModelledTimeTest.cpp - Tests of modelled time in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs learn of times that the emulator models, and who has none.
//
//===----------------------------------------------------------------------===//

#include "TwoKernelTest.h"
#include "ck-mlir-c/Report.h"
#include "llvm/Support/JSON.h"
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

static constexpr CkMlirCompileOptions kDefaults = {nullptr};

static std::string take(CkMlirText text) {
  std::string result = ckMlirTextGetData(text);
  ckMlirTextDestroy(text);
  return result;
}

namespace {
/// A program of two kernels, loaded on a device.
class ModelledTime : public TwoKernelTest {
protected:
  void openWithBuffers(CkMlirDeviceKind kind) {
    ASSERT_NO_FATAL_FAILURE(TwoKernelTest::open(kind));
    const auto workspaceBytes = size_t(ckMlirProgramGetWorkspaceBytes(program));
    ASSERT_EQ(ckMlirBufferCreate(device, workspaceBytes, &workspace), CkMlirStatusSuccess);
    for (size_t i = 0; i < 3; ++i) {
      const auto bytes = size_t(ckMlirProgramGetTensor(program, i).bytes);
      const std::string ones(bytes, 1);
      ASSERT_EQ(ckMlirBufferCreate(device, bytes, &buffers[i]), CkMlirStatusSuccess);
      ASSERT_EQ(ckMlirBufferCopyFromHost(buffers[i], ones.data(), bytes), CkMlirStatusSuccess);
      pointers[i] = ckMlirBufferGetPointer(buffers[i]);
    }
  }
  void TearDown() override {
    for (CkMlirBuffer buffer : buffers)
      ckMlirBufferDestroy(buffer);
    ckMlirBufferDestroy(workspace);
    TwoKernelTest::TearDown();
  }

  CkMlirStatus model(CkMlirModelledTime *time, CkMlirText *json, size_t numTensors = 3) {
    return ckMlirExecutableModelTime(executable, pointers, numTensors,
                                     ckMlirBufferGetPointer(workspace),
                                     ckMlirBufferGetSize(workspace), time, json);
  }

  CkMlirBuffer buffers[3] = {{nullptr}, {nullptr}, {nullptr}}, workspace = {nullptr};
  void *pointers[3];
  CkMlirText text = {nullptr};
};
} // namespace

TEST_F(ModelledTime, IsThatOfAllKernelsOfALaunch) {
  ASSERT_NO_FATAL_FAILURE(openWithBuffers(CkMlirDeviceKindEmulator));
  CkMlirModelledTime time;
  ASSERT_EQ(model(&time, &text), CkMlirStatusSuccess) << ckMlirGetLastMessage();
  EXPECT_LT(time.lowest, time.microseconds);
  EXPECT_LT(time.microseconds, time.highest);
  const llvm::json::Value json = llvm::cantFail(llvm::json::parse(take(text)));
  EXPECT_EQ(json.getAsObject()->getNumber("modelled_us"), time.microseconds);
  const llvm::json::Array &kernels = *json.getAsObject()->getArray("modelled_kernels");
  ASSERT_EQ(kernels.size(), 2u);
  double sum = *kernels[1].getAsObject()->getNumber("launch_us");
  for (const llvm::json::Value &kernel : kernels) {
    EXPECT_GT(*kernel.getAsObject()->getNumber("modelled_us"), 0);
    sum += *kernel.getAsObject()->getNumber("modelled_us");
  }
  EXPECT_DOUBLE_EQ(sum, time.microseconds);
  // It was a launch as any other: 256 products of ones.
  int32_t result[32 * 32];
  ASSERT_EQ(ckMlirBufferCopyToHost(buffers[2], result, sizeof(result)), CkMlirStatusSuccess);
  EXPECT_THAT(result, testing::Each(256));
  // The text is optional, and the same launch takes the same time.
  CkMlirModelledTime again;
  ASSERT_EQ(model(&again, nullptr), CkMlirStatusSuccess);
  EXPECT_EQ(again.microseconds, time.microseconds);
}

TEST_F(ModelledTime, OfALaunchIsThereOnRequest) {
  ASSERT_NO_FATAL_FAILURE(openWithBuffers(CkMlirDeviceKindEmulator));
  auto launch = [&] {
    EXPECT_EQ(ckMlirExecutableLaunch(executable, nullptr, pointers, 3,
                                     ckMlirBufferGetPointer(workspace),
                                     ckMlirBufferGetSize(workspace)),
              CkMlirStatusSuccess);
  };
  launch();
  EXPECT_INVALID(ckMlirDeviceCreateLaunchTiming(device, &text),
                 "the last launch was not timed: expected CK_EMULATOR_TIMING to be on, full or "
                 "only before it");
  ASSERT_EQ(ckMlirDeviceSetVariable(device, "CK_EMULATOR_TIMING", "on"), CkMlirStatusSuccess);
  launch();
  ASSERT_EQ(ckMlirDeviceSetVariable(device, "CK_EMULATOR_TIMING", ""), CkMlirStatusSuccess);
  ASSERT_EQ(ckMlirDeviceCreateLaunchTiming(device, &text), CkMlirStatusSuccess);
  EXPECT_THAT(take(text), AllOf(HasSubstr("\"modelled_us\": "), HasSubstr("\"bound\": ")));
}

TEST_F(ModelledTime, RefusesBadArguments) {
  CkMlirModelledTime time;
  EXPECT_INVALID(model(&time, nullptr), "expected an executable, got null");
  EXPECT_INVALID(ckMlirDeviceCreateLaunchTiming(device, &text), "expected a device, got null");
  ASSERT_NO_FATAL_FAILURE(openWithBuffers(CkMlirDeviceKindEmulator));
  EXPECT_INVALID(model(nullptr, nullptr), "expected a place for the time, got null");
  EXPECT_INVALID(model(&time, nullptr, 2), "expected pointers of 3 tensors, got 2");
  EXPECT_INVALID(ckMlirDeviceCreateLaunchTiming(device, nullptr),
                 "expected a place for the text, got null");
}

TEST_F(ModelledTime, ExistsOnlyInTheEmulator) {
  setenv("CK_HIP_LIBRARY", CK_IDLE_HIP, 1);
  ASSERT_NO_FATAL_FAILURE(openWithBuffers(CkMlirDeviceKindHip));
  unsetenv("CK_HIP_LIBRARY");
  CkMlirModelledTime time;
  EXPECT_INVALID(model(&time, &text), "modelled time exists only in the emulator, got '" CK_IDLE_HIP
                                      "', which runs kernels on a GPU");
  EXPECT_INVALID(ckMlirDeviceCreateLaunchTiming(device, &text),
                 "'" CK_IDLE_HIP "' has no model of time: only the emulator has");
}

// Times of the model have names of their own: what GPUs measure stays null.
TEST(ModelledReport, HasNothingThatIsMeasured) {
  CkMlirText text = {nullptr};
  const std::string trace = testing::TempDir() + "/ck-trace-" + std::to_string(getpid()) + ".json";
  ASSERT_EQ(ckMlirCreateModelledReport(kProblem, kDefaults, CkMlirVerificationCpu, false,
                                       trace.c_str(), &text),
            CkMlirStatusSuccess);
  EXPECT_THAT(take(text), AllOf(HasSubstr("\"status\": \"ok\""), HasSubstr("\"run_ms\": null"),
                                HasSubstr("\"modelled_us\": "), HasSubstr("\"modelled_error\": "),
                                HasSubstr("\"modelled_bound\": "), HasSubstr("\"roles\"")));
  EXPECT_TRUE(std::filesystem::remove(trace));
  ASSERT_EQ(ckMlirCreateRunReport(kProblem, kDefaults, CkMlirDeviceKindEmulator,
                                  CkMlirVerificationNone, false, &text),
            CkMlirStatusSuccess);
  EXPECT_THAT(take(text), Not(HasSubstr("modelled"))) << "not timed any more";
}

TEST(ModelledReport, RefusesBadArguments) {
  CkMlirText text = {nullptr};
  EXPECT_INVALID(
      ckMlirCreateModelledReport("gemm", kDefaults, CkMlirVerificationNone, false, nullptr, &text),
      HasSubstr("gemm"));
  EXPECT_INVALID(ckMlirCreateModelledReport(kProblem, kDefaults, CkMlirVerificationNone, false,
                                            nullptr, nullptr),
                 HasSubstr("got null"));
  EXPECT_EQ(text.ptr, nullptr);
}
