//===- VopDotTest.cpp - Dot products and conversions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dot products of floats of 8 and 16 bits on numbers whose sums are exact, so that no order and no
// rounding matters, the conversions of 8-bit floats byte by byte, and what must be refused.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"

using namespace ckemu;
using namespace ckemu::test;

static constexpr const char *kChips[] = {"gfx1100", "gfx1201"};

static uint16_t bfloatBits(float value) { return uint16_t(asBits(value) >> 16); }
static float bfloatValue(uint32_t bits) { return asFloat(bits << 16); }

/// The factors of lane `lane`: small multiples of 1/4.
static float factor(unsigned lane, unsigned i) {
  return float(int(lane * 7 + i * 5) % 31 - 15) / 4;
}

TEST(VopDotTest, BfloatsInSinglePrecision) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    for (unsigned lane = 0; lane < 32; ++lane) {
      wave.v(1)[lane] = bfloatBits(factor(lane, 0)) | uint32_t(bfloatBits(factor(lane, 1))) << 16;
      wave.v(2)[lane] = bfloatBits(factor(lane, 2)) | uint32_t(bfloatBits(factor(lane, 3))) << 16;
      wave.v(3)[lane] = wave.v(4)[lane] = asBits(factor(lane, 4));
      wave.v(7)[lane] = lane;
    }
    wave.run("v_dot2_f32_bf16 v0, v1, v2, v3\n"
             "v_dual_dot2acc_f32_bf16 v4, v1, v2 :: v_dual_add_nc_u32 v5, 3, v7");
    for (unsigned lane = 0; lane < 32; ++lane) {
      const float expected =
          factor(lane, 0) * factor(lane, 2) + factor(lane, 1) * factor(lane, 3) + factor(lane, 4);
      EXPECT_EQ(asFloat(wave.v(0)[lane]), expected);
      EXPECT_EQ(asFloat(wave.v(4)[lane]), expected);
      EXPECT_EQ(wave.v(5)[lane], lane + 3);
    }
  }
}

TEST(VopDotTest, HalvesOfTheResult) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const float a = float(lane % 4), b = float(lane % 3) - 1;
      wave.v(1)[lane] = bfloatBits(a) | uint32_t(bfloatBits(b)) << 16;
      wave.v(2)[lane] = bfloatBits(2) | uint32_t(bfloatBits(3)) << 16;
      wave.v(3)[lane] = 0x7fff | uint32_t(bfloatBits(0.5f)) << 16;
      wave.v(4)[lane] = halfBits(a) | uint32_t(halfBits(b)) << 16;
      wave.v(5)[lane] = halfBits(2) | uint32_t(halfBits(3)) << 16;
      wave.v(6)[lane] = halfBits(0.5f) | 0x7fff0000;
      wave.v(7)[lane] = wave.v(8)[lane] = 0xabcdabcd;
    }
    wave.run("v_dot2_bf16_bf16 v7.l, v1, v2, v3.h\nv_dot2_f16_f16 v8.h, v4, v5, v6.l");
    for (unsigned lane = 0; lane < 32; ++lane) {
      const float expected = 2 * float(lane % 4) + 3 * (float(lane % 3) - 1) + 0.5f;
      EXPECT_EQ(wave.v(7)[lane], 0xabcd0000u | bfloatBits(expected));
      EXPECT_EQ(wave.v(8)[lane], 0xabcdu | uint32_t(halfBits(expected)) << 16);
    }
  }
}

/// A product that a tie of bfloat16 lies next to: rounding twice would go the other way.
TEST(VopDotTest, RoundsOnce) {
  IsaWave wave("gfx1100");
  wave.v(1)[0] = bfloatBits(1.0f);
  wave.v(2)[0] = bfloatBits(0x1p-8f); // half of the last place of 1.0
  wave.v(3)[0] = bfloatBits(1.0f);
  wave.v(1)[1] = bfloatBits(0x1.02p0f);
  wave.v(2)[1] = bfloatBits(0x1.02p-40f);
  wave.v(3)[1] = bfloatBits(1.0f);
  wave.run("v_dot2_bf16_bf16 v0.l, v1, v2, v3.l");
  EXPECT_EQ(bfloatValue(wave.v(0)[0] & 0xffff), 1.0f) << "a tie goes to even";
  EXPECT_EQ(bfloatValue(wave.v(0)[1] & 0xffff), 1.0f);
}

/// The OCP's E4M3 and E5M2, written out for normal numbers and zero.
static float widen(uint8_t bits, unsigned mantissaBits, int bias) {
  const int exponent = (bits & 0x7f) >> mantissaBits;
  const int mantissa = bits & ((1 << mantissaBits) - 1);
  const float value =
      exponent ? std::ldexp(1 + std::ldexp(float(mantissa), -int(mantissaBits)), exponent - bias)
               : std::ldexp(float(mantissa), 1 - bias - int(mantissaBits));
  return bits & 0x80 ? -value : value;
}
static float widenFp8(uint8_t bits) { return widen(bits, 3, 7); }
static float widenBf8(uint8_t bits) { return widen(bits, 2, 15); }

