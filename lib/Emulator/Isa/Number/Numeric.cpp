//===- Numeric.cpp - 8-bit floating-point formats -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx942's FNUZ formats differ from OCP's: no infinity, no negative zero, 0x80 is the only NaN, and
// the exponent bias is one larger.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"

using namespace ckemu;

namespace {
/// Parameters of a FNUZ format.
template <int exponentBits_, int mantissaBits_>
struct FnuzFormat {
  static constexpr int exponentBits = exponentBits_, mantissaBits = mantissaBits_;
  static constexpr int bias = 1 << (exponentBits - 1);
};
using Fp8 = FnuzFormat<4, 3>;
using Bf8 = FnuzFormat<5, 2>;
} // namespace

template <typename Format>
static float widen(uint8_t bits) {
  if (bits == 0x80)
    return defaultNan<float>();
  const int mantissa = bits & ((1 << Format::mantissaBits) - 1);
  const int exponent = bits >> Format::mantissaBits & ((1 << Format::exponentBits) - 1);
  const float magnitude =
      exponent ? std::ldexp(static_cast<float>(mantissa + (1 << Format::mantissaBits)),
                            exponent - Format::bias - Format::mantissaBits)
               : std::ldexp(static_cast<float>(mantissa), 1 - Format::bias - Format::mantissaBits);
  return bits & 0x80 ? -magnitude : magnitude;
}

template <typename Format>
static uint8_t narrow(float value, bool saturate) {
  constexpr uint8_t nan = 0x80, largest = 0x7f;
  const uint8_t sign = bitsOf(value) >> 31 ? 0x80 : 0;
  if (isNan(value))
    return nan;
  if (isInf(value))
    return saturate ? uint8_t(sign | largest) : nan;
  if (isZero(value))
    return 0;
  int exponent;
  std::frexp(value, &exponent); // value = [0.5, 1) * 2^exponent
  const int smallest = 1 - Format::bias;
  const int unit = (exponent - 1 < smallest ? smallest : exponent - 1) - Format::mantissaBits;
  const auto steps = static_cast<unsigned>(
      __builtin_roundeven(std::ldexp(std::fabs(static_cast<double>(value)), -unit)));
  // A carry into the exponent is a carry into the next binade of the encoding.
  const int binade = exponent - 1 < smallest ? 0 : exponent - 1 - smallest;
  const unsigned encoded = (static_cast<unsigned>(binade) << Format::mantissaBits) + steps;
  if (encoded > largest)
    return saturate ? uint8_t(sign | largest) : nan;
  return encoded ? uint8_t(sign | encoded) : 0;
}

float ckemu::fp8ToFloat(uint8_t bits) { return widen<Fp8>(bits); }
float ckemu::bf8ToFloat(uint8_t bits) { return widen<Bf8>(bits); }
uint8_t ckemu::floatToFp8(float value, bool saturate) { return narrow<Fp8>(value, saturate); }
uint8_t ckemu::floatToBf8(float value, bool saturate) { return narrow<Bf8>(value, saturate); }
