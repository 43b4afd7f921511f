//===- Numeric.h - Numbers as the vector ALU sees them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats and operations that the host lacks or does differently: half-precision arithmetic with
// one rounding, bfloat16, the 8-bit formats, saturating conversions, IEEE minimum and maximum. All
// of them are free of branches where possible, so that loops over lanes vectorize. Rounding follows
// the host's rounding mode, which the caller sets from the wave's MODE register.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_NUMBER_NUMERIC_H
#define CK_MLIR_LIB_EMULATOR_ISA_NUMBER_NUMERIC_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ckemu {

using half = _Float16;

namespace detail {
template <typename To, typename From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}
} // namespace detail

inline uint32_t bitsOf(float value) { return detail::bitCast<uint32_t>(value); }
inline uint64_t bitsOf(double value) { return detail::bitCast<uint64_t>(value); }
inline uint16_t bitsOf(half value) { return detail::bitCast<uint16_t>(value); }
inline float floatOf(uint32_t bits) { return detail::bitCast<float>(bits); }
inline double doubleOf(uint64_t bits) { return detail::bitCast<double>(bits); }
inline half halfOf(uint16_t bits) { return detail::bitCast<half>(bits); }

/// Bit-level view of a binary floating-point type.
template <typename T>
struct FloatBits;
template <>
struct FloatBits<half> {
  using Bits = uint16_t;
  static constexpr int mantissa = 10, bias = 15, exponentMask = 31;
};
template <>
struct FloatBits<float> {
  using Bits = uint32_t;
  static constexpr int mantissa = 23, bias = 127, exponentMask = 255;
};
template <>
struct FloatBits<double> {
  using Bits = uint64_t;
  static constexpr int mantissa = 52, bias = 1023, exponentMask = 2047;
};

template <typename T>
constexpr typename FloatBits<T>::Bits signBit =
    static_cast<typename FloatBits<T>::Bits>(typename FloatBits<T>::Bits(1) << (8 * sizeof(T) - 1));
template <typename T>
constexpr typename FloatBits<T>::Bits infinityBits = static_cast<typename FloatBits<T>::Bits>(
    typename FloatBits<T>::Bits(FloatBits<T>::exponentMask) << FloatBits<T>::mantissa);
template <typename T>
constexpr typename FloatBits<T>::Bits quietBit = static_cast<typename FloatBits<T>::Bits>(
    typename FloatBits<T>::Bits(1) << (FloatBits<T>::mantissa - 1));

template <typename T>
inline T fromBits(typename FloatBits<T>::Bits bits) {
  return detail::bitCast<T>(bits);
}
template <typename T>
inline typename FloatBits<T>::Bits magnitudeBits(T value) {
  return static_cast<typename FloatBits<T>::Bits>(
      bitsOf(value) & static_cast<typename FloatBits<T>::Bits>(~signBit<T>));
}
template <typename T>
inline bool isNan(T value) {
  return magnitudeBits(value) > infinityBits<T>;
}
template <typename T>
inline bool isSignalling(T value) {
  return isNan(value) && !(bitsOf(value) & quietBit<T>);
}
template <typename T>
inline bool isInf(T value) {
  return magnitudeBits(value) == infinityBits<T>;
}
template <typename T>
inline bool isZero(T value) {
  return magnitudeBits(value) == 0;
}
template <typename T>
inline bool isDenormal(T value) {
  return magnitudeBits(value) != 0 && (magnitudeBits(value) >> FloatBits<T>::mantissa) == 0;
}
/// The biased exponent field.
template <typename T>
inline int exponentField(T value) {
  return static_cast<int>(magnitudeBits(value) >> FloatBits<T>::mantissa);
}
template <typename T>
inline T quiet(T value) {
  return fromBits<T>(static_cast<typename FloatBits<T>::Bits>(bitsOf(value) | quietBit<T>));
}
template <typename T>
inline T negate(T value) {
  return fromBits<T>(static_cast<typename FloatBits<T>::Bits>(bitsOf(value) ^ signBit<T>));
}
template <typename T>
inline T withSign(typename FloatBits<T>::Bits magnitude, bool negative) {
  return fromBits<T>(static_cast<typename FloatBits<T>::Bits>(
      magnitude | (negative ? signBit<T> : typename FloatBits<T>::Bits(0))));
}
/// Replaces a denormal by a zero of the same sign.
template <typename T>
inline T flushDenormal(T value) {
  using Bits = typename FloatBits<T>::Bits;
  return isDenormal(value) ? fromBits<T>(static_cast<Bits>(bitsOf(value) & signBit<T>)) : value;
}
/// The NaN that the hardware produces for an invalid operation.
template <typename T>
inline T defaultNan() {
  return fromBits<T>(static_cast<typename FloatBits<T>::Bits>(infinityBits<T> | quietBit<T>));
}

