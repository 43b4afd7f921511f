//===- LaunchProfile.h - What each wave of the workgroups did, by instruction -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kept on request only: a launch otherwise counts executions alone, the same table for all waves.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_LAUNCHPROFILE_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_LAUNCHPROFILE_H

#include "Emulator/Load/CodeObject.h"
#include "Emulator/Machine/Wave.h"
#include "llvm/Support/JSON.h"

namespace ckemu {

/// Bytes of the cache lines that WaveCounters::cacheLines counts: those of the L2 of all chips.
inline constexpr unsigned kCacheLineBytes = 128;

/// Counts by number of the wave in its workgroup and by instruction, summed over all workgroups.
class LaunchProfile {
public:
  /// An empty profile, which counts nothing.
  LaunchProfile() = default;
  /// A profile of workgroups of `numWaves` waves that run a code of `numInstructions`.
  LaunchProfile(unsigned numWaves, size_t numInstructions)
      : numWaves(numWaves), numInstructions(numInstructions),
        executions(numWaves * numInstructions), counters(numWaves * numInstructions) {}

  bool isEmpty() const { return numWaves == 0; }
  /// The tables of one wave, by Instruction::index.
  uint64_t *getExecutions(unsigned wave) { return &executions[wave * numInstructions]; }
  WaveCounters *getCounters(unsigned wave) { return &counters[wave * numInstructions]; }

  /// Adds a profile of the same size.
  void add(const LaunchProfile &other);
  /// Executions of an instruction by all waves.
  uint64_t countExecutions(size_t instruction) const;
  /// See ckEmulatorSetProfiling in EmulatorApi.h.
  llvm::json::Value toJson(const CodeObject &object, const Kernel &kernel) const;

private:
  unsigned numWaves = 0;
  size_t numInstructions = 0;
  std::vector<uint64_t> executions;
  std::vector<WaveCounters> counters;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_LAUNCHPROFILE_H
