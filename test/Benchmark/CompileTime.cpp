//===- CompileTime.cpp - Time from problem string to code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a compile is a promise of the project (README), so it has a benchmark that says where
// it goes. It is no test: timings never decide one.
//
//   CompileTime [PROBLEM] [--problems=FILE] [--chip=CHIP] [--schedule=SCHEDULE] [--repeats=N]
//
// Other work on the machine only adds time. So each problem and stage has the shortest time of its
// repeats, and lines of several runs can be compared. The rest is what was compiled in vain:
// kernels that spilled.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Run/ProblemFile.h"
#include "ck-mlir/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <optional>

using namespace cksupport;
using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;

namespace {
/// Milliseconds of a compilation, or of several.
struct CompileTimes {
  double total = 0;
  std::vector<std::pair<std::string, double>> stages; // in order

  double &get(llvm::StringRef name) {
    auto found = llvm::find_if(stages, [&](const auto &stage) { return stage.first == name; });
    return found == stages.end() ? stages.emplace_back(name.str(), 0).second : found->second;
  }

  void add(const CompileTimes &other) {
    total += other.total;
    for (const auto &[name, milliseconds] : other.stages)
      get(name) += milliseconds;
  }
};

struct BenchmarkOptions {
  std::string problem, problemsFile;
  CompileOptions compile;
  int64_t repeats = 5;
};
} // namespace

/// The times from the problem string to the code object.
static Expected<CompileTimes> compileOnce(llvm::StringRef text, const CompileOptions &options) {
  auto start = std::chrono::steady_clock::now();
  Expected<Problem> problem = parseProblem(text);
  if (!problem)
    return problem.takeError();
  Expected<CompiledProgram> program = compileProblem(*problem, options);
  if (!program)
    return program.takeError();
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  CompileTimes times;
  times.total = elapsed.count();
  times.stages = program->stages;
  times.get("rest") = times.total - program->getCompileMilliseconds();
  return times;
}

/// The shortest times of all repeats.
static Expected<CompileTimes> measure(llvm::StringRef text, const BenchmarkOptions &options) {
  std::optional<CompileTimes> shortest;
  for (int64_t i = 0; i < options.repeats; ++i) {
    Expected<CompileTimes> times = compileOnce(text, options.compile);
    if (!times)
      return times.takeError();
    if (!shortest)
      shortest = *times;
    shortest->total = std::min(shortest->total, times->total);
    for (auto &[name, milliseconds] : shortest->stages)
      milliseconds = std::min(milliseconds, times->get(name));
  }
  return *shortest;
}

static void print(llvm::StringRef name, const CompileTimes &times) {
  llvm::outs() << llvm::formatv("{0,8:F1} ms", times.total);
  for (const auto &[stage, milliseconds] : times.stages)
    llvm::outs() << llvm::formatv("  {0} {1:F1}", stage, milliseconds);
  llvm::outs() << "  " << name << "\n";
  llvm::outs().flush();
}

static Error run(llvm::ArrayRef<const char *> arguments) {
  BenchmarkOptions options;
  CommandLine line("CompileTime [PROBLEM|--problems=FILE.json] [options]",
                   "Prints how long problems take to compile.");
  line.addPositional("PROBLEM", "what is compiled", options.problem);
  line.addOption("problems", "FILE", "a file of problems instead", options.problemsFile);
  line.addOption("chip", "CHIP", "for which chip", options.compile.chip);
  line.addText("schedule", "SCHEDULE", "with which schedule", options.compile.schedule);
  line.addOption("repeats", "N", "how often each problem is compiled", options.repeats, 1);
  if (Error error = line.parse(arguments))
    return error;
  if (line.wantsHelp()) {
    line.printHelp(llvm::outs());
    return Error::success();
  }
  std::vector<NamedProblem> problems = {{"", options.problem}};
  if (options.problem.empty())
    problems[0].text = "conv_bwd_weight:f16:N=2,K=256,C=256,in=14x14,filter=3x3,pad=1";
  if (!options.problemsFile.empty()) {
    Expected<std::vector<NamedProblem>> read = readProblemFile(options.problemsFile);
    if (!read)
      return read.takeError();
    problems = std::move(*read);
  }
  // The first compilation of a process also fills caches.
  if (Error error = compileOnce(problems[0].text, options.compile).takeError())
    return error;
  CompileTimes sum;
  for (const NamedProblem &problem : problems) {
    Expected<CompileTimes> times = measure(problem.text, options);
    if (!times)
      return times.takeError();
    sum.add(*times);
    print(problem.text, *times);
  }
  if (problems.size() > 1)
    print("sum of " + std::to_string(problems.size()) + " problems", sum);
  return Error::success();
}

int main(int argc, char **argv) {
  if (Error error = run(llvm::ArrayRef(const_cast<const char **>(argv), argc).drop_front())) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return kUsageStatus;
  }
  return 0;
}