/// `value` rounded to single precision so that a second rounding to half is correct: inexact
/// results get an odd last bit.
inline float roundToOdd(double value) {
  float rounded = static_cast<float>(value);
  uint32_t bits = bitsOf(rounded);
  bool adjust = static_cast<double>(rounded) != value && value == value && !(bits & 1);
  bool tooLarge = __builtin_fabs(static_cast<double>(rounded)) > __builtin_fabs(value);
  return floatOf(adjust ? (tooLarge ? bits - 1 : bits + 1) : bits);
}
inline half toHalf(float value) { return static_cast<half>(value); }
inline half toHalf(double value) { return static_cast<half>(roundToOdd(value)); }

/// a * b + c rounded once. The product and the addend are exact in single precision; an inexact sum
/// gets an odd last bit, so that rounding it to half is correct.
inline half fmaHalf(half a, half b, half c) {
  const float product = static_cast<float>(a) * static_cast<float>(b);
  const float addend = static_cast<float>(c), sum = product + addend;
  const bool productLarger = __builtin_fabsf(product) > __builtin_fabsf(addend);
  const float large = productLarger ? product : addend, small = productLarger ? addend : product;
  const float error = small - (sum - large);
  const uint32_t bits = bitsOf(sum);
  const bool inexact = (error > 0 || error < 0) && !(bits & 1);
  const bool away = (error > 0) == (sum > 0);
  return toHalf(floatOf(inexact ? (away ? bits + 1 : bits - 1) : bits));
}

/// Minimum and maximum of IEEE 754-2008 with -0 < +0. A quiet NaN loses against a number; in IEEE
/// mode a signalling one wins and is quieted.
template <typename T, bool ieee>
inline T minimum(T a, T b) {
  const bool zeros = isZero(a) && isZero(b);
  T result = a < b || (zeros && bitsOf(a)) ? a : b;
  result = isNan(b) ? a : result; // a NaN `a` loses already
  result = ieee && isSignalling(b) ? quiet(b) : result;
  return ieee && isSignalling(a) ? quiet(a) : result;
}
template <typename T, bool ieee>
inline T maximum(T a, T b) {
  const bool zeros = isZero(a) && isZero(b);
  T result = a > b || (zeros && !bitsOf(a)) ? a : b;
  result = isNan(b) ? a : result;
  result = ieee && isSignalling(b) ? quiet(b) : result;
  return ieee && isSignalling(a) ? quiet(a) : result;
}

/// minimum and maximum of IEEE 754-2019: a NaN operand gives a NaN.
template <typename T>
inline T minimumNan(T a, T b) {
  return isNan(a) ? a : isNan(b) ? b : minimum<T, false>(a, b);
}
template <typename T>
inline T maximumNan(T a, T b) {
  return isNan(a) ? a : isNan(b) ? b : maximum<T, false>(a, b);
}

/// Conversion toward zero that saturates and turns NaN into 0.
inline int32_t saturateToI32(double value) {
  if (!(value == value))
    return 0;
  if (value >= 2147483647.0)
    return 2147483647;
  if (value <= -2147483648.0)
    return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(value);
}
inline uint32_t saturateToU32(double value) {
  if (!(value > 0))
    return 0;
  if (value >= 4294967295.0)
    return 0xffffffffu;
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}
/// The same for single precision, kept in single precision for the sake of vectorization.
inline int32_t saturateToI32(float value) {
  float bounded = value >= 2147483648.0f ? 0.0f : value < -2147483648.0f ? 0.0f : value;
  int32_t converted = static_cast<int32_t>(value == value ? bounded : 0.0f);
  return value >= 2147483648.0f   ? 2147483647
         : value < -2147483648.0f ? std::numeric_limits<int32_t>::min()
                                  : converted;
}
inline uint32_t saturateToU32(float value) {
  float bounded = value > 0.0f && value < 4294967296.0f ? value : 0.0f;
  uint32_t converted = static_cast<uint32_t>(bounded);
  return value >= 4294967296.0f ? 0xffffffffu : converted;
}

/// Upper half of a float: bfloat16 to float and back, rounding to nearest even.
inline float bfloatToFloat(uint16_t bits) { return floatOf(static_cast<uint32_t>(bits) << 16); }
inline uint16_t floatToBfloat(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<uint16_t>(isNan(value) ? (bits >> 16 | 0x40) : rounded);
}

/// The 8-bit formats of gfx942: FNUZ, no infinities, no negative zero, 0x80 is NaN.
/// FP8 is 4 exponent bits with bias 8, BF8 5 with bias 16.
float fp8ToFloat(uint8_t bits);
float bf8ToFloat(uint8_t bits);
/// Rounding to nearest even; what overflows saturates to the largest number when `saturate`, and is
/// NaN otherwise.
uint8_t floatToFp8(float value, bool saturate);
uint8_t floatToBf8(float value, bool saturate);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_NUMBER_NUMERIC_H
