//===- VopScaleTest.cpp - Scaled conversions of small floats -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every conversion forth and back on numbers that the small format holds, with scales, and rounding
// of numbers that it does not hold.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"

using namespace ckemu;
using namespace ckemu::test;

static const float kNumbers[] = {0, 0.5f, 1, -1.5f, 2, -3, 4, 6, -6, 1, -0.5f, 2, 3, -4, 0, 1.5f};

static uint32_t encode(const std::string &type, float value) {
  return type == "f32" ? asBits(value) : type == "f16" ? halfBits(value) : asBits(value) >> 16;
}
static std::string range(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

TEST(VopScaleTest, PairsForthAndBack) {
  for (const std::string wide : {"f32", "f16", "bf16"})
    for (const std::string small : {"fp8", "bf8", "fp4"}) {
      IsaWave wave("gfx950");
      const bool single = wide == "f32";
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const float a = 8 * kNumbers[lane % 16], b = 8 * kNumbers[(lane + 5) % 16];
        wave.v(0)[lane] = single ? asBits(a) : encode(wide, a) | encode(wide, b) << 16;
        wave.v(1)[lane] = asBits(b);
        wave.v(2)[lane] = asBits(8.75f); // its exponent counts
        wave.v(3)[lane] = 0x12345678;
        wave.v(6)[lane] = asBits(0.25f);
      }
      const std::string sources = single ? "v0, v1, v2" : "v0, v2";
      const bool bytes = small != "fp4";
      // The upper half, or byte 2, of v3.
      const std::string to = bytes && !single ? " op_sel:[0,0,1]" : " op_sel:[0,0,0,1]";
      wave.run("v_cvt_scalef32_pk_" + small + "_" + wide + " v3, " + sources + to);
      wave.run("v_cvt_scalef32_pk_" + wide + "_" + small + " " + range(4, single ? 2 : 1) +
               ", v3, v6" + (bytes ? " op_sel:[1,0,0]" : " op_sel:[0,1,0]"));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const float a = kNumbers[lane % 16] / 4, b = kNumbers[(lane + 5) % 16] / 4;
        EXPECT_EQ(wave.v(3)[lane] & 0xffff, 0x5678u);
        if (single) {
          EXPECT_EQ(asFloat(wave.v(4)[lane]), a) << small;
          EXPECT_EQ(asFloat(wave.v(5)[lane]), b) << small;
        } else {
          EXPECT_EQ(wave.v(4)[lane], encode(wide, a) | encode(wide, b) << 16) << wide << small;
        }
      }
    }
}

TEST(VopScaleTest, ThirtyTwoForthAndBack) {
  for (const std::string small : {"fp6", "bf6"})
    for (const std::string wide : {"f16", "bf16"}) {
      IsaWave wave("gfx950");
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        for (unsigned i = 0; i < 32; ++i)
          wave.v(i / 2)[lane] |= encode(wide, 2 * kNumbers[(lane + i) % 16]) << (16 * (i % 2));
        wave.v(40)[lane] = asBits(2.0f);
        wave.v(41)[lane] = asBits(1.0f);
      }
      wave.run("v_cvt_scalef32_pk32_" + small + "_" + wide + " v[32:37], v[0:15], v40\n" +
               "v_cvt_scalef32_pk32_f32_" + small + " v[64:95], v[32:37], v41\n" +
               "v_cvt_scalef32_pk32_" + wide + "_" + small + " v[96:111], v[32:37], v40\n" +
               "v_cvt_scalef32_2xpk16_" + small + "_f32 v[112:117], v[64:79], v[80:95], v41");
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < 32; ++i) {
          EXPECT_EQ(asFloat(wave.v(64 + i)[lane]), kNumbers[(lane + i) % 16]) << small;
          EXPECT_EQ(wave.v(96 + i / 2)[lane], wave.v(i / 2)[lane]) << small << wide;
          // Numbers of the two sources in turn.
          const unsigned j = i % 2 * 16 + i / 2, bit = 6 * i, from = 6 * j;
          auto code = [&](unsigned first, unsigned at) {
            const uint64_t low = wave.v(first + at / 32)[lane];
            const uint64_t high = at / 32 < 5 ? wave.v(first + at / 32 + 1)[lane] : 0;
            return (low | high << 32) >> (at % 32) & 0x3f;
          };
          EXPECT_EQ(code(112, bit), code(32, from)) << small << " " << i;
        }
    }
}

TEST(VopScaleTest, RoundsAndSaturates) {
  IsaWave wave("gfx950");
  const float values[] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 5, 100, -INFINITY};
  const float rounded[] = {0, 1, 1, 2, 2, 4, 6, -6};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(0)[lane] = wave.v(1)[lane] = asBits(values[lane % 8]);
    wave.v(2)[lane] = asBits(1.0f);
  }
  wave.run("v_cvt_scalef32_pk_fp4_f32 v3, v0, v1, v2\n"
           "v_cvt_scalef32_pk_f32_fp4 v[4:5], v3, v2\n"
           "v_cvt_scalef32_f16_fp8 v6, v3, v2 op_sel:[0,1,1]");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(asFloat(wave.v(5)[lane]), rounded[lane % 8]) << values[lane % 8];
  EXPECT_NE(
      IsaWave::getRefusal("v_cvt_scalef32_sr_fp8_f32 v0, v1, v2, v3", "gfx950").find("sr_fp8"),
      std::string::npos);
}

TEST(VopScaleTest, OverflowSaturatesOnRequest) {
  IsaWave wave("gfx950");
  wave.v(1)[0] = asBits(1e6f);
  wave.v(2)[0] = asBits(-1e6f);
  wave.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n"
           "v_cvt_scalef32_pk_fp8_f32 v3, v1, v2, 1.0\nv_cvt_scalef32_pk_bf8_f32 v4, v1, v2, 1.0");
  EXPECT_EQ(wave.v(3)[0] & 0xffff, 0xfe7eu);
  EXPECT_EQ(wave.v(4)[0] & 0xffff, 0xfb7bu);
  wave.run("v_cvt_scalef32_pk_fp8_f32 v3, v1, v2, 1.0\nv_cvt_scalef32_pk_bf8_f32 v4, v1, v2, 1.0");
  EXPECT_EQ(wave.v(3)[0] & 0xffff, 0xff7fu);
  EXPECT_EQ(wave.v(4)[0] & 0xffff, 0xfc7cu);
}
