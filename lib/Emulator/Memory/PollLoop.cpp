//===- PollLoop.cpp - Loops that wait for a flag -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only scalar arithmetic, direct branches and waits are executed, on a copy of the wave.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Memory/PollLoop.h"
#include "Emulator/Load/CodeObject.h"
#include "Emulator/Machine/LaunchContext.h"

using namespace ckemu;

/// Instructions between the load and the end of the loop.
static constexpr unsigned kLongestLoop = 32;

/// True when the instruction only takes time.
static bool isWait(const Instruction *inst) {
  const TimingClass timing = inst->facts->timing;
  return timing == TimingClass::Wait || timing == TimingClass::Sleep || timing == TimingClass::Nop;
}

/// True when nothing but waits, scalar arithmetic and a branch that is always taken lie between
/// `at` and the load.
bool PollLoop::leadsBack(const Instruction *at) const {
  for (unsigned i = 0; i < kLongestLoop && at != inst; ++i) {
    if (at->kind == InstructionClass::Branch) {
      if (!at->target || at->facts->control != ControlFlowKind::Branch)
        return false;
      at = at->target;
    } else if (at->kind == InstructionClass::Salu || isWait(at)) {
      ++at;
    } else {
      return false;
    }
  }
  return at == inst;
}

/// The first instruction that cannot be executed here, or the load; null when there is none.
/// `hasWayBack` tells of a branch that would have led to the load.
const Instruction *PollLoop::follow(uint32_t value, bool &hasWayBack) const {
  Wave probe = wave;
  probe.recorder = nullptr;
  probe.setScalar32(inst->op(0), value);
  const Instruction *at = inst + 1;
  for (unsigned i = 0; i < kLongestLoop && at && at != inst; ++i) {
    if (isWait(at)) {
      ++at;
      continue;
    }
    if (at->kind != InstructionClass::Salu && (at->kind != InstructionClass::Branch || !at->target))
      return at;
    const Instruction *next = at->handler(probe, at);
    if (at->kind == InstructionClass::Branch && next)
      hasWayBack |= leadsBack(next == at->target ? at + 1 : at->target);
    at = next;
  }
  return at;
}

bool PollLoop::isLeftWith(uint32_t value) const {
  bool hasWayBack = false;
  const Instruction *end = follow(value, hasWayBack);
  return end && end != inst && hasWayBack;
}
