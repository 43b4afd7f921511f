//===- Tuner.h - A search over several problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is given to problems in rounds, so that a search that ends early has looked at all of them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TUNE_TUNER_H
#define CK_MLIR_TUNE_TUNER_H

#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Schedule/TuningTable.h"
#include "ck-mlir/Tune/Trial.h"
#include <deque>

namespace mlir::ck {

/// What is searched.
struct TuneOptions {
  std::string schedule;      ///< fields that stay as they are
  size_t top = 24;           ///< schedules of the shortest estimated time, for each problem
  size_t draws = 8;          ///< schedules drawn at random, for each problem
  uint64_t seed = 1;         ///< of the draw
  size_t round = 0;          ///< schedules of a problem in a round; 0: all
  unsigned threads = 1;      ///< that compile
  std::string compiler = ""; ///< the version whose times can be compared with those of this search
};

/// A problem that is tuned.
struct TuneTask {
  Problem problem;
  std::string key;                    ///< as `getTuningKey` returns it
  ScheduledWork work;                 ///< with the schedule that is chosen without a search
  std::optional<TunedSchedule> entry; ///< of an earlier search
  bool isPrepared = false;            ///< whether it was its turn, and `schedules` are known
  std::vector<Schedule> schedules;    ///< to try, in this order
  size_t asked = 0;                   ///< of `schedules`, handed out
  size_t tried = 0;                   ///< of `schedules`, with those of earlier searches
  size_t known = 0;             ///< of `schedules`, those that another compiler or judge found
  size_t ranked = 0;            ///< of `schedules`, those before the drawn ones
  size_t idle = 0;              ///< rounds since the best time became shorter by a percent
  double roundBest = 0;         ///< the best time at the last begin of a round
  std::optional<double> chosen; ///< time of the schedule of `work`, if it was tried
  Trial best;                   ///< without a time if there is none yet

  bool hasMore() const { return !isPrepared || asked < schedules.size(); }
};

/// A search. The order of trials depends on nothing but the problems, the options and the times.
class Tuner {
public:
  Tuner(const Device &device, const TuneOptions &options) : device(device), options(options) {}

  /// Adds a problem with what `known`, which may be null, has of it: schedules that an earlier
  /// search with the same compiler and judge has tried are not tried again; the schedule that
  /// another one found is tried first. Errors: those of `scheduleProblem`. What else is to be tried
  /// is found when it is the problem's turn.
  llvm::Error add(const Problem &problem, const TuningTable *known);

  /// Tries schedules until there are no others or `done`, which is told of each trial, returns
  /// false. Errors are those of the device.
  llvm::Error run(llvm::function_ref<bool(const TuneTask &, const Trial &)> done);

  const std::deque<TuneTask> &getTasks() const { return tasks; }
  /// The best of `task` for a tuning file; none without a time.
  std::optional<TunedSchedule> getResult(const TuneTask &task) const;

private:
  bool continues(const TunedSchedule &entry) const;
  void prepare(TuneTask &task) const;
  std::optional<TrialRequest> next();
  void note(TuneTask &task, const Trial &trial);

  Device device;
  TuneOptions options;
  std::deque<TuneTask> tasks;
  std::optional<size_t> current; ///< the task whose round it is
  size_t roundEnd = 0;           ///< of its `asked`
};

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_TUNER_H
