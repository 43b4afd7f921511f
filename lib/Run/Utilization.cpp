//===- Utilization.cpp - How much of a chip chosen schedules use -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The selection shows every legal schedule to its estimator of time; one that only looks finds the
// best of them.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Utilization.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::StringRef;

ChipUtilization mlir::ck::getChipUtilization(const Schedule &schedule, ArrayRef<GemmShape> shapes,
                                             const ChipInfo &chip, const WorkEstimate &work) {
  // The estimate is that of a plan.
  const WorkPlan plan = llvm::cantFail(WorkPlan::create(
      getWorkShapes(schedule.tile, shapes), work.partition, work.residents, chip.numXcds));
  const auto span = double(estimateSpan(plan));
  ChipUtilization use;
  use.schedule = schedule;
  use.schedule.partition = work.partition;
  use.steps = double(work.iterations) / double(work.residents);
  use.busy = use.steps / span;
  double macs = 0; // of the problem, for each of a K step
  for (const GemmShape &shape : shapes)
    macs += double(shape.g) * double(shape.m) * double(shape.n) * double(shape.k);
  double stepMacs = double(schedule.tile[0]) * double(schedule.tile[1]) * double(schedule.tile[2]);
  use.useful = macs / (stepMacs * double(work.residents) * span);
  return use;
}

namespace {
/// Judges like the default estimator, and keeps the best use of all that it sees.
class UtilizationRecorder final : public TimeEstimator {
public:
  explicit UtilizationRecorder(UtilizationReport &report) : report(report) {}

  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule, ArrayRef<GemmShape> shapes,
                                       const ChipInfo &chip,
                                       ArrayRef<WorkEstimate> works) const override {
    for (const WorkEstimate &work : works) {
      ChipUtilization use = getChipUtilization(schedule, shapes, chip, work);
      if (use.busy > report.busiest.busy)
        report.busiest = use;
      if (use.useful > report.mostUseful.useful)
        report.mostUseful = use;
    }
    return getModelEstimator().estimate(schedule, shapes, chip, works);
  }

private:
  UtilizationReport &report;
};
} // namespace

UtilizationReport mlir::ck::reportUtilization(StringRef name, const Problem &problem,
                                              StringRef request, const ChipInfo &chip) {
  UtilizationReport report;
  report.name = name.str();
  CompileOptions options;
  options.chip = chip.name.str();
  options.schedule = request.str();
  llvm::Expected<ScheduledWork> work = scheduleProblem(problem, options);
  if (!work) {
    report.reason = llvm::toString(work.takeError());
    return report;
  }
  // What gave a schedule and a plan above gives them again.
  WorkPlan plan = llvm::cantFail(
      WorkPlan::create(work->gemms, work->schedule.partition, chip.numCus, chip.numXcds));
  report.chosen = getChipUtilization(work->schedule, work->shapes, chip, estimateWork(plan));
  UtilizationRecorder recorder(report);
  llvm::cantFail(
      resolveSchedule(llvm::cantFail(parseSchedule(request)), work->shapes, chip, {&recorder}));
  return report;
}

static bool hasEnoughWork(const UtilizationReport &report) {
  return !report.reason && report.chosen.steps >= kEnoughSteps;
}

static bool isIdle(const UtilizationReport &report) {
  return hasEnoughWork(report) && report.chosen.busy < kEnoughUtilization * report.busiest.busy;
}

/// "98.1" of 0.981.
static std::string formatShare(double share) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", 100 * share);
  return text;
}

/// "128x64x32 stream_k:tree".
static std::string formatShape(const Schedule &schedule) {
  auto [m, n, k] = schedule.tile;
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " " +
         toString(schedule.partition);
}

static std::vector<std::string> getCells(const UtilizationReport &report) {
  std::string steps;
  llvm::raw_string_ostream(steps) << llvm::format("%.1f", report.chosen.steps);
  return {report.name,
          steps,
          formatShare(report.chosen.busy),
          formatShare(report.busiest.busy),
          formatShare(report.chosen.useful),
          formatShare(report.mostUseful.useful),
          formatShape(report.chosen.schedule),
          formatShape(report.busiest.schedule),
          isIdle(report) ? "idle" : ""};
}

void mlir::ck::printText(llvm::raw_ostream &os, const ChipInfo &chip,
                         ArrayRef<UtilizationReport> reports) {
  std::vector<std::vector<std::string>> rows = {
      {"problem", "steps", "busy %", "best", "useful %", "best", "chosen", "busiest", ""}};
  for (const UtilizationReport &report : reports)
    if (!report.reason)
      rows.push_back(getCells(report));
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  os << chip.name << ": " << chip.numCus << " compute units, 1 workgroup on each at a time\n";
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (auto [index, cell] : llvm::enumerate(row)) {
      bool number = index > 0 && index < 6;
      llvm::raw_string_ostream(line) << (number ? llvm::right_justify(cell, widths[index])
                                                : llvm::left_justify(cell, widths[index]))
                                     << "  ";
    }
    os << StringRef(line).rtrim() << '\n';
  }
  for (const UtilizationReport &report : reports)
    if (report.reason)
      os << report.name << ": " << *report.reason << '\n';
  os << llvm::count_if(reports, hasEnoughWork) << " of " << reports.size() << " problems have "
     << int64_t(kEnoughSteps) << " K steps for each compute unit; "
     << llvm::count_if(reports, isIdle) << " of these are busy for less than "
     << llvm::format("%.2f", kEnoughUtilization) << " of the best\n";
}

static void writeUtilization(llvm::json::OStream &json, const ChipUtilization &use) {
  json.object([&] {
    json.attribute("schedule", toString(use.schedule));
    json.attribute("steps", use.steps);
    json.attribute("busy", use.busy);
    json.attribute("useful", use.useful);
  });
}

void mlir::ck::printJson(llvm::raw_ostream &os, const ChipInfo &chip,
                         ArrayRef<UtilizationReport> reports) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("chip", chip.name);
    json.attribute("compute_units", chip.numCus);
    json.attributeArray("problems", [&] {
      for (const UtilizationReport &report : reports)
        json.object([&] {
          json.attribute("problem", report.name);
          if (report.reason) {
            json.attribute("reason", *report.reason);
            return;
          }
          for (auto [name, use] :
               {std::pair("chosen", &report.chosen), std::pair("busiest", &report.busiest),
                std::pair("most_useful", &report.mostUseful)}) {
            json.attributeBegin(name);
            writeUtilization(json, *use);
            json.attributeEnd();
          }
        });
    });
  });
  json.flush();
  os << '\n';
}
