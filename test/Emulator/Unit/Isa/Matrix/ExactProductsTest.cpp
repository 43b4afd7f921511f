//===- ExactProductsTest.cpp - Products without an instruction for them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Matrix/ExactProducts.h"
#include "gtest/gtest.h"
#include <random>

using namespace ckemu;
using namespace ckemu::matrix;

template <typename T = float>
static Magnitudes<T> getMagnitudes(std::initializer_list<T> values) {
  Magnitudes<T> result;
  result.add(values.begin(), values.size());
  return result;
}

TEST(ExactProducts, StayInRange) {
  const Magnitudes<float> one = getMagnitudes({0.0f, 1.0f, -1.5f, 0x1p-20f});
  EXPECT_TRUE(one.hasExactProducts(one));
  EXPECT_TRUE(one.hasExactProducts(getMagnitudes({0.0f, -0.0f})));
  EXPECT_TRUE(one.hasExactProducts(getMagnitudes({0x1p-106f})));
  EXPECT_FALSE(one.hasExactProducts(getMagnitudes({0x1p-107f})));
  EXPECT_TRUE(one.hasExactProducts(getMagnitudes({-0x1.fep126f})));
  EXPECT_FALSE(one.hasExactProducts(getMagnitudes({0x1p127f})));
  EXPECT_FALSE(one.hasExactProducts(getMagnitudes({0x1p-127f})));
  EXPECT_FALSE(one.hasExactProducts(getMagnitudes({std::numeric_limits<float>::infinity()})));
  EXPECT_FALSE(one.hasExactProducts(getMagnitudes({std::numeric_limits<float>::quiet_NaN()})));
}

TEST(ExactProducts, HaveFewBits) {
  const Magnitudes<float> twelve = getMagnitudes({4095.0f, -0x1p20f, 0.0f});
  EXPECT_TRUE(twelve.hasExactProducts(twelve));
  EXPECT_FALSE(twelve.hasExactProducts(getMagnitudes({4097.0f})));
  EXPECT_FALSE(twelve.hasExactProducts(getMagnitudes({0x1.8p0f, 0x1.001p0f})));
  EXPECT_TRUE(getMagnitudes({0x1.fffffep0f}).hasExactProducts(getMagnitudes({0x1p5f})));
  EXPECT_TRUE(getMagnitudes({0.0f}).hasExactProducts(getMagnitudes({0x1p5f})));
  const Magnitudes<double> single = getMagnitudes<double>({0x1.fffffep0, 0x1.fffffep30});
  EXPECT_TRUE(single.hasExactProducts(single));
  EXPECT_FALSE(single.hasExactProducts(getMagnitudes<double>({0x1p-1052})));
  EXPECT_FALSE(single.hasExactProducts(getMagnitudes<double>({0x1.00000001p0})));
}

/// Where the magnitudes say so, numbers of any bits have products that single precision holds.
TEST(ExactProducts, AreExactInSinglePrecision) {
  std::mt19937 random(1);
  unsigned exact = 0;
  for (unsigned i = 0; i < 200000; ++i) {
    const unsigned missing = 4 + random() % 20;
    const float a = floatOf(uint32_t(random()) >> missing << missing);
    const float b = floatOf(uint32_t(random()) >> (24 - missing) << (24 - missing));
    if (!getMagnitudes({a}).hasExactProducts(getMagnitudes({b})))
      continue;
    ++exact;
    ASSERT_EQ(double(a * b), double(a) * double(b)) << a << " * " << b;
  }
  EXPECT_GT(exact, 50000u);
}

#if !defined(__FMA__)
/// Operands whose product and addend cancel, or lie so far apart that bits are lost.
TEST(ExactProducts, FusedSumsAreRoundedOnce) {
  using Vector = VectorOf<float>::Type;
  std::mt19937 random(2);
  for (unsigned round = 0; round < 60000; ++round) {
    Vector a, b, sum, expected;
    for (unsigned i = 0; i < VectorOf<float>::length; ++i) {
      a[i] = floatOf(random());
      b[i] = floatOf(random());
      uint32_t addend = random();
      if (round % 3 == 1)
        addend = bitsOf(-(a[i] * b[i])) + random() % 5 - 2;
      if (round % 3 == 2)
        addend =
            (addend & 0x807fffff) |
            ((bitsOf(a[i] * b[i]) & 0x7f800000) + (random() % 60 - 30) * 0x800000) % 0x7f800000;
      sum[i] = floatOf(addend);
      expected[i] = __builtin_fmaf(a[i], b[i], sum[i]);
    }
    addFused(a, b, sum);
    for (unsigned i = 0; i < VectorOf<float>::length; ++i)
      ASSERT_EQ(bitsOf(sum[i]), bitsOf(expected[i])) << a[i] << " * " << b[i];
  }
}
#endif
