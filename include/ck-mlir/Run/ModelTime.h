//===- ModelTime.h - Launches with the model of time beside them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the emulator has a model of time. What it says is of the last launch of the process, so that
// nothing else may be launched meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_MODELTIME_H
#define CK_MLIR_RUN_MODELTIME_H

#include "ck-mlir/Kernel/LoadedKernel.h"
#include "ck-mlir/Run/Timing.h"

namespace mlir::ck {

/// An error on any library but the emulator.
llvm::Error checkTiming(const HipApi &api);
/// Has the launches that follow timed: in the mode of CK_EMULATOR_TIMING, or where the environment
/// asks for none, as "on". An error on any library but the emulator.
llvm::Error startTiming(const HipApi &api);
/// Gives the variables of the model the values of the environment again.
llvm::Error stopTiming(const HipApi &api);
/// What the model says of the last launch. An error when that was not timed.
llvm::Expected<KernelTiming> readLaunchTiming(const HipApi &api);

/// Launches `kernel` on the default stream, waits for it, and returns what the model says of all
/// its launches. `arguments` must have passed LoadedKernel::check.
llvm::Expected<ProgramTiming> modelTime(const LoadedKernel &kernel,
                                        const LaunchArguments &arguments);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_MODELTIME_H
