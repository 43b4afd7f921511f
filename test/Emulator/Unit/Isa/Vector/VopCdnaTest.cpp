//===- VopCdnaTest.cpp - Vector instructions of single CDNA chips -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against plain statements of the instruction set references, on random operands.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

static float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// Runs `text` on random registers v1 to v3 (v4 of the old destination) and compares v0.
static void check(const char *chip, const std::string &text, bool floats,
                  const std::function<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t)> &expected) {
  OperandSource source(7);
  for (unsigned round = 0; round < 20; ++round) {
    IsaWave wave(chip);
    for (unsigned i = 0; i < 4; ++i)
      floats ? source.fillFloat(wave.v(i)) : source.fill(wave.v(i));
    const Lanes old = wave.v(0);
    wave.run(text);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t a = wave.v(1)[lane], b = wave.v(2)[lane], c = wave.v(3)[lane];
      const uint32_t want = expected(a, b, c, old[lane]), got = wave.v(0)[lane];
      if (floats && std::isnan(asFloat(want)))
        ASSERT_TRUE(std::isnan(asFloat(got))) << text;
      else
        ASSERT_EQ(got, want) << text << " of " << std::hex << a << " " << b << " " << c;
    }
  }
}

TEST(VopCdnaTest, MultiplyAddRoundsTwiceAndFlushes) {
  auto mad = [](uint32_t a, uint32_t b, uint32_t c, uint32_t) {
    volatile float product = flushed(flushed(asFloat(a)) * flushed(asFloat(b)));
    return asBits(flushed(product + flushed(asFloat(c))));
  };
  check("gfx90a", "v_mad_f32 v0, v1, v2, v3", true, mad);
  check("gfx90a", "v_mad_f32 v0, -v1, v2, v3", true,
        [&](auto a, auto b, auto c, auto d) { return mad(a ^ 0x80000000, b, c, d); });
  check("gfx90a", "v_mac_f32 v0, v1, v2", true,
        [&](auto a, auto b, auto, auto old) { return mad(a, b, old, 0); });
  check("gfx90a", "v_madmk_f32 v0, v1, 0x4f800000, v2", true,
        [&](auto a, auto b, auto, auto) { return mad(a, 0x4f800000, b, 0); });
  check("gfx90a", "v_madak_f32 v0, v1, v2, 0x4f800000", true,
        [&](auto a, auto b, auto, auto) { return mad(a, b, 0x4f800000, 0); });
}

TEST(VopCdnaTest, MultiplyAddOfHalves) {
  IsaWave wave("gfx90a");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(0)[lane] = 0xabcd0000;
    wave.v(1)[lane] = halfBits(1 + lane / 1024.0);
    wave.v(2)[lane] = halfBits(1 - lane / 2048.0);
    wave.v(3)[lane] = halfBits(-1);
  }
  wave.run("v_mad_f16 v0, v1, v2, v3");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float product =
        halfToFloat(halfBits((1 + lane / 1024.0) * (1 - lane / 2048.0))); // rounded before the sum
    EXPECT_EQ(wave.v(0)[lane], 0xabcd0000 | halfBits(product - 1)) << lane;
  }
}

TEST(VopCdnaTest, SumsOfDifferences) {
  OperandSource source(3);
  IsaWave wave;
  for (unsigned i = 0; i < 12; ++i)
    source.fill(wave.v(i));
  wave.run("v_qsad_pk_u16_u8 v[20:21], v[0:1], v2, v[4:5]\n"
           "v_mqsad_u32_u8 v[24:27], v[0:1], v2, v[8:11]");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      uint32_t plain = 0, masked = 0;
      for (unsigned byte = 0; byte < 4; ++byte) {
        const int a = int(wave.v64(0, lane) >> (8 * (i + byte)) & 0xff);
        const int b = int(wave.v(2)[lane] >> (8 * byte) & 0xff);
        plain += uint32_t(std::abs(a - b));
        masked += b ? uint32_t(std::abs(a - b)) : 0;
      }
      EXPECT_EQ(uint16_t(wave.v64(20, lane) >> (16 * i)),
                uint16_t(plain + uint16_t(wave.v64(4, lane) >> (16 * i))));
      EXPECT_EQ(wave.v(24 + i)[lane], masked + wave.v(8 + i)[lane]);
    }
}

