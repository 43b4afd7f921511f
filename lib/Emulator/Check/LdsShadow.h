//===- LdsShadow.h - Who accessed the LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every cell of the LDS its last writer and the last read of every wave. An access is a race
// when a conflicting one of another wave is not among those that happened before it. The waits and
// barriers of the kernel decide what happened before (GroupKnowledge): a barrier passes on what the
// waits before it made sure is complete, so that a missing wait is found as well as a missing
// barrier. A store of what is there already is no store here.
//
// Cells are dwords until an instruction accesses part of one, then halves or bytes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_LDSSHADOW_H
#define CK_MLIR_LIB_EMULATOR_CHECK_LDSSHADOW_H

#include "Emulator/Check/LdsLines.h"
#include "Emulator/Check/LdsReads.h"
#include "Emulator/Check/SameValueStores.h"
#include "Emulator/Machine/Access.h"
#include "Emulator/Machine/Options.h"
#include "Emulator/Machine/Wave.h"
#include <array>
#include <vector>

namespace ckemu {

// The parts of a writer.
inline constexpr unsigned kLdsAgentShift = 26;
inline constexpr uint32_t kLdsAtomic = 1u << 25, kLdsClockMask = kLdsAtomic - 1;

/// The shadow of one workgroup's LDS; used by one thread at a time.
class LdsShadow {
public:
  /// Forgets everything, for a new workgroup.
  void reset(unsigned ldsBytes, unsigned numWaves, const Checks &checks);

  /// Checks and notes one instruction's access; all lanes are in bounds. False after a report.
  bool access(Wave &wave, const Instruction *inst, const Lanes &offsets, LaneMask lanes,
              unsigned size, Access access, const Lanes *const *data);

private:
  using Clocks = std::array<uint32_t, kAgents>;
  /// One instruction's part in the order.
  struct Issue {
    unsigned agent;
    uint32_t clock;
    Access access;
  };

  void refine(unsigned newShift);
  bool isPlainlyOrdered(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned cells,
                        const LdsLines::Range &range, const Issue &issue);
  void findConflicts(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned cells,
                     const Issue &issue, LaneMask &uninitialized, LaneMask &raced);
  void note(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned cells,
            const LdsLines::Range &range, const Issue &issue);
  bool conflicts(const Wave &wave, size_t cell, const Issue &issue) const;
  void leaveUnchanged(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned cells,
                      const Issue &issue);
  bool readsOwnValue(const Wave &wave, uint32_t offset, unsigned cells, const Issue &issue) const;
  void synchronize(Wave &wave, const Lanes &offsets, LaneMask lanes, const Issue &issue);
  bool report(Wave &wave, const Instruction *inst, unsigned lane, unsigned offset, unsigned size,
              const Issue &issue, bool isRace);
  std::string describeOther(const Wave &wave, size_t cell, const Issue &issue);
  std::string describeInstruction(const Wave &wave, unsigned agent, uint32_t clock) const;

  Checks checks;
  unsigned bytes = 0, waves = 0;
  unsigned shift = 2; ///< a cell is 1 << shift bytes
  size_t numCells = 0;
  bool exhausted = false; ///< the clocks do not reach any further
  /// agent << kLdsAgentShift | atomic | clock; 0: never written
  std::vector<uint32_t> writers;
  LdsReads reads;
  LdsLines lines;
  SameValueStores sameValues; ///< by cell
  /// What atomic accesses passed on, by a hash of the address.
  alignas(64) std::array<Clocks, 16> passed;
  /// Instructions that recent clocks stand for, by agent.
  static constexpr unsigned kRemembered = 256;
  std::array<std::array<uint32_t, kRemembered>, kLdsAgents> instructions;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_LDSSHADOW_H
