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

#include "Fence.h"
#include "ck-mlir/Emulator/Workgroup.h"

using namespace mlir::ck::emulator;

const Instruction *mlir::ck::emulator::executeWait(Wave &, const Instruction *inst) {
  return inst + 1;
}
const Instruction *mlir::ck::emulator::executeRelease(Wave &, const Instruction *inst) {
  return inst + 1;
}
const Instruction *mlir::ck::emulator::executeAcquire(Wave &, const Instruction *inst) {
  return inst + 1;
}
const Instruction *mlir::ck::emulator::executeReleaseAcquire(Wave &wave, const Instruction *inst) {
  executeRelease(wave, inst);
  return executeAcquire(wave, inst);
}

const Instruction *mlir::ck::emulator::executeBarrier(Wave &wave, const Instruction *inst) {
  return wave.waitAtBarrier(inst + 1);
}

const Instruction *mlir::ck::emulator::executeBarrierSignal(Wave &wave, const Instruction *inst) {
  wave.workgroup->signalBarrier();
  return inst + 1;
}

const Instruction *mlir::ck::emulator::executeBarrierSignalIsFirst(Wave &wave,
                                                                   const Instruction *inst) {
  wave.setScc(wave.workgroup->signalBarrier());
  return inst + 1;
}

const Instruction *mlir::ck::emulator::executeBarrierWait(Wave &wave, const Instruction *inst) {
  if (inst->simm16() != -1)
    return wave.fault(inst, "expected barrier -1, got " + llvm::Twine(inst->simm16()));
  if (!wave.barrierCompleted)
    return wave.waitAtSplitBarrier(inst + 1);
  wave.barrierCompleted = false;
  return inst + 1;
}
