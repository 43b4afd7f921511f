//===- ScheduleRemark.h - Why a schedule was chosen -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The selection shows every legal schedule to its estimator of time; this one remembers what it saw
// for a remark, which `ck-opt --remarks-filter-passed=ck-assign-schedule` prints.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_SCHEDULEREMARK_H
#define CK_MLIR_LIB_TRANSFORMS_SCHEDULEREMARK_H

#include "ck-mlir/Schedule/TimeEstimator.h"
#include "mlir/IR/Operation.h"
#include <map>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Judges like the default estimator and remembers the best time of each tile.
class ConsideredSchedules final : public TimeEstimator {
public:
  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                                       const ChipInfo &chip,
                                       llvm::ArrayRef<WorkEstimate> works) const override;

  /// Emits the remark at `op`: the schedule that was chosen, of how many and in which time, and the
  /// fastest of another tile.
  void remark(Operation *op, const Schedule &chosen) const;

private:
  struct Seen {
    uint64_t cycles = 0;
    std::string schedule;
  };
  mutable std::map<std::array<int64_t, 3>, Seen> byTile; // the fastest
  mutable int64_t count = 0;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_SCHEDULEREMARK_H
