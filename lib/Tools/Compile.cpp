//===- Compile.cpp - The body of ck-compile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each file is written as a whole, the manifest last: a directory with a manifest is complete.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/Compile.h"
#include "ck-mlir/Compiler/ProblemSource.h"
#include "ck-mlir/Support/CommandLine.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace cksupport;
using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// The command line of ck-compile.
struct CompileToolOptions {
  std::string input;
  std::string emit = "object";
  std::string output;
  CompileOptions compile;
};
} // namespace

/// Writes the files of `program` into the directory, which is created if there is none. The
/// manifest goes first and comes last, so that one never stands beside files of another
/// compilation.
static Error writeProgram(const CompiledProgram &program, const CompileToolOptions &options) {
  StringRef directory = options.output;
  if (std::error_code code = llvm::sys::fs::create_directories(directory, /*IgnoreExisting=*/true,
                                                               llvm::sys::fs::perms::all_all))
    return createStringError("cannot create directory '" + directory + "': " + code.message());
  llvm::SmallString<128> manifestPath = directory;
  llvm::sys::path::append(manifestPath, "manifest.json");
  Expected<std::optional<llvm::sys::fs::file_status>> oldManifest = removeFile(manifestPath);
  if (!oldManifest)
    return oldManifest.takeError();
  std::string name = program.kernels.front().name;
  auto write = [&](const llvm::Twine &file, StringRef content) {
    llvm::SmallString<128> path = directory;
    llvm::sys::path::append(path, file);
    return writeFile(path, content);
  };
  llvm::json::Value manifest = program.toManifest();
  (*manifest.getAsObject())["code_object"] = name + ".hsaco";
  if (options.compile.emitAssembly) {
    (*manifest.getAsObject())["assembly"] = name + ".s";
    if (Error error = write(name + ".s", program.assembly))
      return error;
  }
  if (Error error = write(name + ".hsaco", program.codeObject))
    return error;
  return writeFile(manifestPath, llvm::formatv("{0:2}\n", manifest).str(), *oldManifest);
}

static Expected<int> compile(CompileToolOptions &options) {
  if (options.input.empty())
    return createStringError("expected a problem or a .mlir file; --help shows the usage");
  if (options.output.empty())
    return createStringError("expected -o DIR; --help shows the usage");
  options.compile.emitAssembly = options.emit == "isa";
  Expected<ProblemSource> source = ProblemSource::open(options.input);
  if (!source)
    return source.takeError();
  Expected<CompiledProgram> program = source->compile(options.compile);
  if (!program)
    return program.takeError();
  if (Error error = writeProgram(*program, options))
    return std::move(error);
  return 0;
}

int mlir::ck::runCompile(int argc, char **argv) {
  CompileToolOptions options;
  CommandLine commandLine("ck-compile [options] PROBLEM|FILE.mlir -o DIR",
                          "Compile a problem, or the problem of an IR file, to an AMDGPU code "
                          "object and manifest.json.");
  commandLine.addPositional("PROBLEM|FILE.mlir", "problem string or rung-0 IR", options.input);
  commandLine.addOption("chip", "CHIP", "chip to compile for (gfx942)", options.compile.chip);
  commandLine.addOption("residents", "N",
                        "workgroups that can be resident at the same time (one on every compute "
                        "unit of the chip)",
                        options.compile.residents, /*minimum=*/1);
  commandLine.addText("schedule", "SCHEDULE", "key=value,...; fields left out are chosen",
                      options.compile.schedule);
  commandLine.addOption("tuning", "FILE", "tuning file of ck-tune with schedules to take",
                        options.compile.tuningFile);
  commandLine.addOption("emit", "WHAT", "object, or isa for the assembly as well", options.emit,
                        {"object", "isa"});
  commandLine.addFlag("verify-ir", "verify the IR after every pass, and its form after every rung",
                      options.compile.verify);
  commandLine.addOption("o", "DIR", "output directory", options.output);
  return runTool("ck-compile", commandLine, llvm::ArrayRef(argv, argc),
                 [&] { return compile(options); });
}
