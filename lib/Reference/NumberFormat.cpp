//===- NumberFormat.cpp - Element types as bits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One generic conversion for the small floats, parameterized by the format's geometry.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/NumberFormat.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir::ck;

namespace {
/// The geometry of a float of up to 16 bits.
struct FloatGeometry {
  unsigned exponentBits, mantissaBits;
  int bias;
  uint32_t maxFinite; // bits of the largest finite magnitude
  bool hasInfinity;   // IEEE-like top exponent
  bool unsignedZero;  // FNUZ: only one zero, the bits of -0 are NaN
  bool saturates;     // finite values beyond the largest become the largest
  uint32_t nan;
};
} // namespace

static const FloatGeometry &getGeometry(DataType type, Fp8Format fp8) {
  static const FloatGeometry f16 = {5, 10, 15, 0x7bff, true, false, false, 0x7e00};
  static const FloatGeometry bf16 = {8, 7, 127, 0x7f7f, true, false, false, 0x7fc0};
  static const FloatGeometry fp8Fnuz = {4, 3, 8, 0x7f, false, true, true, 0x80};
  static const FloatGeometry bf8Fnuz = {5, 2, 16, 0x7f, false, true, true, 0x80};
  static const FloatGeometry fp8Ocp = {4, 3, 7, 0x7e, false, false, true, 0x7f};
  static const FloatGeometry bf8Ocp = {5, 2, 15, 0x7b, true, false, true, 0x7e};
  switch (type) {
  case DataType::F16:
    return f16;
  case DataType::BF16:
    return bf16;
  case DataType::FP8:
    return fp8 == Fp8Format::FNUZ ? fp8Fnuz : fp8Ocp;
  case DataType::BF8:
    return fp8 == Fp8Format::FNUZ ? bf8Fnuz : bf8Ocp;
  default:
    llvm_unreachable("not a small float");
  }
}

/// The magnitude of a finite non-negative `value` in units of the format's ulp at that value,
/// rounded to nearest even, with the exponent in front: the bits without the sign.
static uint32_t roundMagnitude(double value, const FloatGeometry &format) {
  if (value == 0)
    return 0;
  int exponent = std::ilogb(value);
  int minExponent = 1 - format.bias; // of normal numbers
  int scaleExponent = std::max(exponent, minExponent);
  // Whole units: below 2^(mantissaBits + 1) before rounding, so exact in a double.
  double units = std::nearbyint(std::ldexp(value, int(format.mantissaBits) - scaleExponent));
  // A subnormal has no leading one; a carry out of the mantissa increments the exponent by itself.
  return (uint32_t(scaleExponent - minExponent) << format.mantissaBits) + uint32_t(units);
}

static uint32_t encodeSmallFloat(double value, const FloatGeometry &format) {
  uint32_t sign = std::signbit(value) ? 1u << (format.exponentBits + format.mantissaBits) : 0;
  uint32_t infinity = ((1u << format.exponentBits) - 1) << format.mantissaBits;
  if (std::isnan(value))
    return format.nan;
  if (std::isinf(value))
    return format.hasInfinity ? sign | infinity : format.nan;
  // Beyond twice the largest finite value the exponent no longer matters.
  double limit = std::ldexp(1.0, int(format.maxFinite >> format.mantissaBits) - format.bias + 1);
  uint32_t magnitude = roundMagnitude(std::min(std::abs(value), limit), format);
  if (magnitude > format.maxFinite)
    magnitude = format.saturates ? format.maxFinite : infinity;
  if (magnitude == 0 && format.unsignedZero)
    return 0;
  return sign | magnitude;
}

static double decodeSmallFloat(uint32_t bits, const FloatGeometry &format) {
  uint32_t signBit = 1u << (format.exponentBits + format.mantissaBits);
  uint32_t magnitude = bits & (signBit - 1);
  double sign = bits & signBit ? -1.0 : 1.0;
  if (magnitude > format.maxFinite) {
    bool infinite = format.hasInfinity && (magnitude & ((1u << format.mantissaBits) - 1)) == 0;
    return infinite ? sign * std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
  }
  if (format.unsignedZero && bits == signBit)
    return std::numeric_limits<double>::quiet_NaN();
  uint32_t exponent = magnitude >> format.mantissaBits;
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  if (exponent != 0)
    mantissa |= 1u << format.mantissaBits;
  int scale = int(std::max(exponent, 1u)) - format.bias - int(format.mantissaBits);
  return sign * std::ldexp(double(mantissa), scale);
}

/// Rounds to nearest even and saturates.
template <typename IntTy>
static uint32_t encodeInteger(double value) {
  if (std::isnan(value))
    return 0;
  double low = std::numeric_limits<IntTy>::min(), high = std::numeric_limits<IntTy>::max();
  auto integer = static_cast<IntTy>(std::min(std::max(std::nearbyint(value), low), high));
  return static_cast<uint32_t>(static_cast<std::make_unsigned_t<IntTy>>(integer));
}

uint32_t mlir::ck::encode(double value, DataType type, Fp8Format fp8) {
  switch (type) {
  case DataType::F32:
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  case DataType::I8:
    return encodeInteger<int8_t>(value);
  case DataType::I32:
    return encodeInteger<int32_t>(value);
  default:
    return encodeSmallFloat(value, getGeometry(type, fp8));
  }
}

double mlir::ck::decode(uint32_t bits, DataType type, Fp8Format fp8) {
  switch (type) {
  case DataType::F32:
    return llvm::bit_cast<float>(bits);
  case DataType::I8:
    return static_cast<int8_t>(bits);
  case DataType::I32:
    return static_cast<int32_t>(bits);
  default:
    return decodeSmallFloat(bits, getGeometry(type, fp8));
  }
}
