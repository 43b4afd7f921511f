//===- FloatDivision.cpp - The steps of a division -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_div_scale brings numerator and denominator into a range where the Newton iteration cannot
// overflow or lose bits, v_div_fmas undoes the scaling, v_div_fixup puts in the special cases.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

/// Scaling constants of the division helpers.
template <typename T>
struct Division;

template <>
struct Division<float> {
  static constexpr int farApart = 96, scale = 64, tinyNumerator = 23, underflow = -150;
};

template <>
struct Division<double> {
  static constexpr int farApart = 768, scale = 128, tinyNumerator = 53, underflow = -1075;
};

static float scaleBy(float a, int n) { return scale32(a, n); }
static double scaleBy(double a, int n) { return scale64(a, n); }

/// Scales `value`, which is the denominator or the numerator; `rescale` tells v_div_fmas to undo a
/// scaling of one of the two alone.
template <typename T>
static T divisionScale(T value, T denominator, T numerator, bool &rescale) {
  using D = Division<T>;
  const bool isDenominator = bitsOf(value) == bitsOf(denominator);
  const bool isNumerator = bitsOf(value) == bitsOf(numerator);
  rescale = false;
  if (isZero(numerator) || isZero(denominator))
    return defaultNan<T>();
  if (isNan(numerator) || isNan(denominator))
    return value;
  if (exponentField(numerator) - exponentField(denominator) >= D::farApart) {
    rescale = true; // the quotient is near the largest number
    return isDenominator ? scaleBy(value, D::scale) : value;
  }
  if (isDenormal(denominator))
    return scaleBy(value, D::scale);
  const bool tinyReciprocal = isDenormal(T(1) / denominator);
  const bool tinyQuotient = isDenormal(numerator / denominator) || isZero(numerator / denominator);
  if (tinyReciprocal && tinyQuotient) {
    rescale = true;
    return isDenominator ? scaleBy(value, -D::scale) : value;
  }
  if (tinyReciprocal)
    return scaleBy(value, -D::scale);
  if (tinyQuotient) {
    rescale = true;
    return isNumerator ? scaleBy(value, D::scale) : value;
  }
  return exponentField(numerator) <= D::tinyNumerator ? scaleBy(value, D::scale) : value;
}

template <typename T>
static void divisionScaleLanes(LaneOperands &ops) {
  detail::SourceRows<T> value(ops.src[0]), denominator(ops.src[1]), numerator(ops.src[2]);
  detail::ResultRows<T> result(ops.dst);
  LaneMask rescaled = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bool rescale;
    result.set(lane, divisionScale<T>(value[lane], denominator[lane], numerator[lane], rescale));
    rescaled |= LaneMask(rescale) << lane;
  }
  ops.bitsOut = rescaled;
}

/// A type that holds products of two T exactly, and its bits.
template <typename T>
struct Wider;

template <>
struct Wider<float> {
  using Type = double;
  using Bits = uint64_t;
};

template <>
struct Wider<double> {
  using Type = __float128;
  using Bits = unsigned __int128;
};

/// (a * b + c) * 2^power for finite operands, rounded once: the result may be denormal, which a
/// rounding before the scaling would round twice. An inexact sum gets an odd last bit.
template <typename T>
static T scaledFma(T a, T b, T c, int power) {
  using Wide = typename Wider<T>::Type;
  using Bits = typename Wider<T>::Bits;
  const Wide product = static_cast<Wide>(a) * b, addend = c, sum = product + addend;
  const auto magnitude = [](Wide value) { return value < 0 ? -value : value; };
  const bool productLarger = magnitude(product) > magnitude(addend);
  const Wide large = productLarger ? product : addend, small = productLarger ? addend : product;
  const Wide error = small - (sum - large);
  Bits bits = detail::bitCast<Bits>(sum);
  if (error != 0 && !(bits & 1))
    bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  const T scale = scaleBy(T(1), power);
  return static_cast<T>(detail::bitCast<Wide>(bits) * scale);
}

/// a * b + c, times the power of two that undoes the scaling in lanes of VCC. The direction follows
/// from c, which is the scaled quotient: large when the numerator was scaled up too much.
template <typename T, T (*fma)(T, T, T)>
static void divisionFma(LaneOperands &ops) {
  detail::SourceRows<T> a(ops.src[0]), b(ops.src[1]), c(ops.src[2]);
  detail::ResultRows<T> result(ops.dst);
  const LaneMask rescaled = ops.bitsIn;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const T sum = fma(a[lane], b[lane], c[lane]);
    const int power =
        exponentField(c[lane]) > FloatBits<T>::bias ? Division<T>::scale : -Division<T>::scale;
    const bool scales = (rescaled >> lane & 1) && !isNan(sum) && !isInf(sum);
    result.set(lane, scales ? scaledFma<T>(a[lane], b[lane], c[lane], power) : sum);
  }
}

/// The quotient with zeros, infinities, NaN, overflow and underflow of the division put right.
template <typename T>
static T divisionFixup(T quotient, T denominator, T numerator) {
  const bool negative = (bitsOf(denominator) ^ bitsOf(numerator)) & signBit<T>;
  const auto invalid =
      static_cast<typename FloatBits<T>::Bits>(infinityBits<T> | quietBit<T> | signBit<T>);
  if (isNan(numerator))
    return quiet(numerator);
  if (isNan(denominator))
    return quiet(denominator);
  if ((isZero(denominator) && isZero(numerator)) || (isInf(denominator) && isInf(numerator)))
    return fromBits<T>(invalid);
  if (isZero(denominator) || isInf(numerator))
    return withSign<T>(infinityBits<T>, negative);
  if (isInf(denominator) || isZero(numerator))
    return withSign<T>(0, negative);
  if constexpr (!std::is_same_v<T, half>)
    if (exponentField(numerator) - exponentField(denominator) < Division<T>::underflow)
      return withSign<T>(0, negative);
  return isNan(quotient) ? withSign<T>(infinityBits<T>, negative) // the iteration overflowed
                         : withSign<T>(magnitudeBits(quotient), negative);
}

template <typename T>
static constexpr VectorRow scaleRow(const char *name, LaneType type) {
  return VectorRow{name, divisionScaleLanes<T>, nullptr, CarryOut | OwnNans, 3,
                   type, {type, type, type}};
}

static constexpr VectorRow doubleSteps[] = {
    scaleRow<double>("v_div_scale_f64", LaneType::F64),
    withRun(vectorRow<fma64>("v_div_fmas_f64", ReadsVcc), divisionFma<double, fma64>),
};

static constexpr VectorRow rows[] = {
    scaleRow<float>("v_div_scale_f32", LaneType::F32),
    withRun(vectorRow<fma32>("v_div_fmas_f32", ReadsVcc), divisionFma<float, fma32>),
    vectorRow<divisionFixup<float>>("v_div_fixup_f32", OwnNans),
    vectorRow<divisionFixup<double>>("v_div_fixup_f64", OwnNans),
    vectorRow<divisionFixup<half>>("v_div_fixup_f16", PartialDst | OwnNans),
    vectorRow<divisionFixup<half>>("v_div_fixup_legacy_f16", OwnNans),
};

void ckemu::registerVectorFloatDivision(InstructionTable &table) {
  addVectorRows(table, doubleSteps, TimingClass::Quarter);
  addVectorRows(table, rows);
}
