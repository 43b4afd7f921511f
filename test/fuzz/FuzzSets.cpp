//===- FuzzSets.cpp - Declarations of sets of kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file that declares a set of kernels is read; what it declares must be requests of the canonical
// form.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Library/KernelSet.h"

using namespace mlir::ck;
using namespace ckfuzz;
using llvm::Expected;
using llvm::StringRef;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Expected<llvm::json::Value> json =
      llvm::json::parse(StringRef(reinterpret_cast<const char *>(data), size));
  if (!json) {
    llvm::consumeError(json.takeError());
    return 0;
  }
  Expected<KernelSet> set = KernelSet::parse(*json, "the input");
  if (!set) {
    llvm::consumeError(set.takeError());
    return 0;
  }
  require(set->getKernels().size() <= KernelSet::kMaxKernels, "more kernels than a set may have");
  // The first stand for all: there may be very many.
  for (const Declaration &kernel : set->getKernels().take_front(100)) {
    Expected<KernelRequest> request = kernel.request.canonicalize();
    require(request && *request == kernel.request, "not canonical: " + toString(kernel.request));
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateText);
}
