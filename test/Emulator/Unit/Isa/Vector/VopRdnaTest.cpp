//===- VopRdnaTest.cpp - Vector arithmetic of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs from gfx9: halves of registers as operands, masks of 32 lanes, comparisons that
// write EXEC alone, other names, and the instructions that gfx9 does not have.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <algorithm>

using namespace ckemu;
using namespace ckemu::test;
using U16 = uint16_t;
using U32 = uint32_t;

static U16 lowOf(U32 word) { return U16(word); }
static U16 highOf(U32 word) { return U16(word >> 16); }
static bool isNanBits(U32 bits) { return std::isnan(asFloat(bits)); }

namespace {
class VopRdnaTest : public testing::TestWithParam<const char *> {
protected:
  IsaWave wave{GetParam()};
  void SetUp() override {
    OperandSource source(11);
    for (unsigned i = 1; i < 10; ++i)
      source.fill(wave.v(i));
  }
};
} // namespace

TEST_P(VopRdnaTest, HalvesOfRegisters) {
  const Lanes old = wave.v(3);
  const Lanes before[] = {wave.v(4), wave.v(5), wave.v(6), wave.v(7)};
  wave.run("v_add_nc_u16 v3.h, v1.l, v2.h\n"
           "v_sub_nc_u16 v4.l, v1.h, 3\n"
           "v_mov_b16_e32 v5.h, v1.l\n"
           "v_xor_b16 v6.l, v1.h, v2.h\n"
           "v_lshlrev_b16 v7.h, 3, v1.h\n"
           "v_mad_u32_u16 v8, v1.h, v2.l, v9");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const U32 a = wave.v(1)[lane], b = wave.v(2)[lane];
    EXPECT_EQ(wave.v(3)[lane], (old[lane] & 0xffff) | U32(U16(lowOf(a) + highOf(b))) << 16);
    EXPECT_EQ(wave.v(4)[lane], (before[0][lane] & 0xffff0000) | U16(highOf(a) - 3));
    EXPECT_EQ(wave.v(5)[lane], (before[1][lane] & 0xffff) | a << 16);
    EXPECT_EQ(wave.v(6)[lane], (before[2][lane] & 0xffff0000) | (highOf(a) ^ highOf(b)));
    EXPECT_EQ(wave.v(7)[lane], (before[3][lane] & 0xffff) | U32(U16(highOf(a) << 3)) << 16);
    EXPECT_EQ(wave.v(8)[lane], U32(highOf(a)) * lowOf(b) + wave.v(9)[lane]);
  }
}

TEST_P(VopRdnaTest, HalvesOfFloats) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    wave.v(1)[lane] = halfBits(1.5 + lane) | U32(halfBits(-0.25 * lane)) << 16;
    wave.v(2)[lane] = halfBits(3.0 - lane) | U32(halfBits(2.0)) << 16;
    wave.v(3)[lane] = 0x12340000u | halfBits(7.0);
    wave.v(4)[lane] = 0xabcdabcd;
  }
  wave.run("v_fmac_f16 v3.l, v1.h, v2.l\nv_cvt_f32_f16 v5, v1.h\nv_cvt_f16_f32 v4.h, v5\n"
           "v_fmaak_f16 v6.l, v1.l, v2.h, 0x4200\nv_pack_b32_f16 v7, -v1.l, |v1.h|");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const double a = -0.25 * lane;
    EXPECT_EQ(wave.v(3)[lane], 0x12340000u | halfBits(a * (3.0 - lane) + 7.0));
    EXPECT_EQ(asFloat(wave.v(5)[lane]), float(a));
    EXPECT_EQ(wave.v(4)[lane], 0xabcdu | U32(halfBits(a)) << 16);
    EXPECT_EQ(lowOf(wave.v(6)[lane]), halfBits((1.5 + lane) * 2.0 + 3.0));
    EXPECT_EQ(wave.v(7)[lane], halfBits(-1.5 - lane) | U32(halfBits(std::fabs(a)) & 0x7fff) << 16);
  }
}

