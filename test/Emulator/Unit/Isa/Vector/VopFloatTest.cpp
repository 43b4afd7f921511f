//===- VopFloatTest.cpp - Tests of vector floating-point instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating-point instructions against host formulas in every lane, with many special operands. NaN
// results are compared as NaN, and their payload in a test of its own.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <algorithm>
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

using U32 = uint32_t;
using U64 = uint64_t;

namespace {
/// Formulas compute in the type of the instruction; halves come as floats, which hold them exactly,
/// and the result is rounded to half once.
struct Case32 {
  const char *name;
  unsigned sources;
  std::function<double(float a, float b, float c)> formula;
};
struct Case64 {
  const char *name;
  unsigned sources;
  std::function<double(double a, double b, double c)> formula;
};
using Case16 = Case64;
} // namespace

static float flushed(double value) {
  const float single = float(value);
  return std::fpclassify(single) == FP_SUBNORMAL ? std::copysign(0.0f, single) : single;
}
/// IEEE minimum and maximum: a NaN loses, -0 < +0. Signalling NaNs are tested separately.
template <typename T>
static T lowest(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
static T highest(T a, T b) {
  return -lowest(-a, -b);
}
template <typename T>
static T middle(T a, T b, T c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return lowest(lowest(a, b), c);
  return highest(lowest(a, b), lowest(highest(a, b), c));
}
template <typename T>
static double fraction(T a, T belowOne) {
  return std::isinf(a) ? NAN : double(std::min(T(a - std::floor(a)), belowOne));
}
template <typename T>
static double mantissa(T a) {
  int exponent;
  return std::isfinite(a) ? std::frexp(double(a), &exponent) : double(a);
}

static const Case32 kCases32[] = {
    {"v_add_f32", 2, [](float a, float b, float) { return double(a + b); }},
    {"v_sub_f32", 2, [](float a, float b, float) { return double(a - b); }},
    {"v_subrev_f32", 2, [](float a, float b, float) { return double(b - a); }},
    {"v_mul_f32", 2, [](float a, float b, float) { return double(a * b); }},
    {"v_mul_legacy_f32", 2,
     [](float a, float b, float) { return a == 0 || b == 0 ? 0.0 : double(a * b); }},
    {"v_fma_f32", 3, [](float a, float b, float c) { return double(std::fmaf(a, b, c)); }},
    {"v_min_f32", 2, [](float a, float b, float) { return double(lowest(a, b)); }},
    {"v_max_f32", 2, [](float a, float b, float) { return double(highest(a, b)); }},
    {"v_min3_f32", 3, [](float a, float b, float c) { return double(lowest(lowest(a, b), c)); }},
    {"v_max3_f32", 3, [](float a, float b, float c) { return double(highest(highest(a, b), c)); }},
    {"v_med3_f32", 3, [](float a, float b, float c) { return double(middle(a, b, c)); }},
    {"v_rcp_f32", 1, [](float a, float, float) { return double(flushed(1.0 / flushed(a))); }},
    {"v_rcp_iflag_f32", 1, [](float a, float, float) { return double(flushed(1.0 / flushed(a))); }},
    {"v_sqrt_f32", 1, [](float a, float, float) { return double(std::sqrt(flushed(a))); }},
    {"v_rsq_f32", 1,
     [](float a, float, float) { return double(float(1.0 / std::sqrt(double(flushed(a))))); }},
    {"v_exp_f32", 1, [](float a, float, float) { return double(flushed(std::exp2(double(a)))); }},
    {"v_log_f32", 1,
     [](float a, float, float) { return double(float(std::log2(double(flushed(a))))); }},
    {"v_floor_f32", 1, [](float a, float, float) { return double(std::floor(a)); }},
    {"v_ceil_f32", 1, [](float a, float, float) { return double(std::ceil(a)); }},
    {"v_trunc_f32", 1, [](float a, float, float) { return double(std::trunc(a)); }},
    {"v_rndne_f32", 1, [](float a, float, float) { return double(std::nearbyint(a)); }},
    {"v_fract_f32", 1, [](float a, float, float) { return fraction(a, 0x1.fffffep-1f); }},
    {"v_frexp_mant_f32", 1, [](float a, float, float) { return mantissa(a); }},
};
static const Case64 kCases64[] = {
    {"v_add_f64", 2, [](double a, double b, double) { return a + b; }},
    {"v_mul_f64", 2, [](double a, double b, double) { return a * b; }},
    {"v_fma_f64", 3, [](double a, double b, double c) { return std::fma(a, b, c); }},
    {"v_min_f64", 2, [](double a, double b, double) { return lowest(a, b); }},
    {"v_max_f64", 2, [](double a, double b, double) { return highest(a, b); }},
    {"v_rcp_f64", 1, [](double a, double, double) { return 1.0 / a; }},
    {"v_sqrt_f64", 1, [](double a, double, double) { return std::sqrt(a); }},
    {"v_rsq_f64", 1, [](double a, double, double) { return 1.0 / std::sqrt(a); }},
    {"v_floor_f64", 1, [](double a, double, double) { return std::floor(a); }},
    {"v_ceil_f64", 1, [](double a, double, double) { return std::ceil(a); }},
    {"v_trunc_f64", 1, [](double a, double, double) { return std::trunc(a); }},
    {"v_rndne_f64", 1, [](double a, double, double) { return std::nearbyint(a); }},
    {"v_fract_f64", 1, [](double a, double, double) { return fraction(a, 0x1.fffffffffffffp-1); }},
    {"v_frexp_mant_f64", 1, [](double a, double, double) { return mantissa(a); }},
};
static const Case16 kCases16[] = {
    {"v_add_f16", 2, [](double a, double b, double) { return a + b; }},
    {"v_sub_f16", 2, [](double a, double b, double) { return a - b; }},
    {"v_subrev_f16", 2, [](double a, double b, double) { return b - a; }},
    {"v_mul_f16", 2, [](double a, double b, double) { return a * b; }},
    {"v_min_f16", 2, [](double a, double b, double) { return lowest(a, b); }},
    {"v_max_f16", 2, [](double a, double b, double) { return highest(a, b); }},
    {"v_min3_f16", 3, [](double a, double b, double c) { return lowest(lowest(a, b), c); }},
    {"v_max3_f16", 3, [](double a, double b, double c) { return highest(highest(a, b), c); }},
    {"v_med3_f16", 3, [](double a, double b, double c) { return middle(a, b, c); }},
    {"v_rcp_f16", 1, [](double a, double, double) { return 1.0 / a; }},
    {"v_sqrt_f16", 1, [](double a, double, double) { return std::sqrt(a); }},
    {"v_rsq_f16", 1, [](double a, double, double) { return 1.0 / std::sqrt(a); }},
    {"v_exp_f16", 1, [](double a, double, double) { return std::exp2(a); }},
    {"v_log_f16", 1, [](double a, double, double) { return std::log2(a); }},
    {"v_floor_f16", 1, [](double a, double, double) { return std::floor(a); }},
    {"v_ceil_f16", 1, [](double a, double, double) { return std::ceil(a); }},
    {"v_trunc_f16", 1, [](double a, double, double) { return std::trunc(a); }},
    {"v_rndne_f16", 1, [](double a, double, double) { return std::nearbyint(a); }},
    {"v_fract_f16", 1, [](double a, double, double) { return fraction(a, 0x1.ffcp-1); }},
    {"v_frexp_mant_f16", 1, [](double a, double, double) { return mantissa(a); }},
};

static std::string instruction(const char *name, unsigned sources, unsigned words) {
  std::string text = std::string(name) + (words == 2 ? " v[10:11]" : " v10");
  for (unsigned i = 0; i < sources; ++i) {
    const unsigned first = 2 + 2 * i;
    text += words == 2 ? ", v[" + std::to_string(first) + ":" + std::to_string(first + 1) + "]"
                       : ", v" + std::to_string(first);
  }
  return text;
}

TEST(VopFloatTest, SinglePrecision) {
  OperandSource source(21);
  IsaWave wave;
  for (const Case32 &c : kCases32)
    for (unsigned round = 0; round < 20; ++round) {
      for (unsigned i = 2; i < 8; ++i)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          do
            wave.v(i)[lane] = source.float32();
          while ((wave.v(i)[lane] & 0x7fc00000) == 0x7f800000 && wave.v(i)[lane] << 9);
      wave.run(instruction(c.name, c.sources, 1));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const float a = asFloat(wave.v(2)[lane]), b = asFloat(wave.v(4)[lane]),
                    d = asFloat(wave.v(6)[lane]);
        const float expected = float(c.formula(a, b, d)), got = asFloat(wave.v(10)[lane]);
        if (std::isnan(expected))
          ASSERT_TRUE(std::isnan(got)) << c.name << " " << a << " " << b << " " << d;
        else
          ASSERT_EQ(asBits(got), asBits(expected)) << c.name << " " << a << " " << b << " " << d
                                                   << " expected " << expected << " got " << got;
      }
    }
}

