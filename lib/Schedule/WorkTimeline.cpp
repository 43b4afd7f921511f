//===- WorkTimeline.cpp - When every workgroup would run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the workgroups suffices: each waits only for workgroups that started before it.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/WorkTimeline.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <limits>
#include <queue>

using namespace mlir::ck;

double WorkSummary::getEfficiency() const {
  return double(iterations) / (double(residents) * double(span));
}

namespace {
class Simulation {
public:
  Simulation(const WorkPlan &plan, llvm::function_ref<void(const PlacedItem &)> visit)
      : plan(plan), visit(visit), streamK(hasStreams(plan.getPartition())),
        atomic(addsInMemory(plan.getPartition())) {
    summary.workgroups = plan.getGridSize();
    summary.residents = plan.getResidents();
    summary.rounds = llvm::divideCeil(summary.workgroups, summary.residents);
    summary.minIterations = std::numeric_limits<int64_t>::max();
    if (streamK)
      sums.resize(plan.getPartialTiles());
  }

  WorkSummary run() {
    for (int64_t workgroup = 0; workgroup < summary.workgroups; ++workgroup) {
      Place place = takePlace();
      int64_t iterations = 0;
      for (const WorkItem &item : plan.getWork(workgroup)) {
        iterations += getSteps(item);
        runItem(item, place);
      }
      places.push(place);
      summary.span = std::max(summary.span, place.first);
      if (iterations == 0) // it adds up what others have computed
        continue;
      summary.iterations += iterations;
      summary.minIterations = std::min(summary.minIterations, iterations);
      summary.maxIterations = std::max(summary.maxIterations, iterations);
    }
    if (hasSecondStage(plan.getPartition())) // The second stage reads what the first stored.
      summary.partialsLoaded = summary.partialsStored;
    return summary;
  }

private:
  using Place = std::pair<int64_t, int64_t>; // when it is free, its number

  Place takePlace() {
    if (opened < summary.residents)
      return {0, opened++};
    Place place = places.top();
    places.pop();
    return place;
  }

  static int64_t getSteps(const WorkItem &item) {
    return item.adder >= 0 ? 0 : std::max<int64_t>(item.kEnd - item.kBegin, 1);
  }

  void runItem(const WorkItem &item, Place &place) {
    int64_t begin = place.first, end = begin + getSteps(item);
    int64_t done = end, depth = 0;
    for (int64_t partial : item.waits) {
      done = std::max(done, sums[partial].available);
      depth = std::max(depth, sums[partial].depth) + 1;
    }
    summary.partialsLoaded += item.waits.size();
    if (item.partial >= 0) {
      ++summary.partialsStored;
      if (streamK)
        sums[item.partial] = {done, depth};
    }
    if (!streamK && item.contributors > 1) {
      summary.atomicTiles += atomic;
      depth = atomic ? item.contributors : item.contributors - 1;
    }
    summary.depth = std::max(summary.depth, depth);
    place.first = done;
    if (visit)
      visit({item, place.second, begin, end, done});
  }

  const WorkPlan &plan;
  llvm::function_ref<void(const PlacedItem &)> visit;
  bool streamK, atomic;
  WorkSummary summary;
  struct Sum {
    int64_t available, depth;
  };
  std::vector<Sum> sums; // StreamK: of the partial tiles so far
  std::priority_queue<Place, std::vector<Place>, std::greater<Place>> places;
  int64_t opened = 0; // places that were ever used
};
} // namespace

WorkSummary mlir::ck::simulateWork(const WorkPlan &plan,
                                   llvm::function_ref<void(const PlacedItem &)> visit) {
  return Simulation(plan, visit).run();
}
