//===- ScheduleCost.h - What a schedule costs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the schedule selection. Only the order of estimates matters, so that their constants
// are round.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TARGET_SCHEDULECOST_H
#define CK_MLIR_LIB_TARGET_SCHEDULECOST_H

#include "ck-mlir/Target/Schedule.h"

namespace mlir::ck::detail {

/// Cycles of one GEMM times the number of CUs, for a legal schedule; smaller is better.
int64_t estimateCost(const Schedule &schedule, const GemmShape &shape, const ChipInfo &chip);

} // namespace mlir::ck::detail

#endif // CK_MLIR_LIB_TARGET_SCHEDULECOST_H
