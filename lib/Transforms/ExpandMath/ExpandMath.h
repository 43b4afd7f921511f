//===- ExpandMath.h - What the families of expanded functions share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of f32 become f32 arithmetic that keeps the low parts of what matters, as unevaluated
// sums of two numbers. Everything is branch free, so it works on vectors; no hardware function is
// used but division and square root, which are correctly rounded. Hence the host computes the same
// bits, and tests go through all numbers there.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_EXPANDMATH_EXPANDMATH_H
#define CK_MLIR_LIB_TRANSFORMS_EXPANDMATH_EXPANDMATH_H

#include "ck-mlir/IR/CK.h"
#include "mlir/IR/PatternMatch.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::expand_math {

/// Arithmetic on values of one shape: scalars, or vectors as the operand of the function.
struct FloatMath {
  OpBuilder &builder;
  Location loc;
  Type shape; // f32 or a vector of it

  Type getType(Type element) const {
    auto vector = dyn_cast<VectorType>(shape);
    return vector ? Type(vector.clone(element)) : element;
  }
  /// A constant of float or integer type `element`.
  Value constant(Type element, double number) const;
  Value constant(Type element, int64_t number) const;
  Value f32(double number) const { return constant(builder.getF32Type(), number); }
  Value f64(double number) const { return constant(builder.getF64Type(), number); }
  Value i32(int64_t number) const { return constant(builder.getI32Type(), number); }
  Value i64(int64_t number) const { return constant(builder.getI64Type(), number); }

  template <typename Op>
  Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }
  Value add(Value a, Value b) const { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) const { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) const { return make<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) const { return make<arith::DivFOp>(a, b); }
  Value fma(Value a, Value b, Value c) const { return math::FmaOp::create(builder, loc, a, b, c); }
  Value neg(Value a) const { return arith::NegFOp::create(builder, loc, a); }
  Value abs(Value a) const { return math::AbsFOp::create(builder, loc, a); }
  Value addi(Value a, Value b) const { return make<arith::AddIOp>(a, b); }
  Value subi(Value a, Value b) const { return make<arith::SubIOp>(a, b); }
  Value andi(Value a, Value b) const { return make<arith::AndIOp>(a, b); }
  Value ori(Value a, Value b) const { return make<arith::OrIOp>(a, b); }
  Value shl(Value a, int64_t bits) const {
    return make<arith::ShLIOp>(a, constant(getElementTypeOrSelf(a.getType()), bits));
  }
  Value shr(Value a, int64_t bits) const { // arithmetic
    return make<arith::ShRSIOp>(a, constant(getElementTypeOrSelf(a.getType()), bits));
  }
  Value cmp(arith::CmpFPredicate predicate, Value a, Value b) const {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value less(Value a, Value b) const { return cmp(arith::CmpFPredicate::OLT, a, b); }
  Value greater(Value a, Value b) const { return cmp(arith::CmpFPredicate::OGT, a, b); }
  Value equal(Value a, Value b) const { return cmp(arith::CmpFPredicate::OEQ, a, b); }
  Value cmpi(arith::CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// The bits of an f32 as i32, and back.
  Value getBits(Value a) const {
    return arith::BitcastOp::create(builder, loc, getType(builder.getI32Type()), a);
  }
  Value fromBits(Value a) const {
    return arith::BitcastOp::create(builder, loc, getType(builder.getF32Type()), a);
  }
  Value copySign(Value magnitude, Value sign) const {
    return math::CopySignOp::create(builder, loc, magnitude, sign);
  }

  /// `x` limited to [low, high]; NaN stays.
  Value clamp(Value x, double low, double high) const {
    Value raised = select(less(x, f32(low)), f32(low), x);
    return select(greater(raised, f32(high)), f32(high), raised);
  }
  /// sum of coefficients[i] * x^i, by Horner's rule.
  Value polynomial(Value x, ArrayRef<float> coefficients) const;
  Value polynomial64(Value x, ArrayRef<double> coefficients) const;
  /// 2^n for n in [-127, 127], where 2^-127 gives 0.
  Value powerOfTwo(Value n) const { return fromBits(shl(addi(n, i32(127)), 23)); }
  /// x * 2^n for n in [-250, 250], rounded once even where the result is denormal.
  Value scale(Value x, Value n) const;
};

/// high + low, where low is smaller than the last place of high.
struct Pair {
  Value high, low;
};

/// a + b, exactly, for |a| >= |b| or a = 0.
Pair fastSum(const FloatMath &m, Value a, Value b);
/// a * b, exactly unless the low part is denormal.
Pair product(const FloatMath &m, Value a, Value b);
/// a * b to twice the precision.
Pair product(const FloatMath &m, Pair a, Pair b);

/// exp(x) = (mantissa.high + mantissa.low) * 2^exponent with a mantissa around [0.7, 1.42], and
/// exp(x) / 2^exponent - 1 = fraction.high + fraction.low. Accurate to 2^-28.
struct ExpParts {
  Pair mantissa, fraction;
  Value exponent; // i32
};

/// For x.high in [-174, 89]; `x.low` may be null. NaN gives NaN in the mantissa.
ExpParts expParts(const FloatMath &m, Pair x);

Value expandExp(const FloatMath &m, Value x);
Value expandExp2(const FloatMath &m, Value x);
Value expandExpM1(const FloatMath &m, Value x);
Value expandSigmoid(const FloatMath &m, Value x);
Value expandSilu(const FloatMath &m, Value x);
Value expandTanh(const FloatMath &m, Value x);
Value expandErf(const FloatMath &m, Value x);
Value expandErfc(const FloatMath &m, Value x);
Value expandGelu(const FloatMath &m, Value x);
Value expandLog(const FloatMath &m, Value x);
Value expandLog2(const FloatMath &m, Value x);
Value expandLog10(const FloatMath &m, Value x);
Value expandLog1p(const FloatMath &m, Value x);
Value expandSin(const FloatMath &m, Value x);
Value expandCos(const FloatMath &m, Value x);
Value expandPow(const FloatMath &m, Value x, Value y);

} // namespace mlir::ck::expand_math

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_EXPANDMATH_EXPANDMATH_H
