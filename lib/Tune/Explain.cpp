//===- Explain.cpp - Why a schedule is chosen -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice is made again with an estimator that remembers what it was asked.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/Explain.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "ck-mlir/Tune/KernelTimer.h"
#include "ck-mlir/Tune/Trial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/Format.h"
#include <map>
#include <tuple>

using namespace mlir::ck;
using llvm::Expected;

namespace {
/// Judges like the default estimator and keeps the best schedule of each tile.
class BestOfTiles final : public TimeEstimator {
public:
  struct Seen {
    uint64_t cycles = 0;
    Schedule schedule;
    WorkEstimate work;
  };

  llvm::SmallVector<uint64_t> estimate(const Schedule &schedule, llvm::ArrayRef<GemmShape> shapes,
                                       const ChipInfo &chip,
                                       llvm::ArrayRef<WorkEstimate> works) const override {
    llvm::SmallVector<uint64_t> times = getModelEstimator().estimate(schedule, shapes, chip, works);
    for (auto [work, cycles] : llvm::zip_equal(works, times)) {
      ++considered;
      auto [it, isFirst] = byTile.try_emplace(schedule.tile);
      if (!isFirst && cycles >= it->second.cycles)
        continue;
      it->second = {cycles, schedule, work};
      it->second.schedule.partition = work.partition;
    }
    return times;
  }

  mutable int64_t considered = 0;
  mutable std::map<std::array<int64_t, 3>, Seen> byTile;
};

/// A part of an estimate.
struct Part {
  const char *name;
  double TimeEstimate::*member;
};
} // namespace

static constexpr Part kParts[] = {
    {"matrix", &TimeEstimate::matrix},
    {"valu", &TimeEstimate::valu},
    {"lds", &TimeEstimate::lds},
    {"l1", &TimeEstimate::l1},
    {"l2", &TimeEstimate::l2},
    {"mall", &TimeEstimate::mall},
    {"memory", &TimeEstimate::memory},
    {"latency", &TimeEstimate::latency},
    {"begin and end", &TimeEstimate::ends},
    {"fix-up", &TimeEstimate::fixup},
};

static ExplainedSchedule explain(const BestOfTiles::Seen &seen, llvm::ArrayRef<GemmShape> shapes,
                                 const ChipInfo &chip) {
  return {
      seen.schedule,
      estimateTimes(seen.schedule, shapes, chip, {seen.work}, getTimeModelConstants(chip)).front(),
      std::nullopt,
      /*notTimed=*/""};
}

Expected<Explanation> mlir::ck::explainChoice(const Problem &problem, llvm::StringRef chip,
                                              llvm::StringRef request, size_t others) {
  CompileOptions options;
  options.chip = chip.str();
  options.schedule = request.str();
  Expected<ScheduledWork> work = scheduleProblem(problem, options);
  if (!work)
    return work.takeError();
  // What was chosen above is chosen again.
  const ChipInfo &info = *llvm::cantFail(getChip(chip));
  BestOfTiles best;
  SelectionOptions selection;
  selection.estimator = &best;
  const Schedule chosen = llvm::cantFail(
      resolveSchedule(llvm::cantFail(parseSchedule(request)), work->shapes, info, selection));
  Explanation explanation;
  explanation.problem = toString(problem);
  explanation.chip = chip.str();
  explanation.considered = best.considered;
  std::vector<const BestOfTiles::Seen *> seen;
  seen.reserve(best.byTile.size());
  for (const auto &[tile, entry] : best.byTile)
    seen.push_back(&entry);
  llvm::sort(seen, [&](const auto *a, const auto *b) {
    const auto rank = [&](const BestOfTiles::Seen *entry) {
      return std::tuple(entry->schedule.tile != chosen.tile, entry->cycles, entry->schedule.tile);
    };
    return rank(a) < rank(b);
  });
  for (const auto *entry : llvm::ArrayRef(seen).take_front(1 + others))
    explanation.schedules.push_back(explain(*entry, work->shapes, info));
  return explanation;
}

