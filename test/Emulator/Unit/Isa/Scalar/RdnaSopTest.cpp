//===- RdnaSopTest.cpp - Tests of scalar instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks of 32 lanes, the new names, the 64-bit arithmetic and the floats of gfx12 against formulas.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

using U32 = uint32_t;
using U64 = uint64_t;

namespace {
class RdnaScalar : public testing::TestWithParam<const char *> {
protected:
  bool isGfx12() const { return std::string(GetParam()) == "gfx1201"; }
  /// A name of gfx11 with the one that gfx12 has for it.
  std::string name(const std::string &gfx11, const std::string &gfx12) const {
    return isGfx12() ? gfx12 : gfx11;
  }
};
} // namespace

TEST_P(RdnaScalar, MasksOf32LanesLeaveTheUpperHalvesAlone) {
  const struct {
    const char *name;
    std::function<U32(U32 a, U32 exec)> formula;
  } cases[] = {{"and", [](U32 a, U32 e) { return a & e; }},
               {"or", [](U32 a, U32 e) { return a | e; }},
               {"xor", [](U32 a, U32 e) { return a ^ e; }},
               {"and_not1", [](U32 a, U32 e) { return a & ~e; }},
               {"or_not1", [](U32 a, U32 e) { return a | ~e; }},
               {"and_not0", [](U32 a, U32 e) { return ~a & e; }},
               {"or_not0", [](U32 a, U32 e) { return ~a | e; }},
               {"nand", [](U32 a, U32 e) { return ~(a & e); }},
               {"nor", [](U32 a, U32 e) { return ~(a | e); }},
               {"xnor", [](U32 a, U32 e) { return ~(a ^ e); }}};
  OperandSource source(1);
  for (const auto &c : cases) {
    IsaWave wave(GetParam());
    const U32 a = source.bits32(), exec = source.bits32();
    wave.s(4) = a;
    wave.s(3) = 77;
    wave.wave.setExec(exec);
    wave.run(std::string("s_") + c.name + "_saveexec_b32 s2, s4");
    EXPECT_EQ(wave.wave.exec(), U64(c.formula(a, exec))) << c.name;
    EXPECT_EQ(wave.s(2), exec) << c.name;
    EXPECT_EQ(wave.s(3), 77u) << c.name;
    EXPECT_EQ(wave.wave.scc(), c.formula(a, exec) != 0) << c.name;
  }
  IsaWave wave(GetParam());
  wave.wave.setVcc(0x1234567800000000);
  wave.s(1) = 5;
  wave.run("s_mov_b32 vcc_lo, -1\ns_and_not1_wrexec_b32 vcc_lo, s1\ns_cselect_b32 exec_lo, 3, 4");
  EXPECT_EQ(wave.wave.vcc() >> 32, 0x12345678u);
  EXPECT_EQ(wave.wave.exec(), 4u) << "5 & ~all is 0, so that SCC is 0";
}

TEST_P(RdnaScalar, MasksOf64Lanes) {
  IsaWave wave(GetParam(), 64);
  wave.setS64(4, 0xff00ff00ff00ff00);
  wave.wave.setExec(0xffffffff0000000f);
  wave.run("s_and_not0_saveexec_b64 s[2:3], s[4:5]");
  EXPECT_EQ(wave.wave.exec(), 0x00ff00ff0000000full);
  EXPECT_EQ(wave.s64(2), 0xffffffff0000000full);
}

TEST_P(RdnaScalar, BranchesLookAtTheMaskOfTheWave) {
  for (unsigned lanes : {32u, 64u}) {
    IsaWave wave(GetParam(), lanes);
    wave.wave.setVcc(0x100000000);
    wave.run("s_cbranch_vccz taken\ns_mov_b32 s0, 1\ns_branch end\ntaken:\ns_mov_b32 s0, 2\nend:\n"
             "s_nop 0");
    EXPECT_EQ(wave.s(0), lanes == 32 ? 2u : 1u);
  }
}

