//===- ModifierTest.cpp - Tests of packed operations, SDWA, DPP and lane exchange -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packed operations with op_sel and neg, mixed precision, sub-dword addressing, data-parallel
// primitives and the exchange between lanes.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using I16 = int16_t;

namespace {
class ModifierTest : public testing::Test {
protected:
  IsaWave wave;
  OperandSource source{41};
  void SetUp() override {
    for (unsigned i = 0; i < 12; ++i)
      source.fill(wave.v(i));
  }
  static U16 part(U32 word, bool high) { return U16(high ? word >> 16 : word); }
};
} // namespace

TEST_F(ModifierTest, PackedIntegers) {
  const struct {
    const char *name;
    std::function<U16(U16, U16)> formula;
  } cases[] = {{"v_pk_add_u16", [](U16 a, U16 b) { return U16(a + b); }},
               {"v_pk_sub_i16", [](U16 a, U16 b) { return U16(a - b); }},
               {"v_pk_mul_lo_u16", [](U16 a, U16 b) { return U16(U32(a) * b); }},
               {"v_pk_min_i16", [](U16 a, U16 b) { return U16(std::min(I16(a), I16(b))); }},
               {"v_pk_max_i16", [](U16 a, U16 b) { return U16(std::max(I16(a), I16(b))); }},
               {"v_pk_min_u16", [](U16 a, U16 b) { return std::min(a, b); }},
               {"v_pk_max_u16", [](U16 a, U16 b) { return std::max(a, b); }},
               {"v_pk_lshlrev_b16", [](U16 a, U16 b) { return U16(b << a % 16); }},
               {"v_pk_lshrrev_b16", [](U16 a, U16 b) { return U16(b >> a % 16); }},
               {"v_pk_ashrrev_i16", [](U16 a, U16 b) { return U16(I16(b) >> a % 16); }}};
  for (const auto &c : cases)
    for (unsigned selection = 0; selection < 16; ++selection) {
      const bool lowA = selection & 1, lowB = selection & 2, highA = selection & 4,
                 highB = selection & 8;
      auto pair = [](bool a, bool b) {
        return "[" + std::to_string(a) + "," + std::to_string(b) + "]";
      };
      wave.run(std::string(c.name) + " v20, v1, v2 op_sel:" + pair(lowA, lowB) +
               " op_sel_hi:" + pair(highA, highB));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const U32 a = wave.v(1)[lane], b = wave.v(2)[lane];
        ASSERT_EQ(wave.v(20)[lane], c.formula(part(a, lowA), part(b, lowB)) |
                                        U32(c.formula(part(a, highA), part(b, highB))) << 16)
            << c.name << " " << selection;
      }
    }
  wave.run("v_pk_add_i16 v20, v1, v2 clamp\nv_pk_sub_u16 v21, v1, v2 clamp\n"
           "v_pk_mad_i16 v22, v1, v2, v3\nv_pk_mad_u16 v23, v1, v2, v3 clamp\n"
           "v_pk_add_u16 v24, v1, 3 op_sel_hi:[1,0]");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (bool high : {false, true}) {
      const U16 a = part(wave.v(1)[lane], high), b = part(wave.v(2)[lane], high),
                c = part(wave.v(3)[lane], high);
      const int sum = I16(a) + I16(b);
      EXPECT_EQ(I16(part(wave.v(20)[lane], high)), std::max(-32768, std::min(32767, sum)));
      EXPECT_EQ(part(wave.v(21)[lane], high), a < b ? 0 : a - b);
      EXPECT_EQ(part(wave.v(22)[lane], high), U16(U32(a) * b + c));
      EXPECT_EQ(part(wave.v(23)[lane], high), std::min<U64>(65535, U64(a) * b + c));
      EXPECT_EQ(part(wave.v(24)[lane], high), U16(a + 3));
    }
}

