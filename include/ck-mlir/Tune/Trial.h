//===- Trial.h - Schedules that were tried -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are compiled by several threads and timed one at a time, in the order in which they were
// asked for.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TUNE_TRIAL_H
#define CK_MLIR_TUNE_TRIAL_H

#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Runtime/Device.h"
#include "ck-mlir/Schedule/Schedule.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::ck {

/// A schedule of a problem with its time, or the reason why it has none.
struct Trial {
  Schedule schedule;
  double microseconds = 0;
  ProgramTiming timing; ///< on the emulator, of which the time is
  std::string error;    ///< not empty: it could not be compiled or timed
};

/// A schedule that is to be tried.
struct TrialRequest {
  const Problem *problem;
  Schedule schedule;
  size_t task = 0; ///< a number of the caller's
};

/// Compiles and times what `next` asks for, on the chip of `device`, with `threads` threads: on a
/// GPU the measured time, on the emulator that of its model. `next` is asked for a few trials ahead
/// of those that are done, and returns none at the end. `done` is told of each in order, and
/// returns whether to go on. Both are called by this thread. Errors are those of the device.
llvm::Error tryOut(const Device &device, unsigned threads,
                   llvm::function_ref<std::optional<TrialRequest>()> next,
                   llvm::function_ref<bool(const TrialRequest &, const Trial &)> done);

/// Tries `schedules` of one problem.
llvm::Error tryOut(const Device &device, const Problem &problem, llvm::ArrayRef<Schedule> schedules,
                   unsigned threads, llvm::function_ref<bool(const Trial &)> done);

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_TRIAL_H