llvm::Error mlir::ck::timeSchedules(Explanation &explanation) {
  RunOptions options;
  options.device = DeviceChoice::Emulator;
  options.chip = explanation.chip;
  Expected<Device> device = openTimedDevice(options);
  if (!device)
    return device.takeError();
  std::vector<Schedule> schedules;
  schedules.reserve(explanation.schedules.size());
  for (const ExplainedSchedule &entry : explanation.schedules)
    schedules.push_back(entry.schedule);
  auto next = explanation.schedules.begin();
  return tryOut(*device, llvm::cantFail(parseProblem(explanation.problem)), schedules,
                /*threads=*/1, [&](const Trial &trial) {
                  ExplainedSchedule &entry = *next++;
                  entry.notTimed = trial.error;
                  if (trial.error.empty())
                    entry.modelledMicroseconds = trial.microseconds;
                  return true;
                });
}

std::string mlir::ck::describeLoss(const TimeEstimate &chosen, const TimeEstimate &other) {
  const Part *worst = llvm::max_element(kParts, [&](const Part &a, const Part &b) {
    return other.*a.member - chosen.*a.member < other.*b.member - chosen.*b.member;
  });
  std::string text;
  llvm::raw_string_ostream(text) << worst->name
                                 << llvm::format(" %.1f us instead of %.1f", other.*worst->member,
                                                 chosen.*worst->member);
  return text;
}

void mlir::ck::printText(llvm::raw_ostream &os, const Explanation &explanation) {
  os << "problem   " << explanation.problem << "\nchip      " << explanation.chip << ", "
     << explanation.considered << " schedules considered\n";
  const TimeEstimate &chosen = explanation.schedules.front().estimate;
  const bool isCdna = llvm::cantFail(getChip(explanation.chip))->hasMfma;
  const char *unit = isCdna ? "compute unit" : "work group processor";
  for (const auto &[number, entry] : llvm::enumerate(explanation.schedules)) {
    const TimeEstimate &time = entry.estimate;
    os << (number == 0 ? "chosen    " : "next      ") << toString(entry.schedule) << "\n          "
       << llvm::format("%.1f us estimated, %.1f us with operands in memory", time.total,
                       time.fromMemory);
    if (entry.modelledMicroseconds)
      os << llvm::format(", %.1f us by the model of the chip", *entry.modelledMicroseconds);
    else if (!entry.notTimed.empty())
      os << ", not timed: " << entry.notTimed;
    if (number == 0)
      os << ", bound by " << time.getBound();
    else
      os << "; " << describeLoss(chosen, time);
    os << "\n          ";
    for (const auto &[i, part] : llvm::enumerate(kParts))
      os << (i == 0 ? "" : ", ") << part.name << llvm::format(" %.1f", time.*part.member);
    os << "; " << time.groupsPerUnit << " workgroups on a " << unit << "\n";
  }
}

llvm::json::Value mlir::ck::toJson(const Explanation &explanation) {
  llvm::json::Array schedules;
  for (const ExplainedSchedule &entry : explanation.schedules) {
    llvm::json::Object parts;
    for (const Part &part : kParts)
      parts[part.name] = entry.estimate.*part.member;
    llvm::json::Object object{{"schedule", toString(entry.schedule)},
                              {"estimated_us", entry.estimate.total},
                              {"from_memory_us", entry.estimate.fromMemory},
                              {"bound", entry.estimate.getBound()},
                              {"parts_us", std::move(parts)},
                              {"groups_per_unit", entry.estimate.groupsPerUnit}};
    if (entry.modelledMicroseconds)
      object["modelled_us"] = *entry.modelledMicroseconds;
    if (!entry.notTimed.empty())
      object["not_timed"] = entry.notTimed;
    schedules.push_back(std::move(object));
  }
  return llvm::json::Object{{"problem", explanation.problem},
                            {"chip", explanation.chip},
                            {"considered", explanation.considered},
                            {"schedules", std::move(schedules)}};
}
