//===- LinalgToCK.h - From linalg to the ck dialect -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of the pass convert-linalg-to-ck, for compilers that drive them on their own. All work
// on tensors, before bufferization; docs/FromLinalg.md says what is recognised.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_CONVERSION_LINALGTOCK_H
#define CK_MLIR_CONVERSION_LINALGTOCK_H

#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/Error.h"

namespace mlir::ck {

/// Replaces `op`, a convolution, one of its gradients or a matrix product in whatever form, by the
/// ck op that computes it. Producers that only move or widen elements, or surround them with zeros,
/// become part of it; they are not erased. The error says why `op` is none of these, or none that
/// the ck dialect has; nothing has changed then.
llvm::Expected<ProblemOpInterface> convertLinalgToCK(RewriterBase &rewriter, linalg::LinalgOp op);

/// Moves `consumer`, an elementwise op on the result of a ck problem, into the problem's epilogue;
/// both are replaced by one op, which is returned. Reshapes may stand between the two. The error
/// says why that cannot be; nothing has changed then.
llvm::Expected<ProblemOpInterface> fuseConsumerIntoCK(RewriterBase &rewriter,
                                                      linalg::LinalgOp consumer);

/// The two functions as patterns.
void populateLinalgToCKPatterns(RewritePatternSet &patterns);

} // namespace mlir::ck

#endif // CK_MLIR_CONVERSION_LINALGTOCK_H