TEST(VopCdnaTest, CubeMaps) {
  const struct {
    float x, y, z, face, s, t, major;
  } cases[] = {{3, 1, 2, 0, -2, -1, 6},  {-3, 1, 2, 1, 2, -1, -6}, {1, 3, 2, 2, 1, 2, 6},
               {1, -3, 2, 3, 1, -2, -6}, {1, 2, 3, 4, 1, -2, 6},   {1, 2, -3, 5, -1, -2, -6},
               {2, 2, 1, 2, 2, 1, 4},    {2, 2, 2, 4, 2, -2, 4}};
  for (const auto &c : cases) {
    IsaWave wave;
    wave.v(1)[0] = asBits(c.x);
    wave.v(2)[0] = asBits(c.y);
    wave.v(3)[0] = asBits(c.z);
    wave.run("v_cubeid_f32 v4, v1, v2, v3\nv_cubesc_f32 v5, v1, v2, v3\n"
             "v_cubetc_f32 v6, v1, v2, v3\nv_cubema_f32 v7, v1, v2, v3");
    EXPECT_EQ(asFloat(wave.v(4)[0]), c.face);
    EXPECT_EQ(asFloat(wave.v(5)[0]), c.s);
    EXPECT_EQ(asFloat(wave.v(6)[0]), c.t);
    EXPECT_EQ(asFloat(wave.v(7)[0]), c.major);
  }
}

TEST(VopCdnaTest, SegmentsOfTwoOverPi) {
  IsaWave wave;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.setV64(0, lane, asBits(lane < 32 ? 1.0 : 0x1p+70)); // exponent field 1093: 16 bits more
    wave.v(2)[lane] = lane % 32;
  }
  wave.run("v_trig_preop_f64 v[4:5], v[0:1], v2");
  const long double twoOverPi = 0.63661977236758134307553505349005744813783858296182L;
  long double sum = 0, shifted = 0;
  for (unsigned segment = 0; segment < 2; ++segment) {
    sum += static_cast<long double>(asDouble(wave.v64(4, segment)));
    shifted += static_cast<long double>(asDouble(wave.v64(4, 32 + segment)));
  }
  EXPECT_LE(std::fabs(static_cast<double>(sum - twoOverPi)), 0x1p-62);
  const long double first16 = std::floor(twoOverPi * 65536) / 65536;
  EXPECT_LE(std::fabs(static_cast<double>(shifted - (twoOverPi - first16))), 0x1p-62);
  EXPECT_NE(asDouble(wave.v64(4, 20)), 0);
}

TEST(VopCdnaTest, BitsByTable) {
  for (unsigned table : {0x00u, 0x80u, 0xecu, 0x6cu, 0x1bu, 0xffu, 0x96u}) {
    auto look = [table](uint32_t a, uint32_t b, uint32_t c) {
      uint32_t result = 0;
      for (unsigned bit = 0; bit < 32; ++bit)
        result |= (table >> ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)) & 1) << bit;
      return result;
    };
    const std::string suffix = " v0, v1, v2, v3 bitop3:" + std::to_string(table);
    check("gfx950", "v_bitop3_b32" + suffix, false,
          [&](auto a, auto b, auto c, auto) { return look(a, b, c); });
    check("gfx950", "v_bitop3_b16" + suffix, false, [&](auto a, auto b, auto c, auto old) {
      return (old & 0xffff0000) | (look(a, b, c) & 0xffff);
    });
    check("gfx950", "v_bitop3_b16" + suffix + " op_sel:[1,0,1,1]", false,
          [&](auto a, auto b, auto c, auto old) {
            return (old & 0xffff) | look(a >> 16, b, c >> 16) << 16;
          });
  }
}

