//===- LdsReads.h - Who read the LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every cell the last read of each wave that some other wave may not know.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_LDSREADS_H
#define CK_MLIR_LIB_EMULATOR_CHECK_LDSREADS_H

#include "Emulator/Machine/AccessLog.h"
#include <array>

namespace ckemu {

/// Sets `cells` cells of `1 << shift` bytes of each lane.
void setCells(const Lanes &offsets, LaneMask lanes, unsigned shift, unsigned cells, uint32_t *out,
              uint32_t value);

/// The reads of one workgroup.
class LdsReads {
public:
  /// Forgets everything, for a new workgroup with so many cells of `1 << shift` bytes.
  void reset(size_t numCells, unsigned shift);
  /// Each cell becomes 1 << (shift - newShift) of them, `newCells` in all.
  void split(size_t newCells, unsigned newShift);
  void note(const Wave &wave, const Lanes &offsets, LaneMask lanes, unsigned size, uint32_t clock);
  /// The clock of the last read of wave `reader` that not all know, by cell.
  const uint32_t *get(const Workgroup &group, unsigned reader);
  /// The last read of `reader`.
  uint32_t getLast(unsigned reader) const { return last[reader]; }

private:
  struct Entry {
    Lanes offsets;
    LaneMask lanes;
    unsigned wave, size;
    uint32_t clock;
  };
  void apply(const Entry &entry);

  size_t numCells = 0;
  unsigned shift = 0;
  std::array<AccessLog<Entry, 32>, kMaxWaves> logs;
  std::array<std::vector<uint32_t>, kMaxWaves> cells; ///< empty until they are needed
  std::array<uint32_t, kMaxWaves> last;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_LDSREADS_H