TEST_P(RdnaScalar, RenamedInstructions) {
  const struct {
    std::string name;
    std::function<U32(U32 a, U32 b)> formula;
  } cases[] = {
      {"s_and_not1_b32", [](U32 a, U32 b) { return a & ~b; }},
      {"s_or_not1_b32", [](U32 a, U32 b) { return a | ~b; }},
      {name("s_add_u32", "s_add_co_u32"), [](U32 a, U32 b) { return a + b; }},
      {name("s_sub_i32", "s_sub_co_i32"), [](U32 a, U32 b) { return a - b; }},
      {name("s_addc_u32", "s_add_co_ci_u32"), [](U32 a, U32 b) { return a + b + 1; }},
      {name("s_subb_u32", "s_sub_co_ci_u32"), [](U32 a, U32 b) { return a - b - 1; }},
      {"s_pack_hl_b32_b16", [](U32 a, U32 b) { return a >> 16 | b << 16; }},
      {"s_ctz_i32_b32", [](U32 a, U32) { return a ? U32(__builtin_ctz(a)) : ~0u; }},
      {"s_clz_i32_u32", [](U32 a, U32) { return a ? U32(__builtin_clz(a)) : ~0u; }},
      {"s_cls_i32",
       [](U32 a, U32) { return a == 0 || a == ~0u ? ~0u : U32(__builtin_clrsb(int32_t(a)) + 1); }},
  };
  OperandSource source(2);
  for (const auto &c : cases)
    for (unsigned i = 0; i < 50; ++i) {
      IsaWave wave(GetParam());
      const U32 a = source.bits32(), b = source.bits32();
      wave.s(1) = a;
      wave.s(105) = b; // an ordinary register on these chips
      wave.wave.setScc(true);
      const bool isUnary =
          c.name.find("_ct") != std::string::npos || c.name.find("_cl") != std::string::npos;
      wave.run(c.name + " s0, s1" + (isUnary ? "" : ", s105"));
      ASSERT_EQ(wave.s(0), c.formula(a, b)) << c.name << " " << a << ", " << b;
    }
}

TEST_P(RdnaScalar, ModeAndNothing) {
  IsaWave wave(GetParam());
  wave.run("s_getreg_b32 s0, hwreg(" + name("HW_REG_MODE", "HW_REG_WAVE_MODE") +
           ", 0, 10)\ns_clause 0x1\ns_delay_alu instid0(VALU_DEP_1)\ns_sendmsg "
           "sendmsg(MSG_DEALLOC_VGPRS)\ns_round_mode 0x5\ns_denorm_mode 0x3\ns_getreg_b32 s1, "
           "hwreg(" +
           name("HW_REG_MODE", "HW_REG_WAVE_MODE") + ", 0, 8)\n" +
           name("s_waitcnt_vscnt null, 0x0\ns_waitcnt_depctr 0xfffe",
                "s_wait_loadcnt 0x0\ns_wait_storecnt_dscnt 0x0\ns_wait_alu 0xfffe"));
  EXPECT_EQ(wave.s(0), isGfx12() ? 0xf0u : 0x3f0u) << "gfx12 has no DX10_CLAMP and IEEE";
  EXPECT_EQ(wave.s(1), 0x35u);
}

TEST_P(RdnaScalar, WhatIsMissingIsRefusedByName) {
  std::vector<std::string> texts = {"s_sendmsg sendmsg(MSG_INTERRUPT)", "s_code_end",
                                    "s_movrelsd_2_b32 s0, s1", "s_sethalt 1"};
  if (isGfx12())
    texts.insert(texts.end(),
                 {"s_barrier_signal m0", "s_get_barrier_state s0, -1", "s_barrier_leave",
                  "global_load_tr_b64 v[0:1], v[2:3], off", "s_alloc_vgpr s0"});
  for (const std::string &text : texts) {
    const std::string refusal = IsaWave::getRefusal(text, GetParam());
    const std::string mnemonic = text.substr(0, text.find(' '));
    EXPECT_TRUE(refusal.find(mnemonic) != std::string::npos ||
                refusal.find("not implemented") != std::string::npos)
        << text << ": " << refusal;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, RdnaScalar, testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) { return std::string(info.param); });

/// The value is all ones where that has no influence on results.
TEST(Gfx12Scalar, WritesOfHardwareRegistersWithoutInfluence) {
  IsaWave wave("gfx1201");
  wave.wave.setScc(true);
  wave.s(1) = ~0u;
  for (const char *name :
       {"WAVE_STATUS", "IB_STS", "PERF_SNAPSHOT_DATA", "PERF_SNAPSHOT_PC_LO", "PERF_SNAPSHOT_PC_HI",
        "PERF_SNAPSHOT_DATA1", "PERF_SNAPSHOT_DATA2", "WAVE_EXCP_FLAG_PRIV", "WAVE_EXCP_FLAG_USER",
        "WAVE_HW_ID1", "WAVE_HW_ID2", "WAVE_SCHED_MODE", "SHADER_CYCLES_LO", "SHADER_CYCLES_HI"}) {
    const std::string target = "hwreg(HW_REG_" + std::string(name) + "), ";
    wave.run("s_setreg_b32 " + target + "s1\ns_setreg_imm32_b32 " + target + "0xffffffff");
  }
  wave.run("s_setreg_imm32_b32 hwreg(HW_REG_WAVE_STATE_PRIV, 14, 1), 1\n"
           "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_TRAP_CTRL), 0\n"
           "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 24, 1), 1\n"
           "s_getreg_b32 s0, hwreg(HW_REG_WAVE_MODE)");
  EXPECT_EQ(wave.s(0), 0x010000f0u);
  EXPECT_TRUE(wave.wave.scc());
}

