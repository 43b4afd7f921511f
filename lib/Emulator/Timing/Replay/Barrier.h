//===- Barrier.h - The barrier of a workgroup -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves arrive and wait, at once or with other instructions between.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_BARRIER_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_BARRIER_H

#include "Emulator/Timing/Replay/WaveReplay.h"
#include "llvm/ADT/SmallVector.h"

namespace ckemu {

/// The waves of one workgroup at its barrier.
class Barrier {
public:
  /// Ends the wait when all of `alive` waves, those that have not ended, have come: they go on
  /// `delay` cycles after `now`.
  void complete(unsigned alive, EventWheel &events, Cycle now, double delay) {
    if (alive == 0 || arrived < alive)
      return;
    arrived = 0;
    ++completed;
    for (uint32_t id : waiting)
      events.add(id, now + Cycle(delay));
    waiting.clear();
  }
  void arrive() { ++arrived; }
  /// Whether a wave that comes has not been counted yet: it comes again when the wait is over.
  bool isNew(const WaveReplay &wave) const { return completed == wave.barriersPassed; }
  /// Whether wave `id` may go on; if not, it waits.
  bool pass(uint32_t id, WaveReplay &wave) {
    if (completed > wave.barriersPassed) {
      ++wave.barriersPassed;
      return true;
    }
    wave.stall = Stall::Barrier;
    waiting.push_back(id);
    return false;
  }

private:
  unsigned arrived = 0;
  uint32_t completed = 0;
  llvm::SmallVector<uint32_t, 16> waiting; ///< waves
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_BARRIER_H
