//===- ImplicitGemm.h - Transform maps of a problem's implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows how a problem's tensors become the A, B and C of a GEMM.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_IMPLICITGEMM_H
#define CK_MLIR_IR_IMPLICITGEMM_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// Maps of one GEMM to GxMxK, GxNxK and GxMxN. Without `a` and `b` nothing is multiplied: the part
/// covers elements of the result that no product reaches.
struct ImplicitGemmPart {
  TransformMapAttr a, b, c;
  /// GxMxN view of a tensor GxchannelS, one value per group and channel of the result.
  TransformMapAttr channels;
};

/// The GEMMs of a problem, which together write every element of the result exactly once.
///
/// | direction | A | B | C | M | N | K |
/// |---|---|---|---|---|---|---|
/// | forward | x | w | y | (n, output) | k | (taps, c) |
/// | backward-data | dy | w | dx | (n, input positions of the part) | c | (taps of the part, k) |
/// | backward-weight | dy | x | dw | k | (taps, c) | (n, output) |
///
/// Only strided or dilated backward-data has more than one part: an input position meets only the
/// taps of its residue modulo the stride. Per dimension the residues fall into at most two classes
/// of equally many taps and two without taps; one class of every dimension is a part, its residues
/// are batches of the part's GEMM.
///
/// With `mergedGroups` = Gm > 1, Gm neighbouring groups make one GEMM whose M and N carry both the
/// index of the group in the bundle; C's map leaves out what lies off the diagonal.
struct ImplicitGemm {
  SmallVector<ImplicitGemmPart> parts;
};

/// The GEMMs of `problem`; `mergedGroups` must divide G.
ImplicitGemm getImplicitGemm(MLIRContext *context, const ConvProblem &problem,
                             int64_t mergedGroups = 1);
ImplicitGemm getImplicitGemm(MLIRContext *context, const GemmProblem &problem);

/// How many groups to merge: the largest power of two that divides G and fills a small tile with
/// the channels of several groups; 1 where a group alone fills it.
int64_t selectMergedGroups(const ConvProblem &problem);

} // namespace mlir::ck

#endif // CK_MLIR_IR_IMPLICITGEMM_H
