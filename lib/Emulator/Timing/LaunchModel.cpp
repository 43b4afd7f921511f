//===- LaunchModel.cpp - How long a launch takes on a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LaunchModel.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/LaunchModel.h"
#include "Emulator/Timing/Judgement.h"
#include "Emulator/Timing/Replay/Timeline.h"
#include "Emulator/Timing/Report.h"
#include <algorithm>
#include <numeric>

using namespace ckemu;

/// How long a round of `groupsAtATime` workgroups takes once all compute units are at work: how
/// much later the last so many end than the first so many, on the average, by the rounds between
/// them. Ends come in bursts or one by one; the averages are right for both. The first ones may be
/// of another kind where workgroups are uneven: these count as well.
static double getRoundCycles(const ReplayResult &replay, uint64_t groupsAtATime, bool isEven) {
  std::vector<Cycle> ends(replay.groupEnds);
  std::sort(ends.begin(), ends.end());
  const size_t round = std::min<size_t>(groupsAtATime, ends.size());
  if (ends.size() == round)
    return double(replay.end);
  const double first = std::accumulate(ends.begin(), ends.begin() + round, 0.0);
  const double last = std::accumulate(ends.end() - round, ends.end(), 0.0);
  if (!isEven)
    return last / double(ends.size());
  return (last - first) / double(ends.size() - round);
}

/// The more of the chip's matrix pipes are busy, the slower is the clock, for the power is limited.
/// Compute units without a workgroup leave their power to the others.
static double getClock(const TimedLaunch &launch, const SimulatedPart &part,
                       const ReplayResult &replay) {
  const double units = part.getChipShare() * std::max(launch.computeUnits, part.numUnits);
  const double available = units * launch.chip->simdsPerUnit * double(replay.end);
  return launch.parameters.clockMHz / (1 + (available > 0 ? replay.slowdown / available : 0));
}

LaunchTiming ckemu::timeLaunch(const TimedLaunch &launch, const GroupSample &sample,
                               TraceStore &traces) {
  SimulatedPart part;
  part.activeXcds = sample.activeXcds;
  part.simulatedXcds = sample.simulatedXcds;
  part.numUnits = unsigned(
      std::min<uint64_t>(launch.numGroups, uint64_t(launch.getUnitsPerXcd()) * sample.activeXcds));
  part.simulatedUnits = sample.simulatedXcds * sample.unitsPerXcd;
  MemoryModel memory(launch.parameters, *launch.chip, part);
  Replay replay(launch, sample, traces, memory);
  const ReplayResult result = replay.run(part);
  if (launch.timeline)
    launch.timeline->setRoles(findRoles(result.waves));
  LaunchTiming timing;
  timing.isComplete = result.isComplete;
  if (!result.isComplete)
    return timing;
  timing.groupStarts = result.groupStarts;
  timing.groupEnds = result.groupEnds;
  timing.stallsOfWaves = replay.getStalls().byWave;
  timing.issueOfWaves = replay.getStalls().issueByWave;
  timing.changed = result.changed;
  timing.cycles = double(result.end);
  if (sample.skippedRounds > 0)
    timing.cycles +=
        double(sample.skippedRounds) *
        getRoundCycles(result, uint64_t(part.simulatedUnits) * launch.groupsPerUnit, sample.isEven);
  timing.clockMHz = getClock(launch, part, result);
  timing.microseconds = timing.cycles / timing.clockMHz + launch.parameters.kernelMicroseconds;
  timing.launchMicroseconds = launch.parameters.launchMicroseconds;
  timing.details = describeTiming(launch, part, result, replay.getStalls(), timing);
  const auto [kind, hasAtomics] = classifyKernel(replay.getCosts(), replay.getStalls().executions);
  timing.details["modelled_error"] =
      describeJudgement(findJudgement(launch.chip->isa, kind, hasAtomics));
  return timing;
}
