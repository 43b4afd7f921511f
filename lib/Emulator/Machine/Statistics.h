//===- Statistics.h - What a launch counted -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Filled by the scheduler, printed as JSON for ck-run.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_STATISTICS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_STATISTICS_H

#include "Emulator/Load/CodeObject.h"
#include "Emulator/Machine/LaunchProfile.h"
#include "Emulator/Machine/Wave.h"
#include <array>

namespace ckemu {

/// Grid and workgroup size of a launch.
struct LaunchShape {
  uint32_t groups[3] = {1, 1, 1};    ///< workgroups per dimension
  uint32_t groupSize[3] = {1, 1, 1}; ///< work-items per workgroup
  uint32_t dynamicLds = 0;           ///< bytes beyond the kernel's static LDS

  uint64_t getNumGroups() const { return uint64_t(groups[0]) * groups[1] * groups[2]; }
  uint32_t getGroupItems() const { return groupSize[0] * groupSize[1] * groupSize[2]; }
};

/// Counts of one launch.
struct LaunchStatistics {
  LaunchShape shape;
  uint64_t waves = 0;
  /// Executions of each instruction of the code object, by Instruction::index.
  std::vector<uint64_t> executions;
  uint64_t bytesLoaded = 0, bytesStored = 0, ldsBankConflicts = 0;
  double seconds = 0;
  LaunchProfile profile; ///< empty unless asked for

  /// Wave instructions by class, and all together.
  std::array<uint64_t, kNumInstructionClasses> countByClass(const DecodedCode &code) const;
  uint64_t countAll() const;
  /// One JSON object; see EmulatorApi.h for the fields.
  std::string toJson(const CodeObject &object, const Kernel &kernel) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_STATISTICS_H
