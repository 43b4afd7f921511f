//===- Timing.h - Times of the model of a chip -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times of the emulator's model of a chip, which are never mixed with measured ones. Only the
// emulator has a model of time. What it says is of the last launch of the process, so that nothing
// else may be launched meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_TIMING_H
#define CK_MLIR_RUN_TIMING_H

#include "ck-mlir/Kernel/LoadedKernel.h"
#include "ck-mlir/Run/Profile.h"

namespace mlir::ck {

/// What the waves of a workgroup with the same role do, as the emulator reads it off the
/// instructions that they execute.
struct RoleTiming {
  std::string name;           // "math", "load" or "other"; "all" where waves have no roles
  std::vector<int64_t> waves; // their numbers in the workgroup
  double issue = 0;           // share of the waves' time in which they issue
  std::vector<std::pair<std::string, double>> stalls;      // reason, share of the waves' time
  std::vector<std::pair<std::string, double>> busyCycles;  // unit, cycles that it works for them
  std::vector<std::pair<std::string, double>> utilisation; // unit, share of the time
};

/// What the model says of one kernel.
struct KernelTiming {
  double microseconds = 0, launchMicroseconds = 0;
  double clockMHz = 0; ///< which the load of the matrix pipes leaves
  std::string bound;   // what limits the kernel
  std::vector<std::pair<std::string, double>> utilisation; // unit, share of the time it works
  std::vector<std::pair<std::string, double>> stalls;      // reason, share of the waves' time
  std::vector<RoleTiming> roles;
  int64_t sampledGroups = 0, numGroups = 0; // that were simulated
  /// Of those that were simulated: where traces had no room for all instructions, how many the
  /// model saw and how many there were, by which the time is extrapolated; else 0.
  int64_t simulatedInstructions = 0, executedInstructions = 0;
  std::string note; // why the model did not do what was asked for
  /// Between which multiples of the modelled time nine of ten such kernels were measured, and which
  /// kernels these were.
  double lowest = 1, highest = 1;
  std::string judgedBy;

  /// Cycles that waves wait in front of an instruction, by reason.
  struct Instruction {
    int64_t pc = 0, executions = 0;
    std::vector<std::pair<std::string, double>> stallCycles;
  };
  std::vector<Instruction> instructions;

  /// What other parameters of the model say, those beside the first of
  /// CK_EMULATOR_TIMING_PARAMETERS.
  struct Alternative {
    std::string parameters;
    double microseconds = 0;
    std::string bound;
  };
  std::vector<Alternative> alternatives;
};

/// The times of all kernels of a program.
struct ProgramTiming {
  std::vector<std::pair<std::string, KernelTiming>> kernels; // by name, in launch order

  /// From the start of the first kernel to the end of the last.
  double getMicroseconds() const;
  /// Between what microseconds nine of ten such times were measured.
  std::pair<double, double> getError() const;
  /// The kernel that takes longest.
  const KernelTiming &getLongest() const;
};

/// Reads what the emulator says of a launch. An error when it could not be timed.
llvm::Expected<KernelTiming> readTiming(const llvm::json::Object &object);

/// An error on any library but the emulator.
llvm::Error checkTiming(const HipApi &api);
/// Which workgroups of a timed launch are executed, where the environment does not say it.
enum class TimedGroups {
  All,    ///< the result is complete: "on"
  Sampled ///< only those that are simulated; there is no result: "only"
};

/// Has the launches that follow timed: in the mode of CK_EMULATOR_TIMING, or where the environment
/// asks for none, that of `groups`. An error on any library but the emulator.
llvm::Error startTiming(const HipApi &api, TimedGroups groups = TimedGroups::All);
/// Gives the variables of the model the values of the environment again.
llvm::Error stopTiming(const HipApi &api);
/// What the model says of the last launch. An error when that was not timed.
llvm::Expected<KernelTiming> readLaunchTiming(const HipApi &api);

/// Launches `kernel` on the default stream, waits for it, and returns what the model says of all
/// its launches. `arguments` must have passed LoadedKernel::check.
llvm::Expected<ProgramTiming> modelTime(const LoadedKernel &kernel,
                                        const LaunchArguments &arguments,
                                        TimedGroups groups = TimedGroups::All);

/// Notes for each instruction of `profile` how long waves wait in front of it.
void addStalls(KernelProfile &profile, const KernelTiming &timing);

/// Writes the attributes `modelled_...` of a report of `flops` operations.
void writeJson(llvm::json::OStream &json, const ProgramTiming &timing);
/// Prints the lines of a report.
void printText(llvm::raw_ostream &os, const ProgramTiming &timing, double flops);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_TIMING_H
