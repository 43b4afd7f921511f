//===- PollLoop.h - Loops that wait for a flag -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells which values of a flag would let a wave go on, by executing the loop with them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MEMORY_POLLLOOP_H
#define CK_MLIR_LIB_EMULATOR_MEMORY_POLLLOOP_H

#include "Emulator/Machine/Wave.h"

namespace ckemu {

/// A loop of scalar instructions around a scalar load of one dword.
class PollLoop {
public:
  /// `inst` is the load that `wave` is about to execute.
  PollLoop(const Wave &wave, const Instruction *inst) : wave(wave), inst(inst) {}

  /// Whether the wave leaves the loop with `value`, and would look again with another one.
  bool isLeftWith(uint32_t value) const;

private:
  const Wave &wave;
  const Instruction *inst;

  bool leadsBack(const Instruction *at) const;
  const Instruction *follow(uint32_t value, bool &hasWayBack) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MEMORY_POLLLOOP_H
