//===- LdsPaths.h - The LDS of compute units -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One array for each compute unit, and a path from it to each pair of SIMDs with a queue.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_LDSPATHS_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_LDSPATHS_H

#include "Emulator/Timing/Replay/IssueQueue.h"
#include "Emulator/Timing/SharedMemory.h"

namespace ckemu {

/// The LDS of all units that are simulated. SIMDs are numbered through over the units.
class LdsPaths {
public:
  LdsPaths(size_t numUnits, unsigned simdsPerUnit, unsigned waveSize,
           const TimingParameters &parameters)
      : parameters(parameters), simdsPerUnit(simdsPerUnit), waveSize(waveSize), units(numUnits) {}

  /// Whether a wave of `simd` may issue another access at `now`; if not, `until` is when it may.
  bool hasRoom(unsigned simd, Cycle now, Cycle &until) const;

  struct Access {
    double cycles; ///< that the array is busy
    double done;   ///< the data are there
  };
  /// An access by a wave of `simd` that may begin at `now`.
  Access access(unsigned simd, unsigned bytesPerLane, unsigned conflictCycles, double now);

private:
  struct Path {
    double free = 0; ///< takes the next access
    IssueQueue queue;
  };
  struct Unit {
    Server array;
    std::array<Path, 2> paths;
  };

  const TimingParameters &parameters;
  const unsigned simdsPerUnit, waveSize;
  std::vector<Unit> units;

  unsigned getPair(unsigned simd) const { return simd % simdsPerUnit * 2 / simdsPerUnit; }
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_LDSPATHS_H
