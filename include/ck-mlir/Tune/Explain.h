//===- Explain.h - Why a schedule is chosen -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the estimated time of a choice consists of, and why other tiles are estimated to be slower.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TUNE_EXPLAIN_H
#define CK_MLIR_TUNE_EXPLAIN_H

#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace mlir::ck {

/// A schedule with its estimate.
struct ExplainedSchedule {
  Schedule schedule;
  TimeEstimate estimate;
  /// Microseconds of the emulator's model of time, where that was asked for.
  std::optional<double> modelledMicroseconds;
  std::string notTimed; ///< why there are none of these: the kernel spills, for example
};

/// The chosen schedule of a problem, and the best schedules of the tiles that came next.
struct Explanation {
  std::string problem, chip;
  int64_t considered = 0;                   ///< schedules, with each of their partitions
  std::vector<ExplainedSchedule> schedules; ///< the chosen one first, then by estimated time
};

/// Explains what is chosen for `problem` on `chip` where the schedule string `request` leaves it
/// open, beside at most `others` other tiles. Errors are those of a compilation with this request.
llvm::Expected<Explanation> explainChoice(const Problem &problem, llvm::StringRef chip,
                                          llvm::StringRef request, size_t others = 5);

/// Compiles the schedules and times them on the emulator by its model of the chip. Of those that
/// cannot be compiled it notes why.
llvm::Error timeSchedules(Explanation &explanation);

/// The part of the time of `other` that is longer than that of `chosen` by the most microseconds:
/// "latency 9.1 us instead of 4.0".
std::string describeLoss(const TimeEstimate &chosen, const TimeEstimate &other);

void printText(llvm::raw_ostream &os, const Explanation &explanation);
llvm::json::Value toJson(const Explanation &explanation);

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_EXPLAIN_H
