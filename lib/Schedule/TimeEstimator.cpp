//===- TimeEstimator.cpp - How long the launches of a schedule take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analytic model in whole cycles: the mean of the time with operands in caches, as launches
// that follow each other find them, and of that with operands in memory, as weights mostly are.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeEstimator.h"
#include "Schedule/TimeModel/ChipRates.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <limits>

using namespace mlir::ck;

TimeEstimator::~TimeEstimator() = default;

namespace {
class ModelEstimator final : public TimeEstimator {
public:
  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                                       const ChipInfo &chip,
                                       llvm::ArrayRef<WorkEstimate> works) const override;
};
} // namespace

llvm::SmallVector<uint64_t> ModelEstimator::estimate(const Schedule &schedule,
                                                     llvm::ArrayRef<GemmShape> shapes,
                                                     const ChipInfo &chip,
                                                     llvm::ArrayRef<WorkEstimate> works) const {
  const double clock = detail::getChipRates(chip).clockMHz;
  const auto times = estimateTimes(schedule, shapes, chip, works, getTimeModelConstants(chip));
  return llvm::map_to_vector(times, [&](const TimeEstimate &time) {
    constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
    const double cycles = time.getMean() * clock;
    return cycles < double(most) ? uint64_t(cycles) : most;
  });
}

const TimeEstimator &mlir::ck::getModelEstimator() {
  static const ModelEstimator estimator;
  return estimator;
}
