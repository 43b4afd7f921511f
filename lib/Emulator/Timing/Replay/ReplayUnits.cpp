//===- ReplayUnits.cpp - What instructions ask of a compute unit -*- C++ -*-===//
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

using namespace ckemu;

/// Tries again at `until`.
bool Replay::delay(uint32_t id, WaveReplay &wave, Cycle until, Stall stall) {
  wave.stall = stall;
  events.add(id, until);
  return false;
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
    if (!ports.acquire(id, Ports::Kind::Salu, now))
      return false;
    ports.useScalar(wave.simd, std::max<Cycle>(1, cost.busy), now);
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
  if (cost.unit != TimingUnit::Valu && !ports.acquire(id, Ports::Kind::Matrix, now))
    return false;
  if (!ports.acquire(id, Ports::Kind::Valu, now))
    return false;
  ports.useVector(wave.simd, cost, now);
  getActivity(wave).add(BusyUnit::Valu, cost.busy);
  if (cost.matrix) {
    getActivity(wave).add(BusyUnit::Matrix, cost.matrix);
    result.slowdown += double(cost.matrix) * double(cost.slowdown);
  }
  return true;
}

void Replay::arrive(Group &group, Cycle now) {
  group.barrier.arrive();
  group.barrier.complete(group.alive, events, now, parameters.barrierCycles);
}

bool Replay::waitAtBarrier(uint32_t id, WaveReplay &wave, bool arrives, Cycle now) {
  Group &group = groups[wave.group];
  if (arrives && group.barrier.isNew(wave))
    arrive(group, now);
  return group.barrier.pass(id, wave);
}

bool Replay::issueWait(uint32_t id, WaveReplay &wave, const WaitCounts &wait, Cycle now) {
  auto passes = [&](Cycle time, Stall stall) {
    return time <= now || delay(id, wave, time, stall);
  };
  return (wait.loads == WaitCounts::kAny || passes(wave.loads.getTime(wait.loads), Stall::Loads)) &&
         (wait.stores == WaitCounts::kAny ||
          passes(wave.stores.getTime(wait.stores), Stall::Stores)) &&
         (wait.lds == WaitCounts::kAny || passes(wave.lds.getTime(wait.lds), Stall::Lds)) &&
         (wait.scalar != 0 || passes(wave.scalarDone, Stall::Scalar));
}

bool Replay::issueMemory(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  if (!flags.waitForFlags(id, wave))
    return false;
  if (cost.unit == TimingUnit::Smem) {
    accessMemory(wave, cost, now);
    return true;
  }
  Cycle until = 0;
  if (!memoryQueues[wave.unit].hasRoom(unsigned(parameters.outstandingLoads), now, until))
    return delay(id, wave, until, Stall::MemoryQueue);
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
  const MemoryBusy before = memory.getBusy();
  double accepted = double(now) + parameters.vectorIssueCycles, done = accepted;
  while (wave.hasAccess()) {
    const TraceAccess &access = wave.getAccess();
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
    wave.nextAccess();
  }
  noteTraffic(wave, before);
  if (cost.unit == TimingUnit::Smem)
    return;
  memoryQueues[wave.unit].add(accepted);
  (cost.isStore ? wave.stores : wave.loads).add(Cycle(done));
}

/// An access of LDS that may begin at `now`; when it is done.
double Replay::accessLds(WaveReplay &wave, unsigned bytesPerLane, unsigned conflictCycles,
                         double now) {
  const LdsPaths::Access access = lds.access(wave.simd, bytesPerLane, conflictCycles, now);
  getActivity(wave).add(BusyUnit::Lds, access.cycles);
  return access.done;
}

bool Replay::issueLds(uint32_t id, WaveReplay &wave, const InstructionCost &cost, Cycle now) {
  if (!flags.waitForFlags(id, wave))
    return false;
  Cycle until = 0;
  if (!lds.hasRoom(wave.simd, now, until))
    return delay(id, wave, until, Stall::LdsQueue);
  unsigned conflicts = 0;
  for (; wave.hasAccess(); wave.nextAccess())
    conflicts += wave.getAccess().conflictCycles;
  wave.lds.add(Cycle(accessLds(wave, cost.bytesPerLane, conflicts, double(now))));
  return true;
}
