//===- FuzzStrings.cpp - Problem, schedule and epilogue strings -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is "PROBLEM SCHEDULE CHIP", where what follows the first space may be left out. The
// problem is parsed, printed, parsed again and scheduled; every part is tried as each kind of text.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::ck;
using namespace ckfuzz;
using llvm::Expected;
using llvm::StringRef;

/// Whether there is a value; an error must have a text.
template <class T>
static bool succeeded(Expected<T> &result) {
  if (result)
    return true;
  require(!llvm::toString(result.takeError()).empty(), "an error without a message");
  return false;
}

static void testEpilogue(StringRef text) {
  for (DataType type : {DataType::F16, DataType::F32, DataType::I8, DataType::FP8}) {
    Expected<llvm::SmallVector<EpilogueStep, 4>> steps = parseEpilogue(text, type);
    if (!succeeded(steps))
      continue;
    const std::string canonical = toString(*steps, type);
    Expected<llvm::SmallVector<EpilogueStep, 4>> again = parseEpilogue(canonical, type);
    require(succeeded(again) && toString(*again, type) == canonical,
            "the canonical epilogue '" + canonical + "' is another epilogue");
    require(getOperandNames(*steps).size() <= steps->size(), "more operands than steps");
  }
}

static void testSchedule(StringRef text, StringRef chipName) {
  Expected<ScheduleRequest> request = parseSchedule(text);
  Expected<const ChipInfo *> chip = getChip(chipName);
  if (!succeeded(chip) || !succeeded(request))
    return;
  GemmShape shape;
  shape.m = 1000;
  shape.n = 96;
  shape.k = 577;
  shape.aVector = shape.bVector = 8;
  shape.aContiguousK = true;
  Expected<Schedule> schedule = resolveSchedule(*request, shape, **chip);
  if (!succeeded(schedule))
    return;
  const std::string canonical = toString(*schedule);
  require(!checkSchedule(*schedule, shape, **chip), "'" + canonical + "' is not legal");
  Expected<ScheduleRequest> again = parseSchedule(canonical);
  require(succeeded(again), "the canonical schedule '" + canonical + "' is no schedule");
  Expected<Schedule> same = resolveSchedule(*again, shape, **chip);
  require(succeeded(same) && toString(*same) == canonical,
          "the canonical schedule '" + canonical + "' is another schedule");
}

static void testProblem(StringRef text, StringRef schedule, StringRef chip) {
  Expected<Problem> problem = parseProblem(text);
  if (!succeeded(problem))
    return;
  const std::string canonical = toString(*problem);
  Expected<Problem> again = parseProblem(canonical);
  require(succeeded(again) && toString(*again) == canonical,
          "the canonical problem '" + canonical + "' is another problem");
  require(getWrite(*problem).getSizeInBytes() > 0, "a result without elements");
  for (const TensorDesc &tensor : getReads(*problem))
    require(tensor.getSizeInBytes() > 0, "tensor '" + tensor.name + "' without elements");
  // None of either where every position of the filter lies in the padding.
  require(getReductionLength(*problem) >= 0 && getFlops(*problem) >= 0, "less than no work");
  CompileOptions options;
  options.schedule = schedule.str();
  if (!chip.empty())
    options.chip = chip.str();
  Expected<ScheduledWork> work = scheduleProblem(*problem, options);
  if (succeeded(work))
    require(!work->gemms.empty(), "a launch without work");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  auto [problem, rest] = text.rtrim('\n').split(' ');
  auto [schedule, chip] = rest.split(' ');
  testProblem(problem, schedule, chip);
  testSchedule(schedule, chip.empty() ? StringRef("gfx942") : chip);
  for (StringRef part : {problem, schedule}) {
    testEpilogue(part);
    testEpilogue(part.split("epilogue=").second.split(',').first);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateText);
}
