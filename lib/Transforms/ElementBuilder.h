//===- ElementBuilder.h - Elements of a GEMM, one at a time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane that computes whole elements of the result needs neither matrix instructions nor LDS. All
// coordinates lie inside of the views.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_ELEMENTBUILDER_H
#define CK_MLIR_LIB_TRANSFORMS_ELEMENTBUILDER_H

#include "Transforms/IntMath.h"
#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The factors of an element's sum.
struct ElementFactors {
  Value a, b;               // views in the kernel
  bool omitPadding = false; // leaves out products with elements of B in its padding
  /// Moves cursors along K. Otherwise each product has cursors of its own, which does not change
  /// how other cursors of the views move.
  bool advances = true;
};

/// Builds the code of one lane for elements of a result, which accumulates in `accType`.
class ElementBuilder {
public:
  ElementBuilder(OpBuilder &builder, Location loc, Type accType)
      : builder(builder), loc(loc), accType(accType), math{builder, loc} {}

  Value getZero() { return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accType)); }
  /// The element of `view` at `coordinates`.
  Value load(Value view, ArrayRef<Value> coordinates) {
    return load(makeCursor(view, coordinates));
  }
  /// The sum over K of row `m` of A times row `n` of B, of group `g`.
  Value accumulate(const ElementFactors &factors, ArrayRef<Value> gmn);
  /// Stores `result` to `view` at `coordinates` where `mask` is true.
  void store(Value result, Value view, ArrayRef<Value> coordinates, Value mask);

private:
  Value makeCursor(Value view, ArrayRef<Value> coordinates);
  Value load(Value cursor);
  Value addProduct(const ElementFactors &factors, Value a, Value b, Value acc);

  OpBuilder &builder;
  Location loc;
  Type accType;
  IntMath math;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_ELEMENTBUILDER_H
