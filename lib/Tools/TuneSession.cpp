//===- TuneSession.cpp - One run of ck-tune -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TuneSession.h.
//
//===----------------------------------------------------------------------===//

#include "Tools/TuneSession.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <csignal>

using namespace cksupport;
using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

/// Set by the first Ctrl-C; the second one ends the process.
static volatile std::sig_atomic_t interrupted = 0;

static void watchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

bool TuneSession::isInterrupted() { return interrupted != 0; }

static llvm::json::Object toJson(const Trial &trial, llvm::StringRef problem,
                                 const Device &device) {
  llvm::json::Object object{{"problem", problem},
                            {"chip", device.getArchitecture()},
                            {"schedule", toString(trial.schedule)}};
  if (!trial.error.empty()) {
    object["error"] = trial.error;
    return object;
  }
  object[device.isEmulated() ? "modelled_us" : "measured_us"] = trial.microseconds;
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

Error TuneSession::readTable() {
  if (arguments.tuning.empty() || !llvm::sys::fs::exists(arguments.tuning))
    return Error::success();
  Expected<std::shared_ptr<const TuningTable>> read =
      openTuningFile(arguments.tuning, device.getArchitecture());
  if (!read)
    return read.takeError();
  for (const TunedSchedule &entry : (*read)->getEntries())
    if (entry.isMeasured && device.isEmulated())
      return llvm::createStringError("'" + arguments.tuning + "': the time of '" + entry.problem +
                                     "' was measured, and cannot be compared with modelled times: "
                                     "expected a GPU");
  table = **read;
  return Error::success();
}

Error TuneSession::add(const Problem &problem) {
  const std::string key = getTuningKey(problem);
  if (llvm::any_of(tuner.getTasks(), [&](const TuneTask &task) { return task.key == key; }))
    return Error::success();
  return tuner.add(problem, arguments.tuning.empty() ? nullptr : &table);
}

Error TuneSession::writeTable() {
  written = getSeconds();
  if (arguments.tuning.empty())
    return Error::success();
  for (const TuneTask &task : tuner.getTasks())
    if (std::optional<TunedSchedule> result = tuner.getResult(task))
      table.set(std::move(*result));
  return writeFile(arguments.tuning, table.print());
}

Expected<bool> TuneSession::note(const TuneTask &task, const Trial &trial, ProgressBar &bar) {
  constexpr double kSecondsBetweenWrites = 2;
  ++trials;
  log << llvm::json::Value(toJson(trial, task.key, device)) << '\n';
  log.flush();
  bar.show(arguments.budget > 0 ? size_t(getSeconds()) : trials,
           llvm::formatv("{0} tried, {1}", trials, task.key).str());
  if (getSeconds() - written > kSecondsBetweenWrites)
    if (Error error = writeTable())
      return std::move(error);
  return !isInterrupted() && (arguments.budget == 0 || getSeconds() < double(arguments.budget));
}

Error TuneSession::run() {
  watchInterrupts();
  const size_t most = 1 + arguments.options.top + arguments.options.draws; // of a problem
  size_t left = 0;
  for (const TuneTask &task : tuner.getTasks())
    left += std::max(most, task.tried) - task.tried;
  ProgressBar bar(llvm::errs(), arguments.budget > 0 ? size_t(arguments.budget) : left);
  // Where it cannot be written, that is better known before the search.
  Error failure = writeTable();
  if (failure)
    return failure;
  Error error = tuner.run([&](const TuneTask &task, const Trial &trial) {
    Expected<bool> goesOn = note(task, trial, bar);
    if (goesOn)
      return *goesOn;
    failure = llvm::joinErrors(std::move(failure), goesOn.takeError());
    return false;
  });
  bar.clear();
  return llvm::joinErrors(llvm::joinErrors(std::move(error), std::move(failure)), writeTable());
}

void TuneSession::print(llvm::raw_ostream &os) const {
  const char *judge = device.isEmulated() ? "by the model of the chip" : "measured";
  double logarithms = 0;
  size_t compared = 0;
  for (const TuneTask &task : tuner.getTasks()) {
    os << task.key << "\n  ";
    if (task.best.microseconds == 0) {
      if (task.tried == 0)
        os << "no schedule was tried\n";
      else
        os << "no schedule could be timed, of " << task.tried << " tried\n";
      continue;
    }
    if (task.chosen) {
      os << llvm::formatv("chosen {0:F1} us, ", *task.chosen);
      logarithms += std::log(task.best.microseconds / *task.chosen);
      ++compared;
    }
    os << llvm::formatv("best {0:F1} us {1}, of {2} tried: {3}\n", task.best.microseconds, judge,
                        task.tried, toString(task.best.schedule));
  }
  if (tuner.getTasks().size() < 2)
    return;
  os << llvm::formatv("{0} problems, {1} trials in {2:F0} s", tuner.getTasks().size(), trials,
                      getSeconds());
  if (compared > 0)
    os << llvm::formatv("; the chosen schedules of {0} have {1:F3} of the best speed", compared,
                        std::exp(logarithms / double(compared)));
  os << "\n";
}
