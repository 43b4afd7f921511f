//===- RecorderTest.cpp - What is recorded of waves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traces against what the kernels of Trace.cl must have done, on every chip.
//
//===----------------------------------------------------------------------===//

#include "TracedLaunch.h"
#include "llvm/Support/raw_ostream.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
class Recorder : public testing::TestWithParam<const char *> {
protected:
  TracedLaunch device{GetParam()};

  unsigned getWaveSize() const { return device.options.chip->waveSize; }
  /// Accesses of `kind` in a trace.
  static std::vector<TraceAccess> select(const WaveTrace &trace, TraceAccessKind kind) {
    std::vector<TraceAccess> result;
    for (const TraceAccess &access : trace.accesses)
      if (access.kind == kind)
        result.push_back(access);
    return result;
  }
  /// All dependencies of a trace.
  static std::vector<TraceDependency> getDependencies(const WaveTrace &trace) {
    std::vector<TraceDependency> result;
    for (const TraceAccess &access : trace.accesses)
      for (const TraceDependency &dependency : trace.getDependencies(access))
        result.push_back(dependency);
    return result;
  }
  /// The accesses in the traces of the last run and whom they depend on; with `exactly` also where
  /// they stand. Addresses are those of the host and left out.
  std::string describe(bool exactly) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (const auto &group : device.traces)
      for (const WaveTrace &wave : group->waves) {
        stream << "\n" << group->linearId << ":";
        for (const TraceRun &run : wave.runs)
          if (exactly)
            stream << " " << run.first << "-" << run.last;
        for (const TraceAccess &access : wave.accesses) {
          stream << "\n  " << int(access.kind) << " " << int(access.activeLanes) << " "
                 << access.numLines;
          if (exactly)
            stream << " at " << access.position;
          for (const TraceDependency &other : wave.getDependencies(access)) {
            stream << " <" << other.group << " " << other.wave;
            if (exactly)
              stream << " " << other.position;
          }
        }
      }
    return text;
  }
  /// Runs `launch` with other threads and orders, and compares the traces with those of the first.
  /// A loop that waits begins with a look of its own: which one is the last depends on the order.
  template <class Launch>
  void compareOrders(Launch launch) {
    launch();
    const std::string exactly = describe(true), roughly = describe(false);
    device.options.threads = 4;
    launch();
    EXPECT_EQ(describe(true), exactly);
    for (unsigned threads : {1, 4})
      for (unsigned seed = 1; seed < 6; ++seed) {
        device.options.threads = threads;
        device.options.shuffleSeed = seed;
        launch();
        EXPECT_EQ(describe(false), roughly) << threads << " threads, seed " << seed;
      }
  }
};
/// On the chips that store and update scalar registers.
class ScalarRecorder : public Recorder {};
} // namespace

TEST_P(Recorder, EveryInstructionIsInARun) {
  const unsigned items = 4 * getWaveSize();
  uint32_t *out = device.allocate(items);
  device.run("count", 3, items, {out}, {50});
  std::vector<uint64_t> counts(device.statistics.executions.size());
  uint64_t instructions = 0;
  for (const auto &group : device.traces) {
    ASSERT_EQ(group->waves.size(), 4u);
    instructions += group->countInstructions();
    for (const WaveTrace &wave : group->waves)
      for (const TraceRun &run : wave.runs)
        for (uint32_t i = run.first; i <= run.last; ++i)
          ++counts[i];
  }
  EXPECT_EQ(counts, device.statistics.executions);
  EXPECT_EQ(instructions, device.statistics.countAll());
  const WaveTrace &wave = device.traces[0]->waves[0];
  EXPECT_EQ(device.getText(wave, wave.numInstructions - 1), "s_endpgm");
}

