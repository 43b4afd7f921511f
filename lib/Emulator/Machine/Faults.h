//===- Faults.h - Errors found while a kernel executes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first fault of a launch stops it; its message is what the user reads: the reason, then where.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_FAULTS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_FAULTS_H

#include "Emulator/Machine/Wave.h"
#include <optional>
#include <string>

namespace ckemu {

/// What kind of error stopped a launch; decides the HIP error code.
enum class FaultKind : uint8_t {
  Execution,      ///< something the emulator does not implement, or a trap
  IllegalAddress, ///< an access out of bounds
  Hang            ///< no wave can ever make progress
};

/// Where a wave faulted, or was when it hung.
struct FaultPlace {
  uint32_t group[3] = {0, 0, 0};
  unsigned wave = 0;   ///< its number in the workgroup
  uint32_t offset = 0; ///< of the instruction in the image
};

/// An error of a launch.
struct Fault {
  FaultKind kind = FaultKind::Execution;
  std::string message; ///< the reason and the place
  std::string reason;  ///< alone; empty where it cannot be told apart
  /// For a hang that of its first wave; none for other errors of several waves.
  std::optional<FaultPlace> place;
};

/// Stops the launch of `wave`, which faults at `inst`. The message is "<reason>, in kernel 'k':
/// workgroup (0,0,0) wave 1 at pc 0x1900 (+0x20): v_foo v0, v1".
void reportFault(Wave &wave, const Instruction *inst, FaultKind kind, const llvm::Twine &reason);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_FAULTS_H
