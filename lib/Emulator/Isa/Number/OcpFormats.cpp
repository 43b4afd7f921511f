//===- OcpFormats.cpp - The 8-bit floats of the Open Compute Project -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OcpFormats.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/OcpFormats.h"
#include "Emulator/Isa/Number/Numeric.h"
#include <algorithm>
#include <cmath>

using namespace ckemu;

namespace {
struct Format {
  int mantissaBits, bias;
  uint8_t largest;  ///< the largest number
  uint8_t overflow; ///< what is larger, without saturation
  uint8_t nan;
};
} // namespace

static constexpr Format kFp8 = {3, 7, 0x7e, 0x7f, 0x7f};
static constexpr Format kBf8 = {2, 15, 0x7b, 0x7c, 0x7e};

static float widen(uint8_t bits, const Format &format) {
  const int magnitude = bits & 0x7f;
  float value;
  if (magnitude > format.largest) {
    const bool isInfinite = magnitude == format.overflow && format.overflow != format.nan;
    value = isInfinite ? INFINITY : defaultNan<float>();
  } else {
    const int exponent = magnitude >> format.mantissaBits;
    const int mantissa = magnitude & ((1 << format.mantissaBits) - 1);
    const int significand = exponent ? mantissa | 1 << format.mantissaBits : mantissa;
    value = std::ldexp(float(significand),
                       (exponent ? exponent : 1) - format.bias - format.mantissaBits);
  }
  return bits & 0x80 ? -value : value;
}

static uint8_t narrow(float value, bool saturate, const Format &format) {
  const uint8_t sign = bitsOf(value) >> 31 ? 0x80 : 0;
  if (isNan(value))
    return sign | format.nan;
  const uint8_t tooLarge = saturate ? format.largest : format.overflow;
  if (isInf(value))
    return sign | tooLarge;
  if (isZero(value))
    return sign;
  int exponent;
  std::frexp(value, &exponent); // value = [0.5, 1) * 2^exponent
  const int smallest = 1 - format.bias;
  const int binade = std::max(exponent - 1, smallest);
  const double steps = std::ldexp(std::fabs(double(value)), format.mantissaBits - binade);
  // A carry into the exponent is a carry into the next binade of the encoding.
  const unsigned encoded =
      (unsigned(binade - smallest) << format.mantissaBits) + unsigned(__builtin_roundeven(steps));
  return sign | (encoded > format.largest ? tooLarge : uint8_t(encoded));
}

float ckemu::ocpFp8ToFloat(uint8_t bits) { return widen(bits, kFp8); }
float ckemu::ocpBf8ToFloat(uint8_t bits) { return widen(bits, kBf8); }
uint8_t ckemu::floatToOcpFp8(float value, bool saturate) { return narrow(value, saturate, kFp8); }
uint8_t ckemu::floatToOcpBf8(float value, bool saturate) { return narrow(value, saturate, kBf8); }

/// The number of magnitude `bits` with `mantissaBits` and a bias of `bias`.
static float widenFinite(unsigned bits, int mantissaBits, int bias) {
  const int exponent = int(bits >> mantissaBits), mantissa = int(bits & ((1u << mantissaBits) - 1));
  const int significand = exponent ? mantissa | 1 << mantissaBits : mantissa;
  return std::ldexp(float(significand), (exponent ? exponent : 1) - bias - mantissaBits);
}

template <int bits, int mantissaBits, int bias>
static float widenSmall(uint8_t value) {
  constexpr unsigned sign = 1u << (bits - 1);
  const float magnitude = widenFinite(value & (sign - 1), mantissaBits, bias);
  return value & sign ? -magnitude : magnitude;
}

/// Codes of magnitudes ascend, so that the nearest is next to where they pass the value, and the
/// even one of two equally near ones has an even code.
template <int bits, int mantissaBits, int bias>
static uint8_t narrowSmall(float value) {
  constexpr unsigned sign = 1u << (bits - 1);
  const float magnitude = std::fabs(value);
  unsigned code = 0;
  while (code + 1 < sign) {
    const float middle =
        (widenFinite(code, mantissaBits, bias) + widenFinite(code + 1, mantissaBits, bias)) / 2;
    if (magnitude < middle || (magnitude == middle && code % 2 == 0))
      break;
    ++code;
  }
  return uint8_t(code | (bitsOf(value) >> 31 ? sign : 0));
}

float ckemu::fp6ToFloat(uint8_t bits) { return widenSmall<6, 3, 1>(bits); }
float ckemu::bf6ToFloat(uint8_t bits) { return widenSmall<6, 2, 3>(bits); }
float ckemu::fp4ToFloat(uint8_t bits) { return widenSmall<4, 1, 1>(bits); }
uint8_t ckemu::floatToFp6(float value) { return narrowSmall<6, 3, 1>(value); }
uint8_t ckemu::floatToBf6(float value) { return narrowSmall<6, 2, 3>(value); }
uint8_t ckemu::floatToFp4(float value) { return narrowSmall<4, 1, 1>(value); }