TEST(VopCdnaTest, PackedConversions) {
  check("gfx950", "v_cvt_pk_f16_f32 v0, v1, v2", false, [](auto a, auto b, auto, auto) {
    auto half = [](uint32_t bits) { return uint32_t(halfBits(double(asFloat(bits)))); };
    return half(a) | half(b) << 16;
  });
  IsaWave wave("gfx950");
  wave.v(1)[0] = 0x3f808000; // half way between two bfloats: to the even one
  wave.v(2)[0] = 0x3f818000;
  wave.v(1)[1] = 0x7f7fffff;
  wave.v(2)[1] = 0xff800000;
  wave.run("v_cvt_pk_bf16_f32 v0, v1, v2\nv_cvt_f32_bf16 v3, v0");
  EXPECT_EQ(wave.v(0)[0], 0x3f823f80u);
  EXPECT_EQ(wave.v(0)[1], 0xff807f80u);
  EXPECT_EQ(wave.v(3)[0], 0x3f800000u);
}

TEST(VopCdnaTest, MinimumOfThreePropagatesNans) {
  IsaWave wave("gfx950");
  const float values[] = {1.0f, -0.0f, 0.0f, NAN, -2.0f};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 3; ++i)
      wave.v(1 + i)[lane] = asBits(values[(lane + i * (lane / 5)) % 5]);
  wave.run("v_minimum3_f32 v0, v1, v2, v3\nv_maximum3_f32 v4, v1, v2, v3");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    float low = asFloat(wave.v(1)[lane]), high = low;
    for (unsigned i = 1; i < 3; ++i) {
      const float value = asFloat(wave.v(1 + i)[lane]);
      const bool nan = std::isnan(low) || std::isnan(value);
      const bool less = value < low || (value == low && std::signbit(value));
      low = nan ? NAN : less ? value : low;
      const bool more = value > high || (value == high && !std::signbit(value));
      high = nan ? NAN : more ? value : high;
    }
    EXPECT_EQ(std::isnan(asFloat(wave.v(0)[lane])), std::isnan(low));
    EXPECT_EQ(std::isnan(asFloat(wave.v(4)[lane])), std::isnan(high));
    if (!std::isnan(low)) {
      EXPECT_EQ(wave.v(0)[lane], asBits(low));
      EXPECT_EQ(wave.v(4)[lane], asBits(high));
    }
  }
}

TEST(VopCdnaTest, ShiftsAndRandomNumbers) {
  check("gfx950", "v_ashr_pk_i8_i32 v0, v1, v2, v3", false, [](auto a, auto b, auto c, auto old) {
    auto narrow = [&](uint32_t v) {
      return uint32_t(std::max(-128, std::min(127, int32_t(v) >> (c & 31)))) & 0xff;
    };
    return (old & 0xffff0000) | narrow(a) | narrow(b) << 8;
  });
  check("gfx950", "v_ashr_pk_u8_i32 v0, v1, v2, v3 op_sel:[0,0,0,1]", false,
        [](auto a, auto b, auto c, auto old) {
          auto narrow = [&](uint32_t v) {
            return uint32_t(std::max(0, std::min(255, int32_t(v) >> (c & 31))));
          };
          return (old & 0xffff) | narrow(a) << 16 | narrow(b) << 24;
        });
  check("gfx950", "v_prng_b32 v0, v1", false,
        [](auto a, auto, auto, auto) { return a << 1 ^ (a >> 31) * 197; });
}

