//===- EmulateOptions.cpp - Options of ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See EmulateOptions.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/EmulateOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace ckemu;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

llvm::ArrayRef<VariableOption> ckemu::getVariableOptions() {
  static constexpr VariableOption rows[] = {
      {"CK_EMULATOR_CHIP", "chip", "CHIP", "chip to emulate, or CHIP:PRODUCT (default gfx942)"},
      {"CK_EMULATOR_CHECKS", "checks", "LIST", "checks: off, on, or a list (default on)"},
      {"CK_EMULATOR_CUS", "cus", "N", "compute units of the device"},
      {"CK_EMULATOR_THREADS", "threads", "N", "host threads that execute workgroups"},
      {"CK_EMULATOR_SCHEDULE", "schedule", "random:SEED", "random order of workgroups and waves"},
      {"CK_EMULATOR_VECTORS", "vectors", "LEVEL", "vector instructions of the host"},
      {"CK_EMULATOR_HANG_INSTRUCTIONS", "hang-instructions", "N",
       "wave instructions without progress that count as a hang"},
      {"CK_EMULATOR_WAIT_SECONDS", "wait-seconds", "N",
       "how long a stream waits for a value that does not change"},
      {"CK_EMULATOR_HIP_VERSION", "hip-version", "N", "HIP version of the program: 5, 6 or 7"},
      {"CK_EMULATOR_TIMING", "timing", "MODE", "model of time: off, on, full or only"},
      {"CK_EMULATOR_TIMING_PARAMETERS", "timing-parameters", "LIST",
       "name=value,...: other parameters of the model"},
      {"CK_EMULATOR_TIMING_MEMORY", "timing-memory", "BYTES",
       "largest trace of a workgroup for the model"},
      {"CK_EMULATOR_TIMING_TRACE", "trace", "FILE",
       "write the timeline of the last launch; implies --time"},
      {"CK_EMULATOR_PROFILE", "profile", "", "count by instruction, and print the hottest"},
      {"CK_EMULATOR_PROGRESS", "progress", "on|off",
       "show on a terminal how far a long launch is (default on)"},
      {"CK_EMULATOR_LOG", "log", "FILE", "append a line of JSON for each launch and error"},
  };
  return rows;
}

std::optional<Setting> EmulateOptions::find(llvm::StringRef variable) const {
  const std::string name = variable.str();
  if (auto found = variables.find(name); found != variables.end()) {
    const VariableOption *row = llvm::find_if(
        getVariableOptions(), [&](const VariableOption &each) { return each.variable == name; });
    return Setting{("--" + row->option).str(), found->second};
  }
  const char *given = std::getenv(name.c_str());
  return given && *given ? std::optional(Setting{name, given}) : std::nullopt;
}

EmulateCommandLine::EmulateCommandLine()
    : commandLine("ck-emulate [options] [--] PROGRAM ARGUMENTS...",
                  "Runs a program that uses HIP on an emulated GPU."),
      texts(getVariableOptions().size()), flags(new bool[getVariableOptions().size()]()) {
  commandLine.addCommand("PROGRAM ARGUMENTS...", "the command to run", options.command);
  for (size_t i = 0; i < texts.size(); ++i) {
    const VariableOption &row = getVariableOptions()[i];
    if (row.valueName.empty())
      commandLine.addFlag(row.option, row.help, flags[i]);
    else
      commandLine.addOption(row.option, row.valueName, row.help, texts[i]);
  }
  commandLine.addFlag("time", "model the time of launches, as --timing=on", time);
  commandLine.addOption("report", "FILE", "write what was launched and found, as JSON",
                        options.report);
  commandLine.addFlag("explain", "print all that is known of each fault", options.explain);
  commandLine.addFlag("disassemble-at-fault", "print the instructions around each fault",
                      options.disassemble);
  commandLine.addFlag("quiet", "print no summary", options.quiet);
  commandLine.addOption("fault-exit-code", "N", "exit status when a kernel had a fault",
                        faultStatus);
  commandLine.addOption("error-exitcode", "N",
                        "exit status when there was a fault, a wrong call or a leak", errorStatus);
  commandLine.addOption("library", "FILE", "emulator to use (default: that of the installation)",
                        options.library);
  commandLine.addFlag("preload", "put the emulator before libraries with a path of their own",
                      options.preload);
  commandLine.addFlag("list-chips", "print the chips and their products", options.listChips);
  commandLine.addFlag("list-functions", "print the functions of HIP, executed and refused",
                      options.listFunctions);
  commandLine.addOption("list-instructions", "CHIP",
                        "print the instructions of a chip, executed and refused",
                        options.listInstructions);
}

