//===- Recording.cpp - Tells recorders what waves access -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of the host become those that the allocations would have on a chip.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Memory/Recording.h"
#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Memory/PollLoop.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ckemu;

/// Calls `body` with the access as a recorder wants it.
template <class Body>
static void withAccess(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                       LaneMask lanes, unsigned size, Access access, Body body) {
  if (!lanes)
    return;
  const bool isAtomic = access == Access::Atomic;
  const auto kind = isAtomic                  ? TraceAccessKind::Atomic
                    : access == Access::Store ? TraceAccessKind::Store
                                              : TraceAccessKind::Load;
  const bool deviceScope = isAtomic || hasDeviceScope(*inst);
  const bool returns = isAtomic && returnsOld(*inst);
  const LaunchRecorder &recorder = *wave.launch->recorder;
  if (wave.cachedCoversAll)
    return body(RecordedAccess{inst, kind, addresses, recorder.getShift(wave.cachedIndex), lanes,
                               size, deviceScope, returns});
  const AllocationSnapshot &snapshot = *wave.launch->snapshot;
  Lanes64 shifted = addresses;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    uint64_t &address = shifted[unsigned(__builtin_ctzll(rest))];
    if (const Allocation *allocation = findAllocation(snapshot, address))
      address += recorder.getShift(size_t(allocation - snapshot.data()));
  }
  body(RecordedAccess{inst, kind, shifted, 0, lanes, size, deviceScope, returns});
}

/// The address of a dword that a single lane accesses, where waves may wait for it to change; else
/// null.
static const uint32_t *getFlag(const Wave &wave, const Lanes64 &addresses, LaneMask lanes,
                               unsigned size) {
  if (size != 4 || !llvm::isPowerOf2_64(lanes) || !wave.launch->recorder->code.synchronizes)
    return nullptr;
  return reinterpret_cast<const uint32_t *>(addresses[unsigned(llvm::countr_zero(lanes))]);
}

static void settleFlag(Wave &wave, const uint32_t *flag) {
  wave.launch->recorder->flags.settle(uint64_t(flag), __atomic_load_n(flag, __ATOMIC_RELAXED));
}

static void noteFlag(Wave &wave, const Instruction *inst, const uint32_t *flag) {
  wave.launch->recorder->flags.note(uint64_t(flag), wave.recorder->getWriter(inst));
}

void ckemu::recordGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                         LaneMask lanes, unsigned size, Access access) {
  if (const uint32_t *flag = getFlag(wave, addresses, lanes, size);
      flag && access != Access::Load) {
    settleFlag(wave, flag);
    if (access == Access::Store)
      noteFlag(wave, inst, flag);
  }
  withAccess(wave, inst, addresses, lanes, size, access,
             [&](const RecordedAccess &recorded) { wave.recorder->record(recorded); });
}

void ckemu::recordUpdate(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                         LaneMask lanes, unsigned size) {
  if (const uint32_t *flag = getFlag(wave, addresses, lanes, size))
    noteFlag(wave, inst, flag);
  withAccess(wave, inst, addresses, lanes, size, Access::Atomic,
             [&](const RecordedAccess &recorded) { wave.recorder->recordUpdate(recorded); });
}

/// Whose write lets the wave leave the loop in which it looks at `flag`.
static FlagHistory::Cause findCause(Wave &wave, const Instruction *inst, const uint32_t *flag) {
  settleFlag(wave, flag);
  const PollLoop loop(wave, inst);
  if (!loop.isLeftWith(*flag))
    return {};
  return wave.launch->recorder->flags.findCause(
      uint64_t(flag), [&](uint32_t value) { return loop.isLeftWith(value); });
}

void ckemu::recordScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size) {
  const LaunchRecorder &recorder = *wave.launch->recorder;
  const bool deviceScope = hasDeviceScope(*inst);
  FlagHistory::Cause cause;
  if (deviceScope && size == 4 && recorder.code.synchronizes)
    cause = findCause(wave, inst, reinterpret_cast<const uint32_t *>(address));
  wave.recorder->recordScalar(inst, address + recorder.getShift(wave.cachedIndex), size,
                              deviceScope, cause);
}

void ckemu::recordScratch(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                          unsigned size) {
  if (lanes)
    wave.recorder->recordPrivate(inst, offsets, lanes, size, wave.scratchSize);
}

void ckemu::recordLds(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
                      unsigned size, Access access, unsigned conflicts) {
  const bool returns = access == Access::Atomic && inst->facts->returns;
  wave.recorder->recordLds(
      {inst, offsets, lanes, size, conflicts, access == Access::Load, returns});
}

void ckemu::recordLdsUpdate(Wave &wave, const Instruction *inst, const Lanes &offsets,
                            LaneMask lanes, unsigned size) {
  wave.recorder->recordLdsUpdate(inst, offsets, lanes, size);
}
