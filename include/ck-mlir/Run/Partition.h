//===- Partition.h - What ck-run --partition-report reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a problem could be distributed over a device, by arithmetic alone: all partitions side by
// side, those that kernels cannot have yet included.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_PARTITION_H
#define CK_MLIR_RUN_PARTITION_H

#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Run/Options.h"
#include "ck-mlir/Schedule/WorkTimeline.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::ck {

/// One partition of a problem.
struct PartitionReport {
  WorkPlan plan;
  WorkSummary summary;
  int64_t fixupBytes = 0;     // that sharing tiles moves beyond storing the result once
  int64_t workspaceBytes = 0; // see WorkPlan::getWorkspaceBytes
};

/// All partitions of a problem on a device of `computeUnits` with `occupancy` workgroups each.
struct PartitionReports {
  ScheduledWork work;
  std::string chip;
  int64_t xcds = 1; // of the chip, which workgroups go to by turns
  int64_t computeUnits = 1, occupancy = 1;
  std::vector<PartitionReport> partitions;

  /// The partition of the schedule of `work`, with which the problem would run.
  const PartitionReport &getChosen() const;
};

/// The device's compute units: CK_EMULATOR_CUS if set, otherwise those of `chip`.
llvm::Expected<int64_t> getComputeUnits(const ChipInfo &chip);

/// Plans `work` with data_parallel, split_k of 2 to 32 and auto in one and two stages, stream_k
/// linear and tree, persistent and not, and the partition of its schedule.
llvm::Expected<PartitionReports> reportPartitions(ScheduledWork work, const ChipInfo &chip,
                                                  int64_t computeUnits, int64_t occupancy);

/// Prints a table with a line per partition.
void printText(llvm::raw_ostream &os, const PartitionReports &reports);
/// Prints one object, with a newline at the end.
void printJson(llvm::raw_ostream &os, const PartitionReports &reports);
/// Prints an SVG image: timelines of the partition with which the problem would run, of
/// data_parallel, of the Split-K with the shortest span, and of StreamK, one below the other, with
/// a row for each place of a resident workgroup. Where rows are too low for labels, those of an XCD
/// stand together.
void printSvg(llvm::raw_ostream &os, const PartitionReports &reports);

/// The body of `ck-run --partition-report`: returns the text to print, and writes the SVG file.
llvm::Expected<std::string> runPartitionReport(const RunOptions &options);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_PARTITION_H
