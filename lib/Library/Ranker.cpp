//===- Ranker.cpp - Which of several kernels is best -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Ranker.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/Ranker.h"
#include "ck-mlir/Schedule/TimeEstimator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Ranker::~Ranker() = default;

namespace {
class EstimateRanker final : public Ranker {
public:
  Expected<Rank> rank(const KernelRequest &request, const ScheduledWork &work) const override;
};

/// A line of a table.
struct TableEntry {
  std::string problem, chip;
  llvm::SmallVector<std::string> fields; // of the schedule
  double cost = 0;
  bool isTime = false;
};

class TableRanker final : public Ranker {
public:
  llvm::Error add(const llvm::json::Value &value, const Twine &where);
  Expected<Rank> rank(const KernelRequest &request, const ScheduledWork &work) const override;

private:
  std::vector<TableEntry> entries;
  EstimateRanker estimate;
};

class MeasuredRanker final : public Ranker {
public:
  MeasuredRanker(std::function<Expected<double>(const KernelRequest &)> measure, StringRef unit)
      : measure(std::move(measure)), unit(unit.str()) {}
  Expected<Rank> rank(const KernelRequest &request, const ScheduledWork &) const override {
    Expected<double> cost = measure(request);
    if (!cost)
      return cost.takeError();
    if (!std::isfinite(*cost) || *cost < 0)
      return createStringError(
          llvm::formatv("the measured cost must be a finite number of at least 0 {0}, got {1} for "
                        "'{2}' on {3}",
                        unit, *cost, request.problem, request.chip));
    return Rank{0, *cost, llvm::formatv("{0:F2} {1}, measured", *cost, unit).str()};
  }

private:
  std::function<Expected<double>(const KernelRequest &)> measure;
  std::string unit;
};
} // namespace

Expected<Rank> EstimateRanker::rank(const KernelRequest &request, const ScheduledWork &work) const {
  Expected<const ChipInfo *> chip = getChip(request.chip);
  if (!chip)
    return chip.takeError();
  int64_t residents = request.residents > 0 ? request.residents : (*chip)->numCus;
  Expected<WorkPlan> plan =
      WorkPlan::create(work.gemms, work.schedule.partition, residents, (*chip)->numXcds);
  if (!plan)
    return plan.takeError();
  WorkEstimate numbers = estimateWork(*plan);
  double cycles =
      getModelEstimator().estimate(work.schedule, work.shapes, **chip, {numbers}).front();
  return Rank{0, cycles,
              llvm::formatv("{0:F0} cycles estimated: {1} workgroups on {2} places, {3} K steps "
                            "one after the other, {4:F0} % of the chip busy",
                            cycles, numbers.workgroups, residents, estimateSpan(*plan),
                            100 * estimateEfficiency(*plan))
                  .str()};
}

llvm::Error TableRanker::add(const llvm::json::Value &value, const Twine &where) {
  const llvm::json::Object *object = value.getAsObject();
  std::optional<StringRef> problem = object ? object->getString("problem") : std::nullopt,
                           chip = object ? object->getString("chip") : std::nullopt,
                           schedule = object ? object->getString("schedule") : std::nullopt;
  std::optional<double> time = object ? object->getNumber("microseconds") : std::nullopt,
                        rank = object ? object->getNumber("rank") : std::nullopt;
  if (!problem || !chip || !schedule || time.has_value() == rank.has_value())
    return createStringError(where + ": expected problem, chip, schedule, and microseconds or " +
                             "rank, got " + llvm::formatv("{0}", value).str());
  if (const double cost = time ? *time : *rank; !std::isfinite(cost) || cost < 0)
    return createStringError(where + ": microseconds and rank must be finite numbers of at least " +
                             "0, got " + llvm::formatv("{0}", cost).str());
  Expected<KernelRequest> request =
      KernelRequest{problem->str(), chip->str(), schedule->str(), 0}.canonicalize();
  if (!request)
    return createStringError(where + ": " + llvm::toString(request.takeError()));
  TableEntry entry{request->problem, request->chip, {}, time ? *time : *rank, time.has_value()};
  llvm::SmallVector<StringRef> fields;
  StringRef(request->schedule).split(fields, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef field : fields)
    entry.fields.push_back(field.str());
  entries.push_back(std::move(entry));
  return llvm::Error::success();
}

Expected<Rank> TableRanker::rank(const KernelRequest &request, const ScheduledWork &work) const {
  std::string complete = toString(work.schedule);
  llvm::SmallVector<StringRef> fields;
  StringRef(complete).split(fields, ',');
  for (const TableEntry &entry : entries)
    if (entry.problem == request.problem && entry.chip == request.chip &&
        llvm::all_of(entry.fields,
                     [&](StringRef field) { return llvm::is_contained(fields, field); }))
      return Rank{0, entry.cost,
                  entry.isTime ? llvm::formatv("{0:F2} us in the table", entry.cost).str()
                               : llvm::formatv("rank {0:F2} in the table", entry.cost).str()};
  Expected<Rank> rank = estimate.rank(request, work);
  if (rank) {
    rank->group = 1;
    rank->why = "not in the table; " + rank->why;
  }
  return rank;
}

std::unique_ptr<Ranker> mlir::ck::createEstimateRanker() {
  return std::make_unique<EstimateRanker>();
}

Expected<std::unique_ptr<Ranker>> mlir::ck::createTableRanker(const llvm::json::Value &table,
                                                              const Twine &what) {
  const llvm::json::Object *object = table.getAsObject();
  const llvm::json::Array *kernels = object ? object->getArray("kernels") : nullptr;
  if (!kernels)
    return createStringError(what + ": expected an object with an array 'kernels'");
  auto ranker = std::make_unique<TableRanker>();
  for (auto [number, kernel] : llvm::enumerate(*kernels))
    if (llvm::Error error = ranker->add(kernel, what + ".kernels[" + std::to_string(number) + "]"))
      return std::move(error);
  return ranker;
}

std::unique_ptr<Ranker>
mlir::ck::createMeasuredRanker(std::function<Expected<double>(const KernelRequest &)> measure,
                               StringRef unit) {
  return std::make_unique<MeasuredRanker>(std::move(measure), unit);
}
