//===- ViewAnalysis.h - What a transform map means for addresses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform map in the form address code needs: every view coordinate split into digits, the
// element offset as a sum of digits times strides, and the range checks that padding asks for.
// Digits that move through memory in one stride are fused, so that, say, the merge of (n, ho, wo)
// over a packed tensor becomes a single linear coordinate.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_VIEWANALYSIS_H
#define CK_MLIR_IR_VIEWANALYSIS_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// (coordinate[dim] / divisor) % modulus. The slowest digit of a dimension has modulus 0: it takes
/// whatever is left, also past the end of the dimension.
struct Digit {
  unsigned dim = 0;
  int64_t divisor = 1;
  int64_t modulus = 0;
  int64_t size = 1; // number of values inside the view
};

/// constant + sum of coefficients[i] * digits[i].
struct DigitForm {
  int64_t constant = 0;
  SmallVector<int64_t> coefficients; // one per digit
};

/// The element is in the tensor only if 0 <= form < size; it reads as zero otherwise.
struct RangeCheck {
  DigitForm form;
  int64_t size = 1;
};

/// See the file comment.
struct ViewAnalysis {
  ViewType view;
  SmallVector<Digit> digits; // by dimension, slowest first
  DigitForm offset;          // element offset in the tensor
  SmallVector<RangeCheck> checks;
  int64_t numElements = 0; // of the tensor

  /// The values of all digits at `coordinates`. A distance between coordinates has those that are
  /// added to the digits where nothing is carried.
  SmallVector<int64_t> getDigits(ArrayRef<int64_t> coordinates) const;
  /// How far `form` is moved by a distance between coordinates where nothing is carried.
  int64_t getMove(const DigitForm &form, ArrayRef<int64_t> distance) const;
  /// Indices into `digits` of dimension `dim`, slowest first.
  SmallVector<unsigned> getDigitsOf(unsigned dim) const;
  /// True if moving by any amount along `dim` moves the offset by one constant stride and meets no
  /// range check.
  bool isLinear(unsigned dim) const;
  /// The largest power of two of coordinates, starting at a multiple of it, over which only the
  /// fastest digit of `dim` moves; 0 for no limit.
  int64_t getRun(unsigned dim) const;
  /// Element stride of `dim` inside a run.
  int64_t getStride(unsigned dim) const;
  /// Elements of the tensor from the first to the last one along the dimension.
  int64_t getSpan(unsigned dim) const;
  /// How many elements along `dim`, from a multiple of that number on, lie at the distance of
  /// `getStride` from one to the next, where nothing is carried or what is carried is that far too.
  int64_t getRegularRun(unsigned dim) const;
  /// True if an element past the end of `dim`, all range checks passed, lies past the end of the
  /// tensor, so that a buffer descriptor makes it read as zero.
  bool endsWithTensor(unsigned dim) const;
  /// The largest power of two of consecutive elements along `dim`, starting at a multiple of it,
  /// that are consecutive in memory and begin there at a multiple of their number; 1 if they are
  /// not.
  int64_t getAlignedRun(unsigned dim) const;
  /// The largest power of two (at most 16 bytes) of consecutive elements along `dim`, starting at a
  /// multiple of it, that are consecutive in memory; 1 if they are not.
  int64_t getMaxVector(unsigned dim) const;
  /// About how many vector operations it takes to move a load along `dim`: those of carries from
  /// digit to digit and of range checks; 0 if `dim` is linear.
  int64_t getAddressOps(unsigned dim) const;
};

/// Analyses the map of `view`. Fails with a reason for maps that address code cannot follow (a
/// merge of a dimension that an earlier step made from several).
llvm::Expected<ViewAnalysis> analyzeView(ViewType view);

/// The tensor's element offset at view coordinates, or nothing where the view reads zero; evaluates
/// the map step by step (independent of the digits above; for tests and constants).
std::optional<int64_t> evaluateMap(TransformMapAttr map, ArrayRef<int64_t> coordinates);

/// Sizes of the dimensions that each step of `map` consumes, in step order.
SmallVector<SmallVector<int64_t>> getConsumedSizes(TransformMapAttr map);

/// The GEMM of the views GxMxK and GxNxK into elements of `cType` as schedules see it: sizes, types
/// and how the operands may be loaded.
llvm::Expected<GemmShape> getGemmShape(ViewType a, ViewType b, Type cType);

/// The GEMMs and fills of `op`, a `ck.gemm` or `ck.gemm_table`: itself, or those of the table.
SmallVector<Operation *> getGemmParts(Operation *op);

/// `op`, a `ck.gemm` or `ck.gemm_table`, as schedules see it: its GEMMs, and its fills as GEMMs
/// without K. Emits an error for views that cannot be addressed.
FailureOr<SmallVector<GemmShape>> getGemmShapes(Operation *op);

} // namespace mlir::ck

#endif // CK_MLIR_IR_VIEWANALYSIS_H
