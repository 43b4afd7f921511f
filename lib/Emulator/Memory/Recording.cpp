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
#include "Emulator/Trace/LaunchRecorder.h"

using namespace mlir::ck::emulator;

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

void mlir::ck::emulator::recordGlobal(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                                      LaneMask lanes, unsigned size, Access access) {
  withAccess(wave, inst, addresses, lanes, size, access,
             [&](const RecordedAccess &recorded) { wave.recorder->record(recorded); });
}

void mlir::ck::emulator::recordUpdate(Wave &wave, const Instruction *inst, const Lanes64 &addresses,
                                      LaneMask lanes, unsigned size) {
  withAccess(wave, inst, addresses, lanes, size, Access::Atomic,
             [&](const RecordedAccess &recorded) { wave.recorder->recordUpdate(recorded); });
}

void mlir::ck::emulator::recordScalar(Wave &wave, const Instruction *inst, uint64_t address,
                                      unsigned size) {
  address += wave.launch->recorder->getShift(wave.cachedIndex);
  wave.recorder->recordScalar(inst, address, size, hasDeviceScope(*inst));
}

void mlir::ck::emulator::recordScratch(Wave &wave, const Instruction *inst, const Lanes &offsets,
                                       LaneMask lanes, unsigned size) {
  if (lanes)
    wave.recorder->recordPrivate(inst, offsets, lanes, size, wave.scratchSize);
}

void mlir::ck::emulator::recordLds(Wave &wave, const Instruction *inst, const Lanes &offsets,
                                   LaneMask lanes, unsigned size, Access access,
                                   unsigned conflicts) {
  const bool returns =
      access == Access::Atomic && wave.launch->getCode().getText(inst).contains("_rtn");
  wave.recorder->recordLds(
      {inst, offsets, lanes, size, conflicts, access == Access::Load, returns});
}

void mlir::ck::emulator::recordLdsUpdate(Wave &wave, const Instruction *inst, const Lanes &offsets,
                                         LaneMask lanes, unsigned size) {
  wave.recorder->recordLdsUpdate(inst, offsets, lanes, size);
}
