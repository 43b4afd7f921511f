//===- RdnaVopTest.cpp - Vector instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against plain statements of the instruction set references, on random operands: names that gfx9
// does not have, halves of registers as operands, masks of 32 lanes, comparisons that write EXEC.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <algorithm>
#include <functional>
#include <limits>

using namespace ckemu;
using namespace ckemu::test;

static const char *const kChips[] = {"gfx1100", "gfx1201"};

using Function32 = std::function<uint32_t(uint32_t, uint32_t, uint32_t)>;
using Function16 = std::function<uint16_t(uint16_t, uint16_t, uint16_t)>;

/// Runs `text` on random v1 to v3 and compares v0 in the lanes of both sizes of waves.
static void check(const char *chip, const std::string &text, const Function32 &expected) {
  OperandSource source(11);
  for (unsigned waveSize : {32u, 64u}) {
    IsaWave wave(chip, waveSize);
    for (unsigned i = 0; i < 4; ++i)
      source.fill(wave.v(i));
    const Lanes old = wave.v(0);
    wave.run(text);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t a = wave.v(1)[lane], b = wave.v(2)[lane], c = wave.v(3)[lane];
      ASSERT_EQ(wave.v(0)[lane], lane < waveSize ? expected(a, b, c) : old[lane])
          << chip << " " << text << " of " << std::hex << a << " " << b << " " << c;
    }
  }
}

/// The same for `name` with `sources` operands of 16 bits, for all halves of the registers: the
/// other half of the destination stays. With `readsOld` the old destination is the last argument.
static void check16(const char *chip, const std::string &name, unsigned sources,
                    const Function16 &expected, bool floats = false, bool readsOld = false,
                    const std::string &suffix = "") {
  OperandSource source(5);
  for (unsigned halves = 0; halves < 1u << (sources + 1); ++halves) {
    IsaWave wave(chip);
    auto half = [&](unsigned i) { return halves >> i & 1 ? ".h" : ".l"; };
    std::string text = name + " v0" + half(0);
    for (unsigned i = 1; i <= sources; ++i)
      text += ", v" + std::to_string(i) + half(i);
    text += suffix;
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        wave.v(i)[lane] = floats ? source.float16() | uint32_t(source.float16()) << 16
                                 : source.bits32() ^ source.bits32() << 16;
    const Lanes old = wave.v(0);
    wave.run(text);
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint16_t args[3] = {};
      for (unsigned i = 1; i <= sources; ++i)
        args[i - 1] = uint16_t(wave.v(i)[lane] >> (halves >> i & 1 ? 16 : 0));
      const unsigned shift = halves & 1 ? 16 : 0;
      if (readsOld)
        args[sources] = uint16_t(old[lane] >> shift);
      const uint16_t want = expected(args[0], args[1], args[2]);
      const uint16_t got = uint16_t(wave.v(0)[lane] >> shift);
      if (floats && std::isnan(halfToFloat(want)))
        ASSERT_TRUE(std::isnan(halfToFloat(got))) << chip << " " << text;
      else
        ASSERT_EQ(got, want) << chip << " " << text << " of " << std::hex << args[0] << " "
                             << args[1] << " " << args[2];
      ASSERT_EQ(uint16_t(wave.v(0)[lane] >> (16 - shift)), uint16_t(old[lane] >> (16 - shift)))
          << text;
    }
  }
}

static uint32_t shift(uint32_t n) { return n & 31; }

