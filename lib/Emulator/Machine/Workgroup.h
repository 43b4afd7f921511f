//===- Workgroup.h - A resident workgroup -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The waves of a workgroup and the memory that they own: registers, LDS, private segments. The
// memory is reused from workgroup to workgroup of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_WORKGROUP_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_WORKGROUP_H

#include "Emulator/Machine/Wave.h"
#include <array>
#include <memory>
#include <vector>

namespace ckemu {

/// The bank conflicts of recent LDS accesses by a hash of their offsets.
struct ConflictCacheEntry {
  uint64_t hash = 0;
  unsigned conflicts = 0;
};

class OutstandingLoads;
struct GroupKnowledge;
struct GroupRecorder;

/// One workgroup. It is run by one host thread at a time.
struct Workgroup {
  uint64_t linearId = 0;
  uint32_t id[3] = {0, 0, 0};
  std::vector<Wave> waves;
  std::vector<Lanes> registers; ///< VGPRs and AGPRs of all waves
  std::vector<Lanes> lds;       ///< in units of 256 bytes, for alignment
  std::unique_ptr<uint8_t[]> scratch;
  uint64_t barriersPassed = 0;
  unsigned barrierSignals = 0; ///< of the split barrier since it was completed last
  std::array<ConflictCacheEntry, 1024> conflictCache;
  std::shared_ptr<LdsShadow> ldsShadow; ///< null when it is not checked
  /// One for each wave; null when waits are not checked.
  std::shared_ptr<std::vector<OutstandingLoads>> outstanding;
  std::shared_ptr<GroupKnowledge> knowledge; ///< what barriers and flags passed on; the same
  std::shared_ptr<GroupRecorder> recorder;   ///< null when it is not recorded
  /// True after the waves were shown to repeat their states without a store since `spinEpoch`.
  bool spinning = false;
  uint64_t spinEpoch = 0;
  /// Wave instructions that the scheduler grants before it looks at the progress.
  uint64_t sliceInstructions = 0;
  /// Wave instructions since it last stored to device memory or one of its waves ended.
  uint64_t idleInstructions = 0;

  bool hasEnded() const;
  /// Lets waves continue when all that have not ended wait at a barrier; true when it did. The
  /// split barrier is complete when it has been signalled as often as there are such waves.
  bool releaseBarrier();
  /// `wave` comes to a barrier: executed by s_barrier and by the signal of a split barrier, after
  /// GlobalShadow::lookAgain.
  void arriveAtBarrier(Wave &wave);
  /// `wave` continues behind a complete barrier.
  void leaveBarrier(Wave &wave) const;
  /// Counts a signal of the split barrier; true for the first since it was completed.
  bool signalBarrier();

private:
  bool completeSplitBarrier();
  bool checkBarrierCounts() const;
  void noteComplete();
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_WORKGROUP_H
