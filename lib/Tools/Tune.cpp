//===- Tune.cpp - The body of ck-tune -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Tune.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Tune.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Run/ProblemFile.h"
#include "ck-mlir/Support/ProgressBar.h"
#include "ck-mlir/Tools/CommandLine.h"
#include "ck-mlir/Tune/ScheduleSpace.h"
#include "ck-mlir/Tune/Trial.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <set>
#include <thread>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct TuneOptions {
  std::string input, chip, schedule, log, filter;
  int64_t top = 24, draws = 8, seed = 1, threads = 0;
  bool choose = false;
};
} // namespace

static llvm::json::Object toJson(const Trial &trial, StringRef problem, StringRef chip) {
  llvm::json::Object object{
      {"problem", problem}, {"chip", chip}, {"schedule", toString(trial.schedule)}};
  if (!trial.error.empty()) {
    object["error"] = trial.error;
    return object;
  }
  object["modelled_us"] = trial.microseconds;
  llvm::json::Array kernels;
  for (const auto &[name, kernel] : trial.timing.kernels) {
    llvm::json::Object units;
    for (const auto &[unit, share] : kernel.utilisation)
      units[unit] = share;
    kernels.push_back(llvm::json::Object{{"us", kernel.microseconds},
                                         {"mhz", kernel.clockMHz},
                                         {"bound", kernel.bound},
                                         {"units", std::move(units)}});
  }
  object["kernels"] = std::move(kernels);
  return object;
}

/// The schedule that is chosen without a search, the best by the estimate and some drawn at random.
static std::vector<Schedule> gatherCandidates(const ScheduleSpace &space, const Schedule &chosen,
                                              const TuneOptions &options) {
  std::vector<Schedule> schedules = {chosen};
  std::set<std::string> seen = {toString(chosen)};
  for (const std::vector<Schedule> &more :
       {space.rank(size_t(options.top)), space.draw(size_t(options.draws), uint64_t(options.seed))})
    for (const Schedule &schedule : more)
      if (seen.insert(toString(schedule)).second)
        schedules.push_back(schedule);
  return schedules;
}

namespace {
/// A problem that is to be tuned.
struct Task {
  Problem problem;
  std::string text; ///< canonical
  ScheduledWork work;
};
} // namespace

static Expected<Task> makeTask(StringRef text, const TuneOptions &options) {
  Expected<Problem> problem = parseProblem(text);
  if (!problem)
    return problem.takeError();
  CompileOptions compile;
  compile.chip = options.chip;
  compile.schedule = options.schedule;
  Expected<ScheduledWork> work = scheduleProblem(*problem, compile);
  if (!work)
    return work.takeError();
  std::string canonical = toString(*problem);
  return Task{std::move(*problem), std::move(canonical), std::move(*work)};
}

/// Times the candidates of a problem and prints the best of them.
static Error tuneProblem(const Device &device, const TuneOptions &options, const Task &task,
                         llvm::raw_ostream &log, llvm::raw_ostream &out) {
  const ChipInfo &chip = *llvm::cantFail(getChip(options.chip));
  Expected<ScheduleSpace> space = ScheduleSpace::create(
      llvm::cantFail(parseSchedule(options.schedule)), task.work.shapes, chip);
  if (!space)
    return space.takeError();
  const std::vector<Schedule> schedules = gatherCandidates(*space, task.work.schedule, options);
  std::optional<Trial> best;
  double chosen = 0;
  ProgressBar bar(llvm::errs(), schedules.size());
  size_t done = 0;
  Error error =
      tryOut(device, task.problem, schedules, unsigned(options.threads), [&](const Trial &trial) {
        bar.show(++done, task.text);
        log << llvm::json::Value(toJson(trial, task.text, options.chip)) << '\n';
        log.flush();
        if (!trial.error.empty())
          return true;
        if (chosen == 0)
          chosen = trial.microseconds;
        if (!best || trial.microseconds < best->microseconds)
          best = trial;
        return true;
      });
  if (error)
    return error;
  if (!best)
    return llvm::createStringError("no schedule could be timed");
  bar.clear();
  out << llvm::formatv("{0}\n  chosen {1:F1} us, best {2:F1} us by the model of the chip, of {3} "
                       "tried: {4}\n",
                       task.text, chosen, best->microseconds, schedules.size(),
                       toString(best->schedule));
  return Error::success();
}

