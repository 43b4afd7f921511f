//===- TimingTest.cpp - Traces made by hand, timed by the library alone -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program as users of the library write it: it includes the public headers and links the shared
// library, nothing of the emulator. The times follow from the parameters of gfx942 in
// docs/emulator/parameters.md, which have their names here.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Emulator/Timing.h"
#include "gtest/gtest.h"

using namespace ckemu;

static constexpr double kClockMHz = 2100, kKernelUs = 0.5, kLaunchUs = 3.7;
static constexpr double kGroupStart = 300, kGroupEnd = 100, kDispatch = 3, kIssue = 4;
static constexpr double kInstructionMiss = 263, kBarrier = 24, kMatrixLatency = 2;
static constexpr double kL1Latency = 115, kL2Latency = 208;
/// hbm_nanoseconds in cycles.
static constexpr double kMemoryLatency = 330 * kClockMHz / 1000;
/// v_mfma_f32_32x32x8_f16: 8 passes of four cycles.
static constexpr double kMatrixCycles = 32;

/// When the first instruction of a workgroup is there: nobody has fetched it before.
static constexpr double kFirst = kGroupStart + kInstructionMiss;

namespace {
/// The instructions of the kernel by their numbers.
enum Number : uint32_t { Load, LoadAgain, Wait, Multiply, MultiplyAgain, Meet, End };

class TimingTest : public testing::Test {
protected:
  LaunchTrace launch;
  LaunchTimes timing;

  void SetUp() override {
    launch.chip = "gfx942";
    const uint8_t accumulators = 16;
    add(TimingClass::Vmem, 8).action = MemoryAction::Load;
    launch.code.back().fetches = true;
    add(TimingClass::Vmem, 8).action = MemoryAction::Load;
    add(TimingClass::Wait, 4).wait.loads = 0;
    for (unsigned i = 0; i < 2; ++i) {
      TimedInstruction &product = add(TimingClass::Matrix, 8);
      product.matrix = {32, 32, 8, MatrixType::F16};
      product.resultRegisters = accumulators;
      product.result = product.sources[2] = {RegisterFile::Vector, accumulators, 0};
      product.sources[0] = {RegisterFile::Vector, 2, 20};
      product.sources[1] = {RegisterFile::Vector, 2, 22};
    }
    add(TimingClass::Barrier, 4);
    add(TimingClass::End, 4);
    ASSERT_LE(launch.code.back().offset, 60u) << "one line of the instruction cache";
  }

  TimedInstruction &add(TimingClass timingClass, uint8_t size) {
    TimedInstruction inst;
    inst.timing = timingClass;
    inst.size = size;
    if (!launch.code.empty())
      inst.offset = launch.code.back().offset + launch.code.back().size;
    launch.code.push_back(inst);
    return launch.code.back();
  }

  /// A wave that executes instructions [first, last], of which loads are of one line.
  static WaveTrace makeWave(uint32_t first, uint32_t last) {
    WaveTrace wave;
    wave.runs = {{first, last}};
    for (uint32_t inst = first; inst <= last && inst <= LoadAgain; ++inst) {
      TraceAccess access;
      access.position = inst - first;
      access.bytesPerLane = 4;
      access.activeLanes = 32;
      access.addressCycles = 2;
      access.numLines = 1;
      access.firstLine = uint32_t(wave.lines.size());
      wave.lines.emplace_back(1 << 20, /*sectors=*/15);
      wave.accesses.push_back(access);
    }
    return wave;
  }

  void addGroup(std::vector<WaveTrace> waves) {
    launch.groups.emplace_back();
    launch.groups.back().waves = std::move(waves);
  }

  void run() { ASSERT_EQ(timeTraces(launch, timing), ""); }
  std::string getError() { return timeTraces(launch, timing); }
};
} // namespace

TEST_F(TimingTest, AWaveThatLoadsAndMultiplies) {
  WaveTrace wave = makeWave(Load, Load);
  wave.runs.push_back({Wait, End});
  addGroup({wave});
  run();
  const double loaded = kFirst + kL2Latency + kMemoryLatency;
  const double multiplied = loaded + kIssue; // behind the wait
  const double multipliedAgain = multiplied + kMatrixCycles + kMatrixLatency;
  const double ended = multipliedAgain + kIssue + kIssue; // the barrier is nobody's but its own
  EXPECT_EQ(timing.groupStarts, std::vector<uint64_t>{0});
  EXPECT_EQ(timing.groupEnds, std::vector<uint64_t>{uint64_t(ended + kGroupEnd)});
  EXPECT_EQ(timing.cycles, ended + kGroupEnd);
  ASSERT_EQ(timing.waves.size(), 1u);
  const WaveTiming &times = timing.waves[0];
  EXPECT_EQ(times.issueCycles, 6 * kIssue);
  EXPECT_EQ(times.stallCycles.at("fetch"), kInstructionMiss);
  EXPECT_EQ(times.stallCycles.at("loads"), loaded - kFirst - kIssue);
  EXPECT_EQ(times.stallCycles.at("dependency"), kMatrixCycles + kMatrixLatency - kIssue);
  EXPECT_EQ(times.stallCycles.count("barrier"), 0u);
  // Two products of one wave hardly slow the clock of 304 compute units.
  EXPECT_LT(timing.clockMHz, kClockMHz);
  EXPECT_GT(timing.clockMHz, 0.999 * kClockMHz);
  EXPECT_DOUBLE_EQ(timing.microseconds, timing.cycles / timing.clockMHz + kKernelUs);
  EXPECT_EQ(timing.launchMicroseconds, kLaunchUs);
  EXPECT_NE(timing.report.find("\"bound\":\"launch\""), std::string::npos) << timing.report;
}

