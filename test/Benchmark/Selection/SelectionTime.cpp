//===- SelectionTime.cpp - How long choosing a schedule takes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses a schedule for each problem of a file, which has the form of those for `ck-run
// --problems`, and prints the milliseconds that the choice alone takes, without the IR that it
// belongs to. The shortest of three times counts.
//
// Usage: SelectionTime FILE.json [CHIP...]
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Schedule/ScheduleSelection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <cmath>
#include <cstdio>

using namespace mlir::ck;

namespace {
struct Timed {
  double milliseconds;
  std::string problem;
};
} // namespace

static Timed timeChoice(llvm::StringRef text, const ChipInfo &chip) {
  CompileOptions options;
  options.chip = chip.name.str();
  const std::vector<GemmShape> shapes =
      llvm::cantFail(scheduleProblem(llvm::cantFail(parseProblem(text)), options)).shapes;
  Timed result = {INFINITY, text.str()};
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    llvm::cantFail(resolveSchedule(ScheduleRequest(), shapes, chip));
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    result.milliseconds = std::min(result.milliseconds, elapsed.count());
  }
  return result;
}

static void printTimes(llvm::ArrayRef<std::string> problems, const ChipInfo &chip) {
  std::vector<Timed> times;
  for (const std::string &problem : problems)
    times.push_back(timeChoice(problem, chip));
  llvm::sort(times, [](const Timed &a, const Timed &b) { return a.milliseconds < b.milliseconds; });
  double sum = 0;
  for (const Timed &time : times)
    sum += time.milliseconds;
  std::printf("%-8s %zu problems: mean %.2f ms, 90th percentile %.2f ms, longest %.2f ms (%s)\n",
              chip.name.str().c_str(), times.size(), sum / double(times.size()),
              times[times.size() * 9 / 10].milliseconds, times.back().milliseconds,
              times.back().problem.c_str());
}

int main(int argc, char **argv) {
  auto file = llvm::MemoryBuffer::getFile(argc > 1 ? argv[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: SelectionTime FILE.json [CHIP...]\n");
    return 2;
  }
  const llvm::json::Value value = llvm::cantFail(llvm::json::parse((*file)->getBuffer()));
  std::vector<std::string> problems;
  for (const llvm::json::Value &problem : *value.getAsObject()->getArray("problems"))
    problems.push_back(problem.getAsObject()->getString("problem")->str());
  if (problems.empty()) {
    std::fprintf(stderr, "'%s' has no problems\n", argv[1]);
    return 2;
  }
  std::vector<std::string> chips(argv + 2, argv + argc);
  if (chips.empty())
    chips = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
  std::vector<const ChipInfo *> infos;
  for (const std::string &chip : chips) {
    llvm::Expected<const ChipInfo *> info = getChip(chip);
    if (!info) {
      std::fprintf(stderr, "SelectionTime: %s\n", llvm::toString(info.takeError()).c_str());
      return 2;
    }
    infos.push_back(*info);
  }
  for (const ChipInfo *info : infos)
    printTimes(problems, *info);
  return 0;
}