static Expected<std::vector<NamedProblem>> readProblems(const TuneOptions &options) {
  if (options.input.empty())
    return llvm::createStringError("expected PROBLEM or FILE.json; --help shows the usage");
  if (StringRef(options.input).ends_with(".json"))
    return readProblemFile(options.input, options.filter);
  return std::vector<NamedProblem>{{options.input, options.input}};
}

static Expected<Device> openEmulator(const TuneOptions &options) {
  setenv("CK_EMULATOR_TIMING", "only", /*overwrite=*/0);
  Expected<Device> device = Device::openEmulator(options.chip);
  if (!device)
    return device.takeError();
  if (Error error = device->getApi().setVariable("CK_EMULATOR_CHECKS", "off"))
    return std::move(error);
  return device;
}

static Expected<int> run(TuneOptions &options) {
  Expected<std::vector<NamedProblem>> problems = readProblems(options);
  if (!problems)
    return problems.takeError();
  if (Expected<const ChipInfo *> chip = getChip(options.chip); !chip)
    return chip.takeError();
  if (Expected<ScheduleRequest> fixed = parseSchedule(options.schedule); !fixed)
    return fixed.takeError();
  if (options.threads == 0)
    options.threads = std::max(1u, std::thread::hardware_concurrency());
  std::error_code code;
  llvm::raw_fd_ostream log(options.log.empty() ? "/dev/null" : options.log, code,
                           llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                           llvm::sys::fs::OF_Append);
  if (code)
    return llvm::createStringError("cannot write '" + options.log + "': " + code.message());
  std::optional<Device> device;
  int status = 0;
  for (const NamedProblem &named : *problems) {
    Expected<Task> task = makeTask(named.text, options);
    Error error = task ? Error::success() : task.takeError();
    if (!error && options.choose) {
      llvm::outs() << task->text << ' ' << toString(task->work.schedule) << '\n';
      continue;
    }
    if (!error && !device) {
      Expected<Device> opened = openEmulator(options);
      if (!opened)
        return opened.takeError();
      device.emplace(std::move(*opened));
    }
    if (!error)
      error = tuneProblem(*device, options, *task, log, llvm::outs());
    if (!error)
      continue;
    printError("ck-tune", named.name + ": " + llvm::toString(std::move(error)));
    status = kUsageStatus;
  }
  if (log.has_error()) {
    const std::string message = log.error().message();
    log.clear_error();
    return llvm::createStringError("cannot write '" + options.log + "': " + message);
  }
  return status;
}

int mlir::ck::runTune(int argc, char **argv) {
  guardStandardStreams();
  TuneOptions options;
  options.chip = "gfx942";
  CommandLine line("ck-tune [options] PROBLEM|FILE.json", "find the best schedules of problems");
  line.addPositional("PROBLEM|FILE.json", "a problem string, or a file of problems", options.input);
  line.addOption("chip", "CHIP", "chip (gfx942)", options.chip);
  line.addOption("schedule", "SCHEDULE", "fields that stay as they are", options.schedule);
  line.addOption("filter", "TEXT", "only problems that contain it", options.filter);
  line.addOption("top", "N", "schedules of the shortest estimated time (24)", options.top);
  line.addOption("draw", "N", "schedules drawn at random (8)", options.draws);
  line.addOption("seed", "N", "of the draw (1)", options.seed);
  line.addFlag("choose", "print what is chosen without a search, and time nothing", options.choose);
  line.addOption("j", "N", "threads (one on every core)", options.threads, /*minimum=*/1);
  line.addOption("log", "FILE", "a line of JSON for each trial, appended", options.log);
  return runTool("ck-tune", line, llvm::ArrayRef(argv, argc), [&] { return run(options); });
}
