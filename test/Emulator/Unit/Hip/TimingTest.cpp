//===- TimingTest.cpp - Modelled times through the HIP API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When launches are timed, what programs learn of it, and that it is the same each time. What the
// times are is tested with the model.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <thread>

using llvm::StringRef;
using uint = unsigned;

/// What the model said of the last launch.
static llvm::json::Object getTiming() {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(ckEmulatorGetLaunchTiming());
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return {};
  }
  return std::move(*value->getAsObject());
}

static double getMicroseconds() { return getTiming().getNumber("modelled_us").value_or(-1); }

namespace {
class Timing : public testing::Test {
protected:
  static constexpr uint kGroups = 16;
  DeviceModule module{CK_TIMING_CODE};
  DeviceArray<uint> out{std::vector<uint>(size_t(kGroups) * 64, 0)};

  void compute(uint rounds, uint groups = kGroups) {
    EXPECT_HIP(module.launch("compute", groups, 64, out.get(), rounds));
  }
};

/// A stream and two events.
struct Stopwatch {
  hipStream_t stream = nullptr;
  hipEvent_t start = nullptr, stop = nullptr;
  Stopwatch() {
    EXPECT_HIP(hipStreamCreate(&stream));
    EXPECT_HIP(hipEventCreate(&start));
    EXPECT_HIP(hipEventCreate(&stop));
  }
  ~Stopwatch() {
    EXPECT_HIP(hipEventDestroy(start));
    EXPECT_HIP(hipEventDestroy(stop));
    EXPECT_HIP(hipStreamDestroy(stream));
  }
  double getElapsedMicroseconds() const {
    float ms = -1;
    EXPECT_HIP(hipEventElapsedTime(&ms, start, stop));
    return double(ms) * 1e3;
  }
};
} // namespace

TEST_F(Timing, TracesAreBounded) {
  const ScopedVariable on("CK_EMULATOR_TIMING", "on");
  compute(20000, /*groups=*/1);
  const llvm::json::Object whole = getTiming();
  EXPECT_EQ(whole.getObject("extrapolated"), nullptr);
  const ScopedVariable memory("CK_EMULATOR_TIMING_MEMORY", "40000");
  compute(20000, /*groups=*/1);
  const llvm::json::Object part = getTiming();
  const llvm::json::Object *extrapolated = part.getObject("extrapolated");
  ASSERT_NE(extrapolated, nullptr) << ckEmulatorGetLaunchTiming();
  const int64_t executed = *extrapolated->getInteger("executed_instructions");
  const int64_t simulated = *extrapolated->getInteger("simulated_instructions");
  // A loop is a run of 8 bytes for each round.
  EXPECT_NEAR(double(executed) / double(simulated), 4, 0.1);
  EXPECT_NEAR(*part.getNumber("modelled_us") / *whole.getNumber("modelled_us"), 1, 0.1);
}

TEST_F(Timing, NothingUnlessItIsAskedFor) {
  compute(10);
  EXPECT_STREQ(ckEmulatorGetLaunchTiming(), "{}");
  {
    ScopedVariable timing("CK_EMULATOR_TIMING", "on");
    compute(10);
    EXPECT_GT(getMicroseconds(), 0);
  }
  compute(10);
  EXPECT_STREQ(ckEmulatorGetLaunchTiming(), "{}");
}

TEST_F(Timing, FieldsOfALaunch) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on"),
      parameters("CK_EMULATOR_TIMING_PARAMETERS", "kernel_us=0.25");
  compute(10);
  const llvm::json::Object object = getTiming();
  EXPECT_EQ(object.getString("kernel"), "compute");
  EXPECT_EQ(object.getString("chip"), "gfx942");
  EXPECT_EQ(object.getString("product"), "mi300x");
  EXPECT_EQ(object.getString("mode"), "on");
  EXPECT_EQ(object.get("reason"), nullptr);
  EXPECT_GE(*object.getNumber("launch_us"), 0);
  EXPECT_NEAR((*object.getNumber("modelled_us") - 0.25) * *object.getNumber("clock_mhz"),
              *object.getNumber("cycles"), 1e-3);
  const llvm::json::Object *sampled = object.getObject("sampled");
  ASSERT_NE(sampled, nullptr);
  EXPECT_EQ(sampled->getInteger("of"), kGroups);
  EXPECT_GE(*sampled->getInteger("groups"), 1);
}

