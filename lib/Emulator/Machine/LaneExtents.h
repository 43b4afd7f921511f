//===- LaneExtents.h - What the addresses of a wave have in common -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions over the active lanes. Where all lanes of a wave are active, as they mostly are, loops
// without a mask do, of which compilers make vectors.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_LANEEXTENTS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_LANEEXTENTS_H

#include "Emulator/Machine/LaneMasks.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <type_traits>

namespace ckemu {

/// Folds the values of `lanes` into `result`: reduce(result, value).
template <class Values, typename T, class Reduce>
inline T reduceLanes(const Values &values, LaneMask lanes, T result, Reduce reduce) {
  if (LLVM_LIKELY(lanes == ~LaneMask(0))) {
    CK_BLOCK_LOOP
    for (unsigned i = 0; i < kLanes; ++i)
      result = reduce(result, values[i]);
  } else if (lanes == LaneMask(~0u)) {
    CK_BLOCK_LOOP
    for (unsigned i = 0; i < kBlockLanes; ++i)
      result = reduce(result, values[i]);
  } else {
    for (; lanes; lanes &= lanes - 1)
      result = reduce(result, values[unsigned(__builtin_ctzll(lanes))]);
  }
  return result;
}

/// The bits that are set in any of the values, whose lowest says how far all are aligned.
template <class Values>
inline auto combineBits(const Values &values, LaneMask lanes) {
  using T = std::decay_t<decltype(values[0])>;
  return reduceLanes(values, lanes, T(0), [](T bits, T value) { return T(bits | value); });
}

/// The smallest and the largest value of some lanes.
template <typename T>
struct Extent {
  T least, most;
};
template <class Values>
inline auto findExtent(const Values &values, LaneMask lanes) {
  using T = std::decay_t<decltype(values[0])>;
  const T some = values[unsigned(__builtin_ctzll(lanes))];
  return Extent<T>{
      reduceLanes(values, lanes, some, [](T least, T value) { return std::min(least, value); }),
      reduceLanes(values, lanes, some, [](T most, T value) { return std::max(most, value); })};
}

/// True when all lanes are active and follow one another in steps of `size`.
inline bool areConsecutive(const Lanes &offsets, LaneMask lanes, uint32_t size) {
  if (lanes != ~LaneMask(0))
    return false;
  uint32_t difference = 0;
  CK_BLOCK_LOOP
  for (uint32_t i = 0; i < kLanes; ++i)
    difference |= offsets[i] - offsets[0] - size * i;
  return difference == 0;
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_LANEEXTENTS_H
