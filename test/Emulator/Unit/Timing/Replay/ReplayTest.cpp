//===- ReplayTest.cpp - Traces on the compute units of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traces made by hand of code whose cycles are known.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/InstructionTables.h"
#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Trace/TimedCode.h"
#include "gtest/gtest.h"

using namespace ckemu;

namespace {
/// A launch of workgroups that all have the same waves, given by what each executes.
class ReplayTest : public testing::Test {
protected:
  static constexpr uint32_t kNop8 = 0xbf800007, kBarrier = 0xbf8a0000, kEnd = 0xbf810000;
  static constexpr uint32_t kNop1 = 0xbf800000;
  static constexpr double kStart = 1000, kEndCycles = 10, kBarrierCycles = 20, kFlag = 500;

  std::vector<TimedInstruction> code;
  TimedLaunch launch;

  void SetUp() override {
    launch.chip = *getChipModel("gfx942");
    launch.parameters = llvm::cantFail(getTimingParameters(
        *launch.chip, "group_start_cycles=1000,group_end_cycles=10,barrier_cycles=20,"
                      "flag_cycles=500,dispatch_cycles=0,instruction_miss_cycles=0,"
                      "instruction_stream_cycles=0,clock_mhz=1000"));
    launch.computeUnits = 304;
    launch.groupsPerUnit = 1;
  }

  void setCode(const std::vector<uint32_t> &dwords) {
    CodeSection section;
    section.offset = 0x100;
    section.bytes = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(dwords.data()),
                                   dwords.size() * sizeof(dwords[0]));
    const InstructionTable &table = getInstructionTable(launch.chip->isa);
    code = makeTimedCode(llvm::cantFail(decodeCode(section, *launch.chip, table)), *launch.chip);
    launch.code = &code;
  }

  /// A wave that executes these ranges of instructions.
  static WaveTrace makeWave(const std::vector<TraceRun> &runs) {
    WaveTrace wave;
    wave.runs = runs;
    for (const TraceRun &run : runs)
      wave.numInstructions += run.last - run.first + 1;
    return wave;
  }

  /// Cycles of a launch of `traces`, of which workgroup i is the i-th, on all compute units or one
  /// of `unitsOfSample`.
  LaunchTiming time(std::vector<std::vector<WaveTrace>> traces, unsigned unitsOfSample = 1) {
    launch.numGroups = traces.size();
    launch.wavesPerGroup = unsigned(traces[0].size());
    TraceStore store;
    for (size_t i = 0; i < traces.size(); ++i) {
      auto group = std::make_unique<GroupTrace>();
      group->linearId = i;
      group->waves = std::move(traces[i]);
      store.put(std::move(group));
    }
    store.close();
    GroupSample sample = chooseSample(launch, 1, /*full=*/true);
    sample.unitsPerXcd /= unitsOfSample;
    return timeLaunch(launch, sample, store);
  }
};
} // namespace

TEST_F(ReplayTest, AWaveIssuesEveryFourCycles) {
  setCode({kNop1, kNop1, kNop8, kEnd});
  // The end is issued behind 4, 4 and 8 x 4 cycles.
  EXPECT_EQ(time({{makeWave({{0, 3}})}}).cycles, kStart + 40 + kEndCycles);
}

TEST_F(ReplayTest, WavesOfASimdShareItsMatrixPipe) {
  // v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[0:15]: 32 cycles of the pipe.
  setCode({0xd3cc0000, 0x04022510, kEnd});
  const WaveTrace wave = makeWave({{0, 1}});
  EXPECT_EQ(time({{wave}}).cycles, kStart + 4 + kEndCycles);
  // Four waves go to four SIMDs, the fifth waits for one of them.
  EXPECT_EQ(time({{wave, wave, wave, wave}}).cycles, kStart + 4 + kEndCycles);
  EXPECT_EQ(time({{wave, wave, wave, wave, wave}}).cycles, kStart + 32 + 4 + kEndCycles);
}

TEST_F(ReplayTest, ABarrierWaitsForTheLastWave) {
  setCode({kNop8, kNop8, kBarrier, kEnd});
  const WaveTrace slow = makeWave({{0, 3}}), fast = makeWave({{2, 3}});
  EXPECT_EQ(time({{fast, slow}}).cycles, kStart + 64 + kBarrierCycles + 4 + kEndCycles);
  // Who has ended is not waited for.
  EXPECT_EQ(time({{fast, makeWave({{3, 3}})}}).cycles, kStart + kBarrierCycles + 4 + kEndCycles);
}

TEST_F(ReplayTest, TheDispatcherServesUnitsThatAreNotSimulated) {
  launch.parameters.dispatchCycles = 100;
  launch.computeUnits = unsigned(2 * launch.parameters.numXcds);
  launch.groupsPerUnit = 2;
  setCode({kEnd});
  // Two workgroups of two waves on each XCD.
  const WaveTrace wave = makeWave({{0, 0}});
  const std::vector<std::vector<WaveTrace>> traces(2 * launch.parameters.numXcds, {wave, wave});
  EXPECT_EQ(time(traces).cycles, 200 + kStart + kEndCycles);
  EXPECT_EQ(time(traces, /*unitsOfSample=*/2).cycles, 400 + kStart + kEndCycles);
}

/// A wave that looks at a flag which the last instruction but one of `group` sets.
static WaveTrace waitFor(WaveTrace wave, uint64_t group, uint32_t position) {
  TraceAccess access;
  access.deviceScope = true;
  access.dependency = 0;
  access.numDependencies = 1;
  wave.accesses.push_back(access);
  wave.dependencies.push_back({group, 0, position});
  return wave;
}

