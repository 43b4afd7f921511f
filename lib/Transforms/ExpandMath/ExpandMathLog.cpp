//===- ExpandMathLog.cpp - Logarithms and powers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All logarithms share the reduction to [sqrt(1/2), sqrt(2)] and the polynomial of log(1 + f).
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandMath/ExpandMath.h"
#include <limits>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::expand_math;

namespace {
/// x = mantissa * 2^exponent with a mantissa in [sqrt(1/2), sqrt(2)).
struct LogReduction {
  Value mantissa, exponent;
};

/// log_b(x) = exponent * log_b(2) + log(1 + f) / log(b), constants in two parts; the first part of
/// log_b(2) has 16 bits, so that its product with an exponent is exact.
struct LogBase {
  double twoHigh, twoLow, scaleHigh, scaleLow;
};
} // namespace

static constexpr LogBase kNatural = {0x1.62e4p-1, 0x1.7f7d1cp-20, 1, 0};
static constexpr LogBase kBinary = {1, 0, 0x1.715476p0, 0x1.4ae0cp-26};
static constexpr LogBase kDecimal = {0x1.344p-2, 0x1.3509f8p-18, 0x1.bcb7b2p-2, -0x1.5b235ep-27};

/// For positive finite x, denormals included.
static LogReduction reduce(const FloatMath &m, Value x) {
  Value isDenormal = m.less(x, m.f32(0x1p-126));
  Value normal = m.select(isDenormal, m.mul(x, m.f32(0x1p23)), x);
  constexpr int64_t kRootBits = 0x3f3504f3; // of sqrt(1/2)
  Value bits = m.addi(m.getBits(normal), m.i32(0x3f800000 - kRootBits));
  Value exponent = m.subi(m.shr(bits, 23), m.i32(127));
  Value mantissa = m.fromBits(m.addi(m.andi(bits, m.i32(0x7fffff)), m.i32(kRootBits)));
  exponent = m.subi(exponent, m.select(isDenormal, m.i32(23), m.i32(0)));
  return {mantissa, exponent};
}

/// exponent * log_b(2) + log_b(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1].
static Value combine(const FloatMath &m, Value f, Value exponent, const LogBase &base) {
  // log(1 + f) = f - f^2 / 2 + f^3 r(f); r interpolates to 5e-9.
  Value r = m.polynomial(f, {0x1.555556p-2f, -0x1.fffff2p-3f, 0x1.9999a8p-3f, -0x1.555c54p-3f,
                             0x1.249688p-3f, -0x1.fdfb82p-4f, 0x1.c41b8cp-4f, -0x1.b4116ap-4f,
                             0x1.af581ep-4f, -0x1.fc06e2p-5f});
  Pair square = product(m, f, f);
  Value curved = m.fma(m.mul(square.high, f), r, m.mul(square.high, m.f32(-0.5)));
  curved = m.fma(square.low, m.f32(-0.5), curved);
  Pair linear = product(m, f, m.f32(base.scaleHigh));
  Value low = m.fma(f, m.f32(base.scaleLow), linear.low);
  Value e = arith::SIToFPOp::create(m.builder, m.loc, m.shape, exponent);
  low = m.fma(e, m.f32(base.twoLow), low);
  low = m.fma(curved, m.f32(base.scaleHigh), low);
  Value high = m.mul(e, m.f32(base.twoHigh));
  return m.add(high, m.add(linear.high, low));
}

/// The logarithm at 0, infinity, below 0 and of NaN; otherwise `result`. `x` is where the
/// function's pole is at 0.
static Value handleSpecial(const FloatMath &m, Value x, Value result) {
  Value infinity = m.f32(std::numeric_limits<double>::infinity());
  result = m.select(m.equal(x, infinity), x, result);
  result = m.select(m.equal(x, m.f32(0)), m.neg(infinity), result);
  Value isDefined = m.cmp(arith::CmpFPredicate::OGE, x, m.f32(0));
  return m.select(isDefined, result, m.f32(std::numeric_limits<double>::quiet_NaN()));
}

static Value expandLogarithm(const FloatMath &m, Value x, const LogBase &base) {
  LogReduction reduced = reduce(m, x);
  Value f = m.sub(reduced.mantissa, m.f32(1));
  return handleSpecial(m, x, combine(m, f, reduced.exponent, base));
}

Value expand_math::expandLog(const FloatMath &m, Value x) {
  return expandLogarithm(m, x, kNatural);
}

Value expand_math::expandLog2(const FloatMath &m, Value x) {
  return expandLogarithm(m, x, kBinary);
}

Value expand_math::expandLog10(const FloatMath &m, Value x) {
  return expandLogarithm(m, x, kDecimal);
}

