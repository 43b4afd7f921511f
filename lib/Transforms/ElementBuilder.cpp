//===- ElementBuilder.cpp - Elements of a GEMM, one at a time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ElementBuilder.h"
#include "Transforms/LaneMath.h"

using namespace mlir;
using namespace mlir::ck;

Value ElementBuilder::makeCursor(Value view, ArrayRef<Value> coordinates) {
  auto type = CursorType::get(builder.getContext(), cast<ViewType>(view.getType()), FragmentType());
  return CursorOp::create(builder, loc, type, view, coordinates);
}

Value ElementBuilder::load(Value cursor) {
  Type elementType = cast<CursorType>(cursor.getType()).getView().getElementType();
  Value one = LoadOp::create(builder, loc, VectorType::get(1, elementType), cursor,
                             ArrayRef<int64_t>{0, 0, 0}, /*in_bounds=*/true);
  return vector::ExtractOp::create(builder, loc, one, 0);
}

/// `acc` and the product of the elements at the cursors `a` and `b`, unless that is left out.
Value ElementBuilder::addProduct(const ElementFactors &factors, Value a, Value b, Value acc) {
  if (!factors.omitPadding)
    return multiplyAdd(builder, loc, load(a), load(b), acc);
  auto branch = scf::IfOp::create(builder, loc, accType, IsInsideOp::create(builder, loc, b),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, acc);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, multiplyAdd(builder, loc, load(a), load(b), acc));
  return branch.getResult(0);
}

Value ElementBuilder::accumulate(const ElementFactors &factors, ArrayRef<Value> gmn) {
  Value zero = math.constant(0), one = math.constant(1);
  Value size = math.constant(cast<ViewType>(factors.a.getType()).getShape()[2]);
  auto cursorsAt = [&](Value k) -> std::array<Value, 2> {
    return {makeCursor(factors.a, {gmn[0], gmn[1], k}), makeCursor(factors.b, {gmn[0], gmn[2], k})};
  };
  SmallVector<Value> initial = {getZero()};
  if (factors.advances)
    llvm::append_range(initial, cursorsAt(zero));
  auto step = [&](OpBuilder &, Location, Value k, ValueRange carried) {
    std::array<Value, 2> cursors =
        factors.advances ? std::array<Value, 2>{carried[1], carried[2]} : cursorsAt(k);
    SmallVector<Value> next = {addProduct(factors, cursors[0], cursors[1], carried[0])};
    for (Value cursor : carried.drop_front())
      next.push_back(AdvanceOp::create(builder, loc, cursor, ArrayRef<int64_t>{0, 0, 1}));
    scf::YieldOp::create(builder, loc, next);
  };
  return scf::ForOp::create(builder, loc, zero, size, one, initial, step).getResult(0);
}

void ElementBuilder::store(Value result, Value view, ArrayRef<Value> coordinates, Value mask) {
  Value one =
      vector::BroadcastOp::create(builder, loc, VectorType::get(1, result.getType()), result);
  StoreOp::create(builder, loc, one, makeCursor(view, coordinates), ArrayRef<int64_t>{0, 0, 0},
                  mask, /*atomic=*/false, /*write_through=*/false);
}
