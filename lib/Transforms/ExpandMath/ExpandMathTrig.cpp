//===- ExpandMathTrig.cpp - Sine and cosine -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments are reduced by an integer product with the bits of 2 / pi, which is exact for all f32.
// The rest is f64: f32 pairs would take more instructions than the polynomials have.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandMath/ExpandMath.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::expand_math;

namespace {
/// |x| = quadrant * pi / 2 + rest with |rest| <= pi / 4; the quadrant modulo 4.
struct ReducedAngle {
  Value quadrant; // i32
  Value rest;     // f64
};
} // namespace

// A word of zeros, then the fraction bits of 2 / pi.
static constexpr std::array<uint32_t, 8> kTwoOverPi = {
    0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/// The 96 bits, as three words in i64, of 2 / pi times 2^s modulo 4, for s in [-26, 104].
static SmallVector<Value, 3> getWindow(const FloatMath &m, Value s) {
  Type i64 = m.getType(m.builder.getI64Type());
  // The bit of weight 2^(1 - s) has this place in the words.
  Value place = m.addi(s, m.i32(30));
  Value word = m.shr(place, 5);
  Value shift = arith::ExtUIOp::create(m.builder, m.loc, i64, m.andi(place, m.i32(31)));
  SmallVector<Value> words;
  for (unsigned offset = 0; offset < 4; ++offset) {
    Value chosen = m.i64(kTwoOverPi[offset]);
    for (unsigned first = 1; first <= 4; ++first)
      chosen = m.select(m.cmpi(arith::CmpIPredicate::eq, word, m.i32(first)),
                        m.i64(kTwoOverPi[first + offset]), chosen);
    words.push_back(chosen);
  }
  SmallVector<Value, 3> window;
  for (unsigned i = 0; i < 3; ++i) {
    Value both = m.ori(m.shl(words[i], 32), words[i + 1]);
    Value moved = arith::ShLIOp::create(m.builder, m.loc, both, shift);
    window.push_back(arith::ShRUIOp::create(m.builder, m.loc, moved, m.i64(32)));
  }
  return window;
}

static ReducedAngle reduce(const FloatMath &m, Value magnitude) {
  Type i64 = m.getType(m.builder.getI64Type()), f64 = m.getType(m.builder.getF64Type());
  // |x| = mantissa * 2^s; arguments below pi / 4 take the other way.
  Value isSmall = m.less(magnitude, m.f32(0x1.921fb4p-1));
  Value bits = m.getBits(m.select(isSmall, m.f32(1), magnitude));
  Value s = m.subi(m.shr(bits, 23), m.i32(150));
  Value mantissa = arith::ExtUIOp::create(m.builder, m.loc, i64,
                                          m.ori(m.andi(bits, m.i32(0x7fffff)), m.i32(0x800000)));
  // The top 64 of the 96 bits of the product modulo 4: two bits of quadrant, then the fraction.
  SmallVector<Value, 3> window = getWindow(m, s);
  auto times = [&](Value word) -> Value {
    return arith::MulIOp::create(m.builder, m.loc, mantissa, word);
  };
  Value low = arith::ShRUIOp::create(m.builder, m.loc, times(window[2]), m.i64(32));
  Value product = m.addi(m.addi(m.shl(times(window[0]), 32), times(window[1])), low);
  Value quadrant =
      arith::ShRUIOp::create(m.builder, m.loc, m.addi(product, m.i64(int64_t(1) << 61)), m.i64(62));
  Value fraction = m.subi(product, m.shl(quadrant, 62));
  // pi / 2 * 2^-62.
  Value rest =
      m.mul(arith::SIToFPOp::create(m.builder, m.loc, f64, fraction), m.f64(0x1.921fb54442d18p-62));
  Value narrow =
      arith::TruncIOp::create(m.builder, m.loc, m.getType(m.builder.getI32Type()), quadrant);
  return {m.select(isSmall, m.i32(0), narrow),
          m.select(isSmall, arith::ExtFOp::create(m.builder, m.loc, f64, magnitude), rest)};
}

/// sin(|x| + turns * pi / 2), with the sign of `x` where `isOdd`; NaN for infinities.
static Value expand(const FloatMath &m, Value x, int64_t turns, bool isOdd) {
  ReducedAngle reduced = reduce(m, m.abs(x));
  Value r = reduced.rest, square = m.mul(r, r);
  Value sine = m.mul(r, m.polynomial64(square, {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880,
                                                -1.0 / 39916800}));
  Value cosine = m.polynomial64(
      square, {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600});
  Value quadrant = m.addi(reduced.quadrant, m.i32(turns));
  auto isSet = [&](int64_t bit) {
    return m.cmpi(arith::CmpIPredicate::ne, m.andi(quadrant, m.i32(bit)), m.i32(0));
  };
  Value chosen = m.select(isSet(1), cosine, sine);
  chosen = m.select(isSet(2), m.neg(chosen), chosen);
  Value result = arith::TruncFOp::create(m.builder, m.loc, m.shape, chosen);
  if (isOdd)
    result = m.select(m.less(x, m.f32(0)), m.neg(result), result);
  // x - x is NaN for infinities and NaN, and otherwise zero.
  result = m.add(result, m.sub(x, x));
  return isOdd ? m.select(m.equal(x, m.f32(0)), x, result) : result; // keeps the sign of zero
}

Value expand_math::expandSin(const FloatMath &m, Value x) {
  return expand(m, x, /*turns=*/0, /*isOdd=*/true);
}

Value expand_math::expandCos(const FloatMath &m, Value x) {
  return expand(m, x, /*turns=*/1, /*isOdd=*/false);
}