Value expand_math::expandLog1p(const FloatMath &m, Value x) {
  // What 1 + x loses is added to the reduced argument.
  Value one = m.f32(1), sum = m.add(one, x);
  Value isLarge = m.greater(x, one);
  Value lost = m.select(isLarge, m.sub(one, m.sub(sum, x)), m.sub(x, m.sub(sum, one)));
  LogReduction reduced = reduce(m, sum);
  // From 2^127 on nothing is lost.
  Value shift =
      arith::MaxSIOp::create(m.builder, m.loc, m.subi(m.i32(0), reduced.exponent), m.i32(-127));
  Value power = m.powerOfTwo(shift);
  Value f = m.fma(lost, power, m.sub(reduced.mantissa, one));
  Value result = handleSpecial(m, sum, combine(m, f, reduced.exponent, kNatural));
  return m.select(m.equal(x, m.f32(0)), x, result); // keeps the sign of zero
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// |x|^y in f64, rounded to f32: y log2(x) needs 10 bits more than its f32 pair has.
static Value powMagnitude(const FloatMath &m, Value x, Value y) {
  Type f64 = m.getType(m.builder.getF64Type());
  auto widen = [&](Value v) -> Value { return arith::ExtFOp::create(m.builder, m.loc, f64, v); };
  LogReduction reduced = reduce(m, x);
  // log(m) = 2 atanh(s), s = (m - 1) / (m + 1), as a series in s^2 <= 0.0295.
  Value mantissa = widen(reduced.mantissa);
  Value s = m.div(m.sub(mantissa, m.f64(1)), m.add(mantissa, m.f64(1)));
  Value series = m.polynomial64(
      m.mul(s, s), {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15});
  Value e = arith::SIToFPOp::create(m.builder, m.loc, f64, reduced.exponent);
  Value log2 = m.fma(m.mul(s, series), m.f64(2.88539008177792681472), e);
  Value power = m.mul(log2, widen(y));
  power = m.select(m.less(power, m.f64(-200)), m.f64(-200), power);
  power = m.select(m.greater(power, m.f64(200)), m.f64(200), power);
  // 2^power: the integer part goes into the exponent of an f64.
  Value n = math::RoundEvenOp::create(m.builder, m.loc, power);
  Value r = m.mul(m.sub(power, n), m.f64(0.693147180559945309417));
  Value fraction = m.polynomial64(r, {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
                                      1.0 / 5040, 1.0 / 40320, 1.0 / 362880});
  Type i32 = m.getType(m.builder.getI32Type()), i64 = m.getType(m.builder.getI64Type());
  Value isNumber = m.cmp(arith::CmpFPredicate::ORD, n, n);
  Value integer = arith::FPToSIOp::create(m.builder, m.loc, i32, m.select(isNumber, n, m.f64(0)));
  Value wide = arith::ExtSIOp::create(m.builder, m.loc, i64, integer);
  Value scale =
      arith::BitcastOp::create(m.builder, m.loc, f64, m.shl(m.addi(wide, m.i64(1023)), 52));
  return arith::TruncFOp::create(m.builder, m.loc, m.shape, m.mul(fraction, scale));
}

Value expand_math::expandPow(const FloatMath &m, Value x, Value y) {
  Value zero = m.f32(0), one = m.f32(1), infinity = m.f32(std::numeric_limits<double>::infinity());
  Value magnitude = m.abs(x);
  Value result = powMagnitude(m, magnitude, y);
  // Zero and infinity to a power: one of them, by the sign of the power.
  Value grows = arith::XOrIOp::create(m.builder, m.loc, m.greater(magnitude, one), m.less(y, zero));
  Value isExtreme = m.ori(m.equal(magnitude, zero), m.equal(magnitude, infinity));
  Value isExtremePower = m.equal(m.abs(y), infinity);
  Value limit = m.select(grows, infinity, zero);
  result = m.select(m.ori(isExtreme, isExtremePower), limit, result);
  result = m.select(m.andi(m.equal(magnitude, one), isExtremePower), one, result);
  // A negative base has powers that are whole numbers, and odd ones are negative.
  Value isWhole = m.equal(y, math::TruncOp::create(m.builder, m.loc, y));
  Value half = m.mul(y, m.f32(0.5));
  Value isOdd = m.andi(isWhole, m.cmp(arith::CmpFPredicate::UNE, half,
                                      math::TruncOp::create(m.builder, m.loc, half)));
  result = m.copySign(result, m.select(isOdd, x, one));
  Value isUndefined = m.andi(m.less(x, zero), m.cmp(arith::CmpFPredicate::UNE, y,
                                                    math::TruncOp::create(m.builder, m.loc, y)));
  Value isFinite = m.cmp(arith::CmpFPredicate::ONE, magnitude, infinity);
  Value nan = m.f32(std::numeric_limits<double>::quiet_NaN());
  result = m.select(m.andi(isUndefined, isFinite), nan, result);
  result = m.select(m.cmp(arith::CmpFPredicate::UNO, x, y), nan, result);
  Value isOne = m.ori(m.equal(x, one), m.equal(y, zero)); // even for NaN
  return m.select(isOne, one, result);
}
