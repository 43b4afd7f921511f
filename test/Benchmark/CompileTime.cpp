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
//   CompileTime [PROBLEM [SCHEDULE [REPEATS]]]
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <map>

using namespace mlir::ck;

static double getMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Milliseconds from the problem string to the code object.
static double compileOnce(llvm::StringRef text, const CompileOptions &options,
                          std::map<std::string, std::vector<double>> &stages) {
  auto start = std::chrono::steady_clock::now();
  CompiledProgram program =
      llvm::cantFail(compileProblem(llvm::cantFail(parseProblem(text)), options));
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  for (const auto &[name, milliseconds] : program.stages)
    stages[name].push_back(milliseconds);
  return elapsed.count();
}

int main(int argc, char **argv) {
  std::string problem =
      argc > 1 ? argv[1] : "conv_bwd_weight:f16:N=2,K=256,C=256,in=14x14,filter=3x3,pad=1";
  CompileOptions options;
  options.schedule = argc > 2 ? argv[2] : "tile=128x128x32";
  int repeats = 21;
  if (argc > 3 && (!llvm::to_integer(argv[3], repeats) || repeats < 1)) {
    llvm::errs() << "expected a positive number of repeats, got '" << argv[3] << "'\n";
    return 2;
  }

  std::map<std::string, std::vector<double>> stages;
  double first = compileOnce(problem, options, stages);
  std::vector<double> totals;
  stages.clear();
  for (int i = 0; i < std::max(repeats, 1); ++i)
    totals.push_back(compileOnce(problem, options, stages));

  double total = getMedian(totals);
  llvm::outs() << problem << " " << options.schedule << "\n"
               << llvm::formatv("first {0:F1} ms, then median of {1}: {2:F1} ms\n", first,
                                totals.size(), total);
  for (auto &[name, times] : stages)
    llvm::outs() << llvm::formatv("  {0,-10} {1,7:F1} ms {2,5:F1} %\n", name, getMedian(times),
                                  100 * getMedian(times) / total);
  return 0;
}
