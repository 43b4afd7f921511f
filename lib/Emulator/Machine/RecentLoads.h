//===- RecentLoads.h - Loads that a later store may overtake -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which waves of a workgroup loaded a dword of device memory last. Memory is large and most of it
// is never written, so that this is no shadow of it but a table of fixed size, in which a place
// forgets what was there before: races with loads that are long past are missed, none is invented.
// Loads come into the table when a store may meet them; most never do.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_RECENTLOADS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_RECENTLOADS_H

#include "Emulator/Machine/AccessLog.h"
#include "Emulator/Machine/LaneExtents.h"
#include <memory>
#include <optional>

namespace ckemu {

/// The table of one workgroup; used by one thread at a time.
class RecentLoads {
public:
  /// Forgets everything, for a new workgroup.
  void clear();
  /// Notes the loads of `size` (at most 64) bytes in `lanes`; all are the load at `clock` of
  /// `wave`.
  void note(const Wave &wave, uint32_t clock, const Lanes64 &addresses, LaneMask lanes,
            unsigned size);
  /// To be called before findUnordered for the addresses of a store.
  void settle(const Workgroup &group, const Lanes64 &addresses, LaneMask lanes, unsigned size);
  /// Another wave that loaded bytes `mask` of the aligned dword at `address`, after those of its
  /// loads that `wave` knows.
  std::optional<unsigned> findUnordered(const Wave &wave, uint64_t address, unsigned mask) const;

private:
  /// 2 x 64 KiB.
  static constexpr unsigned kIndexBits = 13, kChunkBits = 7;
  static constexpr uint32_t kSlots = 1u << kIndexBits;

  /// The loads of one instruction.
  struct Entry {
    Lanes64 addresses;
    LaneMask lanes;
    unsigned wave, size;
    uint32_t clock;
    Extent<uint64_t> extent; ///< of the addresses; of none before it was needed
  };

  void apply(const Entry &entry);
  void noteBytes(const Entry &entry, uint64_t address);
  void noteDword(uint64_t dword, uint64_t entry);
  void noteQuad(uint64_t dword, uint64_t entry);

  /// The last load by place, and before it the last one of another wave: of two waves that load,
  /// neither hides the other from a third. Absent until the first load.
  std::unique_ptr<uint64_t[]> latest, previous;
  AccessLog<Entry, 64> log; ///< loads that are not in the table yet
  uint64_t used = 0;        ///< chunks of 1 << kChunkBits slots that are not empty
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_RECENTLOADS_H
