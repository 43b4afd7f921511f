//===- ScheduleCost.h - What a K step costs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the estimate of time. Only the order of estimates matters, so that their constants
// are round.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_SCHEDULECOST_H
#define CK_MLIR_LIB_SCHEDULE_SCHEDULECOST_H

#include "ck-mlir/Schedule/Schedule.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// A K step of one workgroup: cycles from start to end, and the issue cycles of its waves together.
struct StepCost {
  int64_t elapsed = 0;
  int64_t work = 0;
};

/// The K step of a legal schedule.
StepCost estimateStep(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_SCHEDULECOST_H