TEST_F(ReplayTest, AFlagIsWaitedFor) {
  // s_nop 7; s_nop 7; global_load_dword v1, v2, s[0:1]; s_endpgm
  setCode({kNop8, kNop8, 0xdc508000, 0x01000002, kEnd});
  const WaveTrace setter = makeWave({{0, 1}, {3, 3}});
  const double alone = time({{setter}}).cycles;
  EXPECT_EQ(alone, kStart + 64 + kEndCycles);
  const LaunchTiming timing = time({{setter}, {waitFor(makeWave({{2, 3}}), 0, 1)}});
  // Set at the second s_nop, 32 cycles behind the start.
  EXPECT_GE(timing.cycles, kStart + 32 + kFlag);
  EXPECT_LT(timing.cycles, kStart + 32 + kFlag + 200) << "and the latency of the load";
  EXPECT_EQ(timing.details.getInteger("broken_dependencies"), 0);
}

TEST_F(ReplayTest, WhatCannotComeIsNotWaitedFor) {
  setCode({kNop8, kNop8, 0xdc508000, 0x01000002, kEnd});
  launch.computeUnits = 8; // one of each XCD, so that workgroup 8 waits for the end of 0
  std::vector<std::vector<WaveTrace>> traces(9, {makeWave({{0, 1}, {3, 3}})});
  traces[0] = {waitFor(makeWave({{2, 3}}), 8, 1)};
  EXPECT_EQ(time(std::move(traces)).details.getInteger("broken_dependencies"), 1);
}

/// Cycles of a unit for the waves of a role, and its share of the time.
static std::pair<double, double> getBusy(const llvm::json::Object &role, llvm::StringRef unit) {
  return {role.getObject("busy_cycles")->getNumber(unit).value_or(-1),
          role.getObject("utilisation")->getNumber(unit).value_or(-1)};
}

TEST_F(ReplayTest, UnitsAreBusyForTheWavesThatUseThem) {
  // global_load_dword v1, v2, s[0:1]; v_mfma_f32_32x32x8_f16; ds_write_b32 v0, v1; s_nop 7
  setCode({0xdc508000, 0x01000002, 0xd3cc0000, 0x04022510, 0xd81a0000, 0x00000100, kNop8, kEnd});
  WaveTrace load = makeWave({{0, 0}, {4, 4}});
  TraceAccess access;
  access.bytesPerLane = 4;
  access.activeLanes = 64;
  access.addressCycles = 4;
  access.numLines = 2;
  load.accesses = {access};
  load.lines = {TraceLine(1 << 20, 15), TraceLine((1 << 20) + 1, 15)};
  const WaveTrace math = makeWave({{1, 1}, {1, 1}, {4, 4}}), other = makeWave({{3, 4}});
  const WaveTrace store = makeWave({{2, 2}, {4, 4}});
  const LaunchTiming timing = time({{load, math, other, store}});
  const llvm::json::Array *roles = timing.details.getArray("roles");
  ASSERT_EQ(roles->size(), 3u);
  const llvm::json::Object &ofMath = *(*roles)[0].getAsObject(),
                           &ofLoad = *(*roles)[1].getAsObject(),
                           &ofOther = *(*roles)[2].getAsObject();
  EXPECT_EQ(ofMath.getString("name"), "math");
  EXPECT_EQ(*ofMath.getArray("waves"), llvm::json::Array({1}));
  EXPECT_EQ(ofLoad.getString("name"), "load");
  EXPECT_EQ(*ofLoad.getArray("waves"), llvm::json::Array({0, 3}));
  EXPECT_EQ(ofOther.getString("name"), "other");
  EXPECT_EQ(*ofOther.getArray("waves"), llvm::json::Array({2}));
  EXPECT_EQ(getBusy(ofMath, "matrix").first, 64);
  EXPECT_EQ(getBusy(ofMath, "l1").first, 0);
  EXPECT_EQ(getBusy(ofLoad, "matrix").first, 0);
  EXPECT_EQ(getBusy(ofLoad, "lds").first, 2) << "256 bytes";
  EXPECT_EQ(getBusy(ofLoad, "l1").first, 4);
  EXPECT_GT(getBusy(ofLoad, "hbm").first, 0);
  const llvm::json::Object &all = *timing.details.getObject("utilisation");
  for (const char *unit : {"matrix", "valu", "salu", "lds", "l1", "l2", "mall", "hbm"}) {
    EXPECT_EQ(getBusy(ofOther, unit).first, 0) << unit;
    EXPECT_DOUBLE_EQ(getBusy(ofMath, unit).second + getBusy(ofLoad, unit).second,
                     *all.getNumber(unit))
        << unit;
  }
}

TEST_F(ReplayTest, WavesThatDoTheSameHaveNoRoles) {
  setCode({0xd3cc0000, 0x04022510, kEnd});
  const WaveTrace wave = makeWave({{0, 1}}), idle = makeWave({{1, 1}});
  // A workgroup that finds nothing to do is no reason for another role.
  const LaunchTiming timing = time({{wave, wave}, {idle, idle}});
  const llvm::json::Array *roles = timing.details.getArray("roles");
  ASSERT_EQ(roles->size(), 1u);
  EXPECT_EQ((*roles)[0].getAsObject()->getString("name"), "all");
  EXPECT_EQ(*(*roles)[0].getAsObject()->getArray("waves"), llvm::json::Array({0, 1}));
}

TEST_F(ReplayTest, WithoutTracesThereIsNoTime) {
  setCode({kEnd});
  launch.numGroups = 2;
  launch.wavesPerGroup = 1;
  TraceStore store;
  store.close();
  EXPECT_FALSE(timeLaunch(launch, chooseSample(launch, 1, true), store).isComplete);
}
