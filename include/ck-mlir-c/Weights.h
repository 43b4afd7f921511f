//===- Weights.h - Weights that are shuffled ahead of time -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems with the key `preshuffle` read their weights (b of a gemm, w of a forward convolution)
// in the order in which kernels multiply them. See ck-mlir-c/Support.h for errors, ownership and
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_WEIGHTS_H
#define CK_MLIR_C_WEIGHTS_H

#include "ck-mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Copies the weights of `problem` from `plain`, packed as [G, N, K] or [G, K, filter, C], to
/// `shuffled`, as kernels of the problem read them. Both are memory of the host, of as many bytes
/// as the tensor has, and must not overlap. InvalidArgument: no problem, one whose weights are not
/// shuffled, or a wrong number of bytes.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirShuffleWeights(const char *problem, const void *plain,
                                                       size_t plainBytes, void *shuffled,
                                                       size_t shuffledBytes);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_WEIGHTS_H