TEST_F(ModifierTest, PackedHalves) {
  auto value = [](U16 bits, bool negative) {
    return negative ? -halfToFloat(bits) : halfToFloat(bits);
  };
  for (unsigned i = 1; i < 4; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      wave.v(i)[lane] =
          (0x3000u | (source.bits32() & 0x8fff)) | (0x3000u | (source.bits32() & 0x8fff)) << 16;
  wave.run("v_pk_add_f16 v20, v1, v2 op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] neg_hi:[0,1]\n"
           "v_pk_mul_f16 v21, v1, v2\nv_pk_fma_f16 v22, v1, v2, v3 neg_lo:[0,0,1]\n"
           "v_pk_max_f16 v23, v1, v2\nv_pk_min_f16 v24, v1, 1.0 op_sel_hi:[1,0]");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 a = wave.v(1)[lane], b = wave.v(2)[lane], c = wave.v(3)[lane];
    EXPECT_EQ(wave.v(20)[lane],
              U32(halfBits(double(value(part(a, 0), true)) + value(part(b, 1), false))) |
                  U32(halfBits(double(value(part(a, 1), false)) + value(part(b, 0), true))) << 16);
    for (bool high : {false, true}) {
      const double x = value(part(a, high), false), y = value(part(b, high), false),
                   z = value(part(c, high), !high);
      EXPECT_EQ(part(wave.v(21)[lane], high), halfBits(x * y));
      EXPECT_EQ(part(wave.v(22)[lane], high), halfBits(x * y + z)); // exact in double
      EXPECT_EQ(part(wave.v(23)[lane], high), halfBits(std::max(x, y)));
      EXPECT_EQ(part(wave.v(24)[lane], high), halfBits(std::min(x, 1.0)));
    }
  }
}

TEST_F(ModifierTest, PackedSingles) {
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      wave.v(i)[lane] = asBits(float(int32_t(source.bits32() % 2000) - 1000) * 0.37f);
  wave.setS64(4, U64(asBits(7.5f)) << 32 | asBits(-2.5f));
  wave.run("v_pk_add_f32 v[20:21], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,1]\n"
           "v_pk_mul_f32 v[22:23], v[0:1], s[4:5]\n"
           "v_pk_fma_f32 v[24:25], v[0:1], v[2:3], v[4:5] neg_lo:[1,0,0] neg_hi:[0,0,1]\n"
           "v_pk_mul_f32 v[26:27], v[0:1], 2.0 op_sel_hi:[1,0]\n"
           "v_pk_mov_b32 v[28:29], v[0:1], v[2:3] op_sel:[1,0]\n"
           "v_mov_b32 v30, v0\nv_mov_b32 v31, v1\n"
           "v_pk_add_f32 v[30:31], v[30:31], v[30:31] op_sel:[1,1] op_sel_hi:[0,0]");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto f = [&](unsigned i) { return asFloat(wave.v(i)[lane]); };
    EXPECT_EQ(f(20), f(1) + f(2));
    EXPECT_EQ(f(21), f(0) + f(3));
    EXPECT_EQ(f(22), f(0) * -2.5f);
    EXPECT_EQ(f(23), f(1) * 7.5f);
    EXPECT_EQ(f(24), std::fmaf(-f(0), f(2), f(4)));
    EXPECT_EQ(f(25), std::fmaf(f(1), f(3), -f(5)));
    EXPECT_EQ(f(26), f(0) * 2);
    EXPECT_EQ(f(27), f(1) * 2);
    EXPECT_EQ(wave.v(28)[lane], wave.v(1)[lane]);
    EXPECT_EQ(wave.v(29)[lane], wave.v(2)[lane]);
    EXPECT_EQ(f(30), f(1) + f(1));
    EXPECT_EQ(f(31), f(0) + f(0));
  }
}