TEST(Gfx12Scalar, WritesOfHardwareRegistersWithInfluence) {
  for (const char *name : {"WAVE_GPR_ALLOC", "WAVE_LDS_ALLOC", "WAVE_SCRATCH_BASE_LO",
                           "WAVE_SCRATCH_BASE_HI", "WAVE_DVGPR_ALLOC_LO", "WAVE_DVGPR_ALLOC_HI"})
    EXPECT_EQ(
        IsaWave::getRefusal("s_setreg_b32 hwreg(HW_REG_" + std::string(name) + "), s1", "gfx1201"),
        "writing hardware register " + std::string(name) + " is not implemented");
  EXPECT_EQ(
      IsaWave::getRefusal("s_setreg_imm32_b32 hwreg(HW_REG_WAVE_STATE_PRIV, 8, 4), 0", "gfx1201"),
      "writing hardware register WAVE_STATE_PRIV (SCC) is not implemented");
  EXPECT_EQ(IsaWave::getRefusal("s_setreg_imm32_b32 hwreg(63), 0", "gfx1201"),
            "expected a hardware register that exists, got number 63");
}

TEST(Gfx12Scalar, WideArithmeticLeavesScc) {
  OperandSource source(3);
  for (unsigned i = 0; i < 50; ++i) {
    IsaWave wave("gfx1201");
    const U64 a = source.bits64(), b = source.bits64();
    wave.setS64(2, a);
    wave.setS64(4, b);
    wave.wave.setScc(i % 2);
    wave.run("s_add_nc_u64 s[6:7], s[2:3], s[4:5]\ns_sub_nc_u64 s[8:9], s[2:3], s[4:5]\n"
             "s_mul_u64 s[10:11], s[2:3], s[4:5]");
    EXPECT_EQ(wave.s64(6), a + b);
    EXPECT_EQ(wave.s64(8), a - b);
    EXPECT_EQ(wave.s64(10), a * b);
    EXPECT_EQ(wave.wave.scc(), i % 2 != 0);
  }
}

