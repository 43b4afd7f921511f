//===- Convolution.h - The three convolutions, from their formulas -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The judge. Sums are taken in double (64-bit integers for i8) and rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_REFERENCE_CONVOLUTION_H
#define CK_MLIR_REFERENCE_CONVOLUTION_H

#include "ck-mlir/Reference/TensorData.h"

namespace mlir::ck {

// The tensors are those of `problem.getReads()`, in any layout.

/// y[n,g,k,o] = sum over c, f of x[n,g,c,o*stride + f*dilation - pad] * w[g,k,c,f]
TensorData convolveForward(const ConvProblem &problem, const TensorData &x, const TensorData &w);

/// dx[n,g,c,i] = sum over k, f, o with o*stride + f*dilation - pad = i of dy[n,g,k,o] * w[g,k,c,f]
TensorData convolveBackwardData(const ConvProblem &problem, const TensorData &dy,
                                const TensorData &w);

/// dw[g,k,c,f] = sum over n, o of dy[n,g,k,o] * x[n,g,c,o*stride + f*dilation - pad]
TensorData convolveBackwardWeight(const ConvProblem &problem, const TensorData &x,
                                  const TensorData &dy);

/// The result of `problem` for the tensors it reads, in the order of `getReads`. Errors: a tensor
/// of another shape, layout or type, and an epilogue.
llvm::Expected<TensorData> computeReference(const Problem &problem,
                                            llvm::ArrayRef<TensorData> reads);

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_CONVOLUTION_H
