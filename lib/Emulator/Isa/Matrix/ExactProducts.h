//===- ExactProducts.h - Products that need no fused multiply-add -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product has as many bits as its factors together, so that those of bfloats and of small
// integers are exact in the format of the sum, as long as they stay within its range. Where that
// holds for all numbers of a matrix, as it mostly does, hosts without a fused multiply-add multiply
// and add.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MATRIX_EXACTPRODUCTS_H
#define CK_MLIR_LIB_EMULATOR_ISA_MATRIX_EXACTPRODUCTS_H

#include "Emulator/Isa/Matrix/MatrixBlocks.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <limits>

namespace ckemu::matrix {

/// How a float lies in an integer.
template <typename T>
struct FloatFormat;
template <>
struct FloatFormat<float> {
  using Bits = int32_t;
  static constexpr unsigned mantissaBits = 23;
  static constexpr Bits bias = 127;
};
template <>
struct FloatFormat<double> {
  using Bits = int64_t;
  static constexpr unsigned mantissaBits = 52;
  static constexpr Bits bias = 1023;
};

/// The largest and the smallest of magnitudes other than zero, and which bits they have.
template <typename T>
class Magnitudes {
  using Format = FloatFormat<T>;
  using Bits = typename Format::Bits;
  static constexpr Bits kImplicitBit = Bits(1) << Format::mantissaBits;
  static constexpr Bits kInfinity = (2 * Format::bias + 1) * kImplicitBit;

public:
  void add(const T *values, size_t count) {
    Bits most = 0, least = kInfinity, any = 0;
    for (size_t i = 0; i < count; ++i) {
      const Bits magnitude = detail::bitCast<Bits>(values[i]) & std::numeric_limits<Bits>::max();
      most = std::max(most, magnitude);
      least = std::min(least, magnitude == 0 ? kInfinity : magnitude);
      any |= magnitude;
    }
    largest = std::max(largest, most);
    smallest = std::min(smallest, least);
    used |= any;
  }

  /// Whether products of numbers of these magnitudes and of `other` are normal numbers without
  /// rounding, or zero.
  bool hasExactProducts(const Magnitudes &other) const {
    constexpr Bits leastNormal = 1, most = 2 * Format::bias;
    if (countBits() + other.countBits() > Format::mantissaBits + 1)
      return false;
    if (largest >= kInfinity || other.largest >= kInfinity)
      return false;
    if (getExponent(smallest) < leastNormal || getExponent(other.smallest) < leastNormal)
      return false;
    // A product's exponent is the sum of the exponents, or one more.
    return getExponent(largest) + getExponent(other.largest) - Format::bias + 1 <= most &&
           getExponent(smallest) + getExponent(other.smallest) - Format::bias >= leastNormal;
  }

private:
  static Bits getExponent(Bits bits) { return bits >> Format::mantissaBits; }
  /// By how many bits products are longer: from the highest to the lowest bit that a significand
  /// has, none for powers of two.
  unsigned countBits() const {
    const auto bits = static_cast<std::make_unsigned_t<Bits>>(used | kImplicitBit);
    const unsigned missing = llvm::countr_zero(bits);
    return missing == Format::mantissaBits ? 0 : Format::mantissaBits + 1 - missing;
  }

  Bits largest = 0, smallest = kInfinity, used = 0;
};

template <typename T>
inline bool areProductsExact(const T *a, const T *b, size_t count) {
  Magnitudes<T> ofA, ofB;
  ofA.add(a, count);
  ofB.add(b, count);
  return ofA.hasExactProducts(ofB);
}

} // namespace ckemu::matrix

#endif // CK_MLIR_LIB_EMULATOR_ISA_MATRIX_EXACTPRODUCTS_H
