//===- MergeCarried.h - Carry equal values once -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_MERGECARRIED_H
#define CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_MERGECARRIED_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Replaces values that `loop` carries by another one that starts with the same value and that
/// every iteration changes in the same way. Canonicalization removes what is then unused.
void mergeCarriedValues(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_MERGECARRIED_H
