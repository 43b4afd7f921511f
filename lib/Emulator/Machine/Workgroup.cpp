//===- Workgroup.cpp - Initial state of the waves of a workgroup -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows "Initial Kernel Execution State" of LLVM's AMDGPU usage document.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Machine/Workgroup.h"
#include "Emulator/Load/KernelName.h"
#include "Emulator/Machine/GroupKnowledge.h"
#include "Emulator/Machine/LaunchContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace ckemu;

bool Workgroup::hasEnded() const {
  return llvm::all_of(waves, [](const Wave &wave) { return wave.state == WaveState::Ended; });
}

void Workgroup::arriveAtBarrier(Wave &wave) {
  ++wave.order.barriers;
  if (knowledge)
    knowledge->arrive(wave);
}

void Workgroup::noteComplete() {
  ++barriersPassed;
  if (!knowledge)
    return;
  for (const Wave &wave : waves)
    if (wave.state == WaveState::Ended)
      knowledge->arriveEnded(wave);
  knowledge->complete();
}

void Workgroup::leaveBarrier(Wave &wave) const {
  if (knowledge)
    knowledge->leave(wave);
}

/// The waves of `waves` for which `filter` holds, with their counts and pcs.
template <class Filter>
static std::string describeBarriers(const std::vector<Wave> &waves, Filter filter) {
  constexpr unsigned kShown = 4;
  std::string text;
  unsigned count = 0;
  for (const Wave &wave : waves) {
    if (!filter(wave) || ++count > kShown)
      continue;
    text += llvm::formatv("{0}wave {1} ({2} barriers, pc {3:x})", text.empty() ? "" : ", ",
                          wave.waveInGroup, wave.order.barriers, wave.pc ? wave.pc->offset : 0);
  }
  return count > kShown ? text + " and " + std::to_string(count - kShown) + " more" : text;
}

/// False, with a report, when a wave has ended that came to fewer barriers than the others.
bool Workgroup::checkBarrierCounts() const {
  LaunchContext &launch = *waves.front().launch;
  uint32_t most = 0;
  for (const Wave &wave : waves)
    most = std::max(most, wave.order.barriers);
  auto isMissing = [&](const Wave &wave) {
    return wave.state == WaveState::Ended && wave.order.barriers < most;
  };
  if (!launch.checks.barriers || llvm::none_of(waves, isMissing))
    return true;
  auto waits = [](const Wave &wave) { return wave.state != WaveState::Ended; };
  launch.reportFault(
      FaultKind::Execution,
      llvm::formatv("waves passed different numbers of barriers: {0} ended, while {1} came to "
                    "another barrier, in kernel '{2}': workgroup ({3},{4},{5})",
                    describeBarriers(waves, isMissing), describeBarriers(waves, waits),
                    shortenKernelName(launch.kernel.metadata.name), id[0], id[1], id[2]));
  return false;
}

/// As the hardware counts: each signal is one, and a wave that ends is no member any more.
bool Workgroup::completeSplitBarrier() {
  const auto members =
      llvm::count_if(waves, [](const Wave &wave) { return wave.state != WaveState::Ended; });
  if (barrierSignals == 0 || barrierSignals < members)
    return false;
  if (!checkBarrierCounts())
    return false;
  barrierSignals = 0;
  noteComplete();
  for (Wave &wave : waves) {
    if (wave.state == WaveState::Ended)
      continue;
    wave.barrierCompleted = !wave.waitsForSignals;
    if (wave.waitsForSignals) {
      wave.state = WaveState::Running;
      leaveBarrier(wave);
    }
    wave.waitsForSignals = false;
  }
  return true;
}

bool Workgroup::signalBarrier() {
  const bool isFirst = barrierSignals++ == 0;
  completeSplitBarrier();
  return isFirst;
}

bool Workgroup::releaseBarrier() {
  if (completeSplitBarrier())
    return true;
  bool anyWaits = false;
  for (const Wave &wave : waves) {
    if (wave.state == WaveState::Running || wave.state == WaveState::Faulted ||
        wave.waitsForSignals)
      return false;
    anyWaits |= wave.state == WaveState::AtBarrier;
  }
  if (!anyWaits || !checkBarrierCounts())
    return false;
  noteComplete();
  for (Wave &wave : waves) {
    if (wave.state != WaveState::AtBarrier)
      continue;
    wave.state = WaveState::Running;
    leaveBarrier(wave);
  }
  return true;
}
