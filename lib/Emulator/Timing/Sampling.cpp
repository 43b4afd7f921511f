//===- Sampling.cpp - Which workgroups are simulated -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups of a launch mostly do the same. Of a large launch the model simulates, in this order
// of what is given up: one XCD instead of all; of many rounds of workgroups the first ones and the
// last; some of the compute units of the XCD. What is left out is taken to do at the same time what
// the simulated part does.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/LaunchModel.h"
#include <algorithm>

using namespace mlir::ck::emulator;

/// Wave instructions that a sample has at most, roughly.
static constexpr double kBudget = 1.5e6;
/// Rounds of workgroups that are simulated at least when some are skipped.
static constexpr uint64_t kFewestRounds = 3;

/// Compute units of an XCD, of `total` workgroups per XCD.
static unsigned chooseUnits(unsigned unitsPerXcd, double instructions) {
  unsigned units = unitsPerXcd;
  while (units > 4 && instructions * units / unitsPerXcd > kBudget)
    units = (units + 1) / 2;
  return units;
}

/// The workgroups of XCD 0 that go to the first `units` of its compute units.
static void addGroups(GroupSample &sample, uint64_t numGroups, uint64_t skipped,
                      unsigned unitsPerXcd) {
  const uint64_t step = sample.activeXcds;
  for (uint64_t i = 0, id = 0; id < numGroups; ++i, id += step)
    if (i >= skipped && i % unitsPerXcd < sample.unitsPerXcd)
      sample.groups.push_back(id);
}

GroupSample mlir::ck::emulator::chooseSample(const TimedLaunch &launch, double instructionsPerGroup,
                                             bool full) {
  GroupSample sample;
  const auto numXcds = unsigned(launch.parameters.numXcds);
  const unsigned unitsPerXcd = std::max(1u, launch.computeUnits / numXcds);
  sample.activeXcds = unsigned(std::min<uint64_t>(numXcds, launch.numGroups));
  sample.unitsPerXcd = unitsPerXcd;
  if (full || instructionsPerGroup * double(launch.numGroups) <= kBudget) {
    sample.simulatedXcds = sample.activeXcds;
    for (uint64_t id = 0; id < launch.numGroups; ++id)
      sample.groups.push_back(id);
    return sample;
  }
  const uint64_t ofXcd = (launch.numGroups + sample.activeXcds - 1) / sample.activeXcds;
  const uint64_t ofRound = uint64_t(unitsPerXcd) * launch.groupsPerUnit;
  const uint64_t rounds = ofXcd / ofRound;
  if (rounds > kFewestRounds) {
    const double perRound = instructionsPerGroup * double(ofRound);
    const auto affordable = uint64_t(kBudget / perRound);
    sample.skippedRounds = rounds - std::clamp(affordable, kFewestRounds, rounds);
  }
  const uint64_t skipped = sample.skippedRounds * ofRound;
  sample.unitsPerXcd = chooseUnits(unitsPerXcd, instructionsPerGroup * double(ofXcd - skipped));
  addGroups(sample, launch.numGroups, skipped, unitsPerXcd);
  return sample;
}