TEST(VopFloatTest, DoublePrecision) {
  OperandSource source(22);
  IsaWave wave;
  for (const Case64 &c : kCases64)
    for (unsigned round = 0; round < 20; ++round) {
      for (unsigned i = 2; i < 8; i += 2)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          U64 bits = source.float64();
          if (std::isnan(asDouble(bits)))
            bits |= 1ull << 51;
          wave.setV64(i, lane, bits);
        }
      wave.run(instruction(c.name, c.sources, 2));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const double a = asDouble(wave.v64(2, lane)), b = asDouble(wave.v64(4, lane)),
                     d = asDouble(wave.v64(6, lane));
        const double expected = c.formula(a, b, d), got = asDouble(wave.v64(10, lane));
        if (std::isnan(expected))
          ASSERT_TRUE(std::isnan(got)) << c.name << " " << a << " " << b << " " << d;
        else
          ASSERT_EQ(asBits(got), asBits(expected)) << c.name << " " << a << " " << b << " " << d;
      }
    }
}

TEST(VopFloatTest, HalfPrecision) {
  OperandSource source(23);
  IsaWave wave;
  for (const Case16 &c : kCases16)
    for (unsigned round = 0; round < 20; ++round) {
      for (unsigned i = 2; i < 8; ++i)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          uint16_t bits = source.float16();
          wave.v(i)[lane] = 0xabcd0000u | bits | ((bits & 0x7fff) > 0x7c00 ? 0x200 : 0);
        }
      wave.run(instruction(c.name, c.sources, 1));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const double a = halfToFloat(uint16_t(wave.v(2)[lane])),
                     b = halfToFloat(uint16_t(wave.v(4)[lane])),
                     d = halfToFloat(uint16_t(wave.v(6)[lane]));
        const uint16_t expected = halfBits(c.formula(a, b, d));
        const uint16_t got = uint16_t(wave.v(10)[lane]);
        if (std::isnan(halfToFloat(expected)))
          ASSERT_TRUE(std::isnan(halfToFloat(got))) << c.name << " " << a << " " << b << " " << d;
        else
          ASSERT_EQ(got, expected) << c.name << " " << a << " " << b << " " << d;
      }
    }
}

