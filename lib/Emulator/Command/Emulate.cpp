//===- Emulate.cpp - The body of ck-emulate -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Emulate.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Command/Emulate.h"
#include "Emulator/Command/EmulatorLibrary.h"
#include "Emulator/Command/Lists.h"
#include "Emulator/Command/Report.h"
#include "ck-mlir/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace ckemu;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr llvm::StringLiteral kTool = "ck-emulate";

/// Fails when no file can be written at `path`, which `name` gives, before anything is run for it.
static Error checkFile(StringRef name, StringRef path) {
  Error error = cksupport::checkWriteFile(path);
  return error ? createStringError(name + ": " + llvm::toString(std::move(error)))
               : Error::success();
}

/// Puts `value` in front of what the list `name` has.
static void prependVariable(const char *name, const std::string &value) {
  const char *before = std::getenv(name);
  const std::string list = before && *before ? value + ":" + before : value;
  setenv(name, list.c_str(), /*overwrite=*/1);
}

namespace {
/// The log of a run: that of the user, to which is appended, or a file that is removed.
class LLVM_LIBRARY_VISIBILITY RunLog {
public:
  ~RunLog() {
    if (isTemporary)
      (void)llvm::sys::fs::remove(path);
  }
  Error open(const EmulateOptions &options) {
    if (auto found = options.files.find("CK_EMULATOR_LOG"); found != options.files.end())
      return openGiven(found->second);
    llvm::SmallString<128> created;
    if (std::error_code failure = llvm::sys::fs::createTemporaryFile("ck-emulate", "log", created))
      return createStringError("cannot create a temporary file: " + failure.message());
    path = std::string(created);
    isTemporary = true;
    return Error::success();
  }
  Expected<LaunchRecords> read() const { return readRecords(path, begin, isTemporary); }

  std::string path;

private:
  uint64_t begin = 0;
  bool isTemporary = false;

  /// The program could append to a device or a pipe, but nothing could be read from it at the end.
  Error openGiven(const Setting &setting) {
    path = setting.value;
    if (llvm::sys::fs::exists(path)) {
      Expected<cksupport::RegularFile> file = cksupport::RegularFile::open(path);
      if (!file)
        return createStringError(setting.name + ": " + llvm::toString(file.takeError()));
      begin = file->getSize();
    }
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0)
      return createStringError(setting.name + ": cannot write '" + path +
                               "': " + std::error_code(errno, std::generic_category()).message());
    close(descriptor);
    return Error::success();
  }
};
} // namespace

/// What the program needs to meet the emulator, and what it is told.
static void setEnvironment(const EmulateOptions &options, const EmulatorLibrary &library,
                           const RunLog &log) {
  prependVariable("LD_LIBRARY_PATH", library.getAliasFolder());
  if (options.preload)
    prependVariable("LD_PRELOAD", library.getPath());
  // Triton looks for the library itself.
  setenv("TRITON_LIBHIP_PATH", (library.getAliasFolder() + "/libamdhip64.so").c_str(), 0);
  setenv("CK_EMULATOR_LIBRARY", library.getPath().c_str(), 1);
  setenv("CK_EMULATOR_PROGRESS", "on", 0);
  setenv("CK_EMULATOR_LOG", log.path.c_str(), 1);
  for (const auto &[name, value] : options.variables)
    setenv(name.c_str(), value.c_str(), 1);
  for (const auto &[name, setting] : options.files)
    setenv(name.c_str(), setting.value.c_str(), 1);
}

/// All that can be wrong before the program starts.
static Error checkOptions(const EmulateOptions &options, const EmulatorLibrary &library) {
  if (Error error = library.check(options.variables))
    return error;
  if (auto found = options.files.find("CK_EMULATOR_TIMING_TRACE"); found != options.files.end())
    if (Error error = checkFile(found->second.name, found->second.value))
      return error;
  return options.report.empty() ? Error::success() : checkFile("--report", options.report);
}

static int getStatus(const EmulateOptions &options, const EmulatedRun &run,
                     const LaunchRecords &records) {
  const bool hasFaults = !records.faults.empty();
  if (options.faultStatus && hasFaults)
    return *options.faultStatus;
  if (options.errorStatus && (hasFaults || !records.errors.empty() || !records.leaks.empty()))
    return *options.errorStatus;
  if (run.end.signal != 0)
    endBySignal(run.end.signal);
  return run.end.status;
}

/// What is left to say and to write when the program has ended.
static Error finish(const EmulateOptions &options, const EmulatedRun &run,
                    const LaunchRecords &records) {
  if (!options.quiet)
    llvm::errs() << kTool << ": " << summarize(options, records);
  if (!options.report.empty())
    if (Error error = cksupport::writeFile(
            options.report,
            llvm::formatv("{0:2}\n", llvm::json::Value(makeReport(run, records))).str()))
      return error;
  if (records.timelineError.empty())
    return Error::success();
  // The message begins with the variable, which an option may have set.
  StringRef reason = records.timelineError;
  const auto found = options.files.find("CK_EMULATOR_TIMING_TRACE");
  const bool isGiven = found != options.files.end() && reason.consume_front(found->first);
  return createStringError((isGiven ? found->second.name : "") + reason);
}

static Expected<int> runCommand(const EmulateOptions &options, const EmulatorLibrary &library) {
  if (Error error = checkOptions(options, library))
    return std::move(error);
  Expected<std::string> program = findProgram(options.command.front());
  if (!program)
    return program.takeError();
  EmulatedRun run;
  Expected<LaunchRecords> records = LaunchRecords();
  {
    RunLog log;
    if (Error error = log.open(options))
      return std::move(error);
    setEnvironment(options, library, log);
    run.command = options.command;
    const auto start = std::chrono::steady_clock::now();
    Expected<ProgramEnd> end = runProgram(*program, options.command);
    if (!end)
      return end.takeError();
    run.end = *end;
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    records = log.read();
  }
  if (!records)
    return records.takeError();
  if (Error error = finish(options, run, *records))
    return std::move(error);
  return getStatus(options, run, *records);
}

static Expected<int> print(Expected<std::string> text) {
  return text ? cksupport::printOutput(*text, 0) : Expected<int>(text.takeError());
}

int ckemu::runEmulate(int argc, char **argv) {
  EmulateCommandLine commandLine;
  return cksupport::runTool(kTool, commandLine.get(), {argv, size_t(argc)}, [&]() -> Expected<int> {
    Expected<EmulateOptions> options = commandLine.finish();
    if (!options)
      return options.takeError();
    const char *given = std::getenv("CK_EMULATOR_LIBRARY");
    if (options->library.empty() && given)
      options->library = given;
    Expected<EmulatorLibrary> library = EmulatorLibrary::open(options->library);
    if (!library)
      return library.takeError();
    if (options->listChips)
      return print(listChips(*library));
    if (options->listFunctions)
      return print(listFunctions(*library));
    if (!options->listInstructions.empty())
      return print(listInstructions(*library, options->listInstructions));
    return runCommand(*options, *library);
  });
}
