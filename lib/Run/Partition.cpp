//===- Partition.cpp - What ck-run --partition-report reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a problem to the table, as text or JSON.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Run/Partition.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Runtime/Environment.h"
#include "ck-mlir/Support/File.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

Expected<int64_t> mlir::ck::getComputeUnits(const ChipInfo &chip) {
  std::string text = getVariable("CK_EMULATOR_CUS");
  if (text.empty())
    return chip.numCus;
  int64_t units = 0;
  if (StringRef(text).getAsInteger(10, units) || units < 1 || units > 65536)
    return createStringError("CK_EMULATOR_CUS must be in [1, 65536], got '" + text + "'");
  return units;
}

/// Workgroups of all launches that a report plans one by one, in seconds.
static constexpr uint64_t kMaxWorkgroups = uint64_t(1) << 26;

/// What the report compares, in its order.
static constexpr llvm::StringLiteral kPartitions[] = {"data_parallel",
                                                      "split_k:2",
                                                      "split_k:4",
                                                      "split_k:8",
                                                      "split_k:16",
                                                      "split_k:32",
                                                      "split_k:auto",
                                                      "split_k:2:two_stage",
                                                      "split_k:4:two_stage",
                                                      "split_k:8:two_stage",
                                                      "split_k:16:two_stage",
                                                      "split_k:32:two_stage",
                                                      "split_k:auto:two_stage",
                                                      "stream_k:linear",
                                                      "stream_k:linear:persistent",
                                                      "stream_k:tree",
                                                      "stream_k:tree:persistent",
                                                      "stream_k:parallel"};

const PartitionReport &PartitionReports::getChosen() const {
  return *llvm::find_if(partitions, [&](const PartitionReport &report) {
    return report.plan.getPartition() == work.schedule.partition;
  });
}

