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
#include "Tools/TuneSession.h"
#include "ck-mlir/Library/KernelSet.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Run/ProblemFile.h"
#include "ck-mlir/Support/CommandLine.h"
#include "ck-mlir/Tune/KernelTimer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <thread>

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// The problems of sets that are built in.
static Expected<std::vector<NamedProblem>> readSets(llvm::ArrayRef<std::string> names,
                                                    const TuneArguments &arguments) {
  std::vector<NamedProblem> problems;
  for (const std::string &name : names) {
    Expected<KernelSet> set = KernelSet::open(name);
    if (!set)
      return set.takeError();
    for (const Declaration &kernel : set->getKernels())
      if (StringRef(kernel.request.problem).contains(arguments.filter) ||
          StringRef(kernel.layer).contains(arguments.filter))
        problems.push_back({kernel.request.problem, kernel.request.problem});
  }
  if (problems.empty())
    return createStringError("'" + arguments.input + "': no problem matches '" + arguments.filter +
                             "'");
  return problems;
}

static Expected<std::vector<NamedProblem>> readProblems(const TuneArguments &arguments) {
  const StringRef input = arguments.input;
  if (input.empty())
    return createStringError("expected PROBLEM, FILE.json, SET or 'sets'; --help shows the usage");
  if (input.ends_with(".json"))
    return readProblemFile(arguments.input, arguments.filter);
  if (input == "sets")
    return readSets(getBuiltInSets(), arguments);
  if (llvm::is_contained(getBuiltInSets(), input))
    return readSets({arguments.input}, arguments);
  return std::vector<NamedProblem>{{arguments.input, arguments.input}};
}

/// Calls `body` with each problem. One that is malformed, or that `body` refuses, does not stop the
/// others. Returns the exit status.
static int forEachProblem(llvm::ArrayRef<NamedProblem> problems,
                          llvm::function_ref<Error(const Problem &)> body) {
  int status = 0;
  for (const NamedProblem &named : problems) {
    Expected<Problem> problem = parseProblem(named.text);
    Error error = problem ? body(*problem) : problem.takeError();
    if (!error)
      continue;
    printError("ck-tune", named.name + ": " + llvm::toString(std::move(error)));
    status = kUsageStatus;
  }
  return status;
}

/// Prints what is chosen without a search.
static Error printChoice(const Problem &problem, const CompileOptions &options) {
  Expected<ScheduledWork> work = scheduleProblem(problem, options);
  if (!work)
    return work.takeError();
  llvm::outs() << toString(problem) << ' ' << toString(work->schedule) << '\n';
  return Error::success();
}

/// The GPU of the chip if there is one, else its emulator.
static Expected<Device> openDevice(const TuneArguments &arguments) {
  RunOptions options;
  if (!arguments.chip.empty())
    options.chip = arguments.chip;
  if (arguments.device != "auto")
    options.device = arguments.device == "hip" ? DeviceChoice::Hip : DeviceChoice::Emulator;
  return openTimedDevice(options);
}

static Expected<int> choose(const TuneArguments &arguments, llvm::ArrayRef<NamedProblem> problems) {
  RunOptions options;
  if (!arguments.chip.empty())
    options.chip = arguments.chip;
  Expected<const ChipInfo *> chip = getRunChip(options);
  if (!chip)
    return chip.takeError();
  CompileOptions compile;
  compile.chip = (*chip)->name.str();
  compile.schedule = arguments.options.schedule;
  return forEachProblem(problems,
                        [&](const Problem &problem) { return printChoice(problem, compile); });
}

static Expected<int> tune(const TuneArguments &arguments, llvm::ArrayRef<NamedProblem> problems,
                          llvm::raw_ostream &log) {
  Expected<Device> device = openDevice(arguments);
  if (!device)
    return device.takeError();
  TuneSession session(arguments, *device, log);
  if (Error error = session.readTable())
    return std::move(error);
  const int status =
      forEachProblem(problems, [&](const Problem &problem) { return session.add(problem); });
  if (Error error = session.run())
    return std::move(error);
  session.print(llvm::outs());
  return TuneSession::isInterrupted() ? 128 + SIGINT : status;
}

static Expected<int> run(TuneArguments &arguments) {
  Expected<std::vector<NamedProblem>> problems = readProblems(arguments);
  if (!problems)
    return problems.takeError();
  TuneOptions &options = arguments.options;
  if (Expected<ScheduleRequest> fixed = parseSchedule(options.schedule); !fixed)
    return fixed.takeError();
  if (!options.schedule.empty() && !arguments.tuning.empty())
    return createStringError("cannot use both --schedule and --tuning: a tuning file has the best "
                             "of all schedules");
  if (arguments.choose)
    return choose(arguments, *problems);
  constexpr size_t kRound = 4;
  options.top = size_t(arguments.top);
  options.draws = size_t(arguments.draws);
  options.seed = uint64_t(arguments.seed);
  options.round = arguments.budget > 0 ? kRound : 0;
  options.threads = unsigned(arguments.threads);
  if (options.threads == 0)
    options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.compiler = getCompilerVersion();
  std::error_code code;
  llvm::raw_fd_ostream log(arguments.log.empty() ? "/dev/null" : arguments.log, code,
                           llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                           llvm::sys::fs::OF_Append);
  if (code)
    return createStringError("cannot write '" + arguments.log + "': " + code.message());
  Expected<int> status = tune(arguments, *problems, log);
  if (status && log.has_error()) {
    const std::string message = log.error().message();
    log.clear_error();
    return createStringError("cannot write '" + arguments.log + "': " + message);
  }
  return status;
}

int mlir::ck::runTune(int argc, char **argv) {
  guardStandardStreams();
  TuneArguments arguments;
  CommandLine line("ck-tune [options] PROBLEM|FILE.json|SET|sets",
                   "find the best schedules of problems");
  line.addPositional("PROBLEM|FILE.json|SET|sets",
                     "a problem string, a file of problems, a set of ck-library, or all sets",
                     arguments.input);
  line.addOption("chip", "CHIP", "chip (that of the GPU, else gfx942)", arguments.chip);
  line.addOption("device", "DEVICE",
                 "auto (a GPU of that chip if there is one, else the model of the emulator), hip "
                 "or emulator",
                 arguments.device, {"auto", "hip", "emulator"});
  line.addOption("tuning", "FILE",
                 "file of the best schedules, which is continued; see docs/Selection.md",
                 arguments.tuning);
  line.addOption("budget", "SECONDS", "end after this time, which all problems share",
                 arguments.budget, /*minimum=*/1);
  line.addOption("schedule", "SCHEDULE", "fields that stay as they are",
                 arguments.options.schedule);
  line.addOption("filter", "TEXT", "only problems that contain it", arguments.filter);
  line.addOption("top", "N", "schedules of the shortest estimated time (24)", arguments.top);
  line.addOption("draw", "N", "schedules drawn at random (8)", arguments.draws);
  line.addOption("seed", "N", "of the draw (1)", arguments.seed);
  line.addFlag("choose", "print what is chosen without a search, and time nothing",
               arguments.choose);
  line.addOption("j", "N", "threads (one on every core)", arguments.threads, /*minimum=*/1);
  line.addOption("log", "FILE", "a line of JSON for each trial, appended", arguments.log);
  return runTool("ck-tune", line, llvm::ArrayRef(argv, argc), [&] { return run(arguments); });
}