/// Every sum of the product of two halves and a half, rounded once: checked with long doubles.
TEST(VopFloatTest, FusedHalf) {
  OperandSource source(24);
  IsaWave wave;
  for (unsigned round = 0; round < 300; ++round) {
    for (unsigned i : {2u, 4u, 6u})
      for (unsigned lane = 0; lane < kLanes; ++lane)
        wave.v(i)[lane] = source.float16();
    wave.run("v_fma_legacy_f16 v10, v2, v4, v6\nv_pk_fma_f16 v11, v2, v4, v6");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const long double a = halfToFloat(uint16_t(wave.v(2)[lane])),
                        b = halfToFloat(uint16_t(wave.v(4)[lane])),
                        c = halfToFloat(uint16_t(wave.v(6)[lane]));
      const long double exact = a * b + c; // 64 bits of mantissa hold it
      // Round to odd in double, so that the final rounding is the only one.
      double rounded = double(exact);
      if (std::isfinite(rounded) && static_cast<long double>(rounded) != exact &&
          !(asBits(rounded) & 1))
        rounded = std::nextafter(rounded, exact > rounded ? INFINITY : -INFINITY);
      const uint16_t expected = halfBits(rounded), got = uint16_t(wave.v(10)[lane]);
      if (std::isnan(halfToFloat(expected)))
        ASSERT_TRUE(std::isnan(halfToFloat(got)));
      else
        ASSERT_EQ(got, expected) << double(a) << " " << double(b) << " " << double(c);
      ASSERT_EQ(uint16_t(wave.v(11)[lane]), got);
    }
  }
}

