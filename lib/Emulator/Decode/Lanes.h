//===- Lanes.h - A value for each lane -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers are struct-of-arrays: one vector register is 64 consecutive lanes, so that a loop over
// lanes is one that the host's vector unit executes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_LANES_H
#define CK_MLIR_LIB_EMULATOR_DECODE_LANES_H

#include <cstdint>

namespace ckemu {

inline constexpr unsigned kLanes = 64;
/// One bit per lane.
using LaneMask = uint64_t;

/// A 32-bit value per lane: a vector register, or a temporary.
struct alignas(64) Lanes {
  uint32_t lane[kLanes];
  uint32_t &operator[](unsigned i) { return lane[i]; }
  uint32_t operator[](unsigned i) const { return lane[i]; }
};

/// A 64-bit value per lane: addresses, 64-bit operands.
struct alignas(64) Lanes64 {
  uint64_t lane[kLanes];
  uint64_t &operator[](unsigned i) { return lane[i]; }
  uint64_t operator[](unsigned i) const { return lane[i]; }
};

/// Gives every lane the same value.
inline void broadcast(uint32_t value, Lanes &result) {
  for (unsigned i = 0; i < kLanes; ++i)
    result[i] = value;
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_LANES_H
