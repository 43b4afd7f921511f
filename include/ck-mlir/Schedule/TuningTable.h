//===- TuningTable.h - Schedules that a search found -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ck-tune writes, and what schedules are chosen by where it has the problem. A tuning file has
// a line of JSON that says what it is, and one for each problem:
//
//   {"format":"ck-mlir tuning","version":1,"chip":"gfx942"}
//   {"problem":"gemm:f16:M=64,N=64,K=64","schedule":"tile=...","us":2.186,"judged":"modelled",
//    "tried":24,"compiler":"ck-mlir 0.1.0, ..."}
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_TUNINGTABLE_H
#define CK_MLIR_SCHEDULE_TUNINGTABLE_H

#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace mlir::ck {

/// The string by which a tuning table has `problem`: the canonical one without the epilogue, which
/// all share a schedule.
std::string getTuningKey(const Problem &problem);

/// The best schedule that was found for a problem.
struct TunedSchedule {
  std::string problem; ///< as `getTuningKey` returns it
  Schedule schedule;
  double microseconds = 0;
  bool isMeasured = false; ///< on a GPU; otherwise by the model of the chip
  /// How many schedules were tried, in the order in which ck-tune tries them.
  int64_t tried = 0;
  std::string compiler; ///< that compiled them, see `getCompilerVersion`
};

/// The tuned schedules for one chip.
class TuningTable {
public:
  /// The version of the format, which the first line of a file has.
  static constexpr int64_t kVersion = 1;
  /// Of a file. Larger ones are errors.
  static constexpr uint64_t kMaxBytes = uint64_t(64) << 20;

  explicit TuningTable(llvm::StringRef chip) : chip(chip.str()) {}
  /// Reads the lines of a file; `what` names it in errors, which name the line and what was
  /// expected: another format or version, an unknown chip, a line that is cut off or no JSON, a
  /// field that is missing, unknown or malformed, a schedule that is not complete, a problem that
  /// has a line already.
  static llvm::Expected<TuningTable> parse(llvm::StringRef text, const llvm::Twine &what);
  /// Reads a file. Errors: those of `parse`; it is no regular file, or too large.
  static llvm::Expected<TuningTable> read(llvm::StringRef path);

  const std::string &getChip() const { return chip; }
  /// In the order of the file.
  llvm::ArrayRef<TunedSchedule> getEntries() const { return entries; }
  /// The entry of a problem, as `getTuningKey` returns it; null if there is none.
  const TunedSchedule *find(llvm::StringRef problem) const;
  /// The same, and null for a schedule that differs from a field of `request`, or whose results
  /// differ from run to run where `request` does not ask for that.
  const TunedSchedule *find(llvm::StringRef problem, const ScheduleRequest &request) const;
  /// The same; for a problem that the table does not have, the entry of the nearest one. That has
  /// the same operation, types, layouts, filter, stride and dilation, and sizes that differ by a
  /// factor of four at most, all of them together.
  const TunedSchedule *findNearest(llvm::StringRef problem, const ScheduleRequest &request) const;
  /// Adds an entry, whose problem is what `getTuningKey` returns, in the place of that of the same
  /// problem.
  void set(TunedSchedule entry);

  /// The text of a file.
  std::string print() const;

private:
  llvm::Error addLine(llvm::StringRef line);
  /// Whether `schedule` has what `request` asks for, and results that do not differ from run to run
  /// unless it asks for that.
  static bool agrees(const Schedule &schedule, const ScheduleRequest &request);

  std::string chip;
  std::vector<TunedSchedule> entries;
  std::vector<Problem> problems;   // of the entries
  llvm::StringMap<size_t> numbers; // of the entries, by problem
};

/// The table of the file at `path` for `chip`. A file that has not changed since this process read
/// it is not read again. Errors: those of `TuningTable::read`; the file is for another chip.
llvm::Expected<std::shared_ptr<const TuningTable>> openTuningFile(llvm::StringRef path,
                                                                  llvm::StringRef chip);

/// The schedule of `problem`, as `getTuningKey` returns it, or of the nearest one in the table,
/// completed by `resolveSchedule`: none if the table has none for `request`, if it is not legal for
/// `shapes` or needs a workspace that `options` do not allow, and none of less than all registers.
/// None of a neighbour that is clearly slower than the choice for `request` by the estimate.
std::optional<Schedule> findTuned(const TuningTable &table, llvm::StringRef problem,
                                  const ScheduleRequest &request, llvm::ArrayRef<GemmShape> shapes,
                                  const ChipInfo &chip, const SelectionOptions &options);

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_TUNINGTABLE_H