/// An exit status of a process.
static Error readStatus(llvm::StringRef option, llvm::StringRef text, std::optional<int> &status) {
  int number = 0;
  if (text.empty())
    return Error::success();
  if (text.getAsInteger(10, number) || number < 0 || number > 255)
    return createStringError("--" + option + " must be in [0, 255], got '" + text + "'");
  status = number;
  return Error::success();
}

/// A list is made for no program: of the other options only that of the emulator means something.
Error EmulateCommandLine::checkLists() const {
  auto isList = [](llvm::StringRef name) { return name.starts_with("list-"); };
  const std::vector<std::string> &given = commandLine.getGivenNames();
  const auto list = llvm::find_if(given, isList);
  if (list == given.end())
    return options.command.empty()
               ? createStringError("expected a program to run; --help lists the options")
               : Error::success();
  for (const std::string &name : given)
    if (name != *list && name != "library")
      return createStringError("--" + *list + " cannot be combined with --" + name);
  return options.command.empty()
             ? Error::success()
             : createStringError("--" + *list + " prints a list and runs no program, got '" +
                                 options.command.front() + "'");
}

/// The program may be in another folder when it opens the files.
Error EmulateCommandLine::finishFiles() {
  for (const char *file : {"CK_EMULATOR_TIMING_TRACE", "CK_EMULATOR_LOG"})
    if (std::optional<Setting> setting = options.find(file)) {
      llvm::SmallString<128> absolute(setting->value);
      if (std::error_code failure = llvm::sys::fs::make_absolute(absolute))
        return createStringError("cannot find the current folder: " + failure.message());
      options.files[file] = {setting->name, std::string(absolute)};
    }
  return Error::success();
}

/// What asks for times, and what would say nothing without them.
Error EmulateCommandLine::finishTiming() {
  const std::optional<Setting> given = options.find("CK_EMULATOR_TIMING");
  const bool isOff = given && given->value == "off", isOption = given && given->name == "--timing";
  if (time && isOff && isOption)
    return createStringError("cannot model times for --time with --timing=off");
  const auto trace = options.files.find("CK_EMULATOR_TIMING_TRACE");
  const bool hasTrace = trace != options.files.end();
  // --trace asks for times in spite of a variable, and so does --time.
  if (hasTrace && isOff && !time && (isOption || trace->second.name != "--trace"))
    return createStringError("cannot write the timeline of " + trace->second.name + " with " +
                             given->name + "=off");
  if (time ? !isOption : hasTrace && (!given || isOff))
    options.variables["CK_EMULATOR_TIMING"] = "on";
  const std::optional<Setting> mode = options.find("CK_EMULATOR_TIMING");
  if (mode && mode->value != "off")
    return Error::success();
  for (const char *name : {"CK_EMULATOR_TIMING_PARAMETERS", "CK_EMULATOR_TIMING_MEMORY"})
    if (options.variables.count(name))
      return createStringError(options.find(name)->name +
                               " means nothing without --time, --trace or --timing");
  return Error::success();
}

Expected<EmulateOptions> EmulateCommandLine::finish() {
  if (Error error = checkLists())
    return std::move(error);
  if (Error error = readStatus("fault-exit-code", faultStatus, options.faultStatus))
    return std::move(error);
  if (Error error = readStatus("error-exitcode", errorStatus, options.errorStatus))
    return std::move(error);
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string value = flags[i] ? "on" : texts[i];
    if (!value.empty())
      options.variables[getVariableOptions()[i].variable.str()] = value;
  }
  if (Error error = finishFiles())
    return std::move(error);
  if (Error error = finishTiming())
    return std::move(error);
  return options;
}
