//===- TimedRun.h - A launch with the model of time beside it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model takes the traces of workgroups while others are still being executed.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_TIMEDRUN_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_TIMEDRUN_H

#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Timing/Replay/Timeline.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include <thread>

namespace mlir::ck::emulator {

/// What the model says of a launch.
struct ModelledLaunch {
  double microseconds = 0;       ///< of the kernel and of its launch
  double kernelMicroseconds = 0; ///< of the kernel alone
  std::string json;              ///< see ckEmulatorGetLaunchTiming
};

/// Exists while the workgroups of a launch run.
class TimedRun {
public:
  /// Gives `launch` a recorder. `residentGroups` workgroups are on the device at a time.
  TimedRun(LaunchContext &launch, uint64_t residentGroups, const TimingParameters &parameters);
  ~TimedRun();
  TimedRun(const TimedRun &) = delete;
  TimedRun &operator=(const TimedRun &) = delete;

  /// Waits for the model after the workgroups have ended; none when they have stopped with a fault.
  std::optional<ModelledLaunch> finish();

private:
  LaunchContext &launch;
  TimingMode mode;
  std::string reason; ///< why the mode is not the one that was asked for
  TimedLaunch timed;
  std::vector<const Allocation *> placed; ///< those of TimedLaunch::resident
  double instructionsPerGroup = 0;
  GroupSample sample;
  Timeline timeline;
  TraceStore store;
  LaunchTiming timing;
  std::string failure; ///< of the model
  std::thread thread;

  std::vector<uint64_t> placeAllocations();
  void noteChanges();
  void writeTimeline();
  RecordedGroups choose(uint64_t instructionsPerGroup);
  RecordedGroups extend(uint64_t largestMeeting);
  RecordedGroups start(bool isFinal);
  void simulate();
};

} // namespace mlir::ck::emulator

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_TIMEDRUN_H
