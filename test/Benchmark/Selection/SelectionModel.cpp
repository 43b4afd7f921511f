//===- SelectionModel.cpp - The model of selection against times -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads trials that `ck-tune --log` wrote and prints how far the analytic model's times are from
// them, and how good the schedules are that it would choose among them. `--fit` searches for
// constants with a smaller error and prints them; with names, only those change. Trials with
// "operands": "memory" were timed with operands in no cache.
//
// Usage: SelectionModel [--fit[=NAME,...]] [--rows] FILE...
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Schedule/TimeModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

using namespace mlir::ck;

namespace {
/// A schedule of a problem that was timed.
struct Trial {
  Schedule schedule;
  WorkEstimate work;
  double microseconds = 0;
};

/// A problem on a chip with its trials.
struct Case {
  std::string problem;
  const ChipInfo *chip = nullptr;
  std::vector<GemmShape> shapes;
  std::vector<Trial> trials;
  double best = INFINITY;
  bool fromMemory = false; ///< where the operands of the trials were

  TimeEstimate estimate(const Trial &trial, const TimeModelConstants &constants) const;
  /// With operands where those of the trials were.
  double select(const TimeEstimate &time) const {
    return fromMemory ? time.fromMemory : time.total;
  }
};

/// How good the model is.
struct Judgement {
  double objective = 0, medianError = 0, speed = 0, tenth = 0, coverage = 0;
};

/// A constant by its name.
struct Constant {
  const char *name;
  double TimeModelConstants::*member;
};
} // namespace

static constexpr Constant kConstants[] = {
    {"loadLatency", &TimeModelConstants::loadLatency},
    {"ldsLatency", &TimeModelConstants::ldsLatency},
    {"stepCycles", &TimeModelConstants::stepCycles},
    {"ldsRead", &TimeModelConstants::ldsRead},
    {"ldsWrite", &TimeModelConstants::ldsWrite},
    {"addressCycles", &TimeModelConstants::addressCycles},
    {"stepOps", &TimeModelConstants::stepOps},
    {"loadCycles", &TimeModelConstants::loadCycles},
    {"mathLatency", &TimeModelConstants::mathLatency},
    {"groupCycles", &TimeModelConstants::groupCycles},
    {"storeFactor", &TimeModelConstants::storeFactor},
    {"launchCycles", &TimeModelConstants::launchCycles},
    {"flagCycles", &TimeModelConstants::flagCycles},
    {"reduceLatency", &TimeModelConstants::reduceLatency},
    {"reduceBytes", &TimeModelConstants::reduceBytes},
    {"memoryShare", &TimeModelConstants::memoryShare},
    {"mallShare", &TimeModelConstants::mallShare},
    {"l2Share", &TimeModelConstants::l2Share},
    {"fillShare", &TimeModelConstants::fillShare},
    {"l1Share", &TimeModelConstants::l1Share},
    {"l2Keeps", &TimeModelConstants::l2Keeps},
    {"l2Holds", &TimeModelConstants::l2Holds},
    {"l2Returns", &TimeModelConstants::l2Returns},
    {"scatterShare", &TimeModelConstants::scatterShare},
    {"aheadLatency", &TimeModelConstants::aheadLatency},
    {"asyncLatency", &TimeModelConstants::asyncLatency},
    {"uniformGaps", &TimeModelConstants::uniformGaps},
    {"mathGaps", &TimeModelConstants::mathGaps},
    {"barrierGaps", &TimeModelConstants::barrierGaps},
    {"codeCycles", &TimeModelConstants::codeCycles},
    {"l1Addresses", &TimeModelConstants::l1Addresses},
    {"memoryLatency", &TimeModelConstants::memoryLatency},
    {"missShare", &TimeModelConstants::missShare},
    {"copyGaps", &TimeModelConstants::copyGaps},
    {"storeTail", &TimeModelConstants::storeTail},
};

