//===- TimeEstimator.h - How long the launches of a schedule take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules are chosen by time, and the judge of time is one object: another model replaces it
// without a change of the selection, and a test can put in its own.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_TIMEESTIMATOR_H
#define CK_MLIR_SCHEDULE_TIMEESTIMATOR_H

#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Schedule/WorkEstimate.h"

namespace mlir::ck {

/// Judges the time of schedules. An estimator has no state: the same arguments give the same
/// estimate on every machine.
class TimeEstimator {
public:
  virtual ~TimeEstimator();

  /// The estimate of `schedule` with each of `works` instead of its own partition, in their order.
  ///
  /// `schedule` is legal for `shapes`, the GEMMs of one launch on `chip`; a shape without K is
  /// only filled. A work is what one partition makes of the schedule's tiles.
  ///
  /// The unit is a cycle of the chip's shader clock, from the begin of the first launch, which may
  /// be a zero-fill, to the end of the last. Estimates are compared among schedules of the same
  /// shapes only, so what all of those have in common may be left out, and a charge may be added
  /// for what a schedule takes from others.
  virtual llvm::SmallVector<uint64_t> estimate(const Schedule &schedule,
                                               llvm::ArrayRef<GemmShape> shapes,
                                               const ChipInfo &chip,
                                               llvm::ArrayRef<WorkEstimate> works) const = 0;
};

/// The estimator that schedules are chosen by: the analytic model of TimeModel.h.
const TimeEstimator &getModelEstimator();

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_TIMEESTIMATOR_H
