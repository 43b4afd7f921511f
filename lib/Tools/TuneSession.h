//===- TuneSession.h - One run of ck-tune -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search with its files, its progress bar and its end: no schedules are left, the time is over,
// or the user has pressed Ctrl-C.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TOOLS_TUNESESSION_H
#define CK_MLIR_LIB_TOOLS_TUNESESSION_H

#include "ck-mlir/Support/ProgressBar.h"
#include "ck-mlir/Tune/Tuner.h"
#include <chrono>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The command line of ck-tune.
struct TuneArguments {
  std::string input, chip, log, filter, tuning, device = "auto";
  int64_t top = 24, draws = 8, seed = 1, threads = 0;
  int64_t budget = 0; ///< seconds; 0: until there are no schedules left
  bool choose = false;
  TuneOptions options;
};

class TuneSession {
public:
  /// `log` gets a line of JSON for each trial.
  TuneSession(const TuneArguments &arguments, const Device &device, llvm::raw_ostream &log)
      : arguments(arguments), device(device), log(log), tuner(device, arguments.options),
        table(device.getArchitecture()) {}

  /// Reads the tuning file, if there is one.
  llvm::Error readTable();
  /// Adds a problem, unless it has been added.
  llvm::Error add(const Problem &problem);
  /// Tries schedules, and writes the tuning file now and then and at the end.
  llvm::Error run();
  /// A line or two for each problem, and one for all.
  void print(llvm::raw_ostream &os) const;
  /// Whether Ctrl-C ended `run`.
  static bool isInterrupted();

private:
  double getSeconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  llvm::Expected<bool> note(const TuneTask &task, const Trial &trial, cksupport::ProgressBar &bar);
  llvm::Error writeTable();

  const TuneArguments &arguments;
  Device device;
  llvm::raw_ostream &log;
  Tuner tuner;
  TuningTable table;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double written = 0; ///< when the table was, in seconds from the start
  size_t trials = 0;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TOOLS_TUNESESSION_H
