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
  ProgramTiming timing; ///< on the emulator
  std::string error;    ///< not empty: it could not be compiled or timed
};

/// Compiles and times `schedules` of `problem` for the chip of `device`, with `threads` threads.
/// `done` is told of each in order, and returns whether to go on. Errors are those of the device.
llvm::Error tryOut(const Device &device, const Problem &problem, llvm::ArrayRef<Schedule> schedules,
                   unsigned threads, llvm::function_ref<bool(const Trial &)> done);

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_TRIAL_H
