//===- Profile.h - What ck-run --profile reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator counts by instruction and by number of the wave in its workgroup; people think of
// roles: the waves that load and those that compute.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_PROFILE_H
#define CK_MLIR_RUN_PROFILE_H

#include "ck-mlir/Schedule/Schedule.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::ck {

/// What executions did to memory.
struct MemoryCounts {
  int64_t ldsBankConflicts = 0; // extra LDS cycles
  int64_t bytesLoaded = 0, bytesStored = 0;
  int64_t cacheLines = 0; // distinct cache lines of every access, summed up

  MemoryCounts &operator+=(const MemoryCounts &other);
};

/// An instruction as the waves of a role executed it.
struct InstructionProfile {
  int64_t pc = 0, offset = 0; // in the code object; from the entry of the kernel
  std::string text, className;
  int64_t executions = 0;
  MemoryCounts memory;
  // With --time: cycles that a wave waits in front of it on the average, and mostly why.
  std::optional<double> stallCycles;
  std::string stallReason;
};

/// The waves [firstWave, firstWave + numWaves) of every workgroup.
struct RoleProfile {
  std::string name; // "uniform", "load" or "math"
  int64_t firstWave = 0, numWaves = 0;
  int64_t executions = 0;
  std::vector<std::pair<std::string, int64_t>> classes; // class, executions
  MemoryCounts memory;
  std::vector<InstructionProfile> instructions; // most executions first

  /// Share of matrix instructions in [0, 1].
  double getMatrixShare() const;
  /// The instructions with LDS bank conflicts, most conflicts first.
  std::vector<InstructionProfile> getConflicting() const;
};

/// The profile of one kernel.
struct KernelProfile {
  std::vector<RoleProfile> roles;
  int64_t cacheLineBytes = 0;

  MemoryCounts getMemory() const;
};

/// Reads the launch statistics of the emulator. With `roles.load` waves that load before
/// `roles.math` waves that compute, when these are the waves of the workgroup; otherwise all waves
/// have the role "uniform".
llvm::Expected<KernelProfile> readProfile(const llvm::json::Object &statistics, const Roles &roles);

/// Writes the object of one kernel; `minimumBytes` is what the problem must move.
void writeJson(llvm::json::OStream &json, llvm::StringRef kernel, const KernelProfile &profile,
               int64_t minimumBytes);
/// Prints the lines of one kernel.
void printText(llvm::raw_ostream &os, llvm::StringRef kernel, const KernelProfile &profile,
               int64_t minimumBytes);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_PROFILE_H
