//===- IntMath.h - Integer arithmetic -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of workgroups, waves and lanes is mostly arithmetic of indices with constants; where it
// does nothing none is built.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_INTMATH_H
#define CK_MLIR_LIB_TRANSFORMS_INTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Builds arithmetic of `type`, or of indices where there is none. Division and remainder are those
/// of unsigned numbers.
struct IntMath {
  OpBuilder &builder;
  Location loc;
  Type type = {};

  Value constant(int64_t value) const {
    if (!type || type.isIndex())
      return arith::ConstantIndexOp::create(builder, loc, value);
    unsigned width = type.getIntOrFloatBitWidth();
    return arith::ConstantIntOp::create(builder, loc, llvm::SignExtend64(value, width), width);
  }
  Value add(Value a, Value b) const { return arith::AddIOp::create(builder, loc, a, b); }
  Value add(Value a, int64_t b) const { return b == 0 ? a : add(a, constant(b)); }
  Value sub(Value a, Value b) const { return arith::SubIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) const { return arith::MulIOp::create(builder, loc, a, b); }
  Value mul(Value a, int64_t b) const { return b == 1 ? a : mul(a, constant(b)); }
  Value div(Value a, int64_t b) const {
    return b == 1 ? a : Value(arith::DivUIOp::create(builder, loc, a, constant(b)));
  }
  Value rem(Value a, int64_t b) const {
    return b == 1 ? constant(0) : Value(arith::RemUIOp::create(builder, loc, a, constant(b)));
  }
  /// The smaller and the larger of signed numbers.
  Value min(Value a, Value b) const { return arith::MinSIOp::create(builder, loc, a, b); }
  Value max(Value a, Value b) const { return arith::MaxSIOp::create(builder, loc, a, b); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, int64_t b) const {
    return compare(predicate, a, constant(b));
  }
  /// Of signed numbers.
  Value less(Value a, Value b) const { return compare(arith::CmpIPredicate::slt, a, b); }
  /// Of unsigned numbers.
  Value lessThan(Value a, int64_t b) const { return compare(arith::CmpIPredicate::ult, a, b); }
  Value notLessThan(Value a, int64_t b) const { return compare(arith::CmpIPredicate::uge, a, b); }
  Value select(Value condition, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value select(Value condition, int64_t a, int64_t b) const {
    return select(condition, constant(a), constant(b));
  }
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_INTMATH_H
