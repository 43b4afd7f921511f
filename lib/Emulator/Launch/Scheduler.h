//===- Scheduler.h - Running the workgroups of a launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device runs as many workgroups at a time as its compute units hold; all of them make progress,
// so that a workgroup may wait for another. Here host threads take workgroups from one queue and
// run each for a slice; a workgroup that makes progress keeps its thread, one that only waits goes
// back to the queue, and further workgroups start as long as the device has room.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_SCHEDULER_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_SCHEDULER_H

#include "Emulator/Machine/LaunchContext.h"

namespace ckemu {

/// Runs all workgroups of `launch`, at most `residentGroups` (> 0) at a time, on the host threads
/// that its options name. Returns what was counted, also when the launch has stopped with a fault.
LaunchStatistics runWorkgroups(LaunchContext &launch, uint64_t residentGroups);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_SCHEDULER_H