TimeEstimate Case::estimate(const Trial &trial, const TimeModelConstants &constants) const {
  return estimateTimes(trial.schedule, shapes, *chip, {trial.work}, constants).front();
}

static void addTrial(std::map<std::string, Case> &cases, const llvm::json::Object &object) {
  std::optional<double> time = object.getNumber("modelled_us");
  if (!time)
    return;
  const std::string problem = object.getString("problem")->str();
  const std::string chip = object.getString("chip")->str();
  const bool fromMemory = object.getString("operands") == "memory";
  Case &entry = cases[chip + " " + problem + (fromMemory ? " from memory" : "")];
  if (!entry.chip) {
    entry.fromMemory = fromMemory;
    CompileOptions options;
    options.chip = chip;
    entry.problem = problem;
    entry.chip = llvm::cantFail(getChip(chip));
    entry.shapes =
        llvm::cantFail(scheduleProblem(llvm::cantFail(parseProblem(problem)), options)).shapes;
  }
  const ScheduleRequest request = llvm::cantFail(parseSchedule(*object.getString("schedule")));
  llvm::Expected<Schedule> schedule = resolveSchedule(request, entry.shapes, *entry.chip);
  if (!schedule) { // it was legal for the compiler that wrote the log
    llvm::errs() << problem << ": " << llvm::toString(schedule.takeError()) << "\n";
    return;
  }
  Trial trial;
  trial.schedule = *schedule;
  const auto works = getWorkShapes(trial.schedule.tile, entry.shapes);
  trial.work = estimateWork(llvm::cantFail(
      WorkPlan::create(works, trial.schedule.partition, entry.chip->numCus, entry.chip->numXcds)));
  trial.microseconds = *time;
  entry.best = std::min(entry.best, *time);
  entry.trials.push_back(trial);
}

/// Adds the trials of a file to `cases`; returns false if it cannot be read.
static bool addTrials(std::map<std::string, Case> &cases, llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return false;
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (llvm::Expected<llvm::json::Value> value = llvm::json::parse(line))
      addTrial(cases, *value->getAsObject());
    else
      llvm::consumeError(value.takeError());
  return true;
}

static double getMedian(std::vector<double> values, double share = 0.5) {
  if (values.empty())
    return 0;
  llvm::sort(values);
  return values[std::min(values.size() - 1, size_t(share * double(values.size())))];
}

namespace {
/// A trial's times in microseconds: what schedules are chosen by, and the one of the log.
struct Times {
  double estimated, modelled;
  const Schedule *schedule;
};
} // namespace

/// The shortest modelled time of the shortlist: the `count` schedules of different tiles with the
/// shortest estimates, those that `--explain` lists. `times` are sorted by estimates.
static double getShortestListed(llvm::ArrayRef<Times> times, size_t count) {
  double shortest = INFINITY;
  llvm::SmallVector<const Schedule *> listed;
  for (const Times &entry : times) {
    const bool isKnown = llvm::any_of(listed, [&](const Schedule *other) {
      return other->tile == entry.schedule->tile &&
             other->direct.has_value() == entry.schedule->direct.has_value();
    });
    if (isKnown)
      continue;
    listed.push_back(entry.schedule);
    shortest = std::min(shortest, entry.modelled);
    if (listed.size() == count)
      break;
  }
  return shortest;
}

