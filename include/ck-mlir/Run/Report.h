//===- Report.h - What ck-run reports -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One value per problem, printed as text or JSON. The JSON fields are an interface that scripts
// rely on.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_RUN_REPORT_H
#define CK_MLIR_RUN_REPORT_H

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Run/Timing.h"
#include "ck-mlir/Schedule/Roofline.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::ck {

enum class RunStatus : uint8_t { Ok, Ran, Mismatch, Unsupported, Error };

/// "ok", "mismatch", "unsupported" or "error".
llvm::StringRef getName(RunStatus status);

/// A kernel and, on the emulator, what it executed.
struct KernelReport {
  ImageLaunch launch;
  std::vector<std::pair<std::string, int64_t>> instructions; // class, executions by waves
  std::optional<int64_t> ldsBankConflicts;
  std::optional<KernelProfile> profile; // with --profile
};

/// The outcome of one problem. What was not reached or not measured is unset.
struct RunReport {
  std::string name; // in a file of problems
  std::string problem, chip, device, schedule;
  RunStatus status = RunStatus::Ok;
  std::string reason;    // empty when ok
  std::string reference; // that the result was compared with: "cpu" or "device", or empty
  std::optional<double> compileMs, runMs, emulatedSeconds;
  std::optional<double> maxAbsError, maxRelError, rtol, atol;
  std::optional<int64_t> mismatches;
  std::vector<KernelReport> kernels;
  std::optional<int64_t> workspaceBytes;
  std::optional<ProgramTiming> timing; // with --time
  std::optional<Roofline> roofline;    // with --time
  int64_t count = 1;                   // of the problem in a file of problems
  double flops = 0;                    // of the problem
  int64_t minimumBytes = 0; // of the problem: its inputs read once, its result written once
  int64_t elements = 0;     // of the result
};

/// The modelled time of a problem as often as the network has it; 0 without one.
double getNetworkMicroseconds(const RunReport &report);

/// Prints one object, or an array of them, with a newline at the end.
void printJson(llvm::raw_ostream &os, const RunReport &report);
void printJson(llvm::raw_ostream &os, llvm::ArrayRef<RunReport> reports);

/// Prints a report of several lines.
void printText(llvm::raw_ostream &os, const RunReport &report);
/// Prints a table with a line per problem and a summary.
void printTable(llvm::raw_ostream &os, llvm::ArrayRef<RunReport> reports);
/// Prints how long a network of these problems takes by the model of the chip: for each problem its
/// share of the sum, what limits it, and how far it is from its roofline; then the sums, and the
/// problems that lose most. Problems without a modelled time come last, with the reason.
void printNetwork(llvm::raw_ostream &os, llvm::ArrayRef<RunReport> reports);

/// 2 when something was not supported or failed, 1 when something was wrong, otherwise 0.
int getExitStatus(llvm::ArrayRef<RunReport> reports);

} // namespace mlir::ck

#endif // CK_MLIR_RUN_REPORT_H
