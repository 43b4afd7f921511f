//===- TimedRun.h - A launch with the model of time beside it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model takes the traces of workgroups while others are still being executed. With several
// settings of its parameters, the launch is executed once and as many models take its traces.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_TIMEDRUN_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_TIMEDRUN_H

#include "Emulator/Machine/LaunchContext.h"
#include "Emulator/Timing/Replay/Timeline.h"
#include "Emulator/Trace/LaunchRecorder.h"
#include "Emulator/Trace/TimedCode.h"
#include <thread>

namespace ckemu {

/// What the model says of a launch.
struct ModelledLaunch {
  double microseconds = 0;       ///< of the kernel and of its launch
  double kernelMicroseconds = 0; ///< of the kernel alone
  std::string json;              ///< see ckEmulatorGetLaunchTiming
  std::string failure;           ///< why there is no time or no timeline; empty if there is all
};

/// Exists while the workgroups of a launch run.
class TimedRun {
public:
  /// Gives `launch` a recorder. `residentGroups` workgroups are on the device at a time. The first
  /// of `settings` is the model's, the others are reported beside it.
  TimedRun(LaunchContext &launch, uint64_t residentGroups, llvm::ArrayRef<TimingSetting> settings);
  ~TimedRun();
  TimedRun(const TimedRun &) = delete;
  TimedRun &operator=(const TimedRun &) = delete;

  /// Waits for the model after the workgroups have ended; none when they have stopped with a fault.
  std::optional<ModelledLaunch> finish();

private:
  /// One setting of the parameters.
  struct Model {
    std::string text; ///< of the setting
    TimedLaunch timed;
    LaunchTiming timing;
    std::string failure;
    std::thread thread;
  };

  LaunchContext &launch;
  TimingMode mode;
  const std::vector<TimedInstruction> timedCode;
  std::string reason;                     ///< why the mode is not the one that was asked for
  TimedLaunch timed;                      ///< with the parameters of the first setting
  std::vector<const Allocation *> placed; ///< those of TimedLaunch::resident
  double instructionsPerGroup = 0;
  GroupSample sample;
  Timeline timeline;
  std::string timelineFailure; ///< why it could not be written
  TraceStore store;
  std::vector<Model> models; ///< one for each setting

  std::vector<uint64_t> placeAllocations();
  void noteChanges();
  void writeTimeline(Model &model);
  RecordedGroups choose(uint64_t instructionsPerGroup);
  RecordedGroups extend(const FirstRecords &records);
  RecordedGroups start(bool isFinal);
  void simulate(Model &model);
  void join();
  llvm::json::Array describeAlternatives() const;
  std::optional<llvm::json::Object> extrapolate();
  llvm::json::Object describe(ModelledLaunch &result);
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_TIMEDRUN_H
