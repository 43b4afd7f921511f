//===- LdsLines.h - The accesses of the LDS by line -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a few comparisons show of a whole instruction. Clocks of a line are no earlier than those of
// its cells, so that an access that is in order by line is in order; of one that is not, the cells
// decide (LdsShadow).
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_LDSLINES_H
#define CK_MLIR_LIB_EMULATOR_CHECK_LDSLINES_H

#include "Emulator/Machine/LaneExtents.h"
#include "Emulator/Machine/WaveOrder.h"
#include <vector>

namespace ckemu {

/// The lines of one workgroup's LDS.
class LdsLines {
public:
  static constexpr unsigned kBytes = 256;
  /// Lines from the first that an access touches to the last, with those between.
  struct Range {
    uint32_t first, last;
    /// Of more lines some would mostly be those of other accesses.
    bool isShort() const { return last - first < 64; }
  };
  static Range find(const Lanes &offsets, LaneMask lanes, unsigned size) {
    const auto [least, most] = findExtent(offsets, lanes);
    return {least / kBytes, (most + size - 1) / kBytes};
  }

  /// Forgets everything, for a new workgroup.
  void reset(unsigned ldsBytes, unsigned numWaves);

  void noteRead(unsigned wave, const Range &range, const Lanes &offsets, LaneMask lanes,
                unsigned size, uint32_t clock) {
    note(wave, range, offsets, lanes, size, clock);
  }
  void noteWrite(unsigned agent, const Range &range, const Lanes &offsets, LaneMask lanes,
                 unsigned size, uint32_t clock) {
    note(stride * (1 + agent / kMaxWaves) + agent % kMaxWaves, range, offsets, lanes, size, clock);
  }
  /// From now on no writer of the range is known.
  void noteAtomic(const Range &range) {
    std::fill(hasAtomics.begin() + range.first, hasAtomics.begin() + range.last + 1, true);
  }

  /// True when all writers of the lines are known, and for a store the readers, too.
  bool areKnown(const Range &range, const uint32_t *known, bool withReaders) const;
  /// True when a read of `reader` may be later than `limit`.
  bool mayHaveLaterReads(unsigned reader, const Range &range, uint32_t limit) const {
    for (uint32_t line = range.first; line <= range.last; ++line)
      if (clocks[size_t(line) * 3 * stride + reader] > limit)
        return true;
    return false;
  }
  /// True when every cell of the lines was written; `writers` are those of the cells.
  bool areWritten(const Range &range, const uint32_t *writers, unsigned shift);

private:
  void note(unsigned place, const Range &range, const Lanes &offsets, LaneMask lanes, unsigned size,
            uint32_t clock);

  unsigned bytes = 0;
  unsigned stride = 0; ///< waves, and as many more as vectors take
  /// By line: the last read of each wave, its last LDS store, and its last load to LDS.
  std::vector<uint32_t> clocks;
  std::vector<uint8_t> hasAtomics;
  /// By line: looks that found a cell without a writer. After some it is taken for padding.
  static constexpr uint8_t kWritten = 255, kLooks = 16;
  std::vector<uint8_t> looks;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_LDSLINES_H
