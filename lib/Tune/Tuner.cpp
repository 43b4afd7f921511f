//===- Tuner.cpp - A search over several problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Tuner.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tune/Tuner.h"
#include "ck-mlir/Tune/ScheduleSpace.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

/// A best time that is shorter by this factor is progress.
static constexpr double kProgress = 0.99;

/// Adds the schedules of `more` that `schedules` lacks.
static void append(std::vector<Schedule> &schedules, std::set<std::string> &seen,
                   llvm::ArrayRef<Schedule> more) {
  for (const Schedule &schedule : more)
    if (seen.insert(toString(schedule)).second)
      schedules.push_back(schedule);
}

/// Whether the time of `entry` can be compared with those of this search.
bool Tuner::continues(const TunedSchedule &entry) const {
  return entry.compiler == options.compiler && entry.isMeasured == !device.isEmulated();
}

Error Tuner::add(const Problem &problem, const TuningTable *known) {
  CompileOptions compile;
  compile.chip = device.getArchitecture().str();
  compile.schedule = options.schedule;
  Expected<ScheduledWork> work = scheduleProblem(problem, compile);
  if (!work)
    return work.takeError();
  TuneTask task;
  task.problem = problem;
  task.key = getTuningKey(problem);
  if (const TunedSchedule *entry = known ? known->find(task.key) : nullptr)
    task.entry = *entry;
  if (task.entry && continues(*task.entry)) {
    task.best.schedule = task.entry->schedule;
    task.best.microseconds = task.entry->microseconds;
    task.asked = task.tried = size_t(task.entry->tried);
  }
  task.work = std::move(*work);
  tasks.push_back(std::move(task));
  return Error::success();
}

/// Finds out what to try, which takes longer than many a trial.
void Tuner::prepare(TuneTask &task) const {
  task.isPrepared = true;
  std::set<std::string> seen;
  if (task.entry && !continues(*task.entry))
    append(task.schedules, seen, {task.entry->schedule});
  task.known = task.schedules.size();
  append(task.schedules, seen, {task.work.schedule});
  Expected<ScheduleSpace> space =
      ScheduleSpace::create(llvm::cantFail(parseSchedule(options.schedule)), task.work.shapes,
                            *llvm::cantFail(getChip(device.getArchitecture())));
  if (space)
    append(task.schedules, seen, space->rank(options.top));
  task.ranked = task.schedules.size();
  if (space)
    append(task.schedules, seen, space->draw(options.draws, options.seed));
  else
    llvm::consumeError(space.takeError());
  // Others may be drawn than before.
  task.asked = task.tried = std::min(task.tried, task.ranked);
}

/// Of the problem that got closer to its end lately; of those, of the one that was looked at least.
std::optional<TrialRequest> Tuner::next() {
  while (!current || tasks[*current].asked == roundEnd) {
    current.reset();
    const auto rank = [&](size_t i) { return std::tuple(tasks[i].idle / 2, tasks[i].asked, i); };
    for (size_t i = 0; i < tasks.size(); ++i)
      if (tasks[i].hasMore() && (!current || rank(i) < rank(*current)))
        current = i;
    if (!current)
      return std::nullopt;
    TuneTask &task = tasks[*current];
    if (!task.isPrepared)
      prepare(task);
    const bool hasProgress = task.best.microseconds < kProgress * task.roundBest;
    task.idle = hasProgress || task.roundBest == 0 ? 0 : task.idle + 1;
    task.roundBest = task.best.microseconds;
    roundEnd = options.round == 0 ? task.schedules.size()
                                  : std::min(task.schedules.size(), task.asked + options.round);
  }
  TuneTask &task = tasks[*current];
  return TrialRequest{&task.problem, task.schedules[task.asked++], *current};
}

void Tuner::note(TuneTask &task, const Trial &trial) {
  ++task.tried;
  if (!trial.error.empty())
    return;
  if (toString(trial.schedule) == toString(task.work.schedule))
    task.chosen = trial.microseconds;
  if (task.best.microseconds == 0 || trial.microseconds < task.best.microseconds)
    task.best = trial;
}

Error Tuner::run(llvm::function_ref<bool(const TuneTask &, const Trial &)> done) {
  return tryOut(
      device, options.threads, [&] { return next(); },
      [&](const TrialRequest &request, const Trial &trial) {
        TuneTask &task = tasks[request.task];
        note(task, trial);
        return done(task, trial);
      });
}

std::optional<TunedSchedule> Tuner::getResult(const TuneTask &task) const {
  if (!task.isPrepared)
    return task.entry;
  if (task.best.microseconds == 0)
    return std::nullopt;
  const size_t tried = std::max(std::min(task.tried, task.ranked), task.known) - task.known;
  return TunedSchedule{
      task.key,       task.best.schedule, task.best.microseconds, !device.isEmulated(),
      int64_t(tried), options.compiler};
}
