//===- StepModel.h - What a K step asks of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the model of time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_TIMEMODEL_STEPMODEL_H
#define CK_MLIR_LIB_SCHEDULE_TIMEMODEL_STEPMODEL_H

#include "Schedule/TimeModel/ChipRates.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include <initializer_list>

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// A K step of one workgroup, in cycles.
/// What works at the same time takes longer than the longest and shorter than the sum.
double combine(std::initializer_list<double> values);

struct StepCosts {
  /// How long each unit of the compute unit works.
  double matrix = 0, valu = 0, lds = 0, l1 = 0;
  double fillBytes = 0; ///< that the L1 gets from the L2
  /// From the begin of a step to that of the next when nothing else is on the compute unit.
  double chain = 0;
  double serial = 0; ///< of the first step, in which nothing overlaps
};

StepCosts estimateStep(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip,
                       int64_t groupsPerCu, const TimeModelConstants &constants);

/// Whose lines a cache keeps until others need the rest of them: nobody's, those of operands that
/// lie along K, of which the next step of the workgroup needs the rest, or all, of which another
/// workgroup may.
enum class Keeps { Nothing, AlongK, All };

/// Bytes of the lines of both operands' tiles that a K step needs; of what is kept, only those that
/// nobody has fetched before.
double getFillBytes(const Schedule &schedule, const GemmShape &shape, Keeps keeps,
                    const ChipRates &rates);

/// Workgroups that a compute unit holds at a time.
int64_t estimateGroupsPerCu(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_TIMEMODEL_STEPMODEL_H