TEST_F(ModifierTest, MixedPrecisionAndDots) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(1)[lane] = (0x3000u + lane * 7) | (0xb000u + lane) << 16;
    wave.v(2)[lane] = asBits(1.25f + float(lane));
    wave.v(3)[lane] = (0x2c00u + lane) | (0x3800u + lane * 3) << 16;
  }
  const Lanes old = wave.v(20);
  wave.run("v_fma_mixhi_f16 v20, v1, -v2, |v3| op_sel:[1,0,0] op_sel_hi:[1,0,1]\n"
           "v_fma_mix_f32 v21, v1, v2, v3 op_sel:[0,0,1] op_sel_hi:[1,0,1]\n"
           "v_fma_mix_f32 v22, v2, v2, v2\nv_dot2_f32_f16 v23, v1, v3, v2");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float low = halfToFloat(U16(wave.v(1)[lane])),
                high = halfToFloat(U16(wave.v(1)[lane] >> 16));
    const float b = asFloat(wave.v(2)[lane]);
    const float c0 = halfToFloat(U16(wave.v(3)[lane])),
                c1 = halfToFloat(U16(wave.v(3)[lane] >> 16));
    EXPECT_EQ(wave.v(20)[lane],
              (old[lane] & 0xffff) | U32(halfBits(std::fmaf(high, -b, std::fabs(c0)))) << 16);
    EXPECT_EQ(asFloat(wave.v(21)[lane]), std::fmaf(low, b, c1));
    EXPECT_EQ(asFloat(wave.v(22)[lane]), std::fmaf(b, b, b));
    EXPECT_EQ(asFloat(wave.v(23)[lane]), std::fmaf(high, c1, std::fmaf(low, c0, b)));
  }
}

TEST_F(ModifierTest, MixedPrecisionConstants) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    wave.v(1)[lane] = asBits(1.25f + float(lane));
  // op_sel_hi makes a constant a half: 1.0 is 0x3c00, 1 the smallest denormal.
  wave.run("v_fma_mix_f32 v2, v1, 1.0, -4.0 op_sel_hi:[0,1,1]\n"
           "v_fma_mix_f32 v3, v1, 1, 0.15915494 op_sel_hi:[0,1,1]\n"
           "v_fma_mix_f32 v4, v1, 1.0, 0.15915494");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float a = asFloat(wave.v(1)[lane]);
    EXPECT_EQ(asFloat(wave.v(2)[lane]), a - 4.0f);
    EXPECT_EQ(asFloat(wave.v(3)[lane]), std::fmaf(a, 0x1p-24f, halfToFloat(0x3118)));
    EXPECT_EQ(asFloat(wave.v(4)[lane]), a + 0.15915494f);
  }
  EXPECT_NE(IsaWave::getRefusal("v_fma_mix_f32 v2, v1, 1.0, v3 op_sel:[0,1,0] op_sel_hi:[0,1,0]"),
            "");
}

TEST_F(ModifierTest, SubDwordAddressing) {
  const Lanes old = wave.v(10);
  auto select = [](U32 word, const std::string &sel) -> U32 {
    const unsigned index = unsigned(sel.back() - '0');
    return sel == "DWORD"  ? word
           : sel[0] == 'B' ? word >> 8 * index & 0xff
                           : word >> 16 * index & 0xffff;
  };
  for (const char *sel0 : {"BYTE_0", "BYTE_3", "WORD_1", "DWORD"})
    for (const char *sel1 : {"BYTE_1", "BYTE_2", "WORD_0", "DWORD"})
      for (const char *dst : {"BYTE_0", "BYTE_2", "WORD_0", "WORD_1", "DWORD"})
        for (const char *unused : {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}) {
          wave.v(10) = old;
          wave.run(std::string("v_add_u32_sdwa v10, v1, v2 dst_sel:") + dst +
                   " dst_unused:" + unused + " src0_sel:" + sel0 + " src1_sel:" + sel1);
          const std::string d = dst;
          const unsigned bits = d == "DWORD" ? 32 : d[0] == 'B' ? 8 : 16;
          const unsigned shift = d == "DWORD" ? 0 : bits * unsigned(d.back() - '0');
          const U64 mask = ((1ull << bits) - 1) << shift;
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            const U64 sum = U32(select(wave.v(1)[lane], sel0) + select(wave.v(2)[lane], sel1));
            const U64 placed = sum << shift & mask;
            U64 rest = 0;
            if (unused[7] == 'P' && unused[8] == 'R')
              rest = old[lane] & ~mask;
            else if (unused[7] == 'S' && sum >> (bits - 1) & 1)
              rest = ~((1ull << (shift + bits)) - 1);
            ASSERT_EQ(wave.v(10)[lane], U32(placed | rest)) << dst << " " << unused << " " << sel0;
          }
        }
  wave.run("v_add_f32_sdwa v10, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD "
           "src1_sel:DWORD\n"
           "v_mul_i32_i24_sdwa v11, sext(v1), sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD "
           "src0_sel:BYTE_1 src1_sel:WORD_1\n"
           "v_cmp_eq_u32_sdwa s[4:5], v1, v1 src0_sel:BYTE_0 src1_sel:BYTE_1");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 a = wave.v(1)[lane], b = wave.v(2)[lane];
    EXPECT_EQ(wave.v(11)[lane], U32(int8_t(a >> 8) * int16_t(b >> 16)));
    EXPECT_EQ(wave.s64(4) >> lane & 1, (a & 0xff) == (a >> 8 & 0xff));
    const float sum = -asFloat(a) + std::fabs(asFloat(b));
    if (!std::isnan(sum))
      EXPECT_EQ(asFloat(wave.v(10)[lane]), sum);
  }
}

