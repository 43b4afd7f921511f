//===- ExpandMathErf.cpp - The error function and gelu -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tail of erfc is exp(-x^2) times a smooth factor. Both are computed beyond f32: rounding x^2
// alone would cost a hundred units in the last place of gelu(-13).
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandMath/ExpandMath.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::expand_math;

namespace {
/// (value.high + value.low) * 2^exponent.
struct TailParts {
  Pair value;
  Value exponent;
};

/// S(t) with t = (a - k) / (a + k) interpolates (a + k) exp(z^2) erfc(z) to 2.5e-9, where z is a
/// for erfc, and a / sqrt(2) with half the factor for gelu.
struct TailFactor {
  double k;
  double constantLow; // of the first coefficient
  std::array<float, 12> coefficients;
};
} // namespace

static constexpr TailFactor kErfcFactor = {0x1.6a09e6p0,
                                           0x1.6cbf1ap-27,
                                           {0x1.e6e01ap-1f, -0x1.dfeccap-2f, 0x1.4d9fdap-5f,
                                            0x1.a96734p-5f, -0x1.5c5038p-11f, -0x1.3816a8p-7f,
                                            -0x1.69c216p-9f, 0x1.316676p-10f, 0x1.3644aap-10f,
                                            0x1.8a8806p-13f, -0x1.bbae5ap-13f, -0x1.866b6cp-14f}};

static constexpr TailFactor kGeluFactor = {2,
                                           0x1.58ea2ap-26,
                                           {0x1.5845dcp-1f, -0x1.535bb2p-2f, 0x1.d7d0f2p-6f,
                                            0x1.2cce32p-5f, -0x1.ec96e6p-12f, -0x1.b95c1cp-8f,
                                            -0x1.ff9a7p-10f, 0x1.afe6b2p-11f, 0x1.b6c918p-11f,
                                            0x1.16f9ccp-13f, -0x1.39badap-13f, -0x1.14118p-14f}};

/// S(t) / (a + k) * exp(-power * a^2) for a >= 0, power 1 or 1/2.
static TailParts tailParts(const FloatMath &m, Value a, const TailFactor &factor, double power) {
  // 1 / (a + k) in two parts.
  Value k = m.f32(factor.k);
  Value sum = m.add(a, k);
  Value fromK = m.sub(sum, a);
  Value sumLow = m.add(m.sub(a, m.sub(sum, fromK)), m.sub(k, fromK));
  Value reciprocal = m.div(m.f32(1), sum);
  Value rest = m.fma(m.neg(reciprocal), sum, m.f32(1));
  rest = m.fma(m.neg(reciprocal), sumLow, rest);
  Pair inverse = {reciprocal, m.mul(rest, reciprocal)};
  // t = 1 - 2k / (a + k).
  Value factor2k = m.f32(-2 * double(float(factor.k)));
  Value t = m.fma(factor2k, inverse.high, m.f32(1));
  t = m.fma(factor2k, inverse.low, t);
  ArrayRef<float> coefficients(factor.coefficients);
  Value inner = m.polynomial(t, coefficients.drop_front());
  Pair s = fastSum(m, m.f32(coefficients.front()), m.fma(t, inner, m.f32(factor.constantLow)));
  Pair square = product(m, a, a);
  ExpParts e = expParts(m, {m.mul(square.high, m.f32(-power)), m.mul(square.low, m.f32(-power))});
  return {product(m, e.mantissa, product(m, s, inverse)), e.exponent};
}

/// The value of `parts`, which may be denormal.
static Value evaluate(const FloatMath &m, const TailParts &parts) {
  return m.scale(m.add(parts.value.high, parts.value.low), parts.exponent);
}

Value expand_math::expandErf(const FloatMath &m, Value x) {
  Value magnitude = m.abs(x);
  // Below 1: x (2 / sqrt(pi) + x^2 p(x^2)) with the constant in two parts.
  Value square = m.mul(x, x);
  Value p = m.polynomial(square, {-0x1.812746p-2f, 0x1.ce2f1ep-4f, -0x1.b82bf2p-6f, 0x1.5644ep-8f,
                                  -0x1.be17c2p-11f, 0x1.e05216p-14f, -0x1.56d132p-17f});
  Pair linear = product(m, x, m.f32(0x1.20dd76p0));
  Value low = m.fma(x, m.fma(square, p, m.f32(-0x1.f7ac92p-25)), linear.low);
  Value small = m.add(linear.high, low);
  // Otherwise 1 - erfc(x), which is 1 from 3.9 on.
  Value tail = evaluate(m, tailParts(m, m.clamp(magnitude, 0, 4), kErfcFactor, 1));
  Value large = m.sub(m.f32(1), tail);
  return m.select(m.less(magnitude, m.f32(1)), small, m.copySign(large, x));
}

Value expand_math::expandErfc(const FloatMath &m, Value x) {
  Value tail = evaluate(m, tailParts(m, m.clamp(m.abs(x), 0, 10.1), kErfcFactor, 1));
  return m.select(m.less(x, m.f32(0)), m.sub(m.f32(2), tail), tail);
}

/// x * Q(-x) for x < 0 and x - x * Q(x) otherwise, where Q(a) = erfc(a / sqrt(2)) / 2.
Value expand_math::expandGelu(const FloatMath &m, Value x) {
  // Below -15 the result is zero, and 0 times infinity must not come up.
  Value inside = m.select(m.less(x, m.f32(-15)), m.f32(-15), x);
  TailParts tail = tailParts(m, m.clamp(m.abs(x), 0, 15), kGeluFactor, 0.5);
  Value isNegative = m.less(x, m.f32(0));
  Value shift = arith::MaxSIOp::create(m.builder, m.loc, tail.exponent, m.i32(-100));
  Value power = m.powerOfTwo(shift);
  Pair rest = fastSum(m, m.f32(1), m.neg(m.mul(tail.value.high, power)));
  rest.low = m.fma(m.neg(tail.value.low), power, rest.low);
  Pair factor = {m.select(isNegative, tail.value.high, rest.high),
                 m.select(isNegative, tail.value.low, rest.low)};
  Pair result = product(m, inside, factor.high);
  Value low = m.fma(inside, factor.low, result.low);
  Value scaled = m.scale(m.add(result.high, low), m.select(isNegative, tail.exponent, m.i32(0)));
  return m.select(m.greater(x, m.f32(10)), x, scaled);
}
