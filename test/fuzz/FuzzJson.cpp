//===- FuzzJson.cpp - Files of problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is what `ck-run --problems` reads. A filter that nothing matches ends the run before
// the first problem.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Support/CommandLine.h"
#include "ck-mlir/Tools/Run.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace cksupport;
using namespace ckfuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int file = memfd_create("problems", 0);
  require(file >= 0 && write(file, data, size) == ssize_t(size), "no room for the input");
  std::string problems = "--problems=/proc/self/fd/" + std::to_string(file);
  char name[] = "ck-run", filter[] = "--filter=x9#wq7!k3~v0*j5";
  char *arguments[] = {name, problems.data(), filter, nullptr};
  require(mlir::ck::runRun(3, arguments) == kUsageStatus, "a problem was run");
  close(file);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateText);
}
