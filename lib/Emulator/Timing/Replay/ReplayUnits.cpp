//===- ReplayUnits.cpp - The units of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Replay.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/Replay.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

Replay::Port &Replay::getPort(uint32_t port) {
  Simd &simd = simds[port / kPortsOfSimd];
  switch (PortKind(port % kPortsOfSimd)) {
  case PortKind::Valu:
    return simd.valu;
  case PortKind::Matrix:
    return simd.matrix;
  case PortKind::Salu:
    break;
  }
  return simd.salu;
}

/// Whether the wave may use a unit of its SIMD now; if not, it waits in the unit's list. Who was
/// given one of two units that it needs goes before those that wait for the other.
bool Replay::acquire(uint32_t id, WaveReplay &wave, PortKind kind, Cycle now) {
  const uint32_t number = wave.simd * kPortsOfSimd + uint32_t(kind);
  Port &port = getPort(number);
  if (port.freeAt <= now && (granted != kNoPort || port.waiting.empty()))
    return true;
  wave.stall = kind == PortKind::Valu     ? Stall::Valu
               : kind == PortKind::Matrix ? Stall::Matrix
                                          : Stall::Salu;
  port.waiting.push_back(id);
  schedule(number, port, now);
  return false;
}

void Replay::schedule(uint32_t number, Port &port, Cycle now) {
  if (port.isScheduled)
    return;
  port.isScheduled = true;
  events.add(uint32_t(waves.size()) + number, std::max(now, port.freeAt));
}

/// Gives a unit to one of the waves that wait for it.
void Replay::serve(uint32_t number, Cycle now) {
  Port &port = getPort(number);
  port.isScheduled = false;
  if (port.waiting.empty())
    return;
  if (port.freeAt > now) {
    schedule(number, port, now);
    return;
  }
  auto goesBefore = [&](uint32_t a, uint32_t b) {
    return waves[a].priority != waves[b].priority ? waves[a].priority > waves[b].priority
                                                  : waves[a].age < waves[b].age;
  };
  auto *best = llvm::min_element(port.waiting, goesBefore);
  const uint32_t id = *best;
  *best = port.waiting.back();
  port.waiting.pop_back();
  granted = number;
  step(id, now);
  granted = kNoPort;
  if (!port.waiting.empty())
    schedule(number, port, now);
}

/// Issues an instruction; false when it has to wait, which is then provided for.
bool Replay::issue(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  switch (cost.unit) {
  case TimingUnit::Valu:
  case TimingUnit::Packed:
  case TimingUnit::Matrix:
    return issueVector(id, wave, cost, now);
  case TimingUnit::Salu:
  case TimingUnit::Branch:
    if (!acquire(id, wave, PortKind::Salu, now))
      return false;
    simds[wave.simd].salu.freeAt = now + std::max<Cycle>(1, cost.busy);
    getActivity(wave).add(BusyUnit::Salu, std::max<double>(1, cost.busy));
    return true;
  case TimingUnit::Smem:
  case TimingUnit::Vmem:
    return issueMemory(id, wave, cost, now);
  case TimingUnit::Lds:
    return issueLds(id, wave, cost, now);
  case TimingUnit::Wait:
    return issueWait(id, wave, cost.wait, now);
  case TimingUnit::Barrier:
  case TimingUnit::BarrierWait:
    return waitAtBarrier(id, wave, cost.unit == TimingUnit::Barrier, now);
  case TimingUnit::BarrierSignal:
    arrive(groups[wave.group], now);
    return true;
  case TimingUnit::Priority:
    wave.priority = cost.priority;
    return true;
  case TimingUnit::Invalidate:
    memory.invalidate(wave.unit);
    wave.loads.add(now);
    return true;
  case TimingUnit::WriteBack:
    wave.loads.add(Cycle(memory.writeBack(wave.unit, double(now))));
    return true;
  case TimingUnit::End:
  case TimingUnit::None:
    break;
  }
  return true;
}

bool Replay::issueVector(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  Simd &simd = simds[wave.simd];
  const bool usesMatrix = cost.unit != TimingUnit::Valu;
  if (usesMatrix && !acquire(id, wave, PortKind::Matrix, now))
    return false;
  if (!acquire(id, wave, PortKind::Valu, now))
    return false;
  simd.valu.freeAt = now + cost.busy;
  getActivity(wave).add(BusyUnit::Valu, cost.busy);
  if (usesMatrix) {
    const bool isPacked = cost.unit == TimingUnit::Packed;
    simd.matrix.freeAt = now + std::max(cost.matrix, cost.busy);
    if (isPacked && !simd.wasPacked)
      simd.matrix.freeAt += Cycle(parameters.packedSwitchCycles);
    simd.wasPacked = isPacked;
  }
  if (cost.matrix) {
    getActivity(wave).add(BusyUnit::Matrix, cost.matrix);
    result.slowdown += double(cost.matrix) * double(cost.slowdown);
  }
  return true;
}

