//===- TimeEstimator.cpp - How long the launches of a schedule take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One workgroup at a time on each CU. docs/Partitions.md has the formula in words.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeEstimator.h"
#include "Schedule/ScheduleCost.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::ck;
using llvm::SaturatingAdd;
using llvm::SaturatingMultiply;

/// What a tile, or a part of one, takes beside its K steps: first loads, the end of the pipeline
/// and the stores. [origami] has 1500.
static constexpr uint64_t kItemCycles = 1500;
/// From the end of a launch, or of a zero-fill, to the begin of the next. [origami] has 8000.
static constexpr uint64_t kLaunchCycles = 8000;
/// From a flag's store to its sight on another chiplet. [origami] has 1900.
static constexpr uint64_t kFlagCycles = 1900;
/// Of partial tiles that one CU stores or loads. Measured: a load of 16 bytes a lane in 32 cycles.
static constexpr uint64_t kBytesPerCycle = 32;
/// Latency of a load that misses the caches; measured on gfx942: 500 to 800.
static constexpr uint64_t kMemoryLatency = 800;
/// Weight of the work of all tiles, evenly spread over the chip, against the time of the slowest
/// CU: prefers tiles that leave the chip to others when both finish at about the same time.
static constexpr uint64_t kWorkWeight = 4;

/// What sharing tiles must save to be worth it, more than a microsecond: a kernel with waits and a
/// workspace, or a second one, has costs that no constant here counts.
static constexpr uint64_t kSharingCycles = 3000;

TimeEstimator::~TimeEstimator() = default;

namespace {
class StepEstimator final : public TimeEstimator {
public:
  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                                       const ChipInfo &chip,
                                       llvm::ArrayRef<WorkEstimate> works) const override;
};
} // namespace

/// The cycles of a K step on average over all iterations of `shapes`.
static detail::StepCost averageStep(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                                    const ChipInfo &chip) {
  double elapsed = 0, work = 0, iterations = 0;
  for (const GemmShape &shape : shapes) {
    if (shape.k == 0)
      continue;
    WorkShape tiles = getWorkShape(schedule.tile, shape);
    double weight = double(tiles.getTiles()) * double(tiles.kSteps);
    detail::StepCost step = detail::estimateStep(schedule, shape, chip);
    elapsed += weight * double(step.elapsed);
    work += weight * double(step.work);
    iterations += weight;
  }
  return {int64_t(elapsed / iterations), int64_t(work / iterations)};
}

/// The second stage adds up the slices of a tile one after the other.
static uint64_t estimateReduction(const WorkEstimate &work, uint64_t transfer) {
  uint64_t slices = SaturatingMultiply<uint64_t>(work.reducedItems, work.contributors);
  uint64_t stored = SaturatingMultiply<uint64_t>(work.items, transfer);
  uint64_t items = SaturatingMultiply<uint64_t>(work.reducedItems, kItemCycles);
  return SaturatingAdd(stored, items, SaturatingMultiply(slices, kMemoryLatency + transfer));
}

/// Sums that a stream hands on are those of its first tile, and thus there in time where two share
/// one. Of more, some have all of their work in the tile and are waited for.
static uint64_t estimateStreams(const WorkEstimate &work, uint64_t transfer) {
  uint64_t others = work.contributors - 1;
  if (others == 0)
    return 0;
  bool tree = std::get<StreamK>(work.partition).reduction == Reduction::Tree;
  uint64_t loads = tree ? llvm::Log2_64_Ceil(work.contributors) : others;
  uint64_t stores = tree ? loads : 1;
  uint64_t waits = others > 1 ? stores : 0;
  return stores * transfer + loads * (kMemoryLatency + transfer) + waits * kFlagCycles;
}

/// What sharing tiles adds to the time of computing them.
static uint64_t estimateFixup(const WorkEstimate &work, const Schedule &schedule) {
  uint64_t bytes = 4 * schedule.tile[0] * schedule.tile[1];
  uint64_t transfer = llvm::divideCeil(bytes, kBytesPerCycle); // of a partial tile
  uint64_t extra = kLaunchCycles + kSharingCycles;
  if (work.atomicTiles > 0) // Additions to the same tile follow each other.
    return SaturatingAdd(extra, SaturatingMultiply<uint64_t>(work.items, transfer),
                         SaturatingMultiply<uint64_t>(work.contributors - 1, transfer));
  if (work.reducedTiles > 0)
    return SaturatingAdd(extra, estimateReduction(work, transfer));
  return work.flagBytes > 0 ? extra + estimateStreams(work, transfer) : 0;
}

llvm::SmallVector<uint64_t> StepEstimator::estimate(const Schedule &schedule,
                                                    llvm::ArrayRef<GemmShape> shapes,
                                                    const ChipInfo &chip,
                                                    llvm::ArrayRef<WorkEstimate> works) const {
  detail::StepCost step = averageStep(schedule, shapes, chip);
  return llvm::map_to_vector(works, [&](const WorkEstimate &work) {
    uint64_t compute = SaturatingMultiply<uint64_t>(work.span, step.elapsed);
    uint64_t items = SaturatingMultiply<uint64_t>(work.items, kItemCycles);
    uint64_t busy = SaturatingMultiply<uint64_t>(work.iterations, step.work) /
                    (uint64_t(work.residents) * uint64_t(chip.simdsPerCu));
    uint64_t time = SaturatingAdd(compute, items, estimateFixup(work, schedule));
    return SaturatingAdd(time, SaturatingMultiply(kWorkWeight, busy));
  });
}

const TimeEstimator &mlir::ck::getStepEstimator() {
  static const StepEstimator estimator;
  return estimator;
}
