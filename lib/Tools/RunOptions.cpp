//===- RunOptions.cpp - The command line of ck-run -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of options, and what their values mean together.
//
//===----------------------------------------------------------------------===//

#include "Tools/RunOptions.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

CommandLine mlir::ck::makeRunCommandLine(RunArguments &arguments) {
  CommandLine line("ck-run PROBLEM|FILE.mlir|--problems=FILE.json [options]",
                   "Compile, execute and verify problems such as "
                   "conv_bwd_weight:f16:N=8,K=64,C=64,in=14x14,filter=3x3,pad=1. Exit status: 0 "
                   "all verified, 1 some wrong, 2 usage error or not supported.");
  line.addPositional("PROBLEM|FILE.mlir", "problem string OP:DTYPE:key=value,... or a file of IR",
                     arguments.input);
  line.addOption("problems", "FILE.json", "run the problems of a file", arguments.problemsFile);
  line.addText("filter", "TEXT", "only problems whose name or text contains TEXT",
               arguments.filter);
  line.addOption("chip", "NAME", "compile for this chip (default: that of the GPU, else gfx942)",
                 arguments.chip);
  line.addText("schedule", "KEY=VALUE,...", "fields of the schedule; the others are chosen",
               arguments.schedule);
  line.addOption("tuning", "FILE",
                 "take schedules from a tuning file of ck-tune, where it has them",
                 arguments.tuning);
  line.addOption("device", "DEVICE",
                 "auto (a GPU of that chip if there is one, else the emulator), hip or emulator",
                 arguments.device, {"auto", "hip", "emulator"});
  line.addOption("verify", "MODE",
                 "compare with: cpu (the reference of the host), device (a naive kernel) or none",
                 arguments.verify, {"cpu", "device", "none"});
  line.addOption("init", "KIND", "of the inputs: int (sums are exact), uniform or normal",
                 arguments.init, {"int", "uniform", "normal"});
  line.addOption("seed", "N", "of the inputs (default 1)", arguments.seed);
  line.addOption("input", "NAME=FILE.npy",
                 "read a tensor (f2, f4, i1, i4; bf16 as u2, fp8 and bf8 as u1)", arguments.inputs);
  line.addOption("output", "FILE.npy", "write the result", arguments.output);
  line.addOption("repeat", "N", "launch N times and report the median (default 1)",
                 arguments.repeat);
  line.addOption("format", "FORMAT", "of the report: text or json", arguments.format,
                 {"text", "json"});
  line.addOption("checks", "SWITCH", "the emulator's checks: on (default) or off", arguments.checks,
                 {"on", "off"});
  line.addFlag("profile",
               "report instructions, memory traffic and LDS bank conflicts by wave role, and the "
               "hottest instructions (emulator only)",
               arguments.profile);
  line.addFlag("time",
               "report how long a model of the chip says that the kernels take, and what limits "
               "them (emulator only; these are no measured times)",
               arguments.time);
  line.addOption("trace", "FILE.json",
                 "write what waves do and wait for in that model, for Perfetto; implies --time",
                 arguments.trace);
  line.addFlag("explain",
               "run nothing; print what the estimated time of the chosen schedule consists of, and "
               "which tiles come next; with --time beside the times of the model of the chip",
               arguments.explain);
  line.addFlag("partition-report",
               "run nothing; compare how data-parallel, Split-K and StreamK kernels share the work",
               arguments.partitionReport);
  line.addOption("partition-svg", "FILE.svg", "write the timelines of that report as an image",
                 arguments.partitionSvg);
  line.addOption("occupancy", "N",
                 "workgroups on a compute unit at a time, for that report (default 1)",
                 arguments.occupancy);
  return line;
}

/// Splits NAME=FILE.npy.
static Error addInputs(const RunArguments &arguments, RunOptions &options) {
  for (StringRef input : arguments.inputs) {
    auto [name, file] = input.split('=');
    if (name.empty() || file.empty())
      return createStringError("--input must be NAME=FILE.npy, got '" + input + "'");
    options.inputs.emplace_back(name.str(), file.str());
  }
  return Error::success();
}

