//===- ImplicitGemm.h - Transform maps of a convolution's implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows how a convolution's tensors become the A, B and C of a GEMM.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_IMPLICITGEMM_H
#define CK_MLIR_IR_IMPLICITGEMM_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// Maps of the three tensors, under their forward roles, to the GEMM operands (GxMxK, GxNxK,
/// GxMxN). For backward-weight A is the output gradient, B the input, C the filter gradient:
/// M = K, N = filter space x C, K = N x output space.
struct ImplicitGemmMaps {
  TransformMapAttr input, filter, output;
};

/// The maps of `problem`, or an error naming what is not supported.
llvm::Expected<ImplicitGemmMaps> getImplicitGemmMaps(MLIRContext *context,
                                                     const ConvProblem &problem);

} // namespace mlir::ck

#endif // CK_MLIR_IR_IMPLICITGEMM_H
