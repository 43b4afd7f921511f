//===- GroupPlaces.cpp - Where workgroups and waves run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GroupPlaces.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/GroupPlaces.h"

using namespace ckemu;

GroupPlaces::GroupPlaces(const TimedLaunch &launch, const GroupSample &sample)
    : launch(launch), unitsPerXcd(sample.unitsPerXcd), simdsPerUnit(launch.chip->simdsPerUnit),
      xcds(sample.simulatedXcds), units(size_t(sample.simulatedXcds) * sample.unitsPerXcd),
      wavesOfSimd(units.size() * simdsPerUnit) {
  for (uint32_t place = 0; place < sample.groups.size(); ++place)
    xcds[sample.groups[place] % sample.activeXcds % sample.simulatedXcds].groups.push_back(place);
}

/// The compute unit of `xcd` that gets the next workgroup: of those with the fewest, the one that
/// has waited longest; -1 when all are full.
int GroupPlaces::findUnit(unsigned xcd) const {
  int best = -1;
  for (unsigned i = 0; i < unitsPerXcd; ++i) {
    const Unit &unit = units[xcd * unitsPerXcd + i];
    if (unit.numGroups >= launch.groupsPerUnit)
      continue;
    const Unit *other = best < 0 ? nullptr : &units[size_t(best)];
    if (!other || unit.numGroups < other->numGroups ||
        (unit.numGroups == other->numGroups && unit.lastStart < other->lastStart))
      best = int(xcd * unitsPerXcd + i);
  }
  return best;
}

std::optional<GroupPlaces::Start> GroupPlaces::startGroup(unsigned number, Cycle now) {
  Xcd &xcd = xcds[number];
  if (xcd.next == xcd.groups.size())
    return std::nullopt;
  const int unit = findUnit(number);
  if (unit < 0)
    return std::nullopt;
  const double time = std::max(double(now), xcd.free);
  xcd.free = time + dispatchCycles;
  ++units[size_t(unit)].numGroups;
  units[size_t(unit)].lastStart = ++starts;
  return Start{xcd.groups[xcd.next++], unsigned(unit), Cycle(time)};
}

/// The one with the fewest waves.
unsigned GroupPlaces::findSimd(SimdRange range) const {
  unsigned best = range.first;
  for (unsigned simd = range.first + 1; simd < range.first + range.count; ++simd)
    if (wavesOfSimd[simd] < wavesOfSimd[best])
      best = simd;
  return best;
}

GroupPlaces::SimdRange GroupPlaces::chooseSimds(unsigned unit) const {
  const SimdRange all = {unit * simdsPerUnit, simdsPerUnit};
  if (!launch.halfUnit)
    return all;
  const unsigned half = simdsPerUnit / 2;
  return {findSimd(all) / half * half, half};
}

unsigned GroupPlaces::startWave(SimdRange range) {
  const unsigned simd = findSimd(range);
  ++wavesOfSimd[simd];
  return simd;
}