TEST(VopCdnaTest, DotProductOfBfloats) {
  IsaWave wave("gfx950");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(0)[lane] = asBits(100.0f);
    wave.v(1)[lane] = asBits(float(lane)) >> 16 | asBits(3.0f);
    wave.v(2)[lane] = asBits(2.0f) >> 16 | asBits(-float(lane));
    wave.v(3)[lane] = asBits(0.5f);
  }
  wave.run("v_dot2_f32_bf16 v4, v1, v2, v3\nv_dot2c_f32_bf16 v0, v1, v2");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(asFloat(wave.v(4)[lane]), 0.5f - float(lane));
    EXPECT_EQ(asFloat(wave.v(0)[lane]), 100.0f - float(lane));
  }
}

TEST(VopCdnaTest, SwapsOfRows) {
  for (unsigned row : {16u, 32u}) {
    IsaWave wave("gfx950");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(0)[lane] = lane;
      wave.v(1)[lane] = 100 + lane;
    }
    wave.run("v_permlane" + std::to_string(row) + "_swap_b32 v0, v1");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const bool odd = lane / row % 2;
      EXPECT_EQ(wave.v(0)[lane], odd ? 100 + lane - row : lane);
      EXPECT_EQ(wave.v(1)[lane], odd ? 100 + lane : lane + row);
    }
  }
}

/// The codes of 1 differ: the exponents of the formats of gfx942 have a larger bias.
TEST(VopCdnaTest, EightBitFloatsAreThoseOfTheChip) {
  for (const bool ocp : {false, true}) {
    IsaWave wave(ocp ? "gfx950" : "gfx942");
    const float values[] = {1, -2, 448, INFINITY};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(1)[lane] = asBits(values[lane % 4]);
      wave.v(2)[lane] = asBits(-0.0f);
    }
    wave.run("v_cvt_pk_fp8_f32 v3, v1, v2\nv_cvt_pk_bf8_f32 v4, v1, v2\n"
             "v_cvt_f32_fp8 v5, v3\nv_cvt_f32_bf8 v6, v4");
    const unsigned zero = ocp ? 0x8000 : 0;
    const unsigned fp8[] = {0x38, 0xc0, 0x7e, 0x7f}, fnuz8[] = {0x40, 0xc8, 0x80, 0x80};
    const unsigned bf8[] = {0x3c, 0xc0, 0x5f, 0x7c}, fnuzB8[] = {0x40, 0xc4, 0x63, 0x80};
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(wave.v(3)[i] & 0xffff, (ocp ? fp8 : fnuz8)[i] | zero) << i;
      EXPECT_EQ(wave.v(4)[i] & 0xffff, (ocp ? bf8 : fnuzB8)[i] | zero) << i;
    }
    EXPECT_EQ(asFloat(wave.v(5)[1]), -2);
    EXPECT_EQ(asFloat(wave.v(6)[0]), 1);
    EXPECT_EQ(std::isinf(asFloat(wave.v(6)[3])), ocp);
  }
}

TEST(VopCdnaTest, PackedMinimumOfThree) {
  IsaWave wave("gfx950");
  const uint16_t values[] = {halfBits(1), 0x8000, 0, 0x7e00, halfBits(-2)};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 3; ++i)
      wave.v(1 + i)[lane] = values[(lane + i) % 5] | values[(lane + 2 * i) % 5] << 16;
  wave.run("v_pk_minimum3_f16 v0, v1, v2, v3\nv_pk_maximum3_f16 v4, v1, v2, v3");
  auto extreme = [&](unsigned first, unsigned step, int sign) {
    uint16_t best = values[first % 5];
    for (unsigned i = 1; i < 3; ++i) {
      const uint16_t next = values[(first + i * step) % 5];
      const float a = halfToFloat(best), b = halfToFloat(next);
      const bool better = sign * b > sign * a || (a == b && std::signbit(b) == (sign < 0));
      best = std::isnan(a) ? best : std::isnan(b) || better ? next : best;
    }
    return best;
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(wave.v(0)[lane], extreme(lane, 1, -1) | uint32_t(extreme(lane, 2, -1)) << 16);
    EXPECT_EQ(wave.v(4)[lane], extreme(lane, 1, 1) | uint32_t(extreme(lane, 2, 1)) << 16);
  }
}
