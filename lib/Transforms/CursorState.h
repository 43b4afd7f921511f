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

#ifndef CK_MLIR_LIB_TRANSFORMS_CURSORSTATE_H
#define CK_MLIR_LIB_TRANSFORMS_CURSORSTATE_H

#include "ck-mlir/IR/ViewAnalysis.h"

namespace mlir::ck {

/// How the cursors of one view are used in a kernel.
struct ViewUse {
  SmallVector<bool> advanced; // per dimension: some cursor steps along it
  bool loaded = false;
};

/// Layout of the state of cursors of one view, and the arithmetic on it. All values are i32, offsets
/// are in bytes:
///
///   offset, scalarOffset, base of each check, digits
///
/// The address is offset + scalarOffset; steps along linear dimensions move only scalarOffset, which
/// is the same for all lanes. A check's base is the part of its form that no step moves; the digits
/// are those that steps move.
class CursorState {
public:
  static llvm::Expected<CursorState> create(ViewType view, const ViewUse &use);

  /// Number of i32 values.
  unsigned size() const { return 2 + checks.size() + tracked.size(); }

  /// The state at the given view coordinates (index values).
  SmallVector<Value> init(OpBuilder &builder, Location loc, ValueRange coordinates) const;
  /// The state after a step of `step` elements per dimension.
  SmallVector<Value> advance(OpBuilder &builder, Location loc, ValueRange state,
                             ArrayRef<int64_t> step) const;
  /// (offset, scalarOffset) of an access `delta` elements away, along linear dimensions only. The
  /// offset lies past the end of every buffer where a check fails or `mask` (may be null) is false.
  std::pair<Value, Value> getAddress(OpBuilder &builder, Location loc, ValueRange state,
                                     ArrayRef<int64_t> delta, Value mask) const;

  const ViewAnalysis &getAnalysis() const { return analysis; }

private:
  /// True if steps move digit `digit` by carries rather than through scalarOffset.
  bool isCarried(unsigned digit) const;
  int64_t getByteStride(unsigned digit) const {
    return analysis.offset.coefficients[digit] * elementBytes;
  }
  std::optional<unsigned> findTracked(unsigned digit) const;
  void advanceDigits(OpBuilder &builder, Location loc, MutableArrayRef<Value> state, unsigned dim,
                     int64_t step) const;

  ViewAnalysis analysis;
  ViewUse use;
  int64_t elementBytes = 1;
  SmallVector<RangeCheck> checks;   // the view's and the end of K
  SmallVector<unsigned> tracked;    // digits that the state holds
};

} // namespace mlir::ck

#endif // CK_MLIR_LIB_TRANSFORMS_CURSORSTATE_H