TEST_F(ModifierTest, DataParallelPrimitives) {
  using Source = std::function<int(int)>; // the lane read, or -1
  const struct {
    const char *control;
    Source from;
  } cases[] = {{"quad_perm:[3,0,2,1]",
                [](int l) {
                  const int p[] = {3, 0, 2, 1};
                  return l / 4 * 4 + p[l % 4];
                }},
               {"row_shl:3", [](int l) { return l % 16 + 3 < 16 ? l + 3 : -1; }},
               {"row_shr:5", [](int l) { return l % 16 >= 5 ? l - 5 : -1; }},
               {"row_ror:4", [](int l) { return l / 16 * 16 + (l + 12) % 16; }},
               {"wave_shl:1", [](int l) { return l < 63 ? l + 1 : -1; }},
               {"wave_shr:1", [](int l) { return l - 1; }},
               {"wave_rol:1", [](int l) { return (l + 1) % 64; }},
               {"wave_ror:1", [](int l) { return (l + 63) % 64; }},
               {"row_mirror", [](int l) { return l / 16 * 16 + 15 - l % 16; }},
               {"row_half_mirror", [](int l) { return l / 8 * 8 + 7 - l % 8; }},
               {"row_bcast:15", [](int l) { return l < 16 ? -1 : l / 16 * 16 - 1; }},
               {"row_bcast:31", [](int l) { return l < 32 ? -1 : 31; }},
               {"row_newbcast:6", [](int l) { return l / 16 * 16 + 6; }}};
  for (const auto &c : cases)
    for (const char *masks : {" row_mask:0xf bank_mask:0xf", " row_mask:0xa bank_mask:0x6",
                              " row_mask:0xf bank_mask:0xf bound_ctrl:0"})
      for (LaneMask exec : {~LaneMask(0), LaneMask(0xfff0ffff0fffffff)}) {
        const std::string m = masks;
        const unsigned rows = m.find("0xa") != std::string::npos ? 0xa : 0xf;
        const unsigned banks = m.find("0x6") != std::string::npos ? 0x6 : 0xf;
        const bool zeros = m.find("bound_ctrl") != std::string::npos;
        broadcast(77, wave.v(20));
        wave.wave.setExec(exec);
        wave.run("v_add_u32_dpp v20, v1, v2 " + std::string(c.control) + masks);
        for (int lane = 0; lane < 64; ++lane) {
          const int from = c.from(lane);
          const bool valid = from >= 0 && (exec >> from & 1);
          const bool writes = (exec >> lane & 1) && (rows >> lane / 16 & 1) &&
                              (banks >> lane / 4 % 4 & 1) && (valid || zeros);
          const U32 expected =
              writes ? (valid ? wave.v(1)[unsigned(from)] : 0) + wave.v(2)[unsigned(lane)] : 77;
          ASSERT_EQ(wave.v(20)[unsigned(lane)], expected) << c.control << masks << " lane " << lane;
        }
      }
}

