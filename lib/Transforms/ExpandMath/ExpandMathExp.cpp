//===- ExpandMathExp.cpp - Exponentials and what is made of them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp is computed to a few bits more than f32 has, as mantissa and exponent, because sigmoid, silu
// and the tails of erfc go on computing with it.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandMath/ExpandMath.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::expand_math;

// Adding 1.5 * 2^23 rounds a small number to an integer, which then stands in the low bits.
static constexpr double kRoundingShift = 0x1.8p23;

ExpParts expand_math::expParts(const FloatMath &m, Pair x) {
  // n = round(x / ln 2), r = x - n ln 2 in two parts: the product with the first 16 bits of ln 2
  // and the difference are exact.
  Value shifted = m.fma(x.high, m.f32(0x1.715476p0), m.f32(kRoundingShift));
  Value n = m.sub(shifted, m.f32(kRoundingShift));
  Value exponent = m.subi(m.getBits(shifted), m.getBits(m.f32(kRoundingShift)));
  Value exact = m.fma(n, m.f32(-0x1.62e4p-1), x.high);
  Value rest = m.mul(n, m.f32(-0x1.7f7d1cp-20));
  if (x.low)
    rest = m.add(rest, x.low);
  Pair r = fastSum(m, exact, rest);
  // exp(r) = 1 + r + r^2 q(r); q interpolates to 1.4e-9 on [-ln 2 / 2, ln 2 / 2].
  Value q = m.polynomial(r.high, {0x1p-1f, 0x1.555556p-3f, 0x1.5554e8p-5f, 0x1.1110ep-7f,
                                  0x1.6d4342p-10f, 0x1.a1250cp-13f});
  Pair fraction = fastSum(m, r.high, m.fma(m.mul(r.high, r.high), q, r.low));
  Pair mantissa = fastSum(m, m.f32(1), fraction.high);
  mantissa.low = m.add(mantissa.low, fraction.low);
  return {mantissa, fraction, exponent};
}

Value expand_math::expandExp(const FloatMath &m, Value x) {
  ExpParts parts = expParts(m, {m.clamp(x, -104, 89), Value()});
  return m.scale(m.add(parts.mantissa.high, parts.mantissa.low), parts.exponent);
}

Value expand_math::expandExp2(const FloatMath &m, Value x) {
  Value inside = m.clamp(x, -151, 129);
  Value shifted = m.add(inside, m.f32(kRoundingShift));
  Value exponent = m.subi(m.getBits(shifted), m.getBits(m.f32(kRoundingShift)));
  Value r = m.sub(inside, m.sub(shifted, m.f32(kRoundingShift)));
  // 2^r = 1 + r ln 2 + r^2 q(r) with ln 2 in two parts.
  Value q = m.polynomial(r, {0x1.ebfbep-3f, 0x1.c6b08ep-5f, 0x1.3b2a54p-7f, 0x1.5d87cp-10f,
                             0x1.44138ap-13f, 0x1.008a2p-16f});
  Pair linear = product(m, r, m.f32(0x1.62e43p-1));
  Value low = m.fma(r, m.f32(-0x1.05c61p-29), linear.low);
  Value fraction = m.add(linear.high, m.fma(m.mul(r, r), q, low));
  return m.scale(m.add(m.f32(1), fraction), exponent);
}

Value expand_math::expandExpM1(const FloatMath &m, Value x) {
  ExpParts parts = expParts(m, {m.clamp(x, -30, 89), Value()});
  // 2^n (1 + f) - 1 = 2 (2^(n-1) f + (2^(n-1) - 1/2)): 2^n would overflow for the largest n.
  Value half = m.powerOfTwo(m.subi(parts.exponent, m.i32(1)));
  Pair sum = fastSum(m, m.sub(half, m.f32(0.5)), m.mul(half, parts.fraction.high));
  Value result = m.add(sum.high, m.fma(half, parts.fraction.low, sum.low));
  Value isFraction = m.cmpi(arith::CmpIPredicate::eq, parts.exponent, m.i32(0));
  result = m.select(isFraction, parts.fraction.high, m.mul(result, m.f32(2)));
  return m.select(m.equal(x, m.f32(0)), x, result); // keeps the sign of zero
}

namespace {
/// sigmoid(x) = (value.high + value.low) * 2^exponent.
struct SigmoidParts {
  Pair value;
  Value exponent;
};
} // namespace

/// With e = exp(-|x|): 1 / (1 + e) for x >= 0 and e / (1 + e) otherwise, whose numerator keeps its
/// power of two apart, so that it never is denormal.
static SigmoidParts sigmoidParts(const FloatMath &m, Value x) {
  Value magnitude = m.clamp(m.abs(x), 0, 120);
  ExpParts e = expParts(m, {m.neg(magnitude), Value()});
  Value shift = arith::MaxSIOp::create(m.builder, m.loc, e.exponent, m.i32(-100));
  Value power = m.powerOfTwo(shift);
  Pair sum = fastSum(m, m.f32(1), m.mul(e.mantissa.high, power));
  sum.low = m.fma(e.mantissa.low, power, sum.low);
  Value isNegative = m.less(x, m.f32(0));
  Value high = m.select(isNegative, e.mantissa.high, m.f32(1));
  Value low = m.select(isNegative, e.mantissa.low, m.f32(0));
  // One step of Newton's iteration makes the quotient a pair.
  Value reciprocal = m.div(m.f32(1), sum.high);
  Value quotient = m.mul(high, reciprocal);
  Value rest = m.fma(m.neg(quotient), sum.high, high);
  rest = m.add(rest, m.fma(m.neg(quotient), sum.low, low));
  return {{quotient, m.mul(rest, reciprocal)}, m.select(isNegative, e.exponent, m.i32(0))};
}

Value expand_math::expandSigmoid(const FloatMath &m, Value x) {
  SigmoidParts parts = sigmoidParts(m, x);
  return m.scale(m.add(parts.value.high, parts.value.low), parts.exponent);
}

Value expand_math::expandSilu(const FloatMath &m, Value x) {
  SigmoidParts parts = sigmoidParts(m, x);
  // Below -120 the result is zero, and 0 times infinity must not come up.
  Value factor = m.select(m.less(x, m.f32(-120)), m.f32(-120), x);
  Pair result = product(m, factor, parts.value.high);
  Value low = m.fma(factor, parts.value.low, result.low);
  Value scaled = m.scale(m.add(result.high, low), parts.exponent);
  return m.select(m.greater(x, m.f32(100)), x, scaled);
}

Value expand_math::expandTanh(const FloatMath &m, Value x) {
  Value magnitude = m.abs(x);
  // Below 0.6: x + x^3 p(x^2).
  Value square = m.mul(x, x);
  Value p = m.polynomial(square, {-0x1.555556p-2f, 0x1.1110f6p-3f, -0x1.ba0d94p-5f, 0x1.64fad8p-6f,
                                  -0x1.1394cap-7f, 0x1.36bdb2p-9f});
  Value small = m.fma(m.mul(x, square), p, x);
  // Otherwise 1 - 2 / (exp(2x) + 1), which is 1 from 9.1 on.
  Value limited = m.clamp(magnitude, 0, 10);
  ExpParts e = expParts(m, {m.add(limited, limited), Value()});
  Value power = m.scale(m.add(e.mantissa.high, e.mantissa.low), e.exponent);
  Value large = m.sub(m.f32(1), m.div(m.f32(2), m.add(power, m.f32(1))));
  return m.select(m.less(magnitude, m.f32(0.6)), small, m.copySign(large, x));
}