TEST_F(TimingTest, ASecondLoadOfTheLineWaitsForTheFirst) {
  WaveTrace wave = makeWave(Load, Wait);
  wave.runs.push_back({End, End});
  addGroup({wave});
  run();
  // The line is on its way when it is asked for again.
  EXPECT_EQ(timing.cycles, kFirst + kL2Latency + kMemoryLatency + kIssue + kGroupEnd);
}

TEST_F(TimingTest, ALoadThatHitsTheL1) {
  // The same loads, with a wait behind each.
  WaveTrace wave = makeWave(Load, Load);
  const WaveTrace again = makeWave(LoadAgain, LoadAgain);
  wave.runs = {{Load, Load}, {Wait, Wait}, {LoadAgain, Wait}, {End, End}};
  wave.accesses.push_back(again.accesses[0]);
  wave.accesses[1].position = 2;
  addGroup({wave});
  run();
  const double second = kFirst + kL2Latency + kMemoryLatency + kIssue;
  EXPECT_EQ(timing.cycles, second + kL1Latency + kIssue + kGroupEnd);
}

TEST_F(TimingTest, ABarrierHoldsTheWaveThatIsEarly) {
  addGroup({makeWave(Multiply, End), makeWave(Meet, End)});
  run();
  const double arrived = kFirst + kMatrixCycles + kMatrixLatency + kIssue;
  EXPECT_EQ(timing.cycles, arrived + kBarrier + kIssue + kGroupEnd);
  EXPECT_EQ(timing.waves[1].issueCycles, 2 * kIssue);
  // From where it could have issued the barrier.
  EXPECT_EQ(timing.waves[1].stallCycles.at("barrier"), arrived + kBarrier - kGroupStart);
  EXPECT_EQ(timing.waves[0].stallCycles.count("barrier"), 0u);
}

TEST_F(TimingTest, TheFifthWaveSharesAMatrixPipe) {
  WaveTrace product = makeWave(Multiply, Multiply);
  product.runs.push_back({End, End});
  addGroup({product, product, product, product});
  run();
  EXPECT_EQ(timing.cycles, kFirst + kIssue + kGroupEnd) << "one on each SIMD";
  launch.groups[0].waves.push_back(product);
  run();
  EXPECT_EQ(timing.cycles, kFirst + kMatrixCycles + kIssue + kGroupEnd);
  EXPECT_EQ(timing.waves[4].stallCycles.at("matrix"), kInstructionMiss + kMatrixCycles);
}

TEST_F(TimingTest, WorkgroupsStartWhereThereIsRoom) {
  // Two workgroups of one wave on each of eight XCDs with one compute unit each.
  launch.computeUnits = 8;
  for (unsigned i = 0; i < 16; ++i)
    addGroup({makeWave(End, End)});
  run();
  const double ended = kFirst + kGroupEnd;
  EXPECT_EQ(timing.groupStarts[0], 0u);
  EXPECT_EQ(timing.groupStarts[8], ended) << "behind the first of its XCD";
  EXPECT_EQ(timing.cycles, ended + kGroupStart + kGroupEnd) << "the instruction is there";
  launch.groupsPerUnit = 2;
  run();
  EXPECT_EQ(timing.groupStarts[8], kDispatch);
}

TEST_F(TimingTest, ParametersCanBeChanged) {
  addGroup({makeWave(Multiply, End), makeWave(Meet, End)});
  run();
  const double before = timing.cycles;
  launch.parameters = "barrier_cycles=124";
  run();
  EXPECT_EQ(timing.cycles, before + 100);
}

TEST_F(TimingTest, WrongLaunchesAreRefused) {
  EXPECT_EQ(getError(), "a launch requires at least one workgroup");
  addGroup({makeWave(Load, End)});
  EXPECT_EQ(getError(), "");
  const LaunchTrace right = launch;
  auto expectError = [&](const std::string &message) {
    EXPECT_NE(getError().find(message), std::string::npos) << getError();
    launch = right;
  };
  launch.chip = "gfx900";
  expectError("chip must be one of");
  launch.parameters = "barrier_cycles=x";
  expectError("for 'barrier_cycles', got 'x'");
  launch.waveSize = 32;
  expectError("waves of gfx942 have 64 lanes, got 32");
  launch.groupsPerUnit = 33;
  expectError("at most 32 waves, got 33 workgroups of 1 waves");
  launch.code[Multiply].matrix.k = 0;
  expectError("the shape of matrix instruction 3 must not be 0, got 32x32x0");
  launch.code[Wait].offset = 0;
  expectError("the offset of instruction 2 must be at least 16, got 0");
  launch.groups[0].waves.clear();
  expectError("workgroup 0 must have 1 to 32 waves, got 0");
  launch.groups[0].waves[0].runs = {{0, 7}};
  expectError("wave 0 of workgroup 0 must execute instructions in [0, 7)");
  launch.groups[0].waves[0].accesses[1].position = 2;
  expectError("access 1 of wave 0 of workgroup 0 is of instruction 2, which accesses no memory");
  launch.groups[0].waves[0].accesses[0].position = 1;
  launch.groups[0].waves[0].accesses[1].position = 0;
  expectError("the position of access 1 of wave 0 of workgroup 0 must be in [1, 7), got 0");
  launch.groups[0].waves[0].lines.pop_back();
  expectError("access 1 of wave 0 of workgroup 0 needs 2 lines, got 1");
  launch.groups[0].waves[0].dependencies.push_back({1, 0, 0});
  expectError("depends on wave 0 of workgroup 1, which has no trace");
}