bool Replay::issueWait(uint32_t id, WaveReplay &wave, const WaitCounts &wait, Cycle now) {
  auto passes = [&](Cycle time, Stall stall) {
    if (time <= now)
      return true;
    delay(id, wave, time, stall);
    return false;
  };
  return (wait.loads == WaitCounts::kAny || passes(wave.loads.getTime(wait.loads), Stall::Loads)) &&
         (wait.stores == WaitCounts::kAny ||
          passes(wave.stores.getTime(wait.stores), Stall::Stores)) &&
         (wait.lds == WaitCounts::kAny || passes(wave.lds.getTime(wait.lds), Stall::Lds)) &&
         (wait.scalar != 0 || passes(wave.scalarDone, Stall::Scalar));
}

bool Replay::issueMemory(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  if (!waitForFlags(id, wave))
    return false;
  if (cost.unit == TimingUnit::Smem) {
    accessMemory(wave, cost, now);
    return true;
  }
  Unit &unit = units[wave.unit];
  const auto depth = unsigned(parameters.outstandingLoads);
  if (unit.memoryIssued >= depth) {
    const double taken = unit.memoryTaken[(unit.memoryIssued - depth) % unit.memoryTaken.size()];
    if (taken > double(now)) {
      delay(id, wave, Cycle(taken) + 1, Stall::MemoryQueue);
      return false;
    }
  }
  accessMemory(wave, cost, now);
  return true;
}

/// What the memory has done since `before` it did for the wave.
void Replay::noteTraffic(WaveReplay &wave, const MemoryBusy &before) {
  const MemoryBusy after = memory.getBusy();
  WaveActivity &activity = getActivity(wave);
  activity.add(BusyUnit::L1, after.l1 - before.l1);
  activity.add(BusyUnit::L2, after.l2 - before.l2);
  activity.add(BusyUnit::Mall, after.mall - before.mall);
  activity.add(BusyUnit::Hbm, after.hbm - before.hbm);
}

/// All accesses of the instruction. One whose lanes are all off takes a cycle of the L1.
void Replay::accessMemory(WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  Unit &unit = units[wave.unit];
  const MemoryBusy before = memory.getBusy();
  double accepted = double(now) + parameters.vectorIssueCycles, done = accepted;
  while (wave.accessPosition == wave.position) {
    const TraceAccess &access = wave.trace->accesses[wave.access];
    const auto [first, count] = wave.trace->getLines(access);
    const llvm::ArrayRef<TraceLine> lines(first, count);
    if (access.kind == TraceAccessKind::Lds) {
      done = std::max(done, accessLds(wave, access.bytesPerLane, access.conflictCycles, done));
    } else if (access.kind == TraceAccessKind::ScalarLoad) {
      wave.scalarDone =
          std::max(wave.scalarDone, Cycle(memory.loadScalar(wave.unit, lines, double(now))));
    } else {
      const AccessTimes times = memory.access(wave.unit, access, lines, double(now));
      accepted = std::max(accepted, times.accepted);
      done = std::max(done, times.done);
      if (cost.unit == TimingUnit::Smem) // a store of scalar registers
        wave.scalarDone = std::max(wave.scalarDone, Cycle(done));
    }
    nextAccess(wave);
  }
  noteTraffic(wave, before);
  if (cost.unit == TimingUnit::Smem)
    return;
  unit.memoryTaken[unit.memoryIssued++ % unit.memoryTaken.size()] = accepted;
  (cost.isStore ? wave.stores : wave.loads).add(Cycle(done));
}

/// An access of LDS that may begin at `now`; when it is done.
double Replay::accessLds(WaveReplay &wave, unsigned bytesPerLane, unsigned conflictCycles,
                         double now) {
  Unit &unit = units[wave.unit];
  const unsigned pair = wave.simd % simdsPerUnit * 2 / simdsPerUnit;
  const double bytes = double(bytesPerLane) * launch.waveSize;
  // The banks that meet again are busy while the path waits for their data.
  const double cycles = bytes / parameters.ldsBytes + conflictCycles;
  const double ownCycles = std::max(bytes / parameters.ldsPairBytes, cycles);
  const double begin = unit.lds.take(now, std::max(now, unit.ldsPairFree[pair]), cycles);
  unit.ldsPairFree[pair] = begin + ownCycles;
  getActivity(wave).add(BusyUnit::Lds, cycles);
  unit.ldsTaken[pair][unit.ldsIssued[pair]++ % unit.ldsTaken[pair].size()] = begin;
  return begin + ownCycles + parameters.ldsLatency;
}

bool Replay::issueLds(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  if (!waitForFlags(id, wave))
    return false;
  Unit &unit = units[wave.unit];
  const unsigned pair = wave.simd % simdsPerUnit * 2 / simdsPerUnit;
  const auto depth = unsigned(parameters.ldsQueue);
  if (unit.ldsIssued[pair] >= depth) {
    const auto &taken = unit.ldsTaken[pair];
    const double begin = taken[(unit.ldsIssued[pair] - depth) % taken.size()];
    if (begin > double(now)) {
      delay(id, wave, Cycle(begin) + 1, Stall::LdsQueue);
      return false;
    }
  }
  unsigned conflicts = 0;
  while (wave.accessPosition == wave.position) {
    conflicts += wave.trace->accesses[wave.access].conflictCycles;
    nextAccess(wave);
  }
  wave.lds.add(Cycle(accessLds(wave, cost.bytesPerLane, conflicts, double(now))));
  return true;
}

void Replay::nextAccess(WaveReplay &wave) {
  ++wave.access;
  findAccess(wave);
}