TEST_F(Timing, MoreWorkTakesLonger) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  compute(100);
  const double before = getMicroseconds();
  compute(1000);
  EXPECT_GT(getMicroseconds(), before);
}

TEST_F(Timing, TheSameWithAnyNumberOfThreadsAndEachTime) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "full");
  compute(100);
  const std::string first = ckEmulatorGetLaunchTiming();
  for (const char *threads : {"1", "2", "4"}) {
    ScopedVariable variable("CK_EMULATOR_THREADS", threads);
    for (unsigned repeat = 0; repeat < 3; ++repeat) {
      DeviceArray<uint> elsewhere(1000 + repeat); // what is allocated beside changes nothing
      compute(100);
      EXPECT_EQ(ckEmulatorGetLaunchTiming(), first);
    }
  }
  ScopedVariable checks("CK_EMULATOR_CHECKS", "off");
  compute(100);
  EXPECT_EQ(ckEmulatorGetLaunchTiming(), first);
}

TEST_F(Timing, ParametersOfTheModel) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  compute(100);
  const double before = getMicroseconds();
  ScopedVariable clock("CK_EMULATOR_TIMING_PARAMETERS", "clock_mhz=100");
  compute(100);
  EXPECT_EQ(getTiming().getNumber("clock_mhz"), 100);
  EXPECT_GT(getMicroseconds(), before);
}

TEST_F(Timing, SeveralSettingsOfTheParametersAtOnce) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  const char *settings[] = {"", "clock_mhz=100", "valu_cycles=8,kernel_us=1"};
  double alone[3];
  for (unsigned i = 0; i < 3; ++i) {
    ScopedVariable one("CK_EMULATOR_TIMING_PARAMETERS", settings[i]);
    compute(100);
    alone[i] = *getTiming().getNumber("modelled_us");
  }
  ScopedVariable all("CK_EMULATOR_TIMING_PARAMETERS", "; clock_mhz=100 ;valu_cycles=8,kernel_us=1");
  compute(100);
  const llvm::json::Object object = getTiming();
  EXPECT_EQ(object.getNumber("modelled_us"), alone[0]);
  const llvm::json::Array *alternatives = object.getArray("alternatives");
  ASSERT_NE(alternatives, nullptr);
  ASSERT_EQ(alternatives->size(), 2u);
  for (unsigned i : {1u, 2u}) {
    const llvm::json::Object &alternative = *(*alternatives)[i - 1].getAsObject();
    EXPECT_EQ(alternative.getString("parameters"), settings[i]);
    EXPECT_EQ(alternative.getNumber("modelled_us"), alone[i]);
    EXPECT_TRUE(alternative.getString("bound"));
  }
}

TEST_F(Timing, WrongValuesAreErrors) {
  {
    ScopedVariable timing("CK_EMULATOR_TIMING", "maybe");
    EXPECT_EQ(module.launch("compute", 1, 64, out.get(), 1u), hipErrorInvalidValue);
    expectMessage("CK_EMULATOR_TIMING must be off, on, full or only, got 'maybe'");
    Stopwatch watch;
    EXPECT_EQ(hipEventRecord(watch.start, watch.stream), hipErrorInvalidValue);
  }
  for (const char *text : {"colour=1", "clock_mhz=fast", "clock_mhz",
                           "clock_mhz=100;clock_mhz=", "num_xcds=8;num_xcds=4"}) {
    ScopedVariable parameters("CK_EMULATOR_TIMING_PARAMETERS", text);
    EXPECT_EQ(module.launch("compute", 1, 64, out.get(), 1u), hipErrorInvalidValue) << text;
    expectMessage("CK_EMULATOR_TIMING_PARAMETERS: ");
  }
  compute(1);
}

