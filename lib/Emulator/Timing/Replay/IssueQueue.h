//===- IssueQueue.h - Accesses that wait for a unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unit takes accesses one after another; a few may wait for it, and while as many do, no other
// one is issued.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_ISSUEQUEUE_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_ISSUEQUEUE_H

#include "Emulator/Timing/Replay/EventWheel.h"

namespace ckemu {

/// See above.
class IssueQueue {
public:
  /// Whether another access may be issued at `now` while `depth` may wait; if not, `until` is when
  /// there is room.
  bool hasRoom(unsigned depth, Cycle now, Cycle &until) const {
    if (issued < depth)
      return true;
    const double begin = taken[(issued - depth) % taken.size()];
    if (begin <= double(now))
      return true;
    until = Cycle(begin) + 1;
    return false;
  }
  /// An access was issued that the unit takes at `begin`.
  void add(double begin) { taken[issued++ % taken.size()] = begin; }

private:
  std::array<double, 64> taken = {}; ///< when the unit took the last ones
  uint32_t issued = 0;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_ISSUEQUEUE_H
