//===- TimeModel.h - What a launch takes, from its schedule -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An analytic model: how long each unit of the chip would take for its part of the work, how long
// a workgroup takes for itself because one thing waits for another, and what of that overlaps.
// Nothing is compiled or executed. docs/Selection.md has the formulas in words.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_TIMEMODEL_H
#define CK_MLIR_SCHEDULE_TIMEMODEL_H

#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Schedule/WorkEstimate.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::ck {

/// Estimated microseconds, from the begin of the first launch to the end of the last, and what they
/// consist of. The units work at the same time, so that they do not add up.
struct TimeEstimate {
  double total = 0;      ///< when the caches hold what fits of the operands
  double fromMemory = 0; ///< when they hold nothing of them
  double kernel;         ///< of the kernel that multiplies, with operands in caches, as all below
  double fixup;          ///< what sharing tiles adds: a second kernel, waits, zeros

  /// How long each unit would take alone.
  double matrix = 0, valu = 0, lds = 0, l1 = 0, l2 = 0, mall = 0, memory = 0;
  double latency; ///< the steps of a workgroup, one waiting for the other
  double ends;    ///< begin and end of the workgroups that follow each other on a compute unit
  /// Workgroups that a compute unit holds at a time, or a work group processor of RDNA.
  int64_t groupsPerUnit = 1;

  /// What schedules are chosen by: the mean of both times, in which that from caches counts twice.
  double getMean() const { return (2 * total + fromMemory) / 3; }
  /// The largest part: "matrix", "latency", ...
  llvm::StringRef getBound() const;
};

/// Numbers by which the model was calibrated for each chip, on trials by the model of the chip;
/// factors are of 1, latencies in cycles.
struct TimeModelConstants {
  double loadLatency;   ///< of a load, beyond what others hide
  double ldsLatency;    ///< of an access of LDS and of what waits for it at a barrier
  double stepCycles;    ///< of a barrier and the loop
  double ldsRead;       ///< of the time of reads from LDS, which overlap with one another
  double ldsWrite;      ///< the same of writes
  double addressCycles; ///< by which operations for addresses are multiplied
  double stepOps;       ///< operations of a wave in a step that no view asks for
  double loadCycles;    ///< of an instruction that loads
  double mathLatency;   ///< from the operands of a wave to the last result, beyond the pipe
  double groupCycles;   ///< begin and end of a workgroup
  double storeFactor;   ///< of the bytes of a tile that a compute unit stores
  double launchCycles;  ///< from a launch to the next one
  double flagCycles;    ///< of a sum that is handed on
  double reduceLatency; ///< of a slice that the second kernel of Split-K adds
  double reduceBytes;   ///< that a wave of it adds in a cycle
  double memoryShare;   ///< of the rate of the memory that a kernel reaches
  double mallShare;     ///< the same of the MALL
  double l2Share;       ///< the same of the L2s
  double fillShare;     ///< the same of the path from the L2 to a compute unit
  double l1Share;       ///< of the L1 that keeps lines until the next step
  double l2Keeps;       ///< of the L2 that keeps lines until the next round
  double l2Holds;       ///< of the L2 that keeps lines until the next K step
  double l2Returns;     ///< of the L2 that keeps what a view has again at another K step
  double scatterShare;  ///< of what streams at different steps would share otherwise
  double aheadLatency;  ///< of `mathLatency` that reads ahead leave
  double asyncLatency; ///< from a barrier that frees a slot to copies past registers, beyond the L1
  double uniformGaps;  ///< of the steps of a workgroup of one wave, that nothing else overlaps with
  /// Of the time of a SIMD's pipe with one math wave, that it waits for that; with more of them it
  /// falls by the square of their number.
  double mathGaps;
  /// Of the time of a SIMD's pipe that waves of a workgroup wait at barriers for each other, when
  /// very many of them share a SIMD; with one they do not.
  double barrierGaps;
  double codeCycles;    ///< of a byte of code that is executed for the first time
  double l1Addresses;   ///< of the time in which the L1 takes addresses one after the other
  double memoryLatency; ///< of the latency of the memory, that operands in no cache cost
  double missShare;     ///< of the lines that an L1 waits for at the same time
  double copyGaps;      ///< of the time of a SIMD's pipe, that it waits for copies of uniform waves
  double storeTail;     ///< of the time of the last results of each compute unit, behind the L2s
};

/// The constants of `chip`.
const TimeModelConstants &getTimeModelConstants(const ChipInfo &chip);

/// The estimates of `schedule`, which is legal for `shapes`, the GEMMs of one launch on `chip`,
/// with each of `works` in place of its own partition.
llvm::SmallVector<TimeEstimate>
estimateTimes(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
              llvm::ArrayRef<WorkEstimate> works, const TimeModelConstants &constants);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_TIMEMODEL_H
