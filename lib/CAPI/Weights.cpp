//===- Weights.cpp - Weights that are shuffled ahead of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Weights.h"
#include "CAPI/Calls.h"
#include "ck-mlir/Problem/Preshuffle.h"

using namespace mlir::ck;
using namespace mlir::ck::capi;

CkMlirStatus ckMlirShuffleWeights(const char *problem, const void *plain, size_t plainBytes,
                                  void *shuffled, size_t shuffledBytes) {
  return guard([&]() -> Outcome {
    if (!plain)
      return missing("weights");
    return withProblem(
        problem, shuffled, "shuffled weights", [&](const Problem &parsed) -> Outcome {
          llvm::Expected<ShuffledWeights> weights = getShuffledWeights(parsed);
          if (!weights)
            return invalid(weights.takeError());
          if (llvm::Error error =
                  shuffleWeights(*weights, {static_cast<const uint8_t *>(plain), plainBytes},
                                 {static_cast<uint8_t *>(shuffled), shuffledBytes}))
            return invalid(std::move(error));
          return {};
        });
  });
}