TEST_P(Recorder, AccessesInTheOrderOfExecution) {
  const unsigned items = getWaveSize();
  uint32_t *out = device.allocate(items);
  device.run("count", 1, items, {out}, {20});
  const WaveTrace &wave = device.traces[0]->waves[0];
  const auto loads = select(wave, TraceAccessKind::Load);
  const auto stores = select(wave, TraceAccessKind::Store);
  ASSERT_EQ(loads.size(), 20u);
  ASSERT_EQ(stores.size(), 20u);
  for (unsigned i = 0; i < 20; ++i) {
    EXPECT_TRUE(device.getText(wave, loads[i].position).starts_with("global_load"));
    EXPECT_TRUE(device.getText(wave, stores[i].position).starts_with("global_store"));
    EXPECT_LT(loads[i].position, stores[i].position);
    EXPECT_EQ(loads[i].bytesPerLane, 4u);
    EXPECT_EQ(loads[i].activeLanes, items);
    EXPECT_EQ(loads[i].numLines, items * 4 / 128);
    EXPECT_EQ(loads[i].addressCycles, items / 16);
    EXPECT_EQ(wave.getLines(loads[i])[0].bits, wave.getLines(stores[i])[0].bits);
    EXPECT_EQ(wave.getLines(loads[i])[0].getSectors(), 15u);
  }
  const auto scalars = select(wave, TraceAccessKind::ScalarLoad);
  ASSERT_FALSE(scalars.empty());
  for (const TraceAccess &access : scalars)
    EXPECT_TRUE(device.getText(wave, access.position).starts_with("s_load"));
}

TEST_P(Recorder, LinesOfStrides) {
  const unsigned items = getWaveSize();
  uint32_t *out = device.allocate(size_t(items) * 32);
  for (unsigned stride : {1u, 2u, 32u}) {
    device.run("store_strided", 1, items, {out}, {stride});
    const auto stores = select(device.traces[0]->waves[0], TraceAccessKind::Store);
    ASSERT_EQ(stores.size(), 1u);
    EXPECT_EQ(stores[0].numLines, items * stride * 4 / 128);
    EXPECT_EQ(stores[0].addressCycles, std::min(items * stride / 16, items));
  }
}

TEST_P(Recorder, AWaveLooksOnceAtAFlagOfAWorkgroup) {
  constexpr unsigned groups = 12;
  compareOrders(
      [&] { device.run("chain", groups, getWaveSize(), {device.allocate(groups)}, {groups - 1}); });
  for (unsigned group = 0; group < groups; ++group) {
    const WaveTrace &wave = device.traces[group]->waves[0];
    const bool waits = group + 1 < groups;
    EXPECT_EQ(device.count(wave, "global_load"), unsigned(waits));
    EXPECT_LE(device.count(wave, "s_sleep"), 1u);
    const auto dependencies = getDependencies(wave);
    ASSERT_EQ(dependencies.size(), size_t(waits));
    if (!waits)
      continue;
    EXPECT_EQ(dependencies[0].group, group + 1);
    const WaveTrace &other = device.traces[group + 1]->waves[dependencies[0].wave];
    EXPECT_TRUE(device.getText(other, dependencies[0].position).starts_with("global_store"));
  }
}

TEST_P(Recorder, AWaveLooksOnceWithAtomicOperations) {
  constexpr unsigned groups = 12;
  compareOrders([&] {
    device.run("chain_of_atomics", groups, getWaveSize(), {device.allocate(groups)},
               {groups - 1, ~0u});
  });
  for (unsigned group = 0; group + 1 < groups; ++group) {
    const WaveTrace &wave = device.traces[group]->waves[0];
    const auto atomics = select(wave, TraceAccessKind::Atomic);
    ASSERT_EQ(atomics.size(), 2u);
    EXPECT_TRUE(atomics[0].returns);
    EXPECT_FALSE(atomics[1].returns);
    ASSERT_EQ(atomics[0].numDependencies, 1u);
    EXPECT_EQ(wave.getDependencies(atomics[0])[0].group, group + 1);
    EXPECT_EQ(atomics[1].numDependencies, 0u);
  }
}

TEST_P(Recorder, AWaveLooksOnceAtAFlagInLds) {
  constexpr unsigned waves = 4;
  const unsigned items = waves * getWaveSize();
  compareOrders([&] { device.run("chain_of_waves", 3, items, {device.allocate(items)}); });
  for (unsigned i = 0; i < waves; ++i) {
    const WaveTrace &wave = device.traces[2]->waves[i];
    const auto dependencies = getDependencies(wave);
    ASSERT_EQ(dependencies.size(), size_t(i + 1 < waves));
    if (dependencies.empty())
      continue;
    EXPECT_EQ(dependencies[0].group, 2u);
    EXPECT_EQ(dependencies[0].wave, i + 1);
    const WaveTrace &other = device.traces[2]->waves[i + 1];
    EXPECT_TRUE(device.getText(other, dependencies[0].position).starts_with("ds_add"));
  }
}

