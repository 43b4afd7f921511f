//===- GroupKnowledge.h - What a workgroup knows of accesses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What barriers and flags pass on: which accesses happened before what a wave, or any wave of the
// workgroup, does next.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_GROUPKNOWLEDGE_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_GROUPKNOWLEDGE_H

#include "Emulator/Machine/RecentLoads.h"
#include "Emulator/Machine/Wave.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>

namespace ckemu {

/// How far the stores of a wave are known.
struct StoreClocks {
  uint32_t released = 0, issued = 0; ///< to other workgroups: by a release, and at all
  uint32_t stores = 0, loads = 0;    ///< to its own workgroup: accesses that happened before
  void join(const StoreClocks &other) {
    released = std::max(released, other.released);
    issued = std::max(issued, other.issued);
    stores = std::max(stores, other.stores);
    loads = std::max(loads, other.loads);
  }
};
/// By linear workgroup number * kMaxWaves + wave.
using StoreKnowledge = llvm::DenseMap<uint32_t, StoreClocks>;

/// What a workgroup knows; used by one thread at a time.
struct GroupKnowledge {
  /// Stores of its own waves, up to the last barrier, and what arrives at the next.
  std::array<StoreClocks, kMaxWaves> own, arrived;
  /// Those of others: seen with a flag, and valid since an invalidation followed.
  StoreKnowledge pending, acquired;
  /// Flags that a wave has seen, and how many releases there had been in the launch by then.
  llvm::DenseMap<std::pair<uint64_t, unsigned>, uint64_t> seen;
  /// What each wave read with its last access to flags.
  std::array<llvm::SmallVector<uint64_t, 1>, kMaxWaves> lastRead;
  RecentLoads loads;

  /// Forgets everything, for a new workgroup.
  void reset();
  /// The wave comes to a barrier: the others may know what it completed.
  void arrive(const Wave &wave);
  /// The wave has ended, before which the hardware waits for all of its accesses ("the hardware
  /// implicitly executes S_WAITCNT 0 before executing this instruction", S_ENDPGM in the ISA
  /// documents). A barrier that is complete without it comes after that.
  void arriveEnded(const Wave &wave);
  /// All waves have come: what arrive() collected is what they get.
  void complete();
  /// The wave continues behind the barrier.
  void leave(Wave &wave) const;
  /// The caches were invalidated.
  void acquire();
  /// Notes which instruction a store's clock stands for.
  void noteStore(const Wave &wave, const Instruction *inst) {
    storeInstructions[wave.waveInGroup][wave.order.stores % kRemembered] = inst->index;
  }
  /// " at pc 10: global_store ..." of the store of `wave` at `clock`; empty when it is forgotten.
  std::string describeStore(const Wave &wave, uint32_t clock) const;

private:
  /// Recent stores whose instructions are remembered.
  static constexpr unsigned kRemembered = 64;
  alignas(64) std::array<uint32_t, kAgents> arrivedClocks, completedClocks;
  std::array<std::array<uint32_t, kRemembered>, kMaxWaves> storeInstructions;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_GROUPKNOWLEDGE_H
