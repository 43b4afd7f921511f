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

#include "ck-mlir/Reference/Epilogue.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::ck {

/// Maps the sum of an output element and its index in memory order to the value that is rounded.
using FinishFunction = llvm::function_ref<double(double sum, int64_t index)>;

// The tensors are the first two of `problem.getReads()`, in any layout. The epilogue of `problem`
// is ignored; `finish`, called from several threads, takes its place. Elements of x and dy outside
// of the tensor are zeros that take part in the sums: multiplied by infinity or NaN they give NaN.

/// y[n,g,k,o] = sum over c, f of x[n,g,c,o*stride + f*dilation - pad] * w[g,k,c,f]
TensorData convolveForward(const ConvProblem &problem, const TensorData &x, const TensorData &w,
                           FinishFunction finish = {});

/// dx[n,g,c,i] = sum over k, f, o with o*stride + f*dilation - pad = i of dy[n,g,k,o] * w[g,k,c,f]
TensorData convolveBackwardData(const ConvProblem &problem, const TensorData &dy,
                                const TensorData &w, FinishFunction finish = {});

/// dw[g,k,c,f] = sum over n, o of dy[n,g,k,o] * x[n,g,c,o*stride + f*dilation - pad]
TensorData convolveBackwardWeight(const ConvProblem &problem, const TensorData &x,
                                  const TensorData &dy, FinishFunction finish = {});

/// The result of `problem` for the tensors it reads, in the order of `getReads`. An epilogue that
/// is a region is computed by `region`. `maxSum`, if given, receives the largest finite magnitude
/// of a sum before the epilogue. Errors: a tensor of another shape, layout or type; a region
/// without `region`.
llvm::Expected<TensorData> computeReference(const Problem &problem,
                                            llvm::ArrayRef<TensorData> reads,
                                            const EpilogueFunction &region = {},
                                            double *maxSum = nullptr);

} // namespace mlir::ck

#endif // CK_MLIR_REFERENCE_CONVOLUTION_H