Expected<PartitionReports> mlir::ck::reportPartitions(ScheduledWork work, const ChipInfo &chip,
                                                      int64_t computeUnits, int64_t occupancy) {
  PartitionReports reports;
  reports.chip = chip.name.str();
  reports.xcds = chip.numXcds;
  reports.computeUnits = computeUnits;
  reports.occupancy = occupancy;
  int64_t tileElements = work.schedule.tile[0] * work.schedule.tile[1];
  uint64_t workgroups = 0;
  llvm::SmallVector<Partition> partitions = llvm::map_to_vector(kPartitions, [](StringRef text) {
    return *llvm::cantFail(parseSchedule(("partition=" + text).str())).partition;
  });
  if (!llvm::is_contained(partitions, work.schedule.partition))
    partitions.push_back(work.schedule.partition);
  for (const Partition &partition : partitions) {
    Expected<WorkPlan> plan =
        WorkPlan::create(work.gemms, partition, computeUnits * occupancy, chip.numXcds);
    if (!plan)
      return plan.takeError();
    workgroups = llvm::SaturatingAdd<uint64_t>(workgroups, plan->getGridSize());
    reports.partitions.push_back({std::move(*plan), {}, 0, 0});
  }
  if (workgroups > kMaxWorkgroups)
    return createStringError("expected at most " + Twine(kMaxWorkgroups) +
                             " workgroups in all launches of a report, got " + Twine(workgroups) +
                             " with tile " + Twine(work.schedule.tile[0]) + "x" +
                             Twine(work.schedule.tile[1]));
  for (PartitionReport &report : reports.partitions) {
    report.summary = simulateWork(report.plan);
    const WorkSummary &summary = report.summary;
    report.fixupBytes =
        4 * tileElements * (summary.partialsStored + summary.partialsLoaded + summary.atomicTiles);
    report.workspaceBytes = report.plan.getWorkspaceBytes(tileElements);
  }
  reports.work = std::move(work);
  return reports;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "16" or, with slices that differ by GEMM, "16,9,1"; "-" for none.
static std::string formatSlices(const PartitionReport &report) {
  if (!std::holds_alternative<SplitK>(report.plan.getPartition()))
    return "-";
  llvm::ArrayRef<int64_t> slices = report.plan.getSlices();
  if (llvm::all_equal(slices))
    return std::to_string(slices.front());
  return llvm::join(llvm::map_range(slices, [](int64_t n) { return std::to_string(n); }), ",");
}

/// "1234567 B" in the largest unit that needs no more than six digits.
static std::string formatBytes(int64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = double(bytes);
  size_t unit = 0;
  for (; value >= 10240 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(unit == 0 ? "%.0f " : "%.1f ", value)
                                 << units[unit];
  return text;
}

/// "12" or "12 to 13".
static std::string formatRange(int64_t least, int64_t most) {
  std::string text = std::to_string(least);
  return least == most ? text : text + " to " + std::to_string(most);
}

static std::vector<std::string> getCells(const PartitionReport &report) {
  const WorkSummary &summary = report.summary;
  std::string efficiency;
  llvm::raw_string_ostream(efficiency) << llvm::format("%.1f %%", 100 * summary.getEfficiency());
  return {toString(report.plan.getPartition()),
          formatSlices(report),
          std::to_string(summary.workgroups),
          std::to_string(summary.rounds),
          std::to_string(summary.span),
          efficiency,
          formatRange(summary.minIterations, summary.maxIterations),
          std::to_string(summary.atomicTiles),
          std::to_string(summary.partialsStored),
          std::to_string(summary.partialsLoaded),
          std::to_string(summary.depth),
          formatBytes(report.fixupBytes),
          formatBytes(report.workspaceBytes)};
}

static void printHead(llvm::raw_ostream &os, const PartitionReports &reports) {
  os << "problem   " << toString(reports.work.problem) << '\n';
  os << "chip      " << reports.chip << ": " << reports.computeUnits << " compute units, "
     << reports.occupancy << (reports.occupancy == 1 ? " workgroup" : " workgroups")
     << " on each at a time\n";
  os << "schedule  " << toString(reports.work.schedule) << '\n';
  for (const WorkShape &gemm : reports.work.gemms)
    os << "GEMM      " << gemm.groups << " x " << gemm.rows << " x " << gemm.columns << " = "
       << gemm.getTiles() << (gemm.getTiles() == 1 ? " tile of " : " tiles of ") << gemm.kSteps
       << " K steps\n";
}

void mlir::ck::printText(llvm::raw_ostream &os, const PartitionReports &reports) {
  printHead(os, reports);
  std::vector<std::vector<std::string>> rows = {
      {"partition", "slices", "workgroups", "rounds", "span", "efficiency", "steps each", "atomic",
       "stored", "loaded", "depth", "fix-up", "workspace"}};
  for (const PartitionReport &report : reports.partitions)
    rows.push_back(getCells(report));
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const std::vector<std::string> &row : rows) {
    os << llvm::left_justify(row.front(), widths.front());
    for (auto [width, cell] : llvm::drop_begin(llvm::zip_equal(widths, row)))
      os << "  " << llvm::right_justify(cell, width);
    os << '\n';
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writePartition(llvm::json::OStream &json, const PartitionReport &report) {
  const WorkPlan &plan = report.plan;
  const WorkSummary &summary = report.summary;
  json.object([&] {
    json.attribute("partition", toString(plan.getPartition()));
    json.attribute("tiles", plan.getTiles());
    json.attributeArray("slices", [&] {
      for (int64_t count : plan.getSlices())
        json.value(count);
    });
    json.attribute("whole_tiles", plan.getStreamSplit().wholeTiles);
    json.attribute("streams", plan.getStreamSplit().streams);
    json.attribute("workgroups", summary.workgroups);
    json.attribute("rounds", summary.rounds);
    json.attribute("span", summary.span);
    json.attribute("efficiency", summary.getEfficiency());
    json.attribute("min_steps", summary.minIterations);
    json.attribute("max_steps", summary.maxIterations);
    json.attribute("atomic_tiles", summary.atomicTiles);
    json.attribute("partial_tiles_stored", summary.partialsStored);
    json.attribute("partial_tiles_loaded", summary.partialsLoaded);
    json.attribute("depth", summary.depth);
    json.attribute("fixup_bytes", report.fixupBytes);
    json.attribute("workspace_bytes", report.workspaceBytes);
  });
}

void mlir::ck::printJson(llvm::raw_ostream &os, const PartitionReports &reports) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("problem", toString(reports.work.problem));
    json.attribute("chip", reports.chip);
    json.attribute("compute_units", reports.computeUnits);
    json.attribute("occupancy", reports.occupancy);
    json.attribute("schedule", toString(reports.work.schedule));
    json.attributeArray("gemms", [&] {
      for (const WorkShape &gemm : reports.work.gemms)
        json.object([&] {
          json.attribute("groups", gemm.groups);
          json.attribute("rows", gemm.rows);
          json.attribute("columns", gemm.columns);
          json.attribute("k_steps", gemm.kSteps);
        });
    });
    json.attributeArray("partitions", [&] {
      for (const PartitionReport &report : reports.partitions)
        writePartition(json, report);
    });
  });
  json.flush();
  os << '\n';
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static Expected<ScheduledWork> scheduleInput(const RunOptions &options, StringRef chip) {
  CompileOptions compile;
  compile.chip = chip.str();
  compile.schedule = options.schedule;
  Expected<ScheduleRequest> request = parseSchedule(options.schedule);
  if (!request)
    return request.takeError();
  if (request->partition)
    return createStringError("--partition-report compares all partitions: expected none in "
                             "--schedule, got '" +
                             toString(*request->partition) + "'");
  if (!options.isModuleInput()) {
    Expected<Problem> problem = parseProblem(options.input);
    if (!problem)
      return problem.takeError();
    return scheduleProblem(*problem, compile);
  }
  std::unique_ptr<mlir::MLIRContext> context = createContext();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = parseModuleFile(*context, options.input);
  if (!module)
    return module.takeError();
  return scheduleModule(**module, compile);
}

Expected<std::string> mlir::ck::runPartitionReport(const RunOptions &options) {
  Expected<const ChipInfo *> chip = getRunChip(options);
  if (!chip)
    return chip.takeError();
  Expected<int64_t> computeUnits = getComputeUnits(**chip);
  if (!computeUnits)
    return computeUnits.takeError();
  Expected<ScheduledWork> work = scheduleInput(options, (*chip)->name);
  if (!work)
    return work.takeError();
  Expected<PartitionReports> reports =
      reportPartitions(std::move(*work), **chip, *computeUnits, options.occupancy);
  if (!reports)
    return reports.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!options.partitionSvg.empty()) {
    printSvg(os, *reports);
    if (Error error = writeFile(options.partitionSvg, text))
      return std::move(error);
    text.clear();
  }
  if (options.json)
    printJson(os, *reports);
  else
    printText(os, *reports);
  return text;
}
