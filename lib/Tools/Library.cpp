//===- Library.cpp - The body of ck-library -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line; what the commands do is in LibraryCommands.cpp.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Library.h"
#include "Tools/LibraryCommands.h"
#include "ck-mlir/Support/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// A command, and which options it has.
struct Command {
  StringRef name, input, overview;
  Expected<CommandResult> (*run)(const LibraryToolOptions &);
  StringRef options; // letters, see `addOptions`
};
} // namespace

static constexpr Command kCommands[] = {
    {"build", "SET", "compile the kernels of a set that the cache lacks", buildSet, "cvjkt"},
    {"list", "", "list the sets that are built in, and what the cache has", listSets, "k"},
    {"show", "SET|ARCHIVE", "print kernels, and what is excluded, with the reason", showSet,
     "cvjka"},
    {"select", "PROBLEM", "rank the kernels of a set for a problem", selectKernel, "cvjksrad"},
    {"verify", "SET|ARCHIVE", "run every kernel and compare with the reference", verifySet,
     "cvjkafdt"},
    {"export", "SET", "write the kernels of a set as an archive", exportSet, "cvjkot"},
    {"prune", "", "remove the kernels that were not used for the longest time", pruneCache, "k"},
};

/// Adds the options that `letters` stand for.
static void addOptions(CommandLine &line, StringRef letters, LibraryToolOptions &options) {
  if (letters.contains('c'))
    line.addOption("chip", "CHIP", "chip, in place of those of the set; may be repeated",
                   options.chips);
  if (letters.contains('v'))
    line.addOption("values", "KEY=V,...", "values of a key of the set; may be repeated",
                   options.values);
  if (letters.contains('j'))
    line.addOption("j", "N", "threads (one on every core)", options.threads, /*minimum=*/1);
  if (letters.contains('k')) {
    line.addOption("cache", "DIR", "folder of kernels (CK_KERNEL_CACHE, or ~/.cache/ck-mlir)",
                   options.cache);
    line.addOption("cache-mb", "N", "megabytes that the folder may have (1024)",
                   options.cacheMegabytes);
  }
  if (letters.contains('t'))
    line.addOption("tuning", "FILE",
                   "take schedules from a tuning file of ck-tune, where it has them; may be "
                   "repeated for other chips",
                   options.tuning);
  if (letters.contains('s'))
    line.addOption("set", "SET|ARCHIVE", "where the kernels are declared", options.set);
  if (letters.contains('r'))
    line.addOption("rank", "HOW",
                   "estimate, time (of the kernels, on a GPU of the chip if there is one, else by "
                   "the model of the emulator), a .tuning file of ck-tune, or a JSON file with "
                   "times or ranks",
                   options.rank);
  if (letters.contains('f')) {
    line.addOption("filter", "TEXT", "only problems and layers that contain it", options.filter);
    line.addOption("seed", "N", "of the inputs (1)", options.seed);
  }
  if (letters.contains('d'))
    line.addOption("device", "DEVICE", "auto, hip or emulator", options.device,
                   {"auto", "hip", "emulator"});
  if (letters.contains('o'))
    line.addOption("o", "FILE", "the archive", options.output);
  if (letters.contains('a'))
    line.addFlag("allow-stale", "take archives of another compiler", options.allowStale);
}

static int printCommands(bool isError) {
  std::string text = "usage: ck-library COMMAND [options]; ck-library COMMAND --help lists them\n";
  for (const Command &command : kCommands) {
    std::string left = (command.name + " " + command.input).str();
    text += "  " + left + std::string(26 - left.size(), ' ') + " " + command.overview.str() + "\n";
  }
  if (!isError)
    return llvm::cantFail(printOutput(text, 0));
  llvm::SmallVector<StringRef> names;
  for (const Command &command : kCommands)
    names.push_back(command.name);
  llvm::errs() << "ck-library: error: expected a command: " << llvm::join(names, ", ") << "\n";
  return kUsageStatus;
}

int mlir::ck::runLibrary(int argc, char **argv) {
  guardStandardStreams();
  StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h")
    return printCommands(/*isError=*/false);
  if (name == "--version") {
    CommandLine line("ck-library COMMAND [options]", "sets of compiled kernels");
    return runTool("ck-library", line, llvm::ArrayRef(argv, argc), [] { return 0; });
  }
  const auto *command =
      llvm::find_if(kCommands, [&](const Command &command) { return command.name == name; });
  if (command == std::end(kCommands))
    return printCommands(/*isError=*/true);
  LibraryToolOptions options;
  CommandLine line(("ck-library " + command->name + " [options] " + command->input).str(),
                   command->overview);
  if (!command->input.empty())
    line.addPositional(command->input, "see docs/Library.md", options.input);
  addOptions(line, command->options, options);
  std::string format = "text";
  line.addOption("format", "FORMAT", "text or json", format, {"text", "json"});
  return runTool("ck-library", line, llvm::ArrayRef(argv + 1, argc - 1), [&]() -> Expected<int> {
    if (!command->input.empty() && options.input.empty())
      return createStringError("expected " + command->input + "; --help shows the usage");
    options.json = format == "json";
    Expected<CommandResult> result = command->run(options);
    if (!result)
      return result.takeError();
    return printOutput(result->text, result->status);
  });
}
