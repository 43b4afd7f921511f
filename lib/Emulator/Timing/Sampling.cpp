//===- Sampling.cpp - Which workgroups are simulated -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups of a launch mostly do the same. Of a large launch the model simulates, in this order
// of what is given up: one XCD instead of all; of many rounds of workgroups the last ones; some of
// the compute units of the XCD, where it has many. What is left out is taken to do at the same time
// what the simulated part does. Neighbours that wait for one another lie on different XCDs: of such
// launches some compute units of all XCDs are simulated.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/LaunchModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace ckemu;

/// Wave instructions that a sample has at most, roughly.
static constexpr double kBudget = 1.5e6;
/// The same of workgroups that wait for one another, of which a larger part must be simulated.
static constexpr double kBudgetOfAll = 4e7;
/// Compute units of an XCD that are simulated at least: what an L2 keeps of a few says too little
/// about all.
static constexpr unsigned kFewestUnits = 64;
/// Rounds of workgroups that are simulated at least when some are skipped.
static constexpr uint64_t kFewestRounds = 3;

/// The same where workgroups are uneven.
static constexpr uint64_t kFewestUnevenRounds = 8;
/// Workgroups that tell whether all are alike, which they are when none of them executes so many
/// times as many instructions as another.
static constexpr uint64_t kProbes = 9;
static constexpr double kEvenness = 1.1;

/// Waves of which glimpses are taken at most. Of workgroups that wait for one another an XCD has
/// few units in the sample, and only glimpses say what its L2 keeps.
static constexpr uint64_t kMostGlimpsedWaves = 4096, kMostGlimpsedWavesOfAll = 8192;

/// Compute units of an XCD, of `total` workgroups per XCD.
static unsigned chooseUnits(unsigned unitsPerXcd, double instructions) {
  unsigned units = unitsPerXcd;
  while (units >= 2 * kFewestUnits && instructions * units / unitsPerXcd > kBudget)
    units = (units + 1) / 2;
  return units;
}

/// The same where all XCDs are simulated, of `total` instructions in all. Any number will do: those
/// that meet are neighbours.
static unsigned chooseUnitsOfAll(unsigned unitsPerXcd, double total, unsigned fewest) {
  const auto affordable = unsigned(std::ceil(std::min(1.0, kBudgetOfAll / total) * unitsPerXcd));
  return std::clamp(affordable, std::min(fewest, unitsPerXcd), unitsPerXcd);
}

/// The workgroups of the simulated XCDs that go to the first units of each, but for those of rounds
/// that `isSkipped`.
static void addGroups(GroupSample &sample, const TimedLaunch &launch,
                      llvm::function_ref<bool(uint64_t)> isSkipped) {
  const unsigned unitsPerXcd = launch.getUnitsPerXcd();
  const uint64_t ofRound = uint64_t(unitsPerXcd) * launch.groupsPerUnit;
  for (uint64_t id = 0; id < launch.numGroups; ++id) {
    const uint64_t ofXcd = id / sample.activeXcds;
    if (id % sample.activeXcds < sample.simulatedXcds && ofXcd % unitsPerXcd < sample.unitsPerXcd &&
        !isSkipped(ofXcd / ofRound))
      sample.groups.push_back(id);
  }
}

/// Where a part of the compute units is simulated.
static void addGlimpses(GroupSample &sample, const TimedLaunch &launch, uint64_t first) {
  const uint64_t units = uint64_t(launch.getUnitsPerXcd()) * sample.activeXcds;
  if (launch.takesTickets || uint64_t(sample.simulatedXcds) * sample.unitsPerXcd >= units)
    return;
  const uint64_t atATime = units * launch.groupsPerUnit;
  if (atATime * launch.wavesPerGroup >
      (launch.synchronizes ? kMostGlimpsedWavesOfAll : kMostGlimpsedWaves))
    return;
  sample.glimpses = {first, std::min(launch.numGroups, first + atATime)};
  if (launch.synchronizes && sample.glimpses.end + atATime <= launch.numGroups)
    sample.lastGlimpses = {launch.numGroups - atATime, launch.numGroups};
}