TEST(VopFloatTest, NansAreQuietedInOperandOrder) {
  IsaWave wave;
  auto run = [&](const char *text, U32 a, U32 b) {
    wave.v(1)[0] = a;
    wave.v(2)[0] = b;
    wave.run(text);
    return wave.v(0)[0];
  };
  const U32 signalling = 0x7f812345, quiet = 0xffc54321, one = 0x3f800000, infinity = 0x7f800000;
  EXPECT_EQ(run("v_add_f32 v0, v1, v2", signalling, quiet), 0x7fc12345u);
  EXPECT_EQ(run("v_add_f32 v0, v1, v2", one, signalling), 0x7fc12345u);
  EXPECT_EQ(run("v_sub_f32 v0, v1, v2", infinity, infinity), 0x7fc00000u);
  EXPECT_EQ(run("v_mul_f32 v0, v1, v2", infinity, 0), 0x7fc00000u);
  EXPECT_EQ(run("v_max_f32 v0, v1, v2", signalling, one), 0x7fc12345u); // IEEE mode
  EXPECT_EQ(run("v_max_f32 v0, v1, v2", quiet, one), one);
  wave.wave.mode = 0xf0; // not IEEE
  wave.v(1)[0] = signalling;
  wave.v(2)[0] = one;
  wave.run("v_max_f32 v0, v1, v2");
  EXPECT_EQ(wave.v(0)[0], one);
}

TEST(VopFloatTest, SourceAndOutputModifiers) {
  IsaWave wave;
  wave.v(1)[0] = asBits(-3.0f);
  wave.v(2)[0] = asBits(0.25f);
  auto run = [&](const char *text, U32 mode = 0x3f0) {
    wave.wave.mode = mode;
    wave.run(text);
    return asFloat(wave.v(0)[0]);
  };
  EXPECT_EQ(run("v_add_f32_e64 v0, -v1, v2"), 3.25f);
  EXPECT_EQ(run("v_add_f32_e64 v0, |v1|, v2"), 3.25f);
  EXPECT_EQ(run("v_add_f32_e64 v0, -|v1|, -v2"), -3.25f);
  EXPECT_EQ(run("v_add_f32_e64 v0, |v1|, v2 clamp"), 1.0f);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 clamp"), 0.0f);
  // Output scaling is for modes without denormals and IEEE only.
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 mul:4"), -2.75f);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 mul:4", 0x1c0), -11.0f);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 div:2", 0x1c0), -1.375f);
  wave.v(1)[0] = 0x7fc00000;
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 clamp"), 0.0f);
  EXPECT_TRUE(std::isnan(run("v_add_f32_e64 v0, v1, v2 clamp", 0x2f0)));
}

