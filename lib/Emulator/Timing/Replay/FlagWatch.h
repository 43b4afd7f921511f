//===- FlagWatch.h - Waves that wait for what others store -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load that has seen a flag does not go on before the instruction that set it has been issued.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_FLAGWATCH_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_FLAGWATCH_H

#include "Emulator/Timing/Replay/WaveReplay.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace ckemu {

/// Which workgroups of a sample run, and which waves wait for instructions of which others.
class FlagWatch {
public:
  /// Of workgroups with the linear ids `groups`.
  FlagWatch(llvm::ArrayRef<uint64_t> groups, std::vector<WaveReplay> &waves, EventWheel &events,
            const TimingParameters &parameters);

  /// A workgroup starts whose waves are those from `firstWave` on.
  void startGroup(uint64_t group, uint32_t firstWave) { firstWaves[group] = firstWave; }
  void endGroup(uint64_t group);
  /// Whether a workgroup of the sample has not ended, or any has not.
  bool isPending(uint64_t group) const { return pending.contains(group); }
  bool hasPending() const { return !pending.empty(); }

  /// Whether what the accesses of the instruction must have seen has happened; if not, wave `id`
  /// waits until it has.
  bool waitForFlags(uint32_t id, WaveReplay &wave);
  /// A wave of `group` starts that others may wait for.
  void startWave(WaveReplay &wave, uint64_t group) const;
  /// The wave of `group` issues the instruction at its position, or has ended.
  void notify(WaveReplay &wave, uint64_t group, bool hasEnded, Cycle now);
  /// When nothing can go on: workgroups may have been placed in another order than when they were
  /// executed. The wave that has waited longest goes on; false when none waits.
  bool breakDependency(Cycle now);

private:
  /// A wave that waits for an instruction of another one.
  struct Watcher {
    uint32_t wave, position;
    bool isDevice; ///< the flag lies in device memory
  };

  std::vector<WaveReplay> &waves;
  EventWheel &events;
  const TimingParameters &parameters;
  llvm::DenseMap<uint64_t, uint32_t> firstWaves;                    ///< of those that run
  llvm::DenseSet<uint64_t> pending;                                 ///< that have not ended
  llvm::DenseMap<uint64_t, llvm::SmallVector<Watcher, 2>> watchers; ///< by group and wave

  bool hasHappened(const TraceDependency &dependency);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_FLAGWATCH_H
