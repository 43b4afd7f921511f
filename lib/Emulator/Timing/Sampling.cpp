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
// the simulated part does. Neighbours that wait for one another lie on different XCDs: of such
// launches some compute units of all XCDs are simulated.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/LaunchModel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::ck::emulator;

/// Wave instructions that a sample has at most, roughly.
static constexpr double kBudget = 1.5e6;
/// The same of workgroups that wait for one another, of which a larger part must be simulated.
static constexpr double kBudgetOfAll = 2.2e6;
/// Rounds of workgroups that are simulated at least when some are skipped.
static constexpr uint64_t kFewestRounds = 3;

/// Waves of which glimpses are taken at most.
static constexpr uint64_t kMostGlimpsedWaves = 4096;

/// Compute units of an XCD, of `total` workgroups per XCD.
static unsigned chooseUnits(unsigned unitsPerXcd, double instructions) {
  unsigned units = unitsPerXcd;
  while (units > 4 && instructions * units / unitsPerXcd > kBudget)
    units = (units + 1) / 2;
  return units;
}

/// The same where all XCDs are simulated, of `total` instructions in all. Any number will do: those
/// that meet are neighbours.
static unsigned chooseUnitsOfAll(unsigned unitsPerXcd, double total, unsigned fewest) {
  const auto affordable = unsigned(std::ceil(std::min(1.0, kBudgetOfAll / total) * unitsPerXcd));
  return std::clamp(affordable, std::min(fewest, unitsPerXcd), unitsPerXcd);
}

/// The workgroups of the simulated XCDs that go to the first units of each, but for the first
/// `skipped` of each.
static void addGroups(GroupSample &sample, uint64_t numGroups, uint64_t skipped,
                      unsigned unitsPerXcd) {
  for (uint64_t id = skipped * sample.activeXcds; id < numGroups; ++id)
    if (id % sample.activeXcds < sample.simulatedXcds &&
        id / sample.activeXcds % unitsPerXcd < sample.unitsPerXcd)
      sample.groups.push_back(id);
}

/// Where a part of the compute units is simulated.
static void addGlimpses(GroupSample &sample, const TimedLaunch &launch, uint64_t first) {
  const uint64_t units = uint64_t(launch.getUnitsPerXcd()) * sample.activeXcds;
  if (launch.takesTickets || uint64_t(sample.simulatedXcds) * sample.unitsPerXcd >= units)
    return;
  const uint64_t atATime = units * launch.groupsPerUnit;
  if (atATime * launch.wavesPerGroup > kMostGlimpsedWaves)
    return;
  sample.glimpseBegin = first;
  sample.glimpseEnd = std::min(launch.numGroups, first + atATime);
}

GroupSample mlir::ck::emulator::chooseSample(const TimedLaunch &launch, double instructionsPerGroup,
                                             bool full, unsigned fewestUnits) {
  GroupSample sample;
  const auto numXcds = unsigned(launch.parameters.numXcds);
  const unsigned unitsPerXcd = launch.getUnitsPerXcd();
  sample.activeXcds = unsigned(std::min<uint64_t>(numXcds, launch.numGroups));
  sample.unitsPerXcd = unitsPerXcd;
  full |= instructionsPerGroup * double(launch.numGroups) <= kBudget;
  if (full || launch.synchronizes)
    sample.simulatedXcds = sample.activeXcds;
  const uint64_t ofXcd = llvm::divideCeil(launch.numGroups, sample.activeXcds);
  const uint64_t ofRound = uint64_t(unitsPerXcd) * launch.groupsPerUnit;
  const uint64_t rounds = ofXcd / ofRound;
  if (!full && rounds > kFewestRounds) {
    const double perRound = instructionsPerGroup * double(ofRound) * sample.simulatedXcds;
    const auto affordable = uint64_t(kBudget / perRound);
    sample.skippedRounds = rounds - std::clamp(affordable, kFewestRounds, rounds);
  }
  const uint64_t skipped = sample.skippedRounds * ofRound;
  const double instructionsOfXcd = instructionsPerGroup * double(ofXcd - skipped);
  if (!full && !launch.synchronizes)
    sample.unitsPerXcd = chooseUnits(unitsPerXcd, instructionsOfXcd);
  else if (!full && !launch.takesTickets)
    sample.unitsPerXcd =
        chooseUnitsOfAll(unitsPerXcd, instructionsOfXcd * sample.activeXcds, fewestUnits);
  addGroups(sample, launch.numGroups, skipped, unitsPerXcd);
  addGlimpses(sample, launch, skipped * sample.activeXcds);
  return sample;
}
