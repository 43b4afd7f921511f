//===- Preshuffle.h - Weights that are shuffled ahead of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the weights of a problem in the order in which its kernels read them. Weights stay the same
// for many calls of a model, so that this is done once, where they are loaded.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_PROBLEM_PRESHUFFLE_H
#define CK_MLIR_PROBLEM_PRESHUFFLE_H

#include "ck-mlir/Problem/Problem.h"

namespace mlir::ck {

/// The weights of `problem`, which has been verified, before they are shuffled and after: b of a
/// GEMM (GNK and GNKnk), w of a forward convolution (GKYXC and GKYXCkc). An error for a problem
/// whose weights are not shuffled.
struct ShuffledWeights {
  TensorDesc plain, shuffled;
};
llvm::Expected<ShuffledWeights> getShuffledWeights(const Problem &problem);

/// Copies weights that lie as `weights.plain` to where they lie as `weights.shuffled`. Both have
/// the bytes of the tensor; an error tells of a different number.
llvm::Error shuffleWeights(const ShuffledWeights &weights, llvm::ArrayRef<uint8_t> plain,
                           llvm::MutableArrayRef<uint8_t> shuffled);

} // namespace mlir::ck

#endif // CK_MLIR_PROBLEM_PRESHUFFLE_H
