//===- ReplayOrder.cpp - What waves wait for from each other -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Replay.h: barriers, and flags in memory and LDS.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Replay.h"

using namespace ckemu;

/// Ends the wait at a barrier when all waves that have not ended have come to it.
void Replay::completeBarrier(Group &group, Cycle now) {
  if (group.alive == 0 || group.arrived < group.alive)
    return;
  group.arrived = 0;
  ++group.barriersCompleted;
  for (uint32_t id : group.atBarrier)
    events.add(id, now + Cycle(parameters.barrierCycles));
  group.atBarrier.clear();
}

void Replay::arrive(Group &group, Cycle now) {
  ++group.arrived;
  completeBarrier(group, now);
}

bool Replay::waitAtBarrier(uint32_t id, WaveReplay &wave, bool arrives, Cycle now) {
  Group &group = groups[wave.group];
  if (arrives && group.barriersCompleted == wave.barriersPassed)
    arrive(group, now);
  if (group.barriersCompleted > wave.barriersPassed) {
    ++wave.barriersPassed;
    return true;
  }
  wave.stall = Stall::Barrier;
  group.atBarrier.push_back(id);
  return false;
}

static uint64_t getWatchKey(uint64_t group, uint32_t wave) { return group << 6 | wave; }

/// Whether an instruction of another wave has been issued; if not, that wave notes that it is
/// waited for.
bool Replay::hasHappened(const TraceDependency &dependency) {
  if (!pendingGroups.contains(dependency.group))
    return true;
  const auto slot = slotOfGroup.find(dependency.group);
  if (slot == slotOfGroup.end())
    return false;
  WaveReplay &other = waves[groups[slot->second].firstWave + dependency.wave];
  if (!other.trace || other.position > dependency.position)
    return true;
  other.watched = std::min(other.watched, dependency.position);
  return false;
}

/// Whether what the accesses of the instruction must have seen has happened; if not, the wave waits
/// until it has.
bool Replay::waitForFlags(uint32_t id, WaveReplay &wave) {
  if (wave.accessPosition != wave.position || wave.brokenPosition == wave.position)
    return true;
  const std::vector<TraceAccess> &accesses = wave.trace->accesses;
  for (uint32_t i = wave.access; i < accesses.size() && accesses[i].position == wave.position; ++i)
    for (const TraceDependency &dependency : wave.trace->getDependencies(accesses[i])) {
      if (hasHappened(dependency))
        continue;
      const bool isDevice = accesses[i].kind != TraceAccessKind::Lds;
      watchers[getWatchKey(dependency.group, dependency.wave)].push_back(
          {id, dependency.position, isDevice});
      wave.stall = Stall::Flag;
      return false;
    }
  return true;
}

/// A wave starts that others may wait for.
void Replay::watch(WaveReplay &wave, uint64_t group) {
  const auto it = watchers.find(getWatchKey(group, wave.waveInGroup));
  if (it == watchers.end())
    return;
  for (const Watcher &watcher : it->second)
    wave.watched = std::min(wave.watched, watcher.position);
}

/// The wave issues the instruction at its position, or has ended.
void Replay::notifyWatchers(WaveReplay &wave, Cycle now) {
  if (wave.position < wave.watched)
    return;
  const uint64_t group = groups[wave.group].trace->linearId;
  const auto it = watchers.find(getWatchKey(group, wave.waveInGroup));
  wave.watched = WaveReplay::kNever;
  if (it == watchers.end())
    return;
  const bool hasEnded = costs[wave.instruction].unit == TimingUnit::End;
  llvm::SmallVector<Watcher, 2> left;
  for (const Watcher &watcher : it->second) {
    if (!hasEnded && watcher.position > wave.position) {
      left.push_back(watcher);
      wave.watched = std::min(wave.watched, watcher.position);
      continue;
    }
    const double cycles = watcher.isDevice ? parameters.flagCycles : parameters.ldsLatency;
    events.add(watcher.wave, now + Cycle(cycles));
  }
  if (left.empty())
    watchers.erase(it);
  else
    it->second = std::move(left);
}

/// When nothing can go on: workgroups may have been placed in another order than when they were
/// executed. The wave that has waited longest goes on; false when none waits.
bool Replay::breakDependency(Cycle now) {
  uint32_t oldest = ~0u;
  uint64_t key = 0;
  for (const auto &entry : watchers)
    for (const Watcher &watcher : entry.second)
      if (oldest == ~0u || waves[watcher.wave].age < waves[oldest].age) {
        oldest = watcher.wave;
        key = entry.first;
      }
  if (oldest == ~0u)
    return false;
  llvm::erase_if(watchers[key], [&](const Watcher &watcher) { return watcher.wave == oldest; });
  if (watchers[key].empty())
    watchers.erase(key);
  waves[oldest].brokenPosition = waves[oldest].position;
  ++result.brokenDependencies;
  events.add(oldest, now);
  return true;
}