TEST_P(VopRdnaTest, MasksOfThirtyTwoLanes) {
  wave.s(5) = wave.s(107) = 0x1234;
  wave.run("v_cmp_lt_u32_e64 s4, v1, v2\nv_cmp_gt_u32_e32 vcc_lo, v1, v2\n"
           "v_cndmask_b32_e64 v10, v1, v2, s4\nv_cndmask_b32_e32 v11, v1, v2, vcc_lo\n"
           "v_cndmask_b16 v12.h, v1.l, v2.h, s4");
  EXPECT_EQ(wave.s(5), 0x1234u) << "the register behind the mask";
  EXPECT_EQ(wave.s(107), 0x1234u) << "vcc_hi";
  for (unsigned lane = 0; lane < 32; ++lane) {
    const U32 a = wave.v(1)[lane], b = wave.v(2)[lane];
    EXPECT_EQ(wave.s(4) >> lane & 1, U32(a < b));
    EXPECT_EQ(wave.v(10)[lane], a < b ? b : a);
    EXPECT_EQ(wave.v(11)[lane], a > b ? b : a);
    EXPECT_EQ(highOf(wave.v(12)[lane]), a < b ? highOf(b) : lowOf(a));
  }
}

/// Bits that as a half would be a signaling NaN or a denormal stay as they are.
TEST_P(VopRdnaTest, SelectsBitsOfHalves) {
  wave.s(4) = 1;
  wave.v(1)[0] = wave.v(1)[1] = 0x00017d82;
  wave.run("v_cndmask_b16 v3.l, v1.h, v1.l, s4\nv_cndmask_b16 v3.h, v1.l, v1.h, s4");
  EXPECT_EQ(wave.v(3)[0], 0x00017d82u);
  EXPECT_EQ(wave.v(3)[1], 0x7d820001u);
}

TEST_P(VopRdnaTest, Carries) {
  wave.run("v_add_co_u32 v10, s4, v1, v2\nv_add_co_ci_u32_e64 v11, s6, v3, v4, s4\n"
           "v_sub_co_u32 v12, vcc_lo, v1, v2\nv_sub_co_ci_u32_e32 v13, vcc_lo, v3, v4, vcc_lo\n"
           "v_add_co_ci_u32_e64 v14, null, v1, 0, s4");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t a = uint64_t(wave.v(3)[lane]) << 32 | wave.v(1)[lane];
    const uint64_t b = uint64_t(wave.v(4)[lane]) << 32 | wave.v(2)[lane];
    EXPECT_EQ(uint64_t(wave.v(11)[lane]) << 32 | wave.v(10)[lane], a + b);
    EXPECT_EQ(wave.s(6) >> lane & 1, U32(a + b < a));
    EXPECT_EQ(uint64_t(wave.v(13)[lane]) << 32 | wave.v(12)[lane], a - b);
    EXPECT_EQ(wave.v(14)[lane], wave.v(1)[lane] + (wave.s(4) >> lane & 1));
  }
}

TEST_P(VopRdnaTest, ComparisonsOfExec) {
  wave.wave.setExec(0x0ff0ff0f);
  wave.s(106) = 77;
  U32 expected = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    expected |= U32(int(wave.v(1)[lane]) < int(wave.v(2)[lane])) << lane;
  wave.run("v_cmpx_lt_i32_e32 v1, v2");
  EXPECT_EQ(wave.wave.exec(), expected & 0x0ff0ff0f);
  EXPECT_EQ(wave.s(106), 77u) << "vcc_lo";
  wave.run("v_cmpx_lt_i32_e64 v1, v2");
  EXPECT_EQ(wave.wave.exec(), expected & 0x0ff0ff0f);
}

