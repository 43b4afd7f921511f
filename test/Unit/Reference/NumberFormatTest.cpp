//===- NumberFormatTest.cpp - Tests of the element formats -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every bit pattern and many doubles against LLVM's APFloat.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/NumberFormat.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::ck;
using llvm::APFloat;

namespace {
struct Format {
  DataType type;
  Fp8Format fp8;
  const llvm::fltSemantics &semantics;
  unsigned bits;
  bool saturates;
};
} // namespace

static const Format formats[] = {
    {DataType::F16, Fp8Format::FNUZ, APFloat::IEEEhalf(), 16, false},
    {DataType::BF16, Fp8Format::FNUZ, APFloat::BFloat(), 16, false},
    {DataType::F32, Fp8Format::FNUZ, APFloat::IEEEsingle(), 32, false},
    {DataType::FP8, Fp8Format::FNUZ, APFloat::Float8E4M3FNUZ(), 8, true},
    {DataType::BF8, Fp8Format::FNUZ, APFloat::Float8E5M2FNUZ(), 8, true},
    {DataType::FP8, Fp8Format::OCP, APFloat::Float8E4M3FN(), 8, true},
    {DataType::BF8, Fp8Format::OCP, APFloat::Float8E5M2(), 8, true}};

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

TEST(NumberFormatTest, DecodesEveryPattern) {
  for (const Format &format : formats) {
    if (format.bits == 32)
      continue;
    for (uint32_t bits = 0; bits < (1u << format.bits); ++bits) {
      double expected = toDouble(APFloat(format.semantics, llvm::APInt(format.bits, bits)));
      double value = decode(bits, format.type, format.fp8);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value)) << getName(format.type).str() << " " << bits;
        continue;
      }
      ASSERT_EQ(value, expected) << getName(format.type).str() << " " << bits;
      ASSERT_EQ(std::signbit(value), std::signbit(expected));
      ASSERT_EQ(encode(value, format.type, format.fp8), bits) << getName(format.type).str();
    }
  }
}

/// The bits that APFloat gives, saturated to the largest finite value for 8-bit formats.
static uint32_t encodeByLlvm(double value, const Format &format) {
  APFloat converted(value);
  bool losesInfo;
  converted.convert(format.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  bool overflow = std::isfinite(value) && !converted.isFinite();
  if (overflow && format.saturates)
    converted = APFloat::getLargest(format.semantics, std::signbit(value));
  return converted.bitcastToAPInt().getZExtValue();
}

TEST(NumberFormatTest, RoundsLikeLlvm) {
  uint64_t state = 1;
  for (const Format &format : formats)
    for (unsigned i = 0; i < 200000; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      // Exponents around the format's range, and values at and next to ties.
      double value = std::ldexp(1.0 + double(state >> 40) * 0x1p-24, int(state % 61) - 40);
      if (i % 3 == 0) {
        double scale = std::ldexp(1.0, std::ilogb(value) - int(getMantissaBits(format.type)) - 1);
        value = std::nearbyint(value / scale) * scale;
        value = i % 2 ? value : std::nextafter(value, i % 4 ? 0.0 : 1e30);
      }
      value = state & 1 ? -value : value;
      ASSERT_EQ(encode(value, format.type, format.fp8), encodeByLlvm(value, format))
          << getName(format.type).str() << " " << value;
    }
}

TEST(NumberFormatTest, SpecialValues) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(encode(65519.99, DataType::F16), 0x7bffu);
  EXPECT_EQ(encode(65520, DataType::F16), 0x7c00u);
  EXPECT_EQ(encode(-infinity, DataType::BF16), 0xff80u);
  EXPECT_EQ(encode(1e9, DataType::FP8, Fp8Format::FNUZ), 0x7fu); // 240
  EXPECT_EQ(encode(-1e9, DataType::FP8, Fp8Format::OCP), 0xfeu); // -448
  EXPECT_EQ(encode(infinity, DataType::FP8, Fp8Format::FNUZ), 0x80u);
  EXPECT_EQ(encode(infinity, DataType::BF8, Fp8Format::OCP), 0x7cu);
  EXPECT_EQ(encode(-0.0, DataType::FP8, Fp8Format::FNUZ), 0u);
  EXPECT_EQ(encode(-0.0, DataType::FP8, Fp8Format::OCP), 0x80u);
  EXPECT_TRUE(std::isnan(decode(encode(NAN, DataType::F16), DataType::F16)));
}

TEST(NumberFormatTest, IntegersRoundToEvenAndSaturate) {
  EXPECT_EQ(decode(encode(2.5, DataType::I8), DataType::I8), 2);
  EXPECT_EQ(decode(encode(-3.5, DataType::I8), DataType::I8), -4);
  EXPECT_EQ(decode(encode(1000, DataType::I8), DataType::I8), 127);
  EXPECT_EQ(decode(encode(-1000, DataType::I8), DataType::I8), -128);
  EXPECT_EQ(decode(encode(-3e9, DataType::I32), DataType::I32), -2147483648.0);
  EXPECT_EQ(encode(NAN, DataType::I32), 0u);
}