/// Options that exclude or need each other.
static Error checkRunOptions(const RunOptions &options) {
  bool many = !options.problemsFile.empty();
  if (many && !options.input.empty())
    return createStringError("cannot run both '" + options.input + "' and --problems");
  if (!many && options.input.empty())
    return createStringError("expected a PROBLEM, a FILE.mlir or --problems=FILE.json");
  if (!many && !options.filter.empty())
    return createStringError("--filter requires --problems");
  if (many && (!options.inputs.empty() || !options.output.empty()))
    return createStringError("--input and --output require a single problem");
  if (options.device == DeviceChoice::Hip && options.checks)
    return createStringError("--checks requires the emulator, got --device=hip");
  if (options.device == DeviceChoice::Hip && options.profile)
    return createStringError("--profile requires the emulator, got --device=hip");
  if (options.device == DeviceChoice::Hip && options.time)
    return createStringError(
        "--time and --trace are those of the emulator's model, got --device=hip, which "
        "measures run_ms");
  if (many && !options.timeline.empty())
    return createStringError("--trace requires a single problem");
  if (many && options.profile && !options.json)
    return createStringError("--profile requires a single problem or --format=json");
  return Error::success();
}

/// The options of the partition report, which runs nothing.
static Error readPartitionOptions(const RunArguments &arguments, RunOptions &options) {
  options.partitionReport = arguments.partitionReport;
  options.explain = arguments.explain;
  options.partitionSvg = arguments.partitionSvg;
  if (!options.tuningFile.empty() && (arguments.partitionReport || arguments.explain))
    return createStringError("cannot use both --tuning and a report of the choice without a search,"
                             " --explain or --partition-report");
  if (!arguments.partitionReport) {
    if (!arguments.partitionSvg.empty())
      return createStringError("--partition-svg requires --partition-report");
    if (arguments.occupancy >= 0)
      return createStringError("--occupancy requires --partition-report");
    return Error::success();
  }
  if (!options.problemsFile.empty() && (!options.partitionSvg.empty() || arguments.occupancy >= 0))
    return createStringError("--partition-svg and --occupancy require a single problem");
  if (!options.inputs.empty() || !options.output.empty() || options.profile || options.time)
    return createStringError("--partition-report runs nothing: expected no --input, --output, "
                             "--profile, --time or --trace");
  if (arguments.occupancy == 0 || arguments.occupancy > 1024)
    return createStringError("--occupancy must be in [1, 1024], got %lld",
                             static_cast<long long>(arguments.occupancy));
  if (arguments.occupancy > 0)
    options.occupancy = arguments.occupancy;
  return Error::success();
}

Expected<RunOptions> mlir::ck::interpret(const RunArguments &arguments) {
  RunOptions options;
  options.input = arguments.input;
  options.problemsFile = arguments.problemsFile;
  options.filter = arguments.filter;
  options.schedule = arguments.schedule;
  options.tuningFile = arguments.tuning;
  options.output = arguments.output;
  if (!arguments.chip.empty())
    options.chip = arguments.chip;
  if (arguments.device != "auto")
    options.device = arguments.device == "hip" ? DeviceChoice::Hip : DeviceChoice::Emulator;
  if (arguments.verify != "cpu")
    options.verify = arguments.verify == "device" ? VerifyMode::Device : VerifyMode::None;
  options.init = *parseInitKind(arguments.init);
  options.seed = arguments.seed;
  if (arguments.repeat < 1 || arguments.repeat > 1000000)
    return createStringError("--repeat must be in [1, 1000000], got %lld",
                             static_cast<long long>(arguments.repeat));
  options.repeat = arguments.repeat;
  options.json = arguments.format == "json";
  options.profile = arguments.profile;
  options.timeline = arguments.trace;
  options.time = arguments.time || !arguments.trace.empty();
  // Of a network only times are of interest.
  if (!options.problemsFile.empty() && options.time && options.verify == VerifyMode::None)
    options.timed = TimedGroups::Sampled;
  if (!arguments.checks.empty())
    options.checks = arguments.checks == "on";
  if (Error error = addInputs(arguments, options))
    return error;
  if (Error error = checkRunOptions(options))
    return error;
  if (Error error = readPartitionOptions(arguments, options))
    return error;
  return options;
}
