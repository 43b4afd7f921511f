//===- GlobalShadow.h - Who wrote device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every dword that a launch writes, its last writer. An access of another workgroup is a race
// unless the writer released its store and the reader acquired it, with the instructions that the
// chip needs for that: writeback and wait before a flag is set, invalidation after it was seen. One
// of another wave of the workgroup is a race unless a barrier or a flag lies between
// (GroupKnowledge), and there the loads before a store count, too (RecentLoads). Stores of what is
// there already are no stores here. Memory is limited: see kPageLimit.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_GLOBALSHADOW_H
#define CK_MLIR_LIB_EMULATOR_CHECK_GLOBALSHADOW_H

#include "Emulator/Check/SameValueStores.h"
#include "Emulator/Load/MemoryTable.h"
#include "Emulator/Machine/Access.h"
#include "Emulator/Machine/GroupKnowledge.h"
#include "Emulator/Machine/Workgroup.h"
#include <atomic>
#include <mutex>

namespace ckemu {

/// The shadow of one launch. Thread safe.
class GlobalShadow {
public:
  /// Flags whose releases are remembered.
  static constexpr unsigned kFlagLimit = 1 << 16;

  /// Accesses to the allocation that begins at `exempt` are in no race: the host takes part in what
  /// orders them. After releases through more than `flagLimit` flags, nothing is checked any more.
  explicit GlobalShadow(const AllocationSnapshot &snapshot, uint64_t exempt = 0,
                        unsigned flagLimit = kFlagLimit);
  ~GlobalShadow();

  /// Checks and notes the accesses of lanes `lanes`, which are in bounds. False after a report.
  bool access(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
              unsigned size, Access access, const Lanes *const *data);
  /// The same for a scalar load.
  bool loadScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size);
  /// `wave` invalidates its caches.
  void acquire(Wave &wave);
  /// `wave` passes on what it has seen. Accesses are checked before they are made, and a flag may
  /// have been set between the check of its load and the load: it is looked at again.
  void lookAgain(Wave &wave);

private:
  using Cell = std::atomic<uint64_t>;
  static constexpr uint64_t kPageBytes = 4096, kCells = kPageBytes / 4;
  /// Pages of 8 KiB: 40 MiB of shadow for 20 MiB of written memory.
  static constexpr unsigned kPageLimit = 5120;
  struct Request;

  Cell *findCell(size_t allocation, uint64_t offset, bool create);
  bool accessLane(Wave &wave, const Request &request, int lane, uint64_t address, unsigned size);
  bool accessDword(Wave &wave, const Request &request, Cell &cell, uint64_t dword, unsigned mask,
                   const uint8_t *stored, uint64_t &conflict);
  bool isConflict(const Wave &wave, const Request &request, uint64_t old, unsigned mask) const;
  bool isUnordered(const Wave &wave, const Request &request, uint64_t old) const;
  bool followsFlag(const Wave &wave, const Request &request, uint64_t dword, uint64_t old);
  void noteSameValue(const Wave &wave, Cell &cell, uint64_t dword, uint64_t old);
  bool isExcused(const Wave &wave, uint64_t dword, uint64_t old);
  void publish(const Wave &wave, uint64_t address, bool joins);
  void observe(Wave &wave, uint64_t address);
  void readFlag(Wave &wave, uint64_t address);
  /// A wave may read several sets of flags before it acquires what they pass on.
  void startReading(Wave &wave) {
    lookAgain(wave);
    wave.workgroup->knowledge->lastRead[wave.waveInGroup].clear();
  }
  void report(Wave &wave, const Request &request, int lane, uint64_t address, unsigned size,
              const std::string &other) const;

  const AllocationSnapshot &snapshot;
  const uint64_t exempt;
  const unsigned flagLimit;
  /// By allocation: null until it is written, then the pages.
  std::vector<std::atomic<std::atomic<Cell *> *>> allocations;
  std::atomic<unsigned> numPages{0};
  std::mutex mutex;
  /// What the last releases through a flag pass on, and their number in the launch.
  struct Flag {
    StoreKnowledge passed;
    uint64_t release = 0;
  };
  llvm::DenseMap<uint64_t, Flag> flags; ///< by address; guarded by mutex
  std::atomic<uint64_t> releases{0};    ///< through flags
  std::atomic<bool> gaveUp{false};      ///< after more flags than are remembered
  SameValueStores sameValues;           ///< by address; guarded by mutex
  std::atomic<bool> hasSameValues{false};
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_GLOBALSHADOW_H
