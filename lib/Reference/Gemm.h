//===- Gemm.h - The batched matrix product, from its formula -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The judge of GEMM problems. Sums are taken in double (64-bit integers for i8) and rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_REFERENCE_GEMM_H
#define CK_MLIR_LIB_REFERENCE_GEMM_H

#include "ck-mlir/Reference/Convolution.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// c[g,m,n] = sum over k of a[g,m,k] * b[g,k,n], put through `finish` in place of the epilogue.
TensorData multiply(const GemmProblem &problem, const TensorData &a, const TensorData &b,
                    FinishFunction finish = {});

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_REFERENCE_GEMM_H