TEST_F(ModifierTest, ReadingAndWritingLanes) {
  wave.wave.setExec(0xf0);
  wave.s(0) = 37;
  wave.s(1) = 1234;
  const Lanes old = wave.v(3);
  wave.run("v_readlane_b32 s4, v1, s0\nv_readfirstlane_b32 s5, v1\nv_writelane_b32 v3, s1, 9\n"
           "v_readlane_b32 s6, v1, 63");
  EXPECT_EQ(wave.s(4), wave.v(1)[37]);
  EXPECT_EQ(wave.s(5), wave.v(1)[4]);
  EXPECT_EQ(wave.s(6), wave.v(1)[63]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(wave.v(3)[lane], lane == 9 ? 1234 : old[lane]);
  wave.wave.setExec(0);
  wave.run("v_readfirstlane_b32 s5, v1");
  EXPECT_EQ(wave.s(5), wave.v(1)[0]);
}

TEST_F(ModifierTest, PermutationsOfLanes) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    wave.v(4)[lane] = 4 * ((lane * 5 + 3) % 64) + 256 * lane; // wraps at 64 lanes
  const LaneMask exec = 0xffffffffffff00ff;
  wave.wave.setExec(exec);
  broadcast(5, wave.v(20));
  wave.run("ds_bpermute_b32 v20, v4, v1\nds_permute_b32 v21, v4, v1\n"
           "ds_bpermute_b32 v22, v4, v1 offset:8");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(exec >> lane & 1)) {
      EXPECT_EQ(wave.v(20)[lane], 5u);
      continue;
    }
    auto read = [&](unsigned from) { return exec >> from & 1 ? wave.v(1)[from] : 0; };
    EXPECT_EQ(wave.v(20)[lane], read((lane * 5 + 3) % 64));
    EXPECT_EQ(wave.v(22)[lane], read((lane * 5 + 5) % 64));
    const unsigned sender = (lane + 61) * 13 % 64; // 5 * 13 = 1 modulo 64
    EXPECT_EQ(wave.v(21)[lane], exec >> sender & 1 ? wave.v(1)[sender] : 0);
  }
}

TEST_F(ModifierTest, Swizzles) {
  const struct {
    const char *pattern;
    std::function<unsigned(unsigned)> from;
  } cases[] = {{"swizzle(QUAD_PERM,1,3,0,2)",
                [](unsigned l) {
                  const unsigned p[] = {1, 3, 0, 2};
                  return l / 4 * 4 + p[l % 4];
                }},
               {"swizzle(SWAP,4)", [](unsigned l) { return l ^ 4; }},
               {"swizzle(REVERSE,8)", [](unsigned l) { return l ^ 7; }},
               {"swizzle(BROADCAST,16,5)", [](unsigned l) { return l / 16 * 16 + 5; }},
               {"swizzle(FFT,0)",
                [](unsigned l) {
                  return (l & 32) | (l & 1) << 4 | (l & 2) << 2 | (l & 4) | (l & 8) >> 2 |
                         (l & 16) >> 4;
                }},
               {"swizzle(FFT,16)", // the highest bit stays, the others are reversed
                [](unsigned l) {
                  return (l & 48) | (l & 1) << 3 | (l & 2) << 1 | (l & 4) >> 1 | (l & 8) >> 3;
                }},
               {"swizzle(FFT,31)", [](unsigned l) { return l; }},
               {"swizzle(ROTATE,0,3)", [](unsigned l) { return (l & 32) | ((l + 3) & 31); }},
               {"swizzle(ROTATE,1,3)", [](unsigned l) { return (l & 32) | ((l + 29) & 31); }}};
  for (const auto &c : cases) {
    wave.run(std::string("ds_swizzle_b32 v20, v1 offset:") + c.pattern);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(wave.v(20)[lane], wave.v(1)[c.from(lane)]) << c.pattern << " " << lane;
  }
}

TEST_F(ModifierTest, WhatMeansNothingIsRefused) {
  EXPECT_NE(IsaWave::getRefusal("v_mad_u32_u16 v0, v1, v2, v3 clamp").find("clamp"),
            std::string::npos);
  EXPECT_NE(IsaWave::getRefusal("v_pk_mul_f32 v[0:1], v[2:3], 2.0").find("high word"),
            std::string::npos);
  EXPECT_EQ(IsaWave::getRefusal("v_mad_u32_u16 v0, v1, v2, v3"), "");
}