TEST_P(Recorder, OnlyLooksInVainAreTakenBack) {
  uint32_t *flags = device.allocate(8), *out = device.allocate(30);
  device.run("look_at_all", 1, getWaveSize(), {flags, out}, {30});
  const WaveTrace &wave = device.traces[0]->waves[0];
  EXPECT_EQ(select(wave, TraceAccessKind::Load).size(), 8u + 30u);
  EXPECT_EQ(select(wave, TraceAccessKind::Store).size(), 30u);
}

TEST_P(Recorder, TheFirstWorkgroupTellsTheSample) {
  constexpr unsigned groups = 400;
  for (bool executesOthers : {true, false}) {
    uint32_t *out = device.allocate(groups);
    uint64_t instructions = 0;
    device.run(
        "store_group", groups, getWaveSize(), {out}, {100},
        [&](uint64_t executed) {
          instructions = executed;
          return RecordedGroups{{0, 8, 300}};
        },
        executesOthers);
    ASSERT_NE(device.traces[0], nullptr);
    EXPECT_EQ(instructions, device.traces[0]->countInstructions());
    EXPECT_GT(instructions, 2 * device.traces[8]->countInstructions());
    for (unsigned group = 0; group < groups; ++group)
      EXPECT_EQ(device.traces[group] != nullptr, group == 0 || group == 8 || group == 300);
    EXPECT_EQ(out[0], 1u);
    EXPECT_EQ(out[300], 301u);
    EXPECT_EQ(out[399], executesOthers ? 400u : 0u);
    EXPECT_EQ(device.statistics.waves, executesOthers ? groups : 3u);
  }
}

TEST_P(ScalarRecorder, AWaveHasWaitedForTheOneWhoSetAFlag) {
  constexpr unsigned groups = 12;
  uint32_t *flag = device.allocate(1);
  device.run("count_down", groups, getWaveSize(), {flag}, {100});
  EXPECT_EQ(*flag, 100 - (groups - 1));
  for (unsigned group = 1; group < groups; ++group) {
    const WaveTrace &wave = device.traces[group]->waves[0];
    const auto dependencies = getDependencies(wave);
    ASSERT_EQ(dependencies.size(), 1u);
    EXPECT_EQ(dependencies[0].group, 0u);
    EXPECT_TRUE(device.getText(device.traces[0]->waves[0], dependencies[0].position)
                    .starts_with("s_store_dword"));
  }
}

TEST_P(ScalarRecorder, AWaveHasWaitedForTheOneBeforeIt) {
  constexpr unsigned groups = 12;
  device.run("take_turns", groups, getWaveSize(), {device.allocate(1)});
  for (unsigned group = 0; group < groups; ++group) {
    const auto dependencies = getDependencies(device.traces[group]->waves[0]);
    ASSERT_EQ(dependencies.size(), size_t(group != 0));
    if (group)
      EXPECT_EQ(dependencies[0].group, group - 1);
  }
}

TEST_P(ScalarRecorder, WhomTheSampleWaitsForIsExecutedToo) {
  constexpr unsigned groups = 12;
  for (bool executesOthers : {true, false}) {
    uint32_t *flag = device.allocate(1);
    std::vector<uint64_t> meetings;
    auto choose = [](uint64_t) { return RecordedGroups{{0, 4}, {}, {}, /*isFinal=*/false}; };
    auto extend = [&](const FirstRecords &records) {
      meetings.push_back(records.largestMeeting);
      return RecordedGroups{{0, 2, 4, 6}, {}, {}, /*isFinal=*/meetings.size() == 2};
    };
    device.run("take_turns", groups, getWaveSize(), {flag}, {}, choose, executesOthers, extend);
    EXPECT_EQ(meetings, (std::vector<uint64_t>{5, 7})) << "a chain, in which all meet";
    EXPECT_EQ(*flag, executesOthers ? groups : 7);
    for (unsigned group : {0, 2, 4, 6})
      EXPECT_NE(device.traces[group], nullptr) << "workgroup " << group;
    EXPECT_EQ(device.traces[8], nullptr);
  }
}