/// Errors within a problem count, those of good schedules more than others.
static Judgement judge(const std::vector<const Case *> &cases,
                       const TimeModelConstants &constants) {
  Judgement result;
  std::vector<double> errors, speeds;
  double sum = 0, weights = 0, covered = 0;
  for (const Case *entry : cases) {
    std::vector<Times> times;
    std::vector<double> logs;
    double mean = 0, weightOfAll = 0;
    for (const Trial &trial : entry->trials) {
      const TimeEstimate time = entry->estimate(trial, constants);
      const double error = std::log(entry->select(time) / trial.microseconds);
      const double weight = entry->best / trial.microseconds;
      times.push_back({time.getMean(), trial.microseconds, &trial.schedule});
      logs.push_back(error);
      errors.push_back(std::abs(error));
      mean += weight * error;
      weightOfAll += weight;
    }
    mean /= weightOfAll;
    for (auto [log, time] : llvm::zip_equal(logs, times)) {
      const double weight = entry->best / time.modelled;
      sum += weight * (std::abs(log - mean) + 0.2 * std::abs(log));
      weights += weight;
    }
    llvm::sort(times, [](const Times &a, const Times &b) {
      return std::tie(a.estimated, a.modelled) < std::tie(b.estimated, b.modelled);
    });
    speeds.push_back(entry->best / times.front().modelled);
    covered += entry->best / getShortestListed(times, 3) >= 0.93;
  }
  result.medianError = getMedian(errors);
  for (double speed : speeds)
    result.speed += speed / double(speeds.size());
  result.tenth = getMedian(speeds, 0.1);
  result.coverage = covered / double(cases.size());
  result.objective = sum / weights + 0.5 * (1 - result.speed) + 0.3 * (1 - result.coverage);
  return result;
}

static void print(const char *title, const Judgement &judgement) {
  std::printf("%-10s objective %.4f, median error %.1f %%, chosen of the tried: mean %.3f, 10th "
              "percentile %.3f; one of three tiles reaches 0.93 in %.0f %%\n",
              title, judgement.objective, 100 * (std::exp(judgement.medianError) - 1),
              judgement.speed, judgement.tenth, 100 * judgement.coverage);
}

/// What a fit minimizes: a change that helps the problems of the fit little is seldom one for
/// others.
static double getObjective(const std::vector<const Case *> &cases,
                           const TimeModelConstants &constants, const TimeModelConstants &start) {
  constexpr double kPenalty = 0.002;
  double change = 0;
  for (const Constant &constant : kConstants) {
    if (start.*constant.member == 0) // stays as it is
      continue;
    const double log = std::log(constants.*constant.member / start.*constant.member);
    change += log * log;
  }
  return judge(cases, constants).objective + kPenalty * change;
}

/// Changes a few constants together, `kDraws` times, by factors that become smaller, and keeps what
/// makes the objective smaller. The draws are the same in every run.
static TimeModelConstants polish(const std::vector<const Case *> &cases,
                                 llvm::ArrayRef<Constant> free, TimeModelConstants constants,
                                 const TimeModelConstants &start) {
  constexpr int kDraws = 4000;
  std::mt19937_64 random(1);
  auto draw = [&](double least, double most) {
    return least + (most - least) * double(random() >> 11) * 0x1p-53;
  };
  double best = getObjective(cases, constants, start);
  for (int i = 0; i < kDraws; ++i) {
    TimeModelConstants changed = constants;
    const double width = 0.7 * (1 - double(i) / kDraws) + 0.03;
    for (int count = 1 + int(draw(0, 4)); count > 0; --count) {
      const auto number = size_t(draw(0, double(free.size())));
      changed.*free[number].member *= std::exp(draw(-width, width));
    }
    const double objective = getObjective(cases, changed, start);
    if (objective >= best - 1e-5)
      continue;
    best = objective;
    constants = changed;
  }
  return constants;
}

/// Changes one constant after the other as long as that makes the objective smaller.
static TimeModelConstants fit(const std::vector<const Case *> &cases, llvm::ArrayRef<Constant> free,
                              TimeModelConstants constants, const TimeModelConstants &start) {
  double best = getObjective(cases, constants, start);
  for (double step : {1.6, 1.25, 1.1}) {
    for (bool improved = true; improved;) {
      improved = false;
      for (const Constant &constant : free)
        for (double factor : {step, 1 / step}) {
          TimeModelConstants changed = constants;
          changed.*constant.member *= factor;
          const double objective = getObjective(cases, changed, start);
          if (objective >= best - 1e-5)
            continue;
          best = objective;
          constants = changed;
          improved = true;
        }
    }
  }
  return constants;
}

