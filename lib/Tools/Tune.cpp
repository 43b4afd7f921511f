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
#include <thread>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct TuneOptions {
  std::string input, chip, schedule, log, filter;
  int64_t draws = 40, seed = 1, threads = 0;
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

static Error tuneProblem(const Device &device, const TuneOptions &options, StringRef text,
                         llvm::raw_ostream &log, llvm::raw_ostream &out) {
  Expected<Problem> problem = parseProblem(text);
  if (!problem)
    return problem.takeError();
  Expected<ScheduleRequest> fixed = parseSchedule(options.schedule);
  if (!fixed)
    return fixed.takeError();
  CompileOptions compile;
  compile.chip = device.getArchitecture().str();
  compile.schedule = options.schedule;
  Expected<ScheduledWork> work = scheduleProblem(*problem, compile);
  if (!work)
    return work.takeError();
  Expected<const ChipInfo *> chip = getChip(compile.chip);
  if (!chip)
    return chip.takeError();
  Expected<ScheduleSpace> space = ScheduleSpace::create(*fixed, work->shapes, **chip);
  if (!space)
    return space.takeError();
  std::vector<Schedule> schedules = space->draw(size_t(options.draws), uint64_t(options.seed));
  schedules.insert(schedules.begin(), work->schedule);
  std::optional<Trial> best;
  double chosen = 0;
  Error error =
      tryOut(device, *problem, schedules, unsigned(options.threads), [&](const Trial &trial) {
        log << llvm::json::Value(toJson(trial, toString(*problem), compile.chip)) << '\n';
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
  if (best)
    out << llvm::formatv("{0}: chosen {1:F1} us, best {2:F1} us with {3}, of {4} of {5} cores\n",
                         text, chosen, best->microseconds, toString(best->schedule),
                         schedules.size(), space->getCores().size());
  return Error::success();
}

static Expected<int> run(TuneOptions &options) {
  if (options.input.empty())
    return llvm::createStringError("expected PROBLEM or FILE.json; --help shows the usage");
  std::vector<NamedProblem> problems = {{options.input, options.input}};
  if (StringRef(options.input).ends_with(".json")) {
    Expected<std::vector<NamedProblem>> read = readProblemFile(options.input, options.filter);
    if (!read)
      return read.takeError();
    problems = std::move(*read);
  }
  if (options.threads == 0)
    options.threads = std::max(1u, std::thread::hardware_concurrency());
  setenv("CK_EMULATOR_TIMING", "only", /*overwrite=*/0);
  Expected<Device> device = Device::openEmulator(options.chip);
  if (!device)
    return device.takeError();
  if (Error error = device->getApi().setVariable("CK_EMULATOR_CHECKS", "off"))
    return std::move(error);
  std::error_code code;
  llvm::raw_fd_ostream log(options.log.empty() ? "/dev/null" : options.log, code,
                           llvm::sys::fs::OF_Append);
  if (code)
    return llvm::createStringError("cannot write '" + options.log + "': " + code.message());
  for (const NamedProblem &problem : problems)
    if (Error error = tuneProblem(*device, options, problem.text, log, llvm::outs()))
      llvm::errs() << "ck-tune: " << problem.name << ": " << llvm::toString(std::move(error))
                   << '\n';
  return 0;
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
  line.addOption("draw", "N", "schedules drawn at random (40)", options.draws);
  line.addOption("seed", "N", "of the draw (1)", options.seed);
  line.addOption("j", "N", "threads (one on every core)", options.threads, /*minimum=*/1);
  line.addOption("log", "FILE", "a line of JSON for each trial, appended", options.log);
  return runTool("ck-tune", line, llvm::ArrayRef(argv, argc), [&] { return run(options); });
}