TEST_P(VopRdnaTest, Integers) {
  wave.run(
      "v_xor3_b32 v10, v1, v2, v3\nv_maxmin_i32 v11, v1, v2, v3\nv_minmax_u32 v12, v1, v2, v3\n"
      "v_clz_i32_u32 v13, v1\nv_ctz_i32_b32 v14, v1\nv_subrev_nc_u32 v15, v1, v2\n"
      "v_sub_nc_u32_e64 v16, v1, v2 clamp\nv_cvt_i32_i16 v17, v1.h\nv_cvt_u32_u16 v18, v1.l");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const U32 a = wave.v(1)[lane], b = wave.v(2)[lane], c = wave.v(3)[lane];
    EXPECT_EQ(wave.v(10)[lane], a ^ b ^ c);
    EXPECT_EQ(int(wave.v(11)[lane]), std::min(std::max(int(a), int(b)), int(c)));
    EXPECT_EQ(wave.v(12)[lane], std::max(std::min(a, b), c));
    EXPECT_EQ(int(wave.v(13)[lane]), a ? __builtin_clz(a) : -1);
    EXPECT_EQ(int(wave.v(14)[lane]), a ? __builtin_ctz(a) : -1);
    EXPECT_EQ(wave.v(15)[lane], b - a);
    EXPECT_EQ(wave.v(16)[lane], a > b ? a - b : 0u);
    EXPECT_EQ(int(wave.v(17)[lane]), int16_t(highOf(a)));
    EXPECT_EQ(wave.v(18)[lane], lowOf(a));
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, VopRdnaTest, testing::Values("gfx1100", "gfx1201"));

TEST(VopGfx12Test, MinimaAndMaxima) {
  IsaWave wave("gfx1201");
  wave.wave.mode &= ~U32(kModeIeee);
  OperandSource source(5);
  for (unsigned i = 1; i < 4; ++i)
    source.fillFloat(wave.v(i));
  wave.run("v_minimum_f32 v10, v1, v2\nv_maximum_f32 v11, v1, v2\nv_max_num_f32 v12, v1, v2\n"
           "v_minimum3_f32 v13, v1, v2, v3\nv_maximumminimum_f32 v14, v1, v2, v3");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const U32 bits[] = {wave.v(1)[lane], wave.v(2)[lane], wave.v(3)[lane]};
    const float a = asFloat(bits[0]), b = asFloat(bits[1]), c = asFloat(bits[2]);
    if (isNanBits(bits[0]) || isNanBits(bits[1])) {
      EXPECT_TRUE(isNanBits(wave.v(10)[lane]) && isNanBits(wave.v(11)[lane]));
      EXPECT_TRUE(isNanBits(wave.v(13)[lane]) && isNanBits(wave.v(14)[lane]));
      if (!std::isnan(a) || !std::isnan(b))
        EXPECT_EQ(asFloat(wave.v(12)[lane]), std::isnan(a) ? b : a);
      continue;
    }
    EXPECT_EQ(asFloat(wave.v(10)[lane]), std::min(a, b));
    EXPECT_EQ(asFloat(wave.v(11)[lane]), std::max(a, b));
    EXPECT_EQ(asFloat(wave.v(12)[lane]), std::max(a, b));
    if (!std::isnan(c)) {
      EXPECT_EQ(asFloat(wave.v(13)[lane]), std::min({a, b, c}));
      EXPECT_EQ(asFloat(wave.v(14)[lane]), std::min(std::max(a, b), c));
    }
  }
  // Negative zero is less than positive zero.
  wave.v(1)[0] = 0;
  wave.v(2)[0] = 0x80000000;
  wave.run("v_minimum_f32 v10, v1, v2\nv_maximum_f32 v11, v2, v1");
  EXPECT_EQ(wave.v(10)[0], 0x80000000u);
  EXPECT_EQ(wave.v(11)[0], 0u);
}

TEST(VopGfx11Test, WavesOfSixtyFourLanes) {
  IsaWave wave("gfx1100", 64);
  OperandSource source(3);
  source.fill(wave.v(1));
  source.fill(wave.v(2));
  wave.run("v_cmp_lt_u32_e64 s[4:5], v1, v2\nv_cndmask_b32_e64 v3, v1, v2, s[4:5]");
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(wave.v(3)[lane], std::max(wave.v(1)[lane], wave.v(2)[lane]));
}

TEST(VopGfx11Test, HalvesAreRefusedWhereTheyMeanNothing) {
  EXPECT_NE(IsaWave::getRefusal("v_swaprel_b32 v0, v1", "gfx1100").find("v_swaprel_b32"),
            std::string::npos);
  EXPECT_NE(IsaWave::getRefusal("v_interp_p10_f16_f32 v0, v1.h, v2, v3.l", "gfx1100"), "");
}