/// Rounds that are simulated: as many as `kBudget` permits, and at least `fewest`.
static uint64_t countSimulatedRounds(uint64_t rounds, double instructionsPerRound,
                                     uint64_t fewest) {
  const auto affordable = uint64_t(kBudget / instructionsPerRound);
  return std::min(rounds, std::max(fewest, affordable));
}

GroupSample ckemu::chooseSample(const TimedLaunch &launch, double instructionsPerGroup, bool full,
                                unsigned fewestUnits) {
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
  // Workgroups that wait for one another may be of several kinds, such as parts of tiles and whole
  // tiles. All units have of all kinds, but not all rounds.
  if (!full && (!launch.synchronizes || launch.takesTickets)) {
    const double perRound = instructionsPerGroup * double(ofRound) * sample.simulatedXcds;
    const uint64_t rounds = ofXcd / ofRound;
    const uint64_t simulated = countSimulatedRounds(rounds, perRound, kFewestRounds);
    // What rounds that are left out have fetched is only estimated. It must be worth it.
    sample.skippedRounds = 2 * simulated > rounds ? 0 : rounds - simulated;
  }
  const uint64_t skipped = sample.skippedRounds * ofRound;
  const double instructionsOfXcd = instructionsPerGroup * double(ofXcd - skipped);
  if (!full && !launch.synchronizes)
    sample.unitsPerXcd = chooseUnits(unitsPerXcd, instructionsOfXcd);
  else if (!full && !launch.takesTickets)
    sample.unitsPerXcd =
        chooseUnitsOfAll(unitsPerXcd, instructionsOfXcd * sample.activeXcds, fewestUnits);
  addGroups(sample, launch, [&](uint64_t round) { return round < sample.skippedRounds; });
  addGlimpses(sample, launch, skipped * sample.activeXcds);
  return sample;
}

std::vector<uint64_t> ckemu::chooseProbes(const TimedLaunch &launch) {
  std::vector<uint64_t> probes;
  for (uint64_t i = 0; i < kProbes; ++i)
    probes.push_back(i * (launch.numGroups - 1) / (kProbes - 1));
  return probes;
}

GroupSample ckemu::chooseSample(const TimedLaunch &launch,
                                llvm::ArrayRef<uint64_t> instructionsOfProbes) {
  const auto [fewest, most] =
      std::minmax_element(instructionsOfProbes.begin(), instructionsOfProbes.end());
  if (double(*most) <= kEvenness * double(*fewest))
    return chooseSample(launch, double(instructionsOfProbes.front()), /*full=*/false);
  const double mean =
      std::accumulate(instructionsOfProbes.begin(), instructionsOfProbes.end(), 0.0) /
      double(instructionsOfProbes.size());
  GroupSample sample;
  sample.isEven = false;
  const unsigned unitsPerXcd = launch.getUnitsPerXcd();
  sample.activeXcds =
      unsigned(std::min<uint64_t>(unsigned(launch.parameters.numXcds), launch.numGroups));
  const uint64_t ofXcd = llvm::divideCeil(launch.numGroups, sample.activeXcds);
  const uint64_t ofRound = uint64_t(unitsPerXcd) * launch.groupsPerUnit;
  const uint64_t rounds = ofXcd / ofRound;
  const uint64_t simulated =
      countSimulatedRounds(rounds, mean * double(ofRound), kFewestUnevenRounds);
  sample.skippedRounds = rounds - simulated;
  sample.unitsPerXcd =
      chooseUnits(unitsPerXcd, mean * double(ofXcd - sample.skippedRounds * ofRound));
  // The rounds in the middle of `simulated` parts of the launch.
  std::vector<bool> isSkipped(rounds + 1, true);
  isSkipped[rounds] = false; // what is left behind the last round
  for (uint64_t i = 0; i < simulated; ++i)
    isSkipped[(2 * i + 1) * rounds / (2 * simulated)] = false;
  addGroups(sample, launch, [&](uint64_t round) { return bool(isSkipped[round]); });
  const auto firstRound = uint64_t(llvm::find(isSkipped, false) - isSkipped.begin());
  addGlimpses(sample, launch, firstRound * ofRound * sample.activeXcds);
  return sample;
}
