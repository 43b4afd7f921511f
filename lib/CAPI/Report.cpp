//===- Report.cpp - Verdicts, profiles and pictures in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Report.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Report.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Run/Partition.h"
#include "ck-mlir/Run/Problem.h"
#include "ck-mlir/Tune/Explain.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

/// Gives `mode` what a caller asked for.
static Outcome getMode(CkMlirVerification verification, VerifyMode &mode) {
  switch (verification) {
  case CkMlirVerificationCpu:
    mode = VerifyMode::Cpu;
    return {};
  case CkMlirVerificationDevice:
    mode = VerifyMode::Device;
    return {};
  case CkMlirVerificationNone:
    mode = VerifyMode::None;
    return {};
  }
  return invalid("kind of verification must be in [0, 2], got " + llvm::Twine(int(verification)));
}

/// Gives `choice` what a caller asked for; a profile is for the emulator to make.
static Outcome getDevice(CkMlirDeviceKind kind, bool profile, DeviceChoice &choice) {
  if (kind < CkMlirDeviceKindAuto || kind > CkMlirDeviceKindEmulator)
    return invalid("kind of device must be in [0, 2], got " + llvm::Twine(int(kind)));
  if (profile && kind == CkMlirDeviceKindHip)
    return invalid("a profile requires the emulator, got a GPU");
  choice = kind == CkMlirDeviceKindHip                   ? DeviceChoice::Hip
           : kind == CkMlirDeviceKindEmulator || profile ? DeviceChoice::Emulator
                                                         : DeviceChoice::Auto;
  return {};
}

/// Runs `problem` as `run` says, to which chip, schedule, device and kind of verification are
/// added.
static Outcome report(const char *problem, CkMlirCompileOptions options, CkMlirDeviceKind device,
                      CkMlirVerification verification, RunOptions run, CkMlirText *json) {
  auto accept = [](const Problem &) { return Outcome(); };
  if (Outcome outcome = withProblem(problem, json, "text", accept);
      outcome.status != CkMlirStatusSuccess)
    return outcome;
  CompileOptions compile = getOptions(options);
  run.chip = compile.chip;
  run.schedule = compile.schedule;
  run.tuningFile = compile.tuningFile;
  for (Outcome outcome : {checkOptions(compile), getMode(verification, run.verify),
                          getDevice(device, run.profile, run.device)})
    if (outcome.status != CkMlirStatusSuccess)
      return outcome;
  Expected<std::pair<Device, std::string>> opened = openRunDevice(run);
  if (!opened)
    return onDevice(opened.takeError());
  llvm::scope_exit stop([&] {
    if (run.profile)
      llvm::consumeError(opened->first.getApi().setProfiling(false));
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  printJson(os, runProblem(opened->first, opened->second, run, problem));
  *json = createText(std::move(text));
  return {};
}

CkMlirStatus ckMlirCreateRunReport(const char *problem, CkMlirCompileOptions options,
                                   CkMlirDeviceKind device, CkMlirVerification verification,
                                   bool profile, CkMlirText *json) {
  return guard([&]() -> Outcome {
    RunOptions run;
    run.profile = profile;
    return report(problem, options, device, verification, std::move(run), json);
  });
}

CkMlirStatus ckMlirCreateModelledReport(const char *problem, CkMlirCompileOptions options,
                                        CkMlirVerification verification, bool profile,
                                        const char *trace, CkMlirText *json) {
  return guard([&]() -> Outcome {
    RunOptions run;
    run.time = true;
    run.profile = profile;
    run.timeline = trace ? trace : "";
    return report(problem, options, CkMlirDeviceKindEmulator, verification, std::move(run), json);
  });
}

/// Explains the choice for `problem` as JSON.
static Outcome explain(const Problem &problem, const CompileOptions &options, int64_t numOthers,
                       bool modelled, CkMlirText &json) {
  if (Outcome outcome = checkOptions(options); outcome.status != CkMlirStatusSuccess)
    return outcome;
  if (!options.tuningFile.empty())
    return invalid("a choice without a tuning file is explained: expected none in the options, "
                   "got '" +
                   options.tuningFile + "'");
  if (numOthers < 0 || numOthers > 1000)
    return invalid("number of other tiles must be in [0, 1000], got " + llvm::Twine(numOthers));
  Expected<Explanation> explanation =
      explainChoice(problem, options.chip, options.schedule, size_t(numOthers));
  if (!explanation)
    return unsupported(explanation.takeError());
  if (modelled)
    if (llvm::Error error = timeSchedules(*explanation))
      return unsupported(std::move(error));
  json = createText(llvm::formatv("{0:2}\n", toJson(*explanation)));
  return {};
}

CkMlirStatus ckMlirCreateExplanation(const char *problem, CkMlirCompileOptions options,
                                     int64_t numOthers, bool modelled, CkMlirText *json) {
  return guard([&]() -> Outcome {
    return withProblem(problem, json, "text", [&](const Problem &parsed) {
      return explain(parsed, getOptions(options), numOthers, modelled, *json);
    });
  });
}

CkMlirStatus ckMlirCreatePartitionPicture(const char *problem, CkMlirCompileOptions options,
                                          int64_t computeUnits, int64_t occupancy,
                                          CkMlirText *svg) {
  return guard([&]() -> Outcome {
    return reportPartitions(problem, options, computeUnits, occupancy, printSvg, svg);
  });
}
