//===- Utilization.h - How much of a chip chosen schedules use -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ck-run --partition-report --problems=FILE.json`: the chosen schedule of each problem beside the
// best that any other would reach, by arithmetic alone.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_UTILIZATION_H
#define CK_MLIR_RUN_UTILIZATION_H

#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Schedule/WorkEstimate.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace mlir::ck {

/// How a schedule uses the chip: one workgroup on each compute unit, a K step one unit of time.
struct ChipUtilization {
  Schedule schedule;
  /// K steps of all tiles per compute unit.
  double steps = 0;
  /// The share of the compute units' time, until the last workgroup ends, in which they compute.
  double busy = 0;
  /// `busy` without what tiles compute beyond the edges of the problem.
  double useful = 0;
};

/// The use of one problem's chosen schedule and of the best.
struct UtilizationReport {
  std::string name;
  std::optional<std::string> reason; // why there is no schedule
  ChipUtilization chosen;
  /// The busiest of all legal schedules that the selection considers, and the one whose use is the
  /// greatest without what lies beyond the edges.
  ChipUtilization busiest, mostUseful;
};

/// The use of `chip` for `shapes` by `schedule`, of which `work` is the estimate.
ChipUtilization getChipUtilization(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                                   const ChipInfo &chip, const WorkEstimate &work);

/// Chooses a schedule for `problem` by `request` and compares it with all others.
UtilizationReport reportUtilization(llvm::StringRef name, const Problem &problem,
                                    llvm::StringRef request, const ChipInfo &chip);

/// Prints a table with a line per problem, and a line that counts those with at least
/// `kEnoughSteps` K steps for each compute unit of which the chosen schedule is less than
/// `kEnoughUtilization` times as busy as the busiest.
void printText(llvm::raw_ostream &os, const ChipInfo &chip,
               llvm::ArrayRef<UtilizationReport> reports);
/// Prints one object, with a newline at the end.
void printJson(llvm::raw_ostream &os, const ChipInfo &chip,
               llvm::ArrayRef<UtilizationReport> reports);

constexpr double kEnoughSteps = 16, kEnoughUtilization = 0.75;

} // namespace mlir::ck

#endif // CK_MLIR_RUN_UTILIZATION_H