TEST(RdnaVopTest, IntegersUnderNewNames) {
  for (const char *chip : kChips) {
    check(chip, "v_add_nc_u32 v0, v1, v2", [](auto a, auto b, auto) { return a + b; });
    check(chip, "v_sub_nc_u32 v0, v1, v2", [](auto a, auto b, auto) { return a - b; });
    check(chip, "v_subrev_nc_u32 v0, v1, v2", [](auto a, auto b, auto) { return b - a; });
    check(chip, "v_add_nc_u32 v0, v1, v2 clamp",
          [](auto a, auto b, auto) { return a + b < a ? ~0u : a + b; });
    check(chip, "v_add_nc_i32 v0, v1, v2 clamp", [](auto a, auto b, auto) {
      const int64_t sum = int64_t(int32_t(a)) + int32_t(b);
      return uint32_t(std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                          std::numeric_limits<int32_t>::max()));
    });
    check(chip, "v_sub_nc_i32 v0, v1, v2", [](auto a, auto b, auto) { return a - b; });
    check(chip, "v_clz_i32_u32 v0, v1",
          [](auto a, auto, auto) { return a ? uint32_t(__builtin_clz(a)) : ~0u; });
    check(chip, "v_ctz_i32_b32 v0, v1",
          [](auto a, auto, auto) { return a ? uint32_t(__builtin_ctz(a)) : ~0u; });
    check(chip, "v_cls_i32 v0, v1", [](auto a, auto, auto) {
      return a == 0 || a == ~0u ? ~0u : uint32_t(__builtin_clrsb(int32_t(a))) + 1;
    });
    check(chip, "v_xor3_b32 v0, v1, v2, v3", [](auto a, auto b, auto c) { return a ^ b ^ c; });
    check(chip, "v_add3_u32 v0, v1, v2, 0x12345678",
          [](auto a, auto b, auto) { return a + b + 0x12345678; });
    check(chip, "v_lshl_or_b32 v0, v1, v2, v3",
          [](auto a, auto b, auto c) { return a << shift(b) | c; });
    check(chip, "v_minmax_i32 v0, v1, v2, v3", [](auto a, auto b, auto c) {
      return uint32_t(std::max(std::min(int32_t(a), int32_t(b)), int32_t(c)));
    });
    check(chip, "v_maxmin_u32 v0, v1, v2, v3",
          [](auto a, auto b, auto c) { return std::min(std::max(a, b), c); });
    check(chip, "v_maxmin_i32 v0, v1, v2, v3", [](auto a, auto b, auto c) {
      return uint32_t(std::min(std::max(int32_t(a), int32_t(b)), int32_t(c)));
    });
    check(chip, "v_minmax_u32 v0, v1, v2, v3",
          [](auto a, auto b, auto c) { return std::max(std::min(a, b), c); });
    check(chip, "v_cvt_i32_i16 v0, v1.h",
          [](auto a, auto, auto) { return uint32_t(int32_t(int16_t(a >> 16))); });
    check(chip, "v_cvt_u32_u16 v0, v1.h", [](auto a, auto, auto) { return a >> 16; });
  }
}

TEST(RdnaVopTest, HalvesAsOperandsOfLongerInstructions) {
  for (const char *chip : kChips) {
    check(chip, "v_alignbit_b32 v0, v1, v2, v3.h", [](auto a, auto b, auto c) {
      return uint32_t((uint64_t(a) << 32 | b) >> shift(c >> 16));
    });
    check(chip, "v_alignbyte_b32 v0, v1, v2, v3.l",
          [](auto a, auto b, auto c) { return uint32_t((uint64_t(a) << 32 | b) >> 8 * (c & 3)); });
    check(chip, "v_mad_u32_u16 v0, v1.h, v2.l, v3",
          [](auto a, auto b, auto c) { return (a >> 16) * (b & 0xffff) + c; });
    check(chip, "v_mad_i32_i16 v0, v1.l, v2.h, v3", [](auto a, auto b, auto c) {
      return uint32_t(int32_t(int16_t(a)) * int32_t(int16_t(b >> 16))) + c;
    });
    check(chip, "v_pack_b32_f16 v0, v1.h, v2.l",
          [](auto a, auto b, auto) -> uint32_t { return a >> 16 | b << 16; });
  }
}

