//===- DirectModel.h - What a direct kernel takes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the model of time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_TIMEMODEL_DIRECTMODEL_H
#define CK_MLIR_LIB_SCHEDULE_TIMEMODEL_DIRECTMODEL_H

#include "Schedule/TimeModel/ChipRates.h"
#include "ck-mlir/Schedule/TimeModel.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// Cycles in which an instruction that no wave of the compute unit has executed yet is fetched.
constexpr double kFetchCycles = 5;

/// Cycles of a matrix instruction of `tile`.
double getMfmaCycles(const DirectTile &tile, const ChipRates &rates);

/// Vector operations for one product, and to convert an operand of it.
std::pair<double, double> getProductOps(DataType type);

/// The time of a launch whose lanes compute `tile` by themselves, which all of `shapes` can have.
TimeEstimate estimateDirect(const DirectTile &tile, llvm::ArrayRef<GemmShape> shapes,
                            const ChipInfo &chip, const TimeModelConstants &constants);

/// The same where lanes sum over positions, of the only one of the launch.
TimeEstimate estimateSum(const DirectTile &tile, const GemmShape &shape, const ChipInfo &chip,
                         const TimeModelConstants &constants);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_TIMEMODEL_DIRECTMODEL_H
