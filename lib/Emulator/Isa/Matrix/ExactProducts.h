//===- ExactProducts.h - Products that need no fused multiply-add -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of two bfloats has 16 bits, but a range that single precision does not have. Where all
// numbers of a matrix are in the middle of the range, as they mostly are, products are exact, so
// that hosts without a fused multiply-add multiply and add.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MATRIX_EXACTPRODUCTS_H
#define CK_MLIR_LIB_EMULATOR_ISA_MATRIX_EXACTPRODUCTS_H

#include "Emulator/Isa/Matrix/MatrixBlocks.h"
#include <algorithm>

namespace ckemu::matrix {

/// The largest and the smallest of magnitudes other than zero, as bits.
class Magnitudes {
public:
  void add(const float *values, size_t count) {
    int32_t most = 0, least = kInfinity;
    for (size_t i = 0; i < count; ++i) {
      const auto magnitude = int32_t(bitsOf(values[i]) & 0x7fffffff);
      most = std::max(most, magnitude);
      least = std::min(least, magnitude == 0 ? kInfinity : magnitude);
    }
    largest = std::max(largest, most);
    smallest = std::min(smallest, least);
  }

  /// Whether products of bfloats of these magnitudes and of `other` are normal numbers in single
  /// precision, or zero.
  bool hasNormalProducts(const Magnitudes &other) const {
    const int32_t bias = 127, leastNormal = 1, most = 254;
    if (largest >= kInfinity || other.largest >= kInfinity)
      return false;
    if (getExponent(smallest) < leastNormal || getExponent(other.smallest) < leastNormal)
      return false;
    // A product's exponent is the sum of the exponents, or one more.
    return getExponent(largest) + getExponent(other.largest) - bias + 1 <= most &&
           getExponent(smallest) + getExponent(other.smallest) - bias >= leastNormal;
  }

private:
  static constexpr int32_t kInfinity = 0x7f800000;
  static int32_t getExponent(int32_t bits) { return bits >> 23; }

  int32_t largest = 0, smallest = kInfinity;
};

/// The elements of which `areProductsExact` is asked.
template <class Element>
inline constexpr bool kIsBfloat =
    Element::type == MatrixType::Bf16 || Element::type == MatrixType::SlowBf16;

template <unsigned count>
inline bool areProductsExact(const Plane<float> (&a)[count], const Plane<float> (&b)[count]) {
  Magnitudes ofA, ofB;
  for (unsigned i = 0; i < count; ++i) {
    ofA.add(a[i].lane, kLanes);
    ofB.add(b[i].lane, kLanes);
  }
  return ofA.hasNormalProducts(ofB);
}

} // namespace ckemu::matrix

#endif // CK_MLIR_LIB_EMULATOR_ISA_MATRIX_EXACTPRODUCTS_H
