//===- CursorState.h - The values that stand for a cursor -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane's cursor as byte offsets and digits. Digits of a dimension that a loop steps through are
// carried along; a step adds constants to them and propagates carries, so no iteration divides.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_CURSORSTATE_H
#define CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_CURSORSTATE_H

#include "ck-mlir/IR/ViewAnalysis.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// How the cursors of one view are used in a kernel.
struct ViewUse {
  SmallVector<int64_t> steps; // per dimension: a divisor of all steps along it; 0 for none
  bool passesEnd = false;     // some load may pass the end of the last dimension
};

/// Where one access goes. Of a buffer: byte offsets, the first past its end where nothing may be
/// accessed. Of a wide view: a byte offset from the tensor, 0 where `valid` is
/// false.
struct CursorAddress {
  Value offset, scalarOffset, valid;
};

/// Layout of the state of cursors of one view, and the arithmetic on it. All values are i32, or i64
/// of a wide view, whose tensor is too large for the 32-bit offsets of a buffer; offsets are in
/// bytes:
///
///   offset, scalarOffset, base of each check, digits
///
/// The address is offset + scalarOffset from the start of the tensor; steps along linear
/// dimensions, and those by whole values of the slowest digit, move only scalarOffset, which is the
/// same for all lanes. A check's base is the part of its form that no step moves; the digits are
/// those that steps move.
///
/// Where padding or a carry moves it back, offset is negative until the constant of the instruction
/// is added: the hardware adds these two in 32 bits, and only then compares with the range. The
/// scalar offset is no part of that sum, so that without it the sum must be in the tensor.
class CursorState {
public:
  static llvm::Expected<CursorState> create(ViewType view, const ViewUse &use);

  /// True if offsets or coordinates need 64 bits.
  bool isWide() const { return wide; }
  /// Type of the values.
  Type getValueType(MLIRContext *context) const {
    return IntegerType::get(context, wide ? 64 : 32);
  }
  /// Number of values.
  unsigned size() const { return 2 + checks.size() + tracked.size(); }

  /// The state at the given view coordinates (index values).
  SmallVector<Value> init(OpBuilder &builder, Location loc, ValueRange coordinates) const;
  /// The state after a step of `step` elements per dimension.
  SmallVector<Value> advance(OpBuilder &builder, Location loc, ValueRange state,
                             ArrayRef<int64_t> step) const;
  /// Whether an access `delta` elements away stays clear of padding and `mask` (may be null) is
  /// true; null if nothing can be in its way.
  Value isInside(OpBuilder &builder, Location loc, ValueRange state, ArrayRef<int64_t> delta,
                 Value mask) const;
  /// The place of an access `delta` elements away, inside one run of the view or by whole values of
  /// the slowest digit; `mask` (may be null) says where there is none.
  CursorAddress getAddress(OpBuilder &builder, Location loc, ValueRange state,
                           ArrayRef<int64_t> delta, Value mask) const;

  /// Size of the tensor.
  int64_t getExtentBytes() const { return analysis.numElements * elementBytes; }

private:
  /// The digits of a coordinate: all of each, and the parts of which it is the sum, where a part is
  /// null for 0. Steps move only the first of these, which is the same for all lanes of a tile.
  struct DigitParts {
    Value all, tile, inside;
  };
  /// The digits at the given view coordinates.
  SmallVector<DigitParts> findDigits(OpBuilder &builder, Location loc,
                                     ValueRange coordinates) const;
  /// True if what is inside a tile of the size of the steps never causes a carry of digits of
  /// `dim`.
  bool isSplit(unsigned dim) const;

  /// True if steps move digit `digit` by carries rather than through scalarOffset.
  bool isCarried(unsigned digit) const;
  int64_t getByteStride(unsigned digit) const {
    return analysis.offset.coefficients[digit] * elementBytes;
  }
  std::optional<unsigned> findTracked(unsigned digit) const;
  /// The digit of `dim` that moving by `elements` moves, none of the others, and by how much.
  std::pair<unsigned, int64_t> getMove(unsigned dim, int64_t elements) const;
  /// Bytes that a carry from digit `own[i]` to `own[i - 1]` adds to the offset.
  int64_t getJump(ArrayRef<unsigned> own, unsigned i) const {
    return getByteStride(own[i - 1]) - analysis.digits[own[i]].modulus * getByteStride(own[i]);
  }
  Value computeOffset(OpBuilder &builder, Location loc, ArrayRef<DigitParts> digits) const;
  Value computeCheck(OpBuilder &builder, Location loc, ArrayRef<DigitParts> digits,
                     const DigitForm &form) const;
  void advanceDigits(OpBuilder &builder, Location loc, MutableArrayRef<Value> state, unsigned dim,
                     int64_t step) const;

  ViewAnalysis analysis;
  ViewUse use;
  int64_t elementBytes = 1;
  bool wide = false;
  SmallVector<RangeCheck> checks; // the view's and the end of K
  SmallVector<unsigned> tracked;  // digits that the state holds
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_CURSORSTATE_H