TEST_P(Recorder, AChoiceMayDependOnWhatTheFirstOnesExecute) {
  constexpr unsigned groups = 12;
  for (bool executesOthers : {true, false}) {
    uint32_t *counts = device.allocate(groups * getWaveSize());
    std::vector<uint64_t> instructions;
    auto choose = [](uint64_t) { return RecordedGroups{{0, 9, 4}, {}, {}, /*isFinal=*/false}; };
    auto extend = [&](const FirstRecords &records) {
      instructions = records.instructions;
      return RecordedGroups{{2, 4}};
    };
    device.run("count_own_number", groups, getWaveSize(), {counts}, {}, choose, executesOthers,
               extend);
    ASSERT_EQ(instructions.size(), 3u);
    EXPECT_LT(instructions[0], instructions[2]) << "in the order in which they were named";
    EXPECT_LT(instructions[2], instructions[1]);
    for (unsigned group = 0; group < groups; ++group) {
      const bool isExecuted =
          executesOthers || group == 0 || group == 2 || group == 4 || group == 9;
      EXPECT_EQ(counts[group * getWaveSize()], isExecuted ? group : 0) << "workgroup " << group;
    }
    for (unsigned group : {2, 4})
      EXPECT_NE(device.traces[group], nullptr) << "workgroup " << group;
    EXPECT_EQ(device.traces[6], nullptr);
  }
}

TEST_P(Recorder, WhatIsNotComputedLeavesNoTrace) {
  const unsigned items = 4 * getWaveSize();
  uint32_t *out = nullptr;
  auto compare = [&](auto launch) {
    device.computesAll = true;
    launch();
    const std::string all = describe(/*exactly=*/true);
    EXPECT_NE(all, "");
    device.computesAll = false;
    launch();
    EXPECT_EQ(describe(/*exactly=*/true), all);
  };
  compare([&] {
    out = device.allocate(3 * items);
    device.run("count", 3, items, {out}, {50});
  });
  EXPECT_TRUE(std::all_of(out, out + 3 * items, [](uint32_t value) { return value == 0; }))
      << "nobody needs the sums";
  compare([&] { device.run("chain", 5, getWaveSize(), {device.allocate(5)}, {4}); });
  compare([&] { device.run("chain_of_waves", 3, items, {device.allocate(items)}); });
  compare([&] {
    out = device.allocate(getWaveSize());
    device.run("look_at_all", 1, getWaveSize(), {device.allocate(8), out}, {30});
  });
}

TEST_P(Recorder, GlimpsesSeeWhatWorkgroupsTouchFirst) {
  constexpr unsigned groups = 100, times = 2000;
  for (bool executesOthers : {true, false}) {
    uint32_t *out = device.allocate(32 * groups);
    device.run(
        "count_in_group", groups, getWaveSize(), {out}, {times},
        [](uint64_t) { return RecordedGroups{{0, 60, 99}, {60, 63}, {}}; }, executesOthers);
    ASSERT_EQ(device.glimpses.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) {
      // The arguments are lines of all; the own line differs.
      std::vector<uint64_t> own;
      llvm::copy_if(device.glimpses[i], std::back_inserter(own), [&](uint64_t line) {
        return !llvm::is_contained(device.glimpses[1 - i % 2], line);
      });
      EXPECT_EQ(own.size(), 1u);
    }
    EXPECT_NE(device.traces[60], nullptr);
    EXPECT_EQ(device.traces[61], nullptr);
    EXPECT_EQ(out[32 * 60], times);
    EXPECT_EQ(out[32 * 50], executesOthers ? times : 0);
    EXPECT_GT(out[32 * 61], 0u);
    EXPECT_EQ(out[32 * 61] == times, executesOthers);
  }
}

TEST_P(Recorder, GlimpsesWaitForTheFirstAccess) {
  // Loops of some looks at the workgroup, and of more than there are.
  for (const auto &[delay, isSeen] : {std::pair(500u, true), std::pair(50000u, false)}) {
    uint32_t *out = device.allocate(32 * 4);
    device.run("store_late", 4, getWaveSize(), {out}, {delay},
               [](uint64_t) { return RecordedGroups{{0}, {0, 4}, {}}; });
    ASSERT_EQ(device.glimpses.size(), 4u);
    for (uint64_t i = 0; i < 4; ++i)
      EXPECT_EQ(llvm::is_contained(device.glimpses[i], uint64_t(out + 32 * i) / TraceLine::kBytes),
                isSeen);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Recorder,
                         testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Cdna, ScalarRecorder, testing::Values("gfx90a", "gfx942", "gfx950"),
                         [](const auto &info) { return std::string(info.param); });
