//===- Meetings.cpp - Which waves meet -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Meetings.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/Meetings.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <algorithm>
#include <iterator>

using namespace ckemu;

void Meetings::add(const GroupTrace &trace) {
  for (uint32_t number = 0; number < trace.waves.size(); ++number) {
    const WaveTrace &wave = trace.waves[number];
    if (wave.dependencies.empty())
      continue;
    for (const TraceAccess &access : wave.accesses)
      for (const TraceDependency &dependency : wave.getDependencies(access)) {
        if (dependency.group == trace.linearId)
          continue;
        const WaveId other(dependency.group, dependency.wave);
        waits.push_back({{trace.linearId, number}, other, access.position});
        auto [known, isNew] = leaves.try_emplace(other, dependency.position);
        known->second = std::min(known->second, dependency.position);
      }
  }
}

uint64_t Meetings::findLargest() const {
  // A workgroup, and twice the number of the wave, plus one after it has left something for others.
  using Participant = std::pair<uint64_t, uint32_t>;
  llvm::EquivalenceClasses<Participant> classes;
  for (const Wait &wait : waits) {
    const auto left = leaves.find(wait.waiter);
    const bool isAfter = left != leaves.end() && wait.position > left->second;
    classes.unionSets({wait.waiter.first, 2 * wait.waiter.second + isAfter},
                      {wait.other.first, 2 * wait.other.second});
  }
  uint64_t largest = 0;
  for (const auto *each : classes)
    if (each->isLeader())
      largest = std::max(
          largest, uint64_t(std::distance(classes.member_begin(*each), classes.member_end())));
  return largest;
}