TEST(RdnaVopTest, IntegersOfHalfRegisters) {
  for (const char *chip : kChips) {
    check16(chip, "v_mov_b16", 1, [](auto a, auto, auto) { return a; });
    check16(chip, "v_not_b16", 1, [](auto a, auto, auto) { return uint16_t(~a); });
    check16(chip, "v_and_b16", 2, [](auto a, auto b, auto) { return a & b; });
    check16(chip, "v_or_b16", 2, [](auto a, auto b, auto) { return a | b; });
    check16(chip, "v_xor_b16", 2, [](auto a, auto b, auto) { return a ^ b; });
    check16(chip, "v_add_nc_u16", 2, [](auto a, auto b, auto) { return uint16_t(a + b); });
    check16(chip, "v_sub_nc_u16", 2, [](auto a, auto b, auto) { return uint16_t(a - b); });
    check16(
        chip, "v_add_nc_i16", 2,
        [](auto a, auto b, auto) {
          return uint16_t(std::clamp(int16_t(a) + int16_t(b), -0x8000, 0x7fff));
        },
        false, false, " clamp");
    check16(
        chip, "v_sub_nc_u16", 2, [](auto a, auto b, auto) { return uint16_t(a < b ? 0 : a - b); },
        false, false, " clamp");
    check16(chip, "v_mul_lo_u16", 2,
            [](auto a, auto b, auto) { return uint16_t(uint32_t(a) * b); });
    check16(chip, "v_lshlrev_b16", 2, [](auto a, auto b, auto) { return uint16_t(b << (a & 15)); });
    check16(chip, "v_lshrrev_b16", 2, [](auto a, auto b, auto) { return uint16_t(b >> (a & 15)); });
    check16(chip, "v_ashrrev_i16", 2,
            [](auto a, auto b, auto) { return uint16_t(int16_t(b) >> (a & 15)); });
    check16(chip, "v_min_i16", 2,
            [](auto a, auto b, auto) { return int16_t(a) < int16_t(b) ? a : b; });
    check16(chip, "v_max_u16", 2, [](auto a, auto b, auto) { return a > b ? a : b; });
    check16(chip, "v_mad_u16", 3,
            [](auto a, auto b, auto c) { return uint16_t(uint32_t(a) * b + c); });
    check16(chip, "v_max3_i16", 3, [](auto a, auto b, auto c) {
      return uint16_t(std::max({int16_t(a), int16_t(b), int16_t(c)}));
    });
  }
}

static uint16_t fmaOf(uint16_t a, uint16_t b, uint16_t c) {
  // The product is exact in double precision; the sum of such is exact in quadruple precision.
  const __float128 sum = __float128(halfToFloat(a)) * halfToFloat(b) + halfToFloat(c);
  const double nearest = double(sum);
  // A rounding to odd keeps the second rounding right.
  uint64_t bits = asBits(nearest);
  if (std::isfinite(nearest) && __float128(nearest) != sum && !(bits & 1))
    bits += (__float128(nearest) < sum) == (nearest > 0) ? 1 : -1;
  return halfBits(asDouble(bits));
}

TEST(RdnaVopTest, FloatsOfHalfRegisters) {
  for (const char *chip : kChips) {
    check16(
        chip, "v_add_f16", 2,
        [](auto a, auto b, auto) { return halfBits(double(halfToFloat(a)) + halfToFloat(b)); },
        true);
    check16(
        chip, "v_mul_f16", 2,
        [](auto a, auto b, auto) { return halfBits(double(halfToFloat(a)) * halfToFloat(b)); },
        true);
    check16(chip, "v_fma_f16", 3, fmaOf, true);
    check16(
        chip, "v_fmac_f16", 2, [](auto a, auto b, auto c) { return fmaOf(a, b, c); }, true, true);
    check16(
        chip, "v_fmac_f16_e64", 2, [](auto a, auto b, auto c) { return fmaOf(a, b, c); }, true,
        true);
    check16(
        chip, "v_floor_f16", 1,
        [](auto a, auto, auto) { return halfBits(std::floor(halfToFloat(a))); }, true);
    check16(chip, "v_cvt_f16_u16", 1, [](auto a, auto, auto) { return halfBits(a); }, true);
  }
}

TEST(RdnaVopTest, ConstantsOfFusedMultiplyAdds) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    OperandSource source(9);
    source.fill(wave.v(0));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(1)[lane] = halfBits(lane) << 16;
      wave.v(2)[lane] = halfBits(0.5 * lane) << 16 | 0x7e00;
    }
    const Lanes old = wave.v(0);
    wave.run("v_fmamk_f16 v0.l, v1.h, 0x4500, v2.h\nv_fmaak_f16 v0.h, v1.h, v2.h, 0xbc00");
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(wave.v(0)[lane], halfBits(5.5 * lane) | uint32_t(halfBits(0.5 * lane * lane - 1))
                                                            << 16)
          << lane << " " << old[lane];
  }
}

