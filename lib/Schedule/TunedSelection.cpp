//===- TunedSelection.cpp - Which tuned schedule a problem gets -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its own, or that of a neighbour: what suits a problem often suits one of nearly the same sizes.
// The estimate has a veto then, for it knows where one more tile makes another round of workgroups.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeEstimator.h"
#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Schedule/WorkPlan.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>
#include <tuple>

using namespace mlir::ck;

/// Farther problems say nothing about one another: the sum of the logarithms to base 2 of the
/// ratios of their sizes.
static constexpr double kFarthest = 2;
/// The schedule of a neighbour is taken if its estimate is at most so many times that of the
/// choice.
static constexpr double kVeto = 1.1;

/// What must be equal, and sizes that are compared by their ratios.
using Traits = std::pair<std::vector<std::string>, std::vector<double>>;

static double getProduct(llvm::ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<>());
}

static std::string print(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text;
}

static Traits getTraits(const ConvProblem &problem) {
  return {{std::to_string(int(problem.direction)), std::to_string(int(problem.dtype)),
           std::to_string(int(problem.outDtype)), print(problem.filter), print(problem.stride),
           print(problem.dilation), problem.inLayout, problem.filterLayout, problem.outLayout,
           std::to_string(problem.preshuffle)},
          {double(problem.n) * getProduct(problem.getOutputSize()), double(problem.k),
           double(problem.c), double(problem.g)}};
}

static Traits getTraits(const GemmProblem &problem) {
  return {{"gemm", std::to_string(int(problem.dtype)), std::to_string(int(problem.outDtype)),
           problem.layout, std::to_string(problem.preshuffle)},
          {double(problem.g), double(problem.m), double(problem.n), double(problem.k)}};
}

static Traits getTraits(const Problem &problem) {
  return std::visit([](const auto &alternative) { return getTraits(alternative); }, problem);
}

/// The sum of the logarithms of ratios; none where problems differ in what must be equal.
static std::optional<double> getDistance(const Traits &a, const Traits &b) {
  if (a.first != b.first)
    return std::nullopt;
  double distance = 0;
  for (auto [left, right] : llvm::zip_equal(a.second, b.second))
    distance += std::abs(std::log2(left / right));
  return distance;
}

const TunedSchedule *TuningTable::findNearest(llvm::StringRef problem,
                                              const ScheduleRequest &request) const {
  if (find(problem))
    return find(problem, request);
  llvm::Expected<Problem> parsed = parseProblem(problem);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return nullptr;
  }
  const Traits traits = getTraits(*parsed);
  const TunedSchedule *nearest = nullptr;
  std::tuple<double, llvm::StringRef> best = {kFarthest, ""};
  for (auto [entry, other] : llvm::zip_equal(entries, problems)) {
    const std::optional<double> distance = getDistance(traits, getTraits(other));
    if (!distance || *distance > kFarthest || !agrees(entry.schedule, request))
      continue;
    const std::tuple<double, llvm::StringRef> rank = {*distance, entry.problem};
    if (nearest && best < rank)
      continue;
    nearest = &entry;
    best = rank;
  }
  return nearest;
}

/// The estimate of `schedule`, in cycles.
static double estimate(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                       const ChipInfo &chip) {
  const WorkPlan plan = llvm::cantFail(WorkPlan::create(
      getWorkShapes(schedule.tile, shapes), schedule.partition, chip.numCus, chip.numXcds));
  return double(getModelEstimator().estimate(schedule, shapes, chip, {estimateWork(plan)}).front());
}

/// Whether `schedule`, which suits a neighbour, is no bad one by the estimate.
static bool isWorthATry(const Schedule &schedule, const ScheduleRequest &request,
                        llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                        const SelectionOptions &options) {
  llvm::Expected<Schedule> chosen = resolveSchedule(request, shapes, chip, options);
  if (chosen)
    return estimate(schedule, shapes, chip) <= kVeto * estimate(*chosen, shapes, chip);
  llvm::consumeError(chosen.takeError());
  return false;
}

std::optional<Schedule> mlir::ck::findTuned(const TuningTable &table, llvm::StringRef problem,
                                            const ScheduleRequest &request,
                                            llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip,
                                            const SelectionOptions &options) {
  if (request.relief > 0)
    return std::nullopt;
  const TunedSchedule *entry = table.findNearest(problem, request);
  if (!entry)
    return std::nullopt;
  const bool hasSlices = entry->schedule.direct && entry->schedule.direct->slices > 1;
  if (!options.allowWorkspace &&
      (hasSlices || !std::holds_alternative<DataParallel>(entry->schedule.partition)))
    return std::nullopt;
  llvm::Expected<Schedule> schedule =
      resolveSchedule(makeRequest(entry->schedule), shapes, chip, options);
  if (!schedule) {
    llvm::consumeError(schedule.takeError());
    return std::nullopt;
  }
  if (entry->problem != problem && !isWorthATry(*schedule, request, shapes, chip, options))
    return std::nullopt;
  return *schedule;
}