TEST_F(Timing, AFaultHasNoTime) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  compute(1);
  EXPECT_EQ(module.launch("break_out", 100, 64, out.get()), hipErrorIllegalAddress);
  EXPECT_STREQ(ckEmulatorGetLaunchTiming(), "{}");
}

TEST_F(Timing, OnlyTheSampleIsExecuted) {
  constexpr uint groups = 40000; // four times what the chip holds at a time
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  DeviceArray<uint> all(std::vector<uint>(size_t(groups) * 64, 0));
  auto countStored = [&] {
    return llvm::count_if(all.read(), [](uint value) { return value != 0; });
  };
  EXPECT_HIP(module.launch("compute", groups, 64, all.get(), 100u));
  EXPECT_EQ(countStored(), groups * 64);
  const int64_t sampled = *getTiming().getObject("sampled")->getInteger("groups");
  const double time = getMicroseconds();
  ASSERT_LT(sampled, groups / 2);
  EXPECT_HIP(hipMemset(all.get(), 0, size_t(groups) * 64 * 4));
  ScopedVariable only("CK_EMULATOR_TIMING", "only");
  EXPECT_HIP(module.launch("compute", groups, 64, all.get(), 100u));
  EXPECT_EQ(getTiming().getString("mode"), "only");
  EXPECT_EQ(getMicroseconds(), time);
  EXPECT_GE(countStored(), sampled * 64);
  EXPECT_LT(countStored(), groups * 64 / 2);
}

TEST_F(Timing, WhatTheSampleLeavesOutMayBeRead) {
  constexpr uint groups = 40000;
  ScopedVariable timing("CK_EMULATOR_TIMING", "only");
  const DeviceArray<uint> between(size_t(groups) * 64), sums(size_t(groups) * 64);
  EXPECT_EQ(module.launch("add", groups, 64, between.get(), sums.get()), hipErrorIllegalAddress);
  EXPECT_HIP(module.launch("compute", groups, 64, between.get(), 100u));
  ScopedVariable all("CK_EMULATOR_TIMING", "off");
  EXPECT_HIP(module.launch("add", groups, 64, between.get(), sums.get()));
}

TEST_F(Timing, WorkgroupsThatMayWaitAreAllExecuted) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "only");
  DeviceArray<uint> counter(std::vector<uint>(1, 0));
  EXPECT_HIP(module.launch("take", kGroups, 64, counter.get(), out.get()));
  const llvm::json::Object object = getTiming();
  EXPECT_EQ(object.getString("mode"), "on");
  EXPECT_TRUE(object.getString("reason").has_value());
  EXPECT_EQ(counter.read()[0], kGroups * 64);
}

TEST_F(Timing, TheTimelineHasEveryWave) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("timeline", "json", path));
  const llvm::FileRemover remover(path);
  ScopedVariable timing("CK_EMULATOR_TIMING", "full"),
      trace("CK_EMULATOR_TIMING_TRACE", path.c_str());
  compute(100);
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file));
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*file)->getBuffer());
  ASSERT_TRUE(bool(value)) << llvm::toString(value.takeError());
  unsigned waves = 0, steps = 0, counters = 0;
  double end = 0;
  for (const llvm::json::Value &entry : *value->getAsObject()->getArray("traceEvents")) {
    const llvm::json::Object &event = *entry.getAsObject();
    const StringRef name = *event.getString("name"), phase = *event.getString("ph");
    waves += phase == "X" && name.starts_with("workgroup ");
    steps += phase == "X" && name.starts_with("step of the loop at 0x");
    counters += phase == "C";
    if (phase == "X")
      end = std::max(end, *event.getNumber("ts") + *event.getNumber("dur"));
  }
  EXPECT_EQ(waves, kGroups);
  EXPECT_EQ(steps, kGroups * 98) << "between 99 jumps back of each wave";
  EXPECT_GT(counters, 0u);
  EXPECT_GT(end, 0);
  EXPECT_LE(end, getMicroseconds());
}