TEST(VopFloatTest, RoundingAndDenormalModes) {
  IsaWave wave;
  wave.v(1)[0] = asBits(1.0f);
  wave.v(2)[0] = asBits(0x1p-30f);
  const float up = std::nextafterf(1.0f, 2.0f);
  const float expected[] = {1.0f, up, 1.0f, 1.0f};
  for (U32 rounding = 0; rounding < 4; ++rounding) {
    wave.wave.mode = 0x3f0 | rounding;
    wave.run("v_add_f32 v0, v1, v2\nv_sub_f32 v3, -v1, v2");
    EXPECT_EQ(asFloat(wave.v(0)[0]), expected[rounding]) << rounding;
    EXPECT_EQ(asFloat(wave.v(3)[0]), rounding == 2 ? -up : -1.0f) << rounding;
    wave.wave.mode = 0x3f0 | rounding << 2;
    wave.run("v_add_f32 v0, v1, v2\nv_cvt_f16_f32 v4, v5");
    EXPECT_EQ(asFloat(wave.v(0)[0]), 1.0f) << rounding;
  }
  // Halves round by the second field.
  wave.v(5)[0] = asBits(1.0f + 0x1p-20f);
  wave.wave.mode = 0x3f0 | 1 << 2;
  wave.run("v_cvt_f16_f32 v4, v5");
  EXPECT_EQ(wave.v(4)[0], 0x3c01u);
  // Denormals: inputs (bit 4) and results (bit 5).
  wave.v(1)[0] = 0x00000100;
  wave.v(2)[0] = asBits(1.0f);
  wave.v(3)[0] = 0x00800000;
  wave.v(4)[0] = asBits(0.5f);
  for (U32 keep = 0; keep < 4; ++keep) {
    wave.wave.mode = 0x3c0 | keep << 4;
    wave.run("v_mul_f32 v0, v1, v2\nv_mul_f32 v6, v3, v4");
    EXPECT_EQ(wave.v(0)[0], keep == 3 ? 0x100u : 0u) << keep;
    EXPECT_EQ(wave.v(6)[0], keep & 2 ? 0x00400000u : 0u) << keep;
  }
  // Doubles are governed by the other field.
  wave.setV64(0, 0, 0x100);
  wave.wave.mode = 0x3c0;
  wave.run("v_mul_f64 v[2:3], v[0:1], 1.0");
  EXPECT_EQ(wave.v64(2, 0), 0x100u);
  wave.wave.mode = 0x330;
  wave.run("v_mul_f64 v[2:3], v[0:1], 1.0");
  EXPECT_EQ(wave.v64(2, 0), 0u);
}

TEST(VopFloatTest, OverflowOfSmallFloats) {
  IsaWave wave;
  const float values[] = {1e6f, -1e6f, INFINITY, -INFINITY, 0.0f, 65504.0f, 70000.0f, 1.0f};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(1)[lane] = asBits(values[lane % 8]);
    wave.v(2)[lane] = halfBits(values[lane % 8] / 32); // finite where the value is
    wave.v(3)[lane] = halfBits(2000.0);
  }
  wave.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n"
           "v_cvt_f16_f32 v4, v1\nv_mul_f16 v5, v2, v3\nv_rcp_f16 v6, v2\n"
           "v_cvt_pk_fp8_f32 v7, v1, v1\nv_cvt_pk_bf8_f32 v8, v1, v1");
  const uint16_t largest = 0x7bff;
  const uint16_t converted[] = {largest, 0xfbff, 0x7c00, 0xfc00, 0, largest, largest, 0x3c00};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float value = values[lane % 8];
    EXPECT_EQ(wave.v(4)[lane] & 0xffff, converted[lane % 8]) << value;
    const double product = double(halfToFloat(uint16_t(wave.v(2)[lane]))) * 2000;
    const double bounded = std::isinf(product) ? product : std::clamp(product, -65504.0, 65504.0);
    EXPECT_EQ(wave.v(5)[lane] & 0xffff, halfBits(bounded)) << value;
    if (value == 0)
      EXPECT_EQ(wave.v(6)[lane] & 0xffff, 0x7c00u);
    if (std::fabs(value) > 65504) {
      const uint32_t sign = value < 0 ? 0x80 : 0;
      EXPECT_EQ(wave.v(7)[lane] & 0xffff, (sign | 0x7f) * 0x101) << value;
      EXPECT_EQ(wave.v(8)[lane] & 0xffff, (sign | 0x7f) * 0x101) << value;
    }
  }
  wave.run("v_cvt_pk_fp8_f32 v7, v1, v1\nv_cvt_f16_f32 v4, v1"); // FP16_OVFL is off again
  EXPECT_EQ(wave.v(7)[0] & 0xffff, 0x8080u);
  EXPECT_EQ(wave.v(4)[0] & 0xffff, 0x7c00u);
}

