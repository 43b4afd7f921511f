//===- WaveRoles.h - What the waves of a workgroup are for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A role is read off what waves execute: the judge knows nothing of the compiler's schedule, and
// any code object may have some.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_WAVEROLES_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_WAVEROLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <vector>

namespace ckemu {

/// What waves keep busy.
enum class BusyUnit : uint8_t { Matrix, Valu, Salu, Lds, L1, L2, Mall, Hbm };
inline constexpr unsigned kNumBusyUnits = 8;

/// The printed name of a unit: "matrix", "hbm", ...
llvm::StringRef getUnitName(BusyUnit unit);

/// Cycles by unit, summed over all that there are of it.
using BusyCycles = std::array<double, kNumBusyUnits>;

/// What the waves with the same number in their workgroups did.
struct WaveActivity {
  BusyCycles busy = {};
  bool multiplies = false; ///< executed matrix instructions
  bool loads = false;      ///< loaded from device memory, or stored to LDS

  void add(BusyUnit unit, double cycles) { busy[size_t(unit)] += cycles; }
};

enum class WaveRole : uint8_t {
  All,  ///< the waves of the launch have no roles: all multiply, or none does
  Math, ///< multiplies
  Load, ///< loads and does not multiply, as others do
  Other ///< neither
};
inline constexpr unsigned kNumWaveRoles = 4;

/// The printed name of a role: "all", "math", "load" or "other".
llvm::StringRef getRoleName(WaveRole role);

/// The role of each wave by its number in its workgroup. A wave has that of its number: workgroups
/// that found nothing to do are no reason for another.
std::vector<WaveRole> findRoles(llvm::ArrayRef<WaveActivity> waves);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_WAVEROLES_H
