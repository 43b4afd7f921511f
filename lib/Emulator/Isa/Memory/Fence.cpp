//===- Fence.cpp - Waits, barriers and cache instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Fence.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Memory/Fence.h"
#include "Emulator/Check/GlobalShadow.h"
#include "Emulator/Decode/WaitCounts.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Machine/Workgroup.h"
#include "Emulator/Trace/Recorder.h"

using namespace ckemu;

static void raise(uint32_t &completed, uint32_t issued, uint8_t left) {
  if (left != WaitCounts::kAny && left <= issued)
    completed = std::max(completed, issued - left);
}

const Instruction *ckemu::executeWait(Wave &wave, const Instruction *inst) {
  if (!wave.workgroup || !(wave.ldsShadow || wave.workgroup->knowledge))
    return inst + 1;
  WaveOrder &order = wave.order;
  const WaitCounts counts = decodeWait(*inst, wave.launch->object.getChip());
  raise(order.ldsCompleted, order.ldsIssued, counts.lds);
  raise(order.vectorCompleted, order.vectorIssued, counts.loads);
  order.known[kMaxWaves + wave.waveInGroup] =
      std::max(order.known[kMaxWaves + wave.waveInGroup], order.vectorCompleted);
  raise(order.loadsCompleted, order.loads, counts.loads);
  // Atomic operations that return a value are counted with the loads on RDNA.
  if (counts.loads == 0 && order.storesReleased >= order.storesCounted && !order.sharesCache)
    order.storesReleased = order.stores;
  if (counts.stores == WaitCounts::kAny)
    return inst + 1;
  if (!wave.launch->object.getChip().writesBackL2) {
    if (counts.stores == 0)
      order.storesReleased = order.stores;
  } else if (counts.stores == 0 || (order.vectorIssued >= counts.stores &&
                                    order.vectorIssued - counts.stores >= order.writebackIssued)) {
    order.storesReleased = std::max(order.storesReleased, order.storesWritten);
  }
  return inst + 1;
}

const Instruction *ckemu::executeRelease(Wave &wave, const Instruction *inst) {
  const bool isLocal = inst->has(Modifier::Sc0) && !inst->has(Modifier::Sc1);
  if (isLocal || (inst->has(Modifier::Scope) && inst->mods.scope < MemoryScope::Device))
    return inst + 1;
  WaveOrder &order = wave.order;
  // clang leaves out the wait behind a writeback when everything before it is complete.
  if (order.vectorCompleted == order.vectorIssued)
    order.storesReleased = order.stores;
  order.storesWritten = order.stores;
  order.writebackIssued = ++order.vectorIssued;
  return inst + 1;
}

/// What barriers and flags have passed on is found by the loads that follow.
static void validate(WaveOrder &order) {
  for (unsigned i = 0; i < kMaxWaves; ++i)
    order.visible[i] = order.known[kStoreAgents + i];
}

const Instruction *ckemu::executeGroupAcquire(Wave &wave, const Instruction *inst) {
  validate(wave.order);
  return inst + 1;
}

const Instruction *ckemu::executeAcquire(Wave &wave, const Instruction *inst) {
  if (inst->has(Modifier::Scope) && inst->mods.scope >= MemoryScope::Engine)
    validate(wave.order);
  if (!wave.workgroup || !wave.workgroup->knowledge)
    return inst + 1;
  // On gfx942 and gfx950, sc0 alone invalidates for the workgroup.
  const bool isLocal = inst->has(Modifier::Sc0) && !inst->has(Modifier::Sc1);
  if (!isLocal && (!inst->has(Modifier::Scope) || inst->mods.scope >= MemoryScope::Device))
    wave.launch->globalShadow->acquire(wave);
  return inst + 1;
}
const Instruction *ckemu::executeReleaseAcquire(Wave &wave, const Instruction *inst) {
  executeRelease(wave, inst);
  return executeAcquire(wave, inst);
}

/// `wave` comes to a barrier, which passes on what the wave has seen up to now.
static void arriveAtBarrier(Wave &wave) {
  if (wave.recorder)
    wave.recorder->recordBarrier();
  if (wave.workgroup->knowledge)
    wave.launch->globalShadow->lookAgain(wave);
  wave.workgroup->arriveAtBarrier(wave);
}

const Instruction *ckemu::executeBarrier(Wave &wave, const Instruction *inst) {
  if (wave.workgroup)
    arriveAtBarrier(wave);
  return wave.waitAtBarrier(inst + 1);
}

const Instruction *ckemu::executeBarrierSignal(Wave &wave, const Instruction *inst) {
  arriveAtBarrier(wave);
  wave.workgroup->signalBarrier();
  return inst + 1;
}

const Instruction *ckemu::executeBarrierSignalIsFirst(Wave &wave, const Instruction *inst) {
  arriveAtBarrier(wave);
  wave.setScc(wave.workgroup->signalBarrier());
  return inst + 1;
}

const Instruction *ckemu::executeBarrierWait(Wave &wave, const Instruction *inst) {
  if (inst->simm16() != -1)
    return wave.fault(inst, "expected barrier -1, got " + llvm::Twine(inst->simm16()));
  if (!wave.barrierCompleted)
    return wave.waitAtSplitBarrier(inst + 1);
  wave.barrierCompleted = false;
  wave.workgroup->leaveBarrier(wave);
  return inst + 1;
}
