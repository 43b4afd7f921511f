//===- WorkEstimate.cpp - A plan in a few numbers, by closed forms -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups of the same length are placed together: only how many places become free at the same
// time matters.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkEstimate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Twine;

WorkShape mlir::ck::getWorkShape(const std::array<int64_t, 3> &tile, const GemmShape &shape) {
  return {shape.g, static_cast<int64_t>(llvm::divideCeil(shape.m, tile[0])),
          static_cast<int64_t>(llvm::divideCeil(shape.n, tile[1])),
          static_cast<int64_t>(llvm::divideCeil(shape.k, tile[2]))};
}

llvm::SmallVector<WorkShape> mlir::ck::getWorkShapes(const std::array<int64_t, 3> &tile,
                                                     llvm::ArrayRef<GemmShape> shapes) {
  return llvm::map_to_vector(shapes,
                             [&](const GemmShape &shape) { return getWorkShape(tile, shape); });
}

llvm::Error mlir::ck::checkIndices(const WorkPlan &plan, int64_t tileElements) {
  constexpr uint64_t limit = std::numeric_limits<int32_t>::max();
  std::string text = toString(plan.getPartition());
  if (uint64_t(plan.getGridSize()) > limit)
    return createStringError("the grid has " + Twine(plan.getGridSize()) + " workgroups: at most " +
                             Twine(limit));
  if (uint64_t(plan.getStreamSplit().sharedIterations) > limit)
    return createStringError("partition '" + text + "' shares " +
                             Twine(plan.getStreamSplit().sharedIterations) +
                             " iterations: at most " + Twine(limit) + "; use a larger tile");
  // Sizes that only a request names may be beyond 64 bits.
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(plan.getPartialTiles(),
                                                      WorkPlan::getPartialBytes(tileElements));
  bytes = llvm::SaturatingAdd<uint64_t>(bytes, plan.getFlagBytes());
  if (bytes / 4 > limit)
    return createStringError("partition '" + text + "' needs a workspace of " + Twine(bytes) +
                             " bytes: at most " + Twine(4 * limit));
  return llvm::Error::success();
}

namespace {
/// Places, grouped by the time when they are free.
class Places {
public:
  explicit Places(int64_t count) : free{{0, count}} {}

  /// Runs `count` workgroups of `length` steps one by one, each on the place that is free first.
  void run(int64_t count, int64_t length) {
    while (count > 0) {
      auto [time, places] = *free.begin();
      auto next = std::next(free.begin());
      if (count < places) { // The others of this group stay free.
        free.begin()->second -= count;
        free[time + length] += count;
        return;
      }
      // As many rounds on this group as begin before, or when, the next group is free.
      int64_t rounds = count / places;
      if (next != free.end())
        rounds = std::min<int64_t>(rounds, llvm::divideCeil(next->first - time, length));
      free.erase(free.begin());
      free[time + rounds * length] += places;
      count -= rounds * places;
    }
  }

  int64_t getEnd() const { return free.rbegin()->first; }

private:
  std::map<int64_t, int64_t> free;
};
} // namespace

/// When the last slice ends.
static int64_t getSpanOfSlices(const WorkPlan &plan) {
  Places places(plan.getResidents());
  for (auto [gemm, slices] : llvm::zip_equal(plan.getGemms(), plan.getSlices())) {
    // The slices with a step more come first, see `getDealtBegin`.
    int64_t tiles = gemm.getTiles();
    int64_t steps = gemm.getTileIterations() / slices, longer = gemm.getTileIterations() % slices;
    places.run(tiles * longer, steps + 1);
    places.run(tiles * (slices - longer), steps);
  }
  return places.getEnd();
}