/// The constants with these names, all of them without; none if there is no constant of a name.
static llvm::SmallVector<Constant> getFree(llvm::ArrayRef<llvm::StringRef> names) {
  auto isOf = [](llvm::StringRef name) {
    return [name](const Constant &constant) { return name == constant.name; };
  };
  for (llvm::StringRef name : names)
    if (llvm::none_of(kConstants, isOf(name))) {
      std::fprintf(stderr, "--fit: there is no constant '%s'\n", name.str().c_str());
      return {};
    }
  return llvm::to_vector(llvm::make_filter_range(kConstants, [&](const Constant &constant) {
    return names.empty() || llvm::is_contained(names, constant.name);
  }));
}

static void printRows(const std::vector<const Case *> &cases, const TimeModelConstants &constants) {
  for (const Case *entry : cases) {
    std::vector<std::pair<double, std::string>> rows;
    for (const Trial &trial : entry->trials) {
      const TimeEstimate time = entry->estimate(trial, constants);
      const double total = entry->select(time);
      std::string text;
      llvm::raw_string_ostream(text)
          << llvm::format("  %8.1f %8.1f %5.2f  %-8s R%d mat %.1f valu %.1f lds %.1f l1 %.1f l2 "
                          "%.1f mall %.1f mem %.1f lat %.1f ends %.1f fix %.1f  ",
                          trial.microseconds, total, total / trial.microseconds,
                          time.getBound().str().c_str(), int(time.groupsPerUnit), time.matrix,
                          time.valu, time.lds, time.l1, time.l2, time.mall, time.memory,
                          time.latency, time.ends, time.fixup)
          << toString(trial.schedule);
      rows.emplace_back(trial.microseconds, text);
    }
    llvm::sort(rows);
    std::printf("%s %s\n", entry->chip->name.str().c_str(), entry->problem.c_str());
    for (const auto &row : rows)
      std::printf("%s\n", row.second.c_str());
  }
}

int main(int argc, char **argv) {
  std::map<std::string, Case> cases;
  bool fits = false, rows = false;
  llvm::SmallVector<llvm::StringRef> fitted;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    fits |= argument.consume_front("--fit");
    if (argument.consume_front("="))
      argument.split(fitted, ',');
    rows |= argument == "--rows";
    if (llvm::StringRef(argv[i]).starts_with("--"))
      continue;
    if (!addTrials(cases, argument)) {
      std::fprintf(stderr, "cannot read '%s'\n", argv[i]);
      return 2;
    }
  }
  std::vector<const Case *> train, test;
  size_t numProblems = 0;
  llvm::StringRef last;
  for (const auto &[name, entry] : cases) {
    if (entry.trials.empty())
      continue;
    numProblems += entry.problem != last;
    last = entry.problem;
    (numProblems % 8 == 0 ? test : train).push_back(&entry);
  }
  if (train.empty() && test.empty()) {
    std::fprintf(stderr, "no trials\n");
    return 2;
  }
  TimeModelConstants constants = getTimeModelConstants(*cases.begin()->second.chip);
  print("training", judge(train, constants));
  print("test", judge(test, constants));
  if (fits) {
    const TimeModelConstants start = constants;
    const llvm::SmallVector<Constant> free = getFree(fitted);
    if (free.empty())
      return 2;
    constants = fit(train, free, start, start);
    constants = fit(train, free, polish(train, free, constants, start), start);
    print("fitted", judge(train, constants));
    print("test", judge(test, constants));
    for (const Constant &constant : kConstants)
      std::printf("  %s = %.3g\n", constant.name, constants.*constant.member);
    for (const Constant &constant : kConstants)
      std::printf("%.3g, ", constants.*constant.member);
    std::printf("\n");
  }
  if (rows)
    for (const auto *part : {&train, &test})
      printRows(*part, constants);
  return 0;
}
