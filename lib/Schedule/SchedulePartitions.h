//===- SchedulePartitions.h - Partitions to choose from -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the schedule selection.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_SCHEDULEPARTITIONS_H
#define CK_MLIR_LIB_SCHEDULE_SCHEDULEPARTITIONS_H

#include "ck-mlir/Schedule/WorkEstimate.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// What legal partitions make of one tile size; without any, why the last was refused.
struct PartitionChoice {
  llvm::SmallVector<WorkEstimate> works;
  std::string reason;
};

/// The partitions that may be chosen for `shapes` in tiles of `tile`: that of the request, or,
/// simplest first, data-parallel, StreamK with its tree, and Split-K in two stages. Those give the
/// same bits on every run. Without
/// `allowWorkspace` only data-parallel may be chosen.
PartitionChoice choosePartitions(const ScheduleRequest &request, bool allowWorkspace,
                                 const std::array<int64_t, 3> &tile,
                                 llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_SCHEDULEPARTITIONS_H