TEST_F(Timing, ATimelineIsWrittenBehindLinks) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("timeline", folder));
  const std::string link = (folder + "/link").str(), path = (folder + "/timeline").str();
  ASSERT_FALSE(llvm::sys::fs::create_link("timeline", link));
  ScopedVariable timing("CK_EMULATOR_TIMING", "on"),
      trace("CK_EMULATOR_TIMING_TRACE", link.c_str());
  compute(100);
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
  EXPECT_TRUE(llvm::sys::fs::is_regular_file(path));
  llvm::sys::fs::remove_directories(folder);
}

TEST_F(Timing, ATimelineThatCannotBeWritten) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  compute(100);
  const double microseconds = getMicroseconds();
  ScopedVariable trace("CK_EMULATOR_TIMING_TRACE", "/no/such/folder/timeline.json");
  const std::string error = "CK_EMULATOR_TIMING_TRACE: cannot write "
                            "'/no/such/folder/timeline.json': No such file or directory";
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    compute(100);
    EXPECT_EQ(getTiming().getString("timeline_error").value_or(""), error);
    EXPECT_EQ(getMicroseconds(), microseconds) << "the time is right nevertheless";
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ck-mlir emulator: " + error + "\n");
}

TEST_F(Timing, EventsTellModelledTime) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  Stopwatch watch;
  EXPECT_HIP(hipEventRecord(watch.start, watch.stream));
  double expected = 0;
  for (uint rounds : {100u, 300u}) {
    void *data = out.get();
    void *parameters[] = {&data, &rounds};
    EXPECT_HIP(hipModuleLaunchKernel(module.get("compute"), kGroups, 1, 1, 64, 1, 1, 0,
                                     watch.stream, parameters, nullptr));
    expected += getMicroseconds() + *getTiming().getNumber("launch_us");
  }
  compute(1000); // in another stream
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_HIP(hipEventRecord(watch.stop, watch.stream));
  EXPECT_NEAR(watch.getElapsedMicroseconds(), expected, expected * 1e-5);
}

TEST_F(Timing, AStreamWaitsForAnother) {
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  Stopwatch first, second;
  EXPECT_HIP(hipEventRecord(second.start, second.stream));
  uint rounds = 1000;
  void *data = out.get();
  void *parameters[] = {&data, &rounds};
  EXPECT_HIP(hipEventRecord(first.start, first.stream));
  EXPECT_HIP(hipModuleLaunchKernel(module.get("compute"), kGroups, 1, 1, 64, 1, 1, 0, first.stream,
                                   parameters, nullptr));
  EXPECT_HIP(hipEventRecord(first.stop, first.stream));
  EXPECT_HIP(hipStreamWaitEvent(second.stream, first.stop, 0));
  EXPECT_HIP(hipEventRecord(second.stop, second.stream));
  EXPECT_GT(first.getElapsedMicroseconds(), 0);
  EXPECT_NEAR(second.getElapsedMicroseconds(), first.getElapsedMicroseconds(), 1e-3);
}

TEST_F(Timing, ModelledAndMeasuredTimesAreNotMixed) {
  Stopwatch watch;
  EXPECT_HIP(hipEventRecord(watch.start, watch.stream));
  ScopedVariable timing("CK_EMULATOR_TIMING", "on");
  EXPECT_HIP(hipEventRecord(watch.stop, watch.stream));
  float ms = 0;
  EXPECT_EQ(hipEventElapsedTime(&ms, watch.start, watch.stop), hipErrorInvalidHandle);
  expectMessage("one of the events was recorded when launches were timed by the model");
}