TEST(VopFloatTest, Scaling) {
  OperandSource source(25);
  IsaWave wave;
  for (unsigned round = 0; round < 20; ++round) {
    source.fillFloat(wave.v(1));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(2)[lane] = lane % 4 ? U32(int(source.bits32() % 400) - 200) : source.bits32();
      wave.setV64(4, lane, source.float64());
    }
    wave.run("v_ldexp_f32 v0, v1, v2\nv_ldexp_f64 v[6:7], v[4:5], v2\nv_frexp_exp_i32_f32 v8, v1\n"
             "v_frexp_exp_i32_f64 v9, v[4:5]");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const float a = asFloat(wave.v(1)[lane]);
      const double b = asDouble(wave.v64(4, lane));
      const int n = std::max(-5000, std::min(5000, int(wave.v(2)[lane])));
      int exponent32 = 0, exponent64 = 0;
      if (std::isfinite(a))
        std::frexp(a, &exponent32);
      if (std::isfinite(b))
        std::frexp(b, &exponent64);
      EXPECT_EQ(int(wave.v(8)[lane]), exponent32);
      EXPECT_EQ(int(wave.v(9)[lane]), exponent64);
      if (!std::isnan(a))
        EXPECT_EQ(wave.v(0)[lane], asBits(std::ldexp(a, n))) << a << " " << n;
      if (!std::isnan(b))
        EXPECT_EQ(wave.v64(6, lane), asBits(std::ldexp(b, n))) << b << " " << n;
    }
  }
}

TEST(VopFloatTest, TurnsOfTheCircle) {
  IsaWave wave;
  const float angles[] = {0.0f, 0.25f, 0.5f, 0.125f, -0.25f, 17.25f, 300.0f, INFINITY};
  for (unsigned lane = 0; lane < 8; ++lane)
    wave.v(1)[lane] = asBits(angles[lane]);
  wave.run("v_sin_f32 v2, v1\nv_cos_f32 v3, v1");
  const float sines[] = {0, 1, 0, 0.70710678f, -1, 1, 0},
              cosines[] = {1, 0, -1, 0.70710678f, 0, 0, 1};
  for (unsigned lane = 0; lane < 7; ++lane) {
    EXPECT_NEAR(asFloat(wave.v(2)[lane]), sines[lane], 1e-7) << lane;
    EXPECT_NEAR(asFloat(wave.v(3)[lane]), cosines[lane], 1e-7) << lane;
  }
  EXPECT_TRUE(std::isnan(asFloat(wave.v(2)[7])));
}

TEST(VopFloatTest, AccumulatingForms) {
  IsaWave wave;
  wave.v(0)[3] = asBits(10.0f);
  wave.v(1)[3] = asBits(2.0f);
  wave.v(2)[3] = asBits(3.0f);
  wave.setV64(4, 3, asBits(0.5));
  wave.setV64(6, 3, asBits(4.0));
  wave.setV64(8, 3, asBits(1.0));
  wave.run("v_fmac_f32 v0, v1, v2\nv_fmac_f64 v[8:9], v[4:5], v[6:7]\n"
           "v_fmamk_f32 v10, v1, 0x40800000, v2\nv_fmaak_f32 v11, v1, v2, 0x40800000");
  EXPECT_EQ(asFloat(wave.v(0)[3]), 16.0f);
  EXPECT_EQ(asDouble(wave.v64(8, 3)), 3.0);
  EXPECT_EQ(asFloat(wave.v(10)[3]), 11.0f);
  EXPECT_EQ(asFloat(wave.v(11)[3]), 10.0f);
}

TEST(VopFloatTest, UncertainInstructionsAreRefused) {
  for (const char *text : {"v_cvt_pkaccum_u8_f32 v0, v1, v2", "v_cvt_pk_u8_f32 v0, v1, v2, v3",
                           "v_cvt_sr_fp8_f32 v0, v1, v2"}) {
    const std::string name = std::string(text).substr(0, std::string(text).find(' '));
    EXPECT_NE(IsaWave::getRefusal(text).find(name), std::string::npos) << text;
  }
}
