//===- GlobalShadow.h - Who wrote device memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every dword that a launch writes, its last writer. An access of another workgroup is a race
// unless the writer released its store and the reader acquired it, with the instructions that the
// chip needs for that: writeback and wait before a flag is set, invalidation after it was seen.
// Memory for it is limited: see kPageLimit.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_GLOBALSHADOW_H
#define CK_MLIR_LIB_EMULATOR_GLOBALSHADOW_H

#include "ck-mlir/Emulator/LaneMemory.h"
#include "ck-mlir/Emulator/Memory.h"
#include "ck-mlir/Emulator/Workgroup.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <atomic>
#include <mutex>

namespace mlir::ck::emulator {

/// How far the stores of a wave are known: by a release, and at all.
struct StoreClocks {
  uint32_t released = 0, issued = 0;
  void join(const StoreClocks &other) {
    released = std::max(released, other.released);
    issued = std::max(issued, other.issued);
  }
};
/// By linear workgroup number * kMaxWaves + wave.
using StoreKnowledge = llvm::DenseMap<uint32_t, StoreClocks>;

/// What a workgroup knows of stores.
struct GroupKnowledge {
  /// Those of its own waves, up to the last barrier, and what arrives at the next.
  std::array<StoreClocks, kMaxWaves> own, arrived;
  /// Those of others: seen with a flag, and valid since an invalidation followed.
  StoreKnowledge pending, acquired;
  /// Flags that were seen, and how many releases there had been in the launch by then.
  llvm::DenseMap<uint64_t, uint64_t> seen;
  /// What each wave read with its last access to flags.
  std::array<llvm::SmallVector<uint64_t, 1>, kMaxWaves> lastRead;

  void arrive(const Wave &wave) {
    arrived[wave.waveInGroup].join({wave.order.storesReleased, wave.order.stores});
  }
  void complete() { own = arrived; }
  /// The caches were invalidated.
  void acquire();
};

/// The shadow of one launch. Thread safe.
class GlobalShadow {
public:
  explicit GlobalShadow(const AllocationSnapshot &snapshot);
  ~GlobalShadow();

  /// Checks and notes the accesses of lanes `lanes`, which are in bounds. False after a report.
  bool access(Wave &wave, const Instruction *inst, const Lanes64 &addresses, LaneMask lanes,
              unsigned size, Access access, const Lanes *const *data);
  /// The same for a scalar load.
  bool loadScalar(Wave &wave, const Instruction *inst, uint64_t address, unsigned size);
  /// `wave` invalidates its caches. Accesses are checked before they are made, and a flag may have
  /// been set between the check of its load and the load: it is looked at again.
  void acquire(Wave &wave);

private:
  using Cell = std::atomic<uint64_t>;
  static constexpr uint64_t kPageBytes = 4096, kCells = kPageBytes / 4;
  /// Pages of 8 KiB: 40 MiB of shadow for 20 MiB of written memory.
  static constexpr unsigned kPageLimit = 5120;
  /// Flags whose releases are remembered.
  static constexpr unsigned kFlagLimit = 1 << 16;
  struct Request;

  Cell *findCell(size_t allocation, uint64_t offset, bool create);
  bool accessLane(Wave &wave, const Request &request, int lane, uint64_t address, unsigned size);
  bool isConflict(const Wave &wave, const Request &request, uint64_t old, unsigned mask) const;
  void publish(const Wave &wave, uint64_t address, bool joins);
  void observe(const Wave &wave, uint64_t address);
  void readFlag(const Wave &wave, uint64_t address);
  void startReading(const Wave &wave) {
    wave.workgroup->knowledge->lastRead[wave.waveInGroup].clear();
  }
  void report(Wave &wave, const Request &request, int lane, uint64_t address, unsigned size,
              uint64_t old) const;

  const AllocationSnapshot &snapshot;
  /// By allocation: null until it is written, then the pages.
  std::vector<std::atomic<std::atomic<Cell *> *>> allocations;
  std::atomic<unsigned> numPages{0};
  std::mutex mutex;
  /// What the last releases through a flag pass on, by its address; guarded by mutex.
  llvm::DenseMap<uint64_t, StoreKnowledge> flags;
  std::atomic<uint64_t> releases{0}; ///< through flags
};

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_GLOBALSHADOW_H
