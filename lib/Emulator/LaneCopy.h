//===- LaneCopy.h - Copies between memory and registers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unchecked inner loops of memory access, private to the LaneMemory implementation. `at(lane)`
// gives the host pointer of a lane.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LANECOPY_H
#define CK_MLIR_LIB_EMULATOR_LANECOPY_H

#include "ck-mlir/Emulator/Wave.h"

namespace mlir::ck::emulator {

template <unsigned Size, class At>
inline void copyInFixed(At at, LaneMask lanes, Lanes *out) {
  constexpr unsigned kDwords = (Size + 3) / 4;
  auto copyLane = [&](unsigned lane) {
    uint32_t value[kDwords] = {};
    std::memcpy(value, at(lane), Size);
    for (unsigned k = 0; k < kDwords; ++k)
      out[k][lane] = value[k];
  };
  if (lanes == ~LaneMask(0)) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      copyLane(lane);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    copyLane(unsigned(__builtin_ctzll(lanes)));
}

template <unsigned Size, class At>
inline void copyOutFixed(At at, LaneMask lanes, const Lanes *const *data) {
  constexpr unsigned kDwords = (Size + 3) / 4;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = unsigned(__builtin_ctzll(lanes));
    uint32_t value[kDwords];
    for (unsigned k = 0; k < kDwords; ++k)
      value[k] = (*data[k])[lane];
    std::memcpy(at(lane), value, Size);
  }
}

/// Loads `size` (1, 2, 4, 8, 12, 16) bytes per lane, zero extended to dwords.
template <class At> inline void copyIn(At at, LaneMask lanes, unsigned size, Lanes *out) {
  switch (size) {
  case 1:
    return copyInFixed<1>(at, lanes, out);
  case 2:
    return copyInFixed<2>(at, lanes, out);
  case 4:
    return copyInFixed<4>(at, lanes, out);
  case 8:
    return copyInFixed<8>(at, lanes, out);
  case 12:
    return copyInFixed<12>(at, lanes, out);
  default:
    return copyInFixed<16>(at, lanes, out);
  }
}

/// Stores the low `size` (1, 2, 4, 8, 12, 16) bytes of `data` per lane.
template <class At>
inline void copyOut(At at, LaneMask lanes, unsigned size, const Lanes *const *data) {
  switch (size) {
  case 1:
    return copyOutFixed<1>(at, lanes, data);
  case 2:
    return copyOutFixed<2>(at, lanes, data);
  case 4:
    return copyOutFixed<4>(at, lanes, data);
  case 8:
    return copyOutFixed<8>(at, lanes, data);
  case 12:
    return copyOutFixed<12>(at, lanes, data);
  default:
    return copyOutFixed<16>(at, lanes, data);
  }
}

inline unsigned countLanes(LaneMask lanes) { return unsigned(__builtin_popcountll(lanes)); }

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_LANECOPY_H
