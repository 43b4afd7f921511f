//===- GroupPlaces.h - Where workgroups and waves run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups start in the order of the sample, on one XCD after another, at a limited rate; on the
// compute unit that has the fewest of them, and each of their waves on the SIMD that has the
// fewest.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_GROUPPLACES_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_GROUPPLACES_H

#include "Emulator/Timing/LaunchModel.h"
#include <optional>

namespace ckemu {

/// The dispatcher of each XCD, and the places of its compute units.
class GroupPlaces {
public:
  GroupPlaces(const TimedLaunch &launch, const GroupSample &sample);

  /// Cycles between the starts of two workgroups of the sample on an XCD.
  void setDispatchCycles(double cycles) { dispatchCycles = cycles; }

  struct Start {
    uint32_t place; ///< of the workgroup, in GroupSample::groups
    unsigned unit;  ///< which it gets
    Cycle time;
  };
  /// The next workgroup of XCD `number`, which takes a place; none when all have started or all
  /// places are taken.
  std::optional<Start> startGroup(unsigned number, Cycle now);
  void endGroup(unsigned unit) { --units[unit].numGroups; }

  /// The SIMDs of which the waves of a workgroup on `unit` get theirs: all of the unit's, or in CU
  /// mode of RDNA one half of them.
  struct SimdRange {
    unsigned first, count;
  };
  SimdRange chooseSimds(unsigned unit) const;
  unsigned startWave(SimdRange range);
  void endWave(unsigned simd) { --wavesOfSimd[simd]; }

private:
  struct Unit {
    unsigned numGroups = 0;
    uint64_t lastStart = 0; ///< order of the last workgroup that was placed here
  };
  struct Xcd {
    std::vector<uint32_t> groups; ///< places in GroupSample::groups
    size_t next = 0;              ///< of them
    double free = 0;              ///< when the dispatcher can start another one
  };

  const TimedLaunch &launch;
  const unsigned unitsPerXcd, simdsPerUnit;
  double dispatchCycles = 0;
  std::vector<Xcd> xcds;
  std::vector<Unit> units;
  std::vector<unsigned> wavesOfSimd;
  uint64_t starts = 0;

  int findUnit(unsigned xcd) const;
  unsigned findSimd(SimdRange range) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPLAY_GROUPPLACES_H