static bool isNan32(U32 bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// `result` of the hardware against `expected`: NaNs are those of the operands, quieted.
static void expectFloat(U32 result, float expected, U32 a, U32 b, const std::string &name) {
  U32 bits = asBits(expected);
  if (isNan32(bits))
    bits = isNan32(a) ? a | 0x400000 : isNan32(b) ? b | 0x400000 : 0x7fc00000;
  EXPECT_EQ(result, bits) << name << " " << std::hex << a << ", " << b;
}

TEST(Gfx12Scalar, Floats) {
  const struct {
    const char *name;
    std::function<float(float a, float b)> formula;
    bool isUnary = false;
  } cases[] = {
      {"s_add_f32", [](float a, float b) { return a + b; }},
      {"s_sub_f32", [](float a, float b) { return a - b; }},
      {"s_mul_f32", [](float a, float b) { return a * b; }},
      {"s_floor_f32", [](float a, float) { return std::floor(a); }, true},
      {"s_ceil_f32", [](float a, float) { return std::ceil(a); }, true},
      {"s_trunc_f32", [](float a, float) { return std::trunc(a); }, true},
      {"s_rndne_f32", [](float a, float) { return std::nearbyint(a); }, true},
  };
  OperandSource source(4);
  for (const auto &c : cases)
    for (unsigned i = 0; i < 100; ++i) {
      IsaWave wave("gfx1201");
      const U32 a = wave.s(1) = source.float32(), b = wave.s(2) = source.float32();
      wave.run(std::string(c.name) + " s0, s1" + (c.isUnary ? "" : ", s2"));
      expectFloat(wave.s(0), c.formula(asFloat(a), asFloat(b)), a, c.isUnary ? 0 : b, c.name);
    }
}

TEST(Gfx12Scalar, MultiplyAddForms) {
  IsaWave wave("gfx1201");
  wave.s(0) = asBits(10.0f);
  wave.s(1) = asBits(3.0f);
  wave.s(2) = asBits(0.5f);
  wave.run("s_fmaak_f32 s3, s1, s2, 0x40000000\ns_fmamk_f32 s4, s1, 0x40000000, s2\n"
           "s_fmac_f32 s0, s1, s2");
  EXPECT_EQ(asFloat(wave.s(3)), 3.5f);
  EXPECT_EQ(asFloat(wave.s(4)), 6.5f);
  EXPECT_EQ(asFloat(wave.s(0)), 11.5f);
}

TEST(Gfx12Scalar, MinimaMaximaAndComparisons) {
  const U32 nan = 0x7fc12345, one = asBits(1.0f), two = asBits(2.0f);
  IsaWave wave("gfx1201");
  wave.s(1) = one;
  wave.s(2) = two;
  wave.s(3) = nan;
  wave.run("s_min_num_f32 s10, s1, s2\ns_max_num_f32 s11, s1, s3\ns_minimum_f32 s12, s1, s3\n"
           "s_maximum_f32 s13, s2, s1\n"
           "s_cmp_lt_f32 s1, s2\ns_cselect_b32 s14, 1, 0\ns_cmp_nlt_f32 s1, s3\n"
           "s_cselect_b32 s15, 1, 0\ns_cmp_o_f32 s1, s3\ns_cselect_b32 s16, 1, 0\n"
           "s_cmp_neq_f32 s3, s3\ns_cselect_b32 s17, 1, 0\ns_cmp_lg_f32 s3, s1\n"
           "s_cselect_b32 s18, 1, 0\ns_cmp_ge_f32 s2, 2.0\ns_cselect_b32 s19, 1, 0\n"
           "s_cmp_u_f32 s3, s1\ns_cselect_b32 s20, 1, 0\n");
  EXPECT_EQ(wave.s(10), one);
  EXPECT_EQ(wave.s(11), one);
  EXPECT_EQ(wave.s(12), nan);
  EXPECT_EQ(wave.s(13), two);
  const U32 expected[] = {1, 1, 0, 1, 0, 1, 1};
  for (unsigned i = 0; i < 7; ++i)
    EXPECT_EQ(wave.s(14 + i), expected[i]) << i;
}

TEST(Gfx12Scalar, Halves) {
  IsaWave wave("gfx1201");
  wave.s(1) = halfBits(1.5);
  wave.s(2) = halfBits(-2.25);
  wave.s(3) = halfBits(7.0) << 16;
  wave.s(4) = asBits(2049.0f); // a tie between halves 2048 and 2050
  wave.s(5) = asBits(2051.5f);
  wave.s(9) = halfBits(100.0);
  wave.run("s_add_f16 s10, s1, s2\ns_mul_f16 s11, s1, 4.0\ns_max_num_f16 s12, s1, s2\n"
           "s_floor_f16 s13, s2\ns_cvt_f32_f16 s14, s2\ns_cvt_hi_f32_f16 s15, s3\n"
           "s_cvt_f16_f32 s16, s4\ns_cvt_pk_rtz_f16_f32 s17, s4, s5\ns_fmac_f16 s9, s1, s2\n"
           "s_cmp_gt_f16 s1, s2\ns_cselect_b32 s18, 1, 0");
  EXPECT_EQ(wave.s(10), halfBits(-0.75));
  EXPECT_EQ(wave.s(11), halfBits(6.0));
  EXPECT_EQ(wave.s(12), halfBits(1.5));
  EXPECT_EQ(wave.s(13), halfBits(-3.0));
  EXPECT_EQ(asFloat(wave.s(14)), -2.25f);
  EXPECT_EQ(asFloat(wave.s(15)), 7.0f);
  EXPECT_EQ(wave.s(16), halfBits(2048.0));
  EXPECT_EQ(wave.s(17), halfBits(2048.0) | U32(halfBits(2050.0)) << 16);
  EXPECT_EQ(wave.s(9), halfBits(100.0 - 3.375));
  EXPECT_EQ(wave.s(18), 1u);
}

TEST(Gfx12Scalar, Conversions) {
  IsaWave wave("gfx1201");
  wave.s(1) = asBits(-3.75f);
  wave.s(2) = asBits(1e20f);
  wave.s(3) = 0x7fc00000;
  wave.s(4) = 0xfffffff0;
  wave.run("s_cvt_i32_f32 s10, s1\ns_cvt_u32_f32 s11, s1\ns_cvt_i32_f32 s12, s2\n"
           "s_cvt_u32_f32 s13, s2\ns_cvt_i32_f32 s14, s3\ns_cvt_f32_i32 s15, s4\n"
           "s_cvt_f32_u32 s16, s4");
  EXPECT_EQ(wave.s(10), U32(-3));
  EXPECT_EQ(wave.s(11), 0u);
  EXPECT_EQ(wave.s(12), 0x7fffffffu);
  EXPECT_EQ(wave.s(13), 0xffffffffu);
  EXPECT_EQ(wave.s(14), 0u);
  EXPECT_EQ(asFloat(wave.s(15)), -16.0f);
  EXPECT_EQ(asFloat(wave.s(16)), 4294967296.0f);
}
