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
  /// True if B's padding is of columns that have not all taps of a row, or of what lies beside a
  /// row of taps: such products do not belong to the sum, not even that of an infinity and zero.
  bool padsFilter = false;
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
struct ImplicitGemm {
  SmallVector<ImplicitGemmPart> parts;
};

/// What the rows and columns of a GEMM have besides the channels of one group.
struct GemmColumns {
  /// So many neighbouring groups make one GEMM, whose M and N carry both the index of the group in
  /// the bundle; C's map leaves out what lies off the diagonal.
  int64_t mergedGroups = 1;
  /// So many neighbouring positions of the result in each spatial dimension are columns as well,
  /// and M has the others; empty for none. Rows have the taps of all these positions, some of which
  /// are not those of a column, where B's map pads the filter. In
  /// backward-data each number is a multiple of stride / gcd(stride, dilation), the residues that
  /// taps reach, which otherwise are parts and batches. More than that, or than one position of
  /// forward, needs a dilation that divides the stride.
  SmallVector<int64_t, 3> foldedPositions = {};
  /// The channels are part of the last spatial dimension of forward and backward-weight: a row of
  /// taps is one run of memory in the input and in the filter. Where the runs of the input begin at
  /// multiples of some elements, zeros make rows of the filter as long as these need.
  bool joinsChannels = false;
};

/// True if the taps of a row and their channels are side by side in the input and in the filter,
/// and so few that loads of channels alone are narrow.
bool canJoinChannels(const ConvProblem &problem);

/// Zeros before and behind a row of taps of the filter whose channels are joined.
std::pair<int64_t, int64_t> getRowPadding(const ConvProblem &problem);

/// True if columns of `problem` are channels of positions: forward and backward-data whose weights
/// are not shuffled ahead of time.
bool canFoldPositions(const ConvProblem &problem);

/// An error that names what `columns` has and what was expected, unless they suit `problem`.
llvm::Error verifyColumns(const ConvProblem &problem, const GemmColumns &columns);

/// The GEMMs of `problem`, which `columns` must suit.
ImplicitGemm getImplicitGemm(MLIRContext *context, const ConvProblem &problem,
                             const GemmColumns &columns = {});
ImplicitGemm getImplicitGemm(MLIRContext *context, const GemmProblem &problem);

/// How many groups to merge: the largest power of two that divides G and fills a small tile with
/// the channels of several groups; 1 where a group alone fills it.
int64_t selectMergedGroups(const ConvProblem &problem);

/// How many positions to fold into the columns of forward and backward-data: those with the least
/// work, columns that only fill a small tile included. Empty where it is best to fold none, where
/// groups are merged, and where weights are shuffled.
SmallVector<int64_t, 3> selectFoldedPositions(const ConvProblem &problem);

} // namespace mlir::ck

#endif // CK_MLIR_IR_IMPLICITGEMM_H
