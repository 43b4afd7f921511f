//===- FlagWatch.cpp - Waves that wait for what others store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FlagWatch.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/FlagWatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

FlagWatch::FlagWatch(llvm::ArrayRef<uint64_t> groups, std::vector<WaveReplay> &waves,
                     EventWheel &events, const TimingParameters &parameters)
    : waves(waves), events(events), parameters(parameters) {
  pending.insert(groups.begin(), groups.end());
}

void FlagWatch::endGroup(uint64_t group) {
  firstWaves.erase(group);
  pending.erase(group);
}

static uint64_t getWatchKey(uint64_t group, uint32_t wave) { return group << 6 | wave; }

/// Whether an instruction of another wave has been issued; if not, that wave notes that it is
/// waited for.
bool FlagWatch::hasHappened(const TraceDependency &dependency) {
  if (!pending.contains(dependency.group))
    return true;
  const auto first = firstWaves.find(dependency.group);
  if (first == firstWaves.end())
    return false;
  WaveReplay &other = waves[first->second + dependency.wave];
  if (!other.trace || other.position > dependency.position)
    return true;
  other.watched = std::min(other.watched, dependency.position);
  return false;
}

bool FlagWatch::waitForFlags(uint32_t id, WaveReplay &wave) {
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

void FlagWatch::startWave(WaveReplay &wave, uint64_t group) const {
  const auto it = watchers.find(getWatchKey(group, wave.waveInGroup));
  if (it == watchers.end())
    return;
  for (const Watcher &watcher : it->second)
    wave.watched = std::min(wave.watched, watcher.position);
}

void FlagWatch::notify(WaveReplay &wave, uint64_t group, bool hasEnded, Cycle now) {
  const auto it = watchers.find(getWatchKey(group, wave.waveInGroup));
  wave.watched = WaveReplay::kNever;
  if (it == watchers.end())
    return;
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

bool FlagWatch::breakDependency(Cycle now) {
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
  events.add(oldest, now);
  return true;
}