TEST(VopDotTest, BytesOfGfx12) {
  IsaWave wave("gfx1201");
  for (unsigned lane = 0; lane < 32; ++lane) { // exponents near 0, so that sums are exact
    const uint32_t sign = lane & 1 ? 0x80 : 0;
    wave.v(1)[lane] = (0x38 + lane % 8) | (0x30 | sign) << 8 | 0x3a << 16 | (0xb8 + lane % 4) << 24;
    wave.v(2)[lane] = (0x3c + lane % 4) | 0x40 << 8 | (0x3d | sign) << 16 | 0x3eu << 24;
    wave.v(3)[lane] = asBits(factor(lane, 0));
  }
  wave.run("v_dot4_f32_fp8_fp8 v10, v1, v2, v3\nv_dot4_f32_fp8_bf8 v11, v1, v2, v3\n"
           "v_dot4_f32_bf8_fp8 v12, v1, v2, v3\nv_dot4_f32_bf8_bf8 v13, v1, v2, v3");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned formats = 0; formats < 4; ++formats) {
      float expected = factor(lane, 0);
      for (unsigned i = 0; i < 4; ++i) {
        const uint8_t a = uint8_t(wave.v(1)[lane] >> (8 * i)),
                      b = uint8_t(wave.v(2)[lane] >> (8 * i));
        expected +=
            (formats & 2 ? widenBf8(a) : widenFp8(a)) * (formats & 1 ? widenBf8(b) : widenFp8(b));
      }
      EXPECT_EQ(asFloat(wave.v(10 + formats)[lane]), expected) << lane << " " << formats;
    }
}

TEST(VopDotTest, ConvertsTheSelectedByte) {
  IsaWave wave("gfx1201");
  for (unsigned lane = 0; lane < 32; ++lane)
    wave.v(1)[lane] = (0x20 + lane) | (0x40 + lane) << 8 | (0xb0 + lane % 8) << 16 | lane << 24;
  wave.run("v_cvt_f32_fp8 v10, v1\nv_cvt_f32_fp8 v11, v1 byte_sel:1\n"
           "v_cvt_f32_bf8 v12, v1 byte_sel:2\nv_cvt_f32_bf8 v13, v1 byte_sel:3\n"
           "v_cvt_pk_f32_fp8 v[14:15], v1.h\nv_cvt_pk_f32_bf8 v[16:17], v1.l");
  for (unsigned lane = 0; lane < 32; ++lane) {
    auto byte = [&](unsigned i) { return uint8_t(wave.v(1)[lane] >> (8 * i)); };
    EXPECT_EQ(asFloat(wave.v(10)[lane]), widenFp8(byte(0)));
    EXPECT_EQ(asFloat(wave.v(11)[lane]), widenFp8(byte(1)));
    EXPECT_EQ(asFloat(wave.v(12)[lane]), widenBf8(byte(2)));
    EXPECT_EQ(asFloat(wave.v(13)[lane]), widenBf8(byte(3)));
    EXPECT_EQ(asFloat(wave.v(14)[lane]), widenFp8(byte(2)));
    EXPECT_EQ(asFloat(wave.v(15)[lane]), widenFp8(byte(3)));
    EXPECT_EQ(asFloat(wave.v(16)[lane]), widenBf8(byte(0)));
    EXPECT_EQ(asFloat(wave.v(17)[lane]), widenBf8(byte(1)));
  }
}

TEST(VopDotTest, NarrowsToHalvesOfRegisters) {
  IsaWave wave("gfx1201");
  for (unsigned lane = 0; lane < 32; ++lane) {
    wave.v(1)[lane] = asBits(lane == 0 ? 1000.0f : widenFp8(uint8_t(0x20 + lane)));
    wave.v(2)[lane] = asBits(-widenFp8(uint8_t(0x30 + lane)));
    wave.v(4)[lane] = wave.v(5)[lane] = 0xabcdabcd;
  }
  wave.run("v_cvt_pk_fp8_f32 v4.l, v1, v2\nv_cvt_pk_fp8_f32 v5.h, v2, v1");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint32_t a = lane == 0 ? 0x7f : 0x20 + lane, b = 0xb0 + lane; // what overflows is NaN
    EXPECT_EQ(wave.v(4)[lane], 0xabcd0000u | a | b << 8);
    EXPECT_EQ(wave.v(5)[lane], 0xabcdu | b << 16 | a << 24);
  }
}

TEST(VopDotTest, PacksIntegersOfFloats) {
  const float values[] = {1.75f, -1.75f, 40000.0f, -40000.0f, 70000.0f, NAN, 1e20f, -0.5f};
  const uint16_t asSigned[] = {1, 0xffff, 0x7fff, 0x8000, 0x7fff, 0, 0x7fff, 0};
  const uint16_t asUnsigned[] = {1, 0, 40000, 0, 0xffff, 0, 0xffff, 0};
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    for (unsigned lane = 0; lane < 32; ++lane) {
      wave.v(1)[lane] = asBits(values[lane % 8]);
      wave.v(2)[lane] = asBits(values[(lane + 3) % 8]);
    }
    wave.run("v_cvt_pk_i16_f32 v3, v1, v2\nv_cvt_pk_u16_f32 v4, v1, v2");
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned a = lane % 8, b = (lane + 3) % 8;
      EXPECT_EQ(wave.v(3)[lane], asSigned[a] | uint32_t(asSigned[b]) << 16);
      EXPECT_EQ(wave.v(4)[lane], asUnsigned[a] | uint32_t(asUnsigned[b]) << 16);
    }
  }
}

TEST(VopDotTest, RefusesByName) {
  for (const char *chip : kChips)
    EXPECT_NE(IsaWave::getRefusal("v_dot2_f32_bf16 v0, v1, 1.0, v3", chip).find("packed elements"),
              std::string::npos);
  EXPECT_NE(IsaWave::getRefusal("v_cvt_sr_fp8_f32 v0, v1, v2 byte_sel:1", "gfx1201")
                .find("'v_cvt_sr_fp8_f32' is not implemented"),
            std::string::npos);
}
