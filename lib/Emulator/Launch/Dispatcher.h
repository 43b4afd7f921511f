//===- Dispatcher.h - Launching a kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a launch, sets up what its waves share, runs it to the end.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_DISPATCHER_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_DISPATCHER_H

#include "Emulator/Launch/TimedRun.h"
#include "Emulator/Machine/Faults.h"
#include "Emulator/Machine/Options.h"
#include "Emulator/Machine/Statistics.h"

namespace ckemu {

/// How a launch that started ended.
struct LaunchOutcome {
  bool succeeded = false;
  Fault fault; ///< when it did not succeed
  LaunchStatistics statistics;
  std::optional<ModelledLaunch> modelled; ///< none when it was not timed
};

/// What one workgroup of `items` work-items takes.
GroupResources getGroupResources(const Kernel &kernel, unsigned items, unsigned dynamicLds);

/// Workgroups of `kernel` that are resident on the whole device at a time; 0 when one does not fit.
uint64_t getResidentGroups(const CodeObject &object, const Kernel &kernel, const LaunchShape &shape,
                           const Options &options);

/// Runs `kernel` of `object`. `arguments` are the explicit arguments in the layout of the argument
/// segment; hidden arguments are added. Returns when all workgroups have ended or one has faulted;
/// an error is a DeviceError of a launch that cannot start.
llvm::Expected<LaunchOutcome> launchKernel(const CodeObject &object, const Kernel &kernel,
                                           const LaunchShape &shape,
                                           llvm::ArrayRef<uint8_t> arguments, MemoryTable &memory,
                                           const Options &options);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_DISPATCHER_H
