//===- Access.h - How a loop nest addresses a tensor -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dimensions of an operand as sums of loops, seen through the ops that produce it where those
// only move, widen or surround elements: what `ck` ops do by layouts, types and padding.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_LINALGTOCK_ACCESS_H
#define CK_MLIR_LIB_CONVERSION_LINALGTOCK_ACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// One dimension of a tensor of `size` elements. Position p of the operand that a loop nest sees,
/// p = sum of loop * coefficient, is element (p - padLow) / spacing where that is a whole number
/// inside of the tensor, and zero elsewhere; from the end with `flipped`.
struct DimAccess {
  SmallVector<std::pair<unsigned, int64_t>, 2> terms; // loops and coefficients; none: position 0
  int64_t offset = 0;                                 // added to the sum; 0 behind `countUpwards`
  int64_t size = 1;
  int64_t padLow = 0;
  int64_t spacing = 1;
  bool flipped = false;
  bool padded = false; // by zeros, on any side

  /// True for a single loop that runs over the dimension.
  bool isPlain() const {
    return terms.size() == 1 && terms[0].second == 1 && padLow == 0 && spacing == 1 && !padded;
  }
};

/// A tensor and how its dimensions are addressed.
struct OperandAccess {
  Value source;
  SmallVector<DimAccess> dims;

  Type getElementType() const { return getElementTypeOrSelf(source.getType()); }
};

/// What `lookThrough` follows.
struct LookThrough {
  bool casts = true;     // that lose nothing: arith.extf, extsi, and sitofp of i8
  bool padding = true;   // tensor.pad and tensor.insert_slice, with zeros
  bool spreading = true; // tensor.insert_slice with strides, with zeros
  bool reversal = true;  // of dimensions
};

/// Counts loops from their end that positions fall with, as those of the filter in a gradient that
/// is written as a gather, so that all coefficients are positive. An error says what does not begin
/// at position 0 then.
llvm::Error countUpwards(ArrayRef<OperandAccess *> accesses, ArrayRef<int64_t> loopSizes);

/// The access of `operand` by its indexing map; an error for maps that are no sums of loops.
/// Positions may fall with a loop, which `countUpwards` changes.
llvm::Expected<OperandAccess> getAccess(linalg::LinalgOp op, OpOperand &operand);

/// Replaces the tensor of `access` by the one that it is made of, as long as there is one.
void lookThrough(OperandAccess &access, const LookThrough &options);

/// The single conversion that the elements of `op`, which moves elements, pass; null for none.
/// Nothing if `op` does more.
std::optional<Operation *> getMovedConversion(linalg::LinalgOp op);

/// True for zeros: a constant, a filled tensor, or a scalar.
bool isZero(Value value);

/// The scalar constant that every element of `value` is, a tensor or a scalar; null if not known.
TypedAttr getSplat(Value value);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_LINALGTOCK_ACCESS_H
