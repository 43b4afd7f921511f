//===- Run.cpp - The body of ck-run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the command line to the exit status.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Run.h"
#include "Tools/RunOptions.h"
#include "ck-mlir/Run/Partition.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Run/ProblemFile.h"
#include "ck-mlir/Run/Utilization.h"
#include "ck-mlir/Support/File.h"
#include "ck-mlir/Support/ProgressBar.h"
#include "ck-mlir/Tune/Explain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// One line on stderr, as errors of the command line have it.
static void complain(const Twine &message) { printError("ck-run", message.str()); }

static Expected<int> runMany(const Device &device, StringRef chip, const RunOptions &options,
                             llvm::ArrayRef<NamedProblem> problems) {
  std::vector<RunReport> reports;
  {
    ProgressBar bar(llvm::errs(), problems.size());
    for (const NamedProblem &problem : problems) {
      bar.show(reports.size(), problem.name);
      reports.push_back(runProblem(device, chip, options, problem.text));
      reports.back().name = problem.name;
      reports.back().count = problem.count;
    }
  }
  for (const RunReport &report : reports)
    if (report.status == RunStatus::Unsupported || report.status == RunStatus::Error)
      complain(report.name + ": " + report.reason);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.json)
    printJson(os, reports);
  else if (options.time)
    printNetwork(os, reports);
  else
    printTable(os, reports);
  return printOutput(text, getExitStatus(reports));
}

static Expected<int> runOne(const Device &device, StringRef chip, const RunOptions &options) {
  RunReport report = runProblem(device, chip, options, options.input);
  int status = getExitStatus(report);
  if (status == kUsageStatus)
    complain(report.reason);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.json)
    printJson(os, report);
  else if (status != kUsageStatus)
    printText(os, report);
  return printOutput(text, status);
}

/// How much of the chip the chosen schedules of `problems` use; runs nothing.
static Expected<int> reportMany(const RunOptions &options, llvm::ArrayRef<NamedProblem> problems) {
  Expected<const ChipInfo *> chip = getChip(options.chip.value_or("gfx942"));
  if (!chip)
    return chip.takeError();
  if (Expected<ScheduleRequest> request = parseSchedule(options.schedule); !request)
    return request.takeError();
  std::vector<UtilizationReport> reports;
  for (const NamedProblem &named : problems) {
    if (Expected<Problem> problem = parseProblem(named.text)) {
      reports.push_back(reportUtilization(named.name, *problem, options.schedule, **chip));
    } else {
      reports.emplace_back().name = named.name;
      reports.back().reason = llvm::toString(problem.takeError());
    }
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.json)
    printJson(os, **chip, reports);
  else
    printText(os, **chip, reports);
  return printOutput(text, 0);
}

/// Why the schedule of a problem is chosen.
static Expected<int> explain(const RunOptions &options) {
  if (!options.problemsFile.empty() || options.isModuleInput())
    return llvm::createStringError("--explain requires a single problem string");
  Expected<Problem> problem = parseProblem(options.input);
  if (!problem)
    return problem.takeError();
  Expected<const ChipInfo *> chip = getRunChip(options);
  if (!chip)
    return chip.takeError();
  Expected<Explanation> explanation = explainChoice(*problem, (*chip)->name, options.schedule);
  if (!explanation)
    return explanation.takeError();
  if (options.time)
    if (Error error = timeSchedules(*explanation))
      return std::move(error);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.json)
    os << llvm::formatv("{0:2}\n", toJson(*explanation));
  else
    printText(os, *explanation);
  return printOutput(text, 0);
}

static Expected<int> run(const RunOptions &options) {
  if (options.explain)
    return explain(options);
  bool many = !options.problemsFile.empty();
  if (options.partitionReport && !many) {
    Expected<std::string> report = runPartitionReport(options);
    if (!report)
      return report.takeError();
    return printOutput(*report, 0);
  }
  // Bad input is reported before a device is looked for.
  std::vector<NamedProblem> problems;
  if (many) {
    Expected<std::vector<NamedProblem>> read =
        readProblemFile(options.problemsFile, options.filter);
    if (!read)
      return read.takeError();
    problems = std::move(*read);
  } else if (!options.isModuleInput()) {
    if (Expected<Problem> problem = parseProblem(options.input); !problem)
      return problem.takeError();
  }
  if (options.partitionReport)
    return reportMany(options, problems);
  Expected<std::pair<Device, std::string>> opened = openRunDevice(options);
  if (!opened)
    return opened.takeError();
  auto &[device, chip] = *opened;
  return many ? runMany(device, chip, options, problems) : runOne(device, chip, options);
}

int mlir::ck::runRun(int argc, char **argv, const PipelineExtension &extension) {
  RunArguments arguments;
  CommandLine commandLine = makeRunCommandLine(arguments);
  return runTool("ck-run", commandLine, llvm::ArrayRef(argv, argc), [&]() -> Expected<int> {
    Expected<RunOptions> options = interpret(arguments);
    if (!options)
      return options.takeError();
    options->extension = extension;
    return run(*options);
  });
}