/// When the last stream ends.
static int64_t getSpanOfStreams(const WorkPlan &plan) {
  // Whole tiles come first, all of them of the same length or none of them beside streams.
  const StreamSplit &split = plan.getStreamSplit();
  Places places(plan.getResidents());
  int64_t whole = split.wholeTiles;
  for (const WorkShape &gemm : plan.getGemms()) {
    int64_t tiles = std::min(whole, gemm.getTiles());
    places.run(tiles, gemm.getTileIterations());
    whole -= tiles;
  }
  // What a stream waits for is the first item of others, which ends before the longest stream.
  return places.getEnd() + getLongestStream(split);
}

int64_t mlir::ck::estimateSpan(const WorkPlan &plan) {
  return hasStreams(plan.getPartition()) ? getSpanOfStreams(plan) : getSpanOfSlices(plan);
}

double mlir::ck::estimateEfficiency(const WorkPlan &plan) {
  return double(estimateWork(plan).iterations) /
         (double(plan.getResidents()) * double(estimateSpan(plan)));
}

static void estimateSlices(const WorkPlan &plan, WorkEstimate &estimate) {
  bool twoStage = hasSecondStage(plan.getPartition());
  for (auto [gemm, slices] : llvm::zip_equal(plan.getGemms(), plan.getSlices())) {
    int64_t tiles = gemm.getTiles();
    estimate.contributors = std::max(estimate.contributors, slices);
    if (slices > 1)
      (twoStage ? estimate.reducedTiles : estimate.atomicTiles) += tiles * (twoStage ? 1 : slices);
  }
  estimate.items = llvm::divideCeil(estimate.workgroups, estimate.residents);
  estimate.reducedItems = llvm::divideCeil(estimate.reducedTiles, estimate.residents);
}

/// The most parts of length `length` that meet `size` neighbouring items.
static int64_t getMostParts(int64_t size, int64_t length) {
  return size == 1 ? 1 : (size - 2) / length + 2;
}

static void estimateStreams(const WorkPlan &plan, WorkEstimate &estimate) {
  const StreamSplit &split = plan.getStreamSplit();
  estimate.items = llvm::divideCeil(split.wholeTiles, estimate.residents);
  if (split.streams == 0)
    return;
  estimate.longestStream = getLongestStream(split);
  if (split.dealtTiles > 0) {
    estimate.items += 1;
    estimate.contributors = llvm::divideCeil(split.streams, split.dealtTiles);
    estimate.withinTiles = split.streams;
    estimate.addersOfTile = plan.getAddersOfTile();
    estimate.workgroups -= plan.getAdders();
    return;
  }
  int64_t shortest = plan.getGemms().front().getTileIterations(), longest = shortest;
  for (const WorkShape &gemm : plan.getGemms()) {
    shortest = std::min(shortest, gemm.getTileIterations());
    longest = std::max(longest, gemm.getTileIterations());
  }
  int64_t most = estimate.longestStream;
  int64_t least = split.sharedIterations / split.streams;
  bool aligned = most == least && shortest == longest;
  if (aligned && most % longest == 0) { // Every stream has whole tiles.
    estimate.items += most / longest;
    return;
  }
  const bool parts = aligned && longest % most == 0;
  estimate.items += parts ? 1 : getMostParts(most, shortest);
  estimate.contributors = parts ? longest / most : getMostParts(longest, least);
  estimate.scatteredIterations = parts ? 0 : split.sharedIterations;
  estimate.streamSteps = double(split.sharedIterations) / double(split.streams);
  estimate.contributors = std::min(estimate.contributors, split.streams);
}

WorkEstimate mlir::ck::estimateWork(const WorkPlan &plan) {
  WorkEstimate estimate;
  estimate.partition = plan.getPartition();
  estimate.residents = plan.getResidents();
  estimate.workgroups = plan.getGridSize();
  estimate.partialTiles = plan.getPartialTiles();
  estimate.flagBytes = plan.getFlagBytes();
  for (const WorkShape &gemm : plan.getGemms())
    estimate.iterations += gemm.getTiles() * gemm.getTileIterations();
  if (hasStreams(estimate.partition))
    estimateStreams(plan, estimate);
  else
    estimateSlices(plan, estimate);
  return estimate;
}