TEST(RdnaVopTest, SelectsHalvesByMask) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    OperandSource source(3);
    for (unsigned i = 0; i < 3; ++i)
      source.fill(wave.v(i));
    const Lanes old = wave.v(0);
    wave.s(4) = 0x5a5a1234;
    wave.s(5) = 0xffffffff;
    wave.run("v_cndmask_b16 v0.h, -v1.l, |v2.h|, s4");
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint32_t high = 0x5a5a1234u >> lane & 1 ? wave.v(2)[lane] >> 16 & 0x7fff
                                                    : (wave.v(1)[lane] ^ 0x8000) & 0xffff;
      EXPECT_EQ(wave.v(0)[lane], (old[lane] & 0xffff) | high << 16) << lane;
    }
  }
}

TEST(RdnaVopTest, MasksOfWavesOf32LanesAreOneRegister) {
  for (const char *chip : kChips) {
    OperandSource source(4);
    IsaWave wave(chip);
    source.fill(wave.v(1));
    source.fill(wave.v(2));
    wave.s(5) = 0x1111;
    wave.s(7) = 0x2222;
    wave.s(8) = 0x0f0f0f0f;
    wave.wave.sgpr[kVcc + 1] = 0x3333;
    wave.run("v_cmp_lt_u32 s4, v1, v2\nv_cmp_lt_u32 vcc_lo, v1, v2\n"
             "v_add_co_u32 v3, s6, v1, v2\nv_add_co_ci_u32 v4, null, v1, v2, s8");
    uint32_t less = 0, carries = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint32_t a = wave.v(1)[lane], b = wave.v(2)[lane];
      less |= uint32_t(a < b) << lane;
      carries |= uint32_t(a + b < a) << lane;
      EXPECT_EQ(wave.v(3)[lane], a + b);
      EXPECT_EQ(wave.v(4)[lane], a + b + (0x0f0f0f0fu >> lane & 1));
    }
    EXPECT_EQ(wave.s(4), less);
    EXPECT_EQ(wave.s(5), 0x1111u);
    EXPECT_EQ(wave.s(6), carries);
    EXPECT_EQ(wave.s(7), 0x2222u);
    EXPECT_EQ(wave.wave.sgpr[kVcc], less);
    EXPECT_EQ(wave.wave.sgpr[kVcc + 1], 0x3333u);
  }
}

TEST(RdnaVopTest, ComparisonsThatWriteExecWriteNothingElse) {
  for (const char *chip : kChips)
    for (unsigned waveSize : {32u, 64u}) {
      OperandSource source(8);
      IsaWave wave(chip, waveSize);
      source.fill(wave.v(1));
      source.fill(wave.v(2));
      const uint64_t active = waveSize == 32 ? 0xf0f0ff00 : 0xf0f0ff00ff00f0f0;
      wave.wave.setExec(active);
      wave.wave.setVcc(0x123456789abcdef0);
      wave.run("v_cmpx_gt_i32_e64 v1, v2\nv_cmpx_ne_u16 v1.l, v2.l");
      uint64_t expected = 0;
      for (unsigned lane = 0; lane < waveSize; ++lane)
        if (active >> lane & 1)
          expected |= uint64_t(int32_t(wave.v(1)[lane]) > int32_t(wave.v(2)[lane]) &&
                               uint16_t(wave.v(1)[lane]) != uint16_t(wave.v(2)[lane]))
                      << lane;
      EXPECT_EQ(wave.wave.exec(), expected);
      EXPECT_EQ(wave.wave.vcc(), 0x123456789abcdef0u);
    }
}

TEST(RdnaVopTest, SwapsHalves) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    wave.wave.setExec(0xfffffff0);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(0)[lane] = 0x11110000 + lane;
      wave.v(1)[lane] = 0x22220000 + (lane << 16) + 0x3333;
    }
    wave.run("v_swap_b16 v0.l, v1.h\nv_swap_b16 v1.l, v1.h");
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(wave.v(0)[lane], lane < 4 ? 0x11110000 + lane : 0x11112222 + lane);
      EXPECT_EQ(wave.v(1)[lane], lane < 4 ? 0x22223333 + (lane << 16) : 0x33330000 + lane);
    }
  }
}

