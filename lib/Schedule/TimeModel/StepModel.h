//===- StepModel.h - What a K step asks of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the model of time. Where it speaks of a compute unit, that is what shares workgroups:
// on RDNA a work group processor.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_TIMEMODEL_STEPMODEL_H
#define CK_MLIR_LIB_SCHEDULE_TIMEMODEL_STEPMODEL_H

#include "Schedule/TimeModel/ChipRates.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include <array>
#include <initializer_list>

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// What works at the same time takes longer than the longest and shorter than the sum.
double combine(std::initializer_list<double> values);

/// The same of parts that overlap almost wholly: the work of different units for steps of many
/// waves, of which some are always ahead.
double combineWhole(std::initializer_list<double> values);

/// Which operands of a step come from memory, as no cache has them yet: bit 0 says it of the rows,
/// bit 1 of the columns.
constexpr size_t kNumSources = 4;
template <typename T>
using BySource = std::array<T, kNumSources>;

/// A K step of one workgroup, in cycles.
struct StepCosts {
  /// How long each unit of the compute unit works.
  double matrix = 0, valu = 0, lds = 0, l1 = 0;
  double fillBytes = 0; ///< that the L1 gets from the L2
  /// How long lines on their way from memory take the places that the L1 has for them.
  BySource<double> misses = {};
  /// From the begin of a step to that of the next when nothing else is on the compute unit: of
  /// waves that copy, with the matrix instructions if nothing copies beside these.
  BySource<double> chain = {};
  double math = 0;   ///< the same of waves that multiply while others, or no waves, copy
  double serial = 0; ///< of the first step, in which nothing overlaps

  /// Adds `weight` times `other`.
  void add(double weight, const StepCosts &other);
};

StepCosts estimateStep(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip,
                       int64_t groupsPerUnit, const TimeModelConstants &constants);

/// Whose lines a cache keeps until others need the rest of them: nobody's, those of operands that
/// lie along K, of which the next step of the workgroup needs the rest, or all, of which another
/// workgroup may.
enum class Keeps { Nothing, AlongK, All };

/// Bytes of the lines of both operands' tiles that a K step needs; of what is kept, only those that
/// nobody has fetched before.
double getFillBytes(const Schedule &schedule, const GemmShape &shape, Keeps keeps,
                    const ChipRates &rates);

/// Workgroups that a compute unit holds at a time.
int64_t estimateGroupsPerUnit(const Schedule &schedule, const GemmShape &shape,
                              const ChipInfo &chip);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_TIMEMODEL_STEPMODEL_H
