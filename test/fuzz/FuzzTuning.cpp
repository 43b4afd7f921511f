//===- FuzzTuning.cpp - Files of tuned schedules -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of tuned schedules is read and looked up, and what is printed of it must be the same file.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Schedule/TuningTable.h"

using namespace mlir::ck;
using namespace ckfuzz;
using llvm::Expected;
using llvm::StringRef;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Expected<TuningTable> table =
      TuningTable::parse(StringRef(reinterpret_cast<const char *>(data), size), "the input");
  if (!table) {
    llvm::consumeError(table.takeError());
    return 0;
  }
  const std::string text = table->print();
  Expected<TuningTable> again = TuningTable::parse(text, "what was printed");
  if (!again)
    require(false, llvm::toString(again.takeError()));
  require(again->print() == text, "printed as another file:\n" + text);
  for (const TunedSchedule &entry : table->getEntries()) {
    require(table->find(entry.problem) == &entry, "not found: " + entry.problem);
    Expected<Problem> problem = parseProblem(entry.problem);
    require(problem && getTuningKey(*problem) == entry.problem, "no key: " + entry.problem);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateText);
}