TEST(RdnaVopTest, MovesRegistersRelativeToM0) {
  for (const char *chip : kChips) {
    IsaWave wave(chip);
    for (unsigned i = 0; i < 16; ++i)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        wave.v(i)[lane] = 100 * i + lane;
    wave.run("s_mov_b32 m0, 3\nv_movrels_b32 v20, v2\nv_movreld_b32 v21, v1\n"
             "v_movrelsd_b32 v22, v6\ns_mov_b32 m0, 0x50002\nv_movrelsd_2_b32 v23, v7");
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(wave.v(20)[lane], 500 + lane);
      EXPECT_EQ(wave.v(24)[lane], 100 + lane);
      EXPECT_EQ(wave.v(25)[lane], 900 + lane);
      EXPECT_EQ(wave.v(28)[lane], 900 + lane);
    }
  }
}

TEST(RdnaVopTest, ScalarFunctionsOfGfx12) {
  IsaWave wave("gfx1201");
  wave.wave.setExec(0);
  wave.s(4) = asBits(3.0f);
  wave.s(5) = 0xdead0000u | halfBits(16);
  wave.s(6) = asBits(-4.0f);
  wave.run("v_s_exp_f32 s10, s4\nv_s_exp_f32 s11, -s4\nv_s_log_f16 s12, s5\nv_s_rcp_f16 s13, s5\n"
           "v_s_rsq_f32 s14, |s6|\nv_s_sqrt_f32 s15, 4.0\nv_s_rcp_f32 s16, s6 clamp\n"
           "v_s_sqrt_f16 s17, -s5");
  EXPECT_EQ(wave.s(10), asBits(8.0f));
  EXPECT_EQ(wave.s(11), asBits(0.125f));
  EXPECT_EQ(wave.s(12), halfBits(4));
  EXPECT_EQ(wave.s(13), halfBits(0.0625));
  EXPECT_EQ(wave.s(14), asBits(0.5f));
  EXPECT_EQ(wave.s(15), asBits(2.0f));
  EXPECT_EQ(wave.s(16), 0u);
  EXPECT_EQ(wave.s(17), 0x7e00u); // the root of a negative number
}

TEST(RdnaVopTest, DotProductsOfMixedSigns) {
  for (const char *chip : kChips)
    for (unsigned bits : {8u, 4u})
      for (unsigned signs = 0; signs < 4; ++signs)
        for (bool clamps : {false, true}) {
          const std::string text = std::string(bits == 8 ? "v_dot4_i32_iu8" : "v_dot8_i32_iu4") +
                                   " v0, v1, v2, v3 neg_lo:[" + (signs & 1 ? "1," : "0,") +
                                   (signs & 2 ? "1" : "0") + ",0]" + (clamps ? " clamp" : "");
          check(chip, text, [=](uint32_t a, uint32_t b, uint32_t c) {
            int64_t sum = int32_t(c);
            for (unsigned i = 0; i < 32; i += bits) {
              const int64_t range = int64_t(1) << bits;
              int64_t x = a >> i & (range - 1), y = b >> i & (range - 1);
              x -= signs & 1 && 2 * x >= range ? range : 0;
              y -= signs & 2 && 2 * y >= range ? range : 0;
              sum += x * y;
            }
            if (clamps)
              sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                        std::numeric_limits<int32_t>::max());
            return uint32_t(sum);
          });
        }
}

TEST(RdnaVopTest, MinimumAndMaximumOfGfx12KeepNans) {
  auto choose = [](uint32_t a, uint32_t b, bool larger) -> uint32_t {
    const float x = halfToFloat(uint16_t(a)), y = halfToFloat(uint16_t(b));
    if (std::isnan(x) || std::isnan(y))
      return ((std::isnan(x) ? a : b) & 0xffff) | 0x200;
    if (x == y) // zeros are ordered
      return (larger ? (a >> 15 & 1 ? b : a) : (a >> 15 & 1 ? a : b)) & 0xffff;
    return ((x < y) != larger ? a : b) & 0xffff;
  };
  for (bool larger : {false, true}) {
    const std::string name = larger ? "maximum" : "minimum";
    check("gfx1201", "v_pk_" + name + "_f16 v0, v1, v2", [=](auto a, auto b, auto) {
      return choose(a, b, larger) | choose(a >> 16, b >> 16, larger) << 16;
    });
    check16(
        "gfx1201", "v_" + name + "_f16", 2,
        [=](auto a, auto b, auto) { return uint16_t(choose(a, b, larger)); }, true);
  }
}
