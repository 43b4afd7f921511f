//===- ScheduleCheck.h - Legality with its progress -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the schedule selection: which of many refused schedules came closest, so that its
// reason is the one that a user reads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_SCHEDULECHECK_H
#define CK_MLIR_LIB_SCHEDULE_SCHEDULECHECK_H

#include "ck-mlir/Schedule/Schedule.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// Of a lane at once.
constexpr int64_t kMaxLoadBytes = 16;

/// Threads that copy operands to LDS.
int64_t getCopyThreads(const Schedule &schedule, const ChipInfo &chip);

/// The largest share that `schedule`, which is legal, takes of what the registers of a wave hold:
/// of the registers of a lane, or of the loads of a K step, whose masks lie in scalar registers.
double getPressure(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

/// Like `mlir::ck::checkSchedule`; `passed` counts the checks that succeeded.
llvm::Error checkSchedule(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip,
                          int64_t &passed);

/// What loads that write to LDS themselves require.
llvm::Error checkAsyncCopies(const Schedule &schedule, const GemmShape &shape,
                             const ChipInfo &chip);

/// What fits into the registers of a lane: the accumulators, and everything together.
llvm::Error checkAccumulators(const Schedule &schedule, const GemmShape &shape,
                              const ChipInfo &chip);
llvm::Error checkRegisters(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

/// Accumulator registers of one lane.
int64_t getAccRegisters(const Schedule &schedule, const ChipInfo &chip);

/// About how many registers of a lane the waves of `schedule` need, accumulators among them.
int64_t estimateRegisters(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_SCHEDULECHECK_H
