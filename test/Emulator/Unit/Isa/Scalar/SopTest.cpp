//===- SopTest.cpp - Tests of scalar instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar instructions against formulas, with random and extreme operands: result and SCC.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include <functional>
#include <optional>

using namespace ckemu;
using namespace ckemu::test;

using U32 = uint32_t;
using U64 = uint64_t;
using I32 = int32_t;
using I64 = int64_t;

namespace {
/// Result and, where the instruction sets it, SCC.
struct Outcome {
  U64 value;
  std::optional<bool> scc;
};
struct Case {
  const char *name;
  unsigned widthA, widthB, widthD; ///< 32 or 64; widthB 0 for one operand
  std::function<Outcome(U64 a, U64 b, bool scc)> formula;
};
} // namespace

static Outcome nonZero(U64 value) { return {value, value != 0}; }
static Outcome nonZero32(U64 value) { return {U32(value), U32(value) != 0}; }
static Outcome keep(U64 value) { return {value, std::nullopt}; }
static Outcome signedSum(I64 sum) { return {U32(sum), sum != I64(I32(sum))}; }

/// Bits [offset, offset + width) by a loop over bits.
static U64 field(U64 a, unsigned offset, unsigned width, unsigned bits, bool isSigned) {
  U64 result = 0;
  width = std::min(width, bits);
  for (unsigned i = 0; i < bits; ++i) {
    unsigned from = offset + std::min(i, width - 1);
    const bool inside = i < width;
    if (width == 0 || (!inside && !isSigned))
      continue;
    const bool bit = from < bits ? a >> from & 1 : isSigned && (a >> (bits - 1) & 1);
    result |= U64(bit) << i;
  }
  return result;
}

/// A value made bit by bit.
template <class F>
static U64 fromBits(unsigned bits, F bit) {
  U64 result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= U64(bit(i) != 0) << i;
  return result;
}
static U64 reversed(U64 a, unsigned bits) {
  return fromBits(bits, [&](unsigned i) { return a >> (bits - 1 - i) & 1; });
}
static U64 wholeQuads(U64 a, unsigned bits) {
  return fromBits(bits, [&](unsigned i) { return a >> i / 4 * 4 & 15; });
}
static U64 quadMask(U64 a) {
  return fromBits(16, [&](unsigned i) { return a >> 4 * i & 15; });
}
static U64 doubledBits(U64 a) {
  return fromBits(64, [&](unsigned i) { return a >> i / 2 & 1; });
}
static U64 distance(I64 a, I64 b) { return U64(a > b ? a - b : b - a); }
/// Number of leading bits equal to the sign, or all ones when all are.
static U64 leadingSigns(I64 a, unsigned bits) {
  return a == 0 || a == -1 ? ~0u : U64(__builtin_clrsbll(a) + 1 - int(64 - bits));
}

#define FORMULA(...) [](U64 a, U64 b, bool c) -> Outcome { return __VA_ARGS__; }

static const Case kCases[] = {
    {"s_add_u32", 32, 32, 32, FORMULA(Outcome{U32(a + b), (a + b) >> 32 != 0})},
    {"s_sub_u32", 32, 32, 32, FORMULA(Outcome{U32(a - b), a < b})},
    {"s_add_i32", 32, 32, 32, FORMULA(signedSum(I64(I32(a)) + I32(b)))},
    {"s_sub_i32", 32, 32, 32, FORMULA(signedSum(I64(I32(a)) - I32(b)))},
    {"s_addc_u32", 32, 32, 32, FORMULA(Outcome{U32(a + b + c), (a + b + c) >> 32 != 0})},
    {"s_subb_u32", 32, 32, 32, FORMULA(Outcome{U32(a - b - c), a < b + c})},
    {"s_min_i32", 32, 32, 32, FORMULA(Outcome{U32(std::min(I32(a), I32(b))), I32(a) < I32(b)})},
    {"s_min_u32", 32, 32, 32, FORMULA(Outcome{std::min(a, b), a < b})},
    {"s_max_i32", 32, 32, 32, FORMULA(Outcome{U32(std::max(I32(a), I32(b))), I32(a) >= I32(b)})},
    {"s_max_u32", 32, 32, 32, FORMULA(Outcome{std::max(a, b), a >= b})},
    {"s_cselect_b32", 32, 32, 32, FORMULA(keep(c ? a : b))},
    {"s_cselect_b64", 64, 64, 64, FORMULA(keep(c ? a : b))},
    {"s_and_b32", 32, 32, 32, FORMULA(nonZero32(a & b))},
    {"s_or_b32", 32, 32, 32, FORMULA(nonZero32(a | b))},
    {"s_xor_b32", 32, 32, 32, FORMULA(nonZero32(a ^ b))},
    {"s_andn2_b32", 32, 32, 32, FORMULA(nonZero32(a & ~b))},
    {"s_orn2_b32", 32, 32, 32, FORMULA(nonZero32(a | ~b))},
    {"s_nand_b32", 32, 32, 32, FORMULA(nonZero32(~(a & b)))},
    {"s_nor_b32", 32, 32, 32, FORMULA(nonZero32(~(a | b)))},
    {"s_xnor_b32", 32, 32, 32, FORMULA(nonZero32(~(a ^ b)))},
    {"s_and_b64", 64, 64, 64, FORMULA(nonZero(a & b))},
    {"s_or_b64", 64, 64, 64, FORMULA(nonZero(a | b))},
    {"s_xor_b64", 64, 64, 64, FORMULA(nonZero(a ^ b))},
    {"s_andn2_b64", 64, 64, 64, FORMULA(nonZero(a & ~b))},
    {"s_orn2_b64", 64, 64, 64, FORMULA(nonZero(a | ~b))},
    {"s_nand_b64", 64, 64, 64, FORMULA(nonZero(~(a & b)))},
    {"s_nor_b64", 64, 64, 64, FORMULA(nonZero(~(a | b)))},
    {"s_xnor_b64", 64, 64, 64, FORMULA(nonZero(~(a ^ b)))},
    {"s_lshl_b32", 32, 32, 32, FORMULA(nonZero32(a << b % 32))},
    {"s_lshr_b32", 32, 32, 32, FORMULA(nonZero32(a >> b % 32))},
    {"s_ashr_i32", 32, 32, 32, FORMULA(nonZero32(U32(I32(a) >> b % 32)))},
    {"s_lshl_b64", 64, 32, 64, FORMULA(nonZero(a << b % 64))},
    {"s_lshr_b64", 64, 32, 64, FORMULA(nonZero(a >> b % 64))},
    {"s_ashr_i64", 64, 32, 64, FORMULA(nonZero(U64(I64(a) >> b % 64)))},
    {"s_bfm_b32", 32, 32, 32, FORMULA(keep(U32(((1ull << a % 32) - 1) << b % 32)))},
    {"s_bfm_b64", 32, 32, 64, FORMULA(keep(((1ull << a % 64) - 1) << b % 64))},
    {"s_mul_i32", 32, 32, 32, FORMULA(keep(U32(a * b)))},
    {"s_mul_hi_u32", 32, 32, 32, FORMULA(keep(a * b >> 32))},
    {"s_mul_hi_i32", 32, 32, 32, FORMULA(keep(U32(U64(I64(I32(a)) * I32(b)) >> 32)))},
    {"s_bfe_u32", 32, 32, 32, FORMULA(nonZero32(field(a, b % 32, b >> 16 & 127, 32, false)))},
    {"s_bfe_i32", 32, 32, 32, FORMULA(nonZero32(field(a, b % 32, b >> 16 & 127, 32, true)))},
    {"s_bfe_u64", 64, 32, 64, FORMULA(nonZero(field(a, b % 64, b >> 16 & 127, 64, false)))},
    {"s_bfe_i64", 64, 32, 64, FORMULA(nonZero(field(a, b % 64, b >> 16 & 127, 64, true)))},
    {"s_absdiff_i32", 32, 32, 32, FORMULA(nonZero32(distance(I32(a), I32(b))))},
    {"s_lshl1_add_u32", 32, 32, 32, FORMULA(Outcome{U32(a * 2 + b), (a * 2 + b) >> 32 != 0})},
    {"s_lshl2_add_u32", 32, 32, 32, FORMULA(Outcome{U32(a * 4 + b), (a * 4 + b) >> 32 != 0})},
    {"s_lshl3_add_u32", 32, 32, 32, FORMULA(Outcome{U32(a * 8 + b), (a * 8 + b) >> 32 != 0})},
    {"s_lshl4_add_u32", 32, 32, 32, FORMULA(Outcome{U32(a * 16 + b), (a * 16 + b) >> 32 != 0})},
    {"s_pack_ll_b32_b16", 32, 32, 32, FORMULA(keep(a % 65536 + (b % 65536) * 65536))},
    {"s_pack_lh_b32_b16", 32, 32, 32, FORMULA(keep(a % 65536 + (b / 65536) * 65536))},
    {"s_pack_hh_b32_b16", 32, 32, 32, FORMULA(keep(a / 65536 + (b / 65536) * 65536))},
    {"s_mov_b32", 32, 0, 32, FORMULA(keep(a))},
    {"s_mov_b64", 64, 0, 64, FORMULA(keep(a))},
    {"s_not_b32", 32, 0, 32, FORMULA(nonZero32(~a))},
    {"s_not_b64", 64, 0, 64, FORMULA(nonZero(~a))},
    {"s_bcnt1_i32_b32", 32, 0, 32, FORMULA(nonZero32(U64(__builtin_popcountll(a))))},
    {"s_bcnt0_i32_b32", 32, 0, 32, FORMULA(nonZero32(U64(32 - __builtin_popcountll(a))))},
    {"s_bcnt1_i32_b64", 64, 0, 32, FORMULA(nonZero32(U64(__builtin_popcountll(a))))},
    {"s_bcnt0_i32_b64", 64, 0, 32, FORMULA(nonZero32(U64(64 - __builtin_popcountll(a))))},
    {"s_ff1_i32_b32", 32, 0, 32, FORMULA(keep(a ? U64(__builtin_ctzll(a)) : ~0u))},
    {"s_ff1_i32_b64", 64, 0, 32, FORMULA(keep(a ? U64(__builtin_ctzll(a)) : ~0u))},
    {"s_ff0_i32_b32", 32, 0, 32, FORMULA(keep(U32(~a) ? U64(__builtin_ctz(U32(~a))) : ~0u))},
    {"s_flbit_i32_b32", 32, 0, 32, FORMULA(keep(a ? U64(__builtin_clz(U32(a))) : ~0u))},
    {"s_flbit_i32_b64", 64, 0, 32, FORMULA(keep(a ? U64(__builtin_clzll(a)) : ~0u))},
    {"s_flbit_i32", 32, 0, 32, FORMULA(keep(leadingSigns(I32(a), 32)))},
    {"s_flbit_i32_i64", 64, 0, 32, FORMULA(keep(leadingSigns(I64(a), 64)))},
    {"s_sext_i32_i8", 32, 0, 32, FORMULA(keep(U32(I32(int8_t(a)))))},
    {"s_sext_i32_i16", 32, 0, 32, FORMULA(keep(U32(I32(int16_t(a)))))},
    {"s_abs_i32", 32, 0, 32, FORMULA(nonZero32(U64(std::abs(I64(I32(a))))))},
    {"s_brev_b32", 32, 0, 32, FORMULA(keep(reversed(a, 32)))},
    {"s_brev_b64", 64, 0, 64, FORMULA(keep(reversed(a, 64)))},
    {"s_wqm_b64", 64, 0, 64, FORMULA(nonZero(wholeQuads(a, 64)))},
    {"s_wqm_b32", 32, 0, 32, FORMULA(nonZero(wholeQuads(a, 32)))},
    {"s_quadmask_b64", 64, 0, 64, FORMULA(nonZero(quadMask(a)))},
    {"s_bitreplicate_b64_b32", 32, 0, 64, FORMULA(keep(doubledBits(a)))},
};

static std::string pair(unsigned first, unsigned width) {
  return width == 64 ? "s[" + std::to_string(first) + ":" + std::to_string(first + 1) + "]"
                     : "s" + std::to_string(first);
}

namespace {
class SopTest : public testing::TestWithParam<Case> {};
} // namespace

TEST_P(SopTest, MatchesFormula) {
  const Case &c = GetParam();
  OperandSource source(5);
  IsaWave wave;
  std::string text = std::string(c.name) + " " + pair(8, c.widthD) + ", " + pair(0, c.widthA);
  if (c.widthB)
    text += ", " + pair(4, c.widthB);
  for (unsigned round = 0; round < 60; ++round) {
    const U64 a = c.widthA == 64 ? source.bits64() : source.bits32();
    U64 b = c.widthB == 64 ? source.bits64() : source.bits32();
    if (std::string(c.name).find("s_bfe") == 0 && round % 2)
      b = (b & 0x3f) | (b >> 7 & 0x3f) << 16;
    const bool scc = round & 1;
    wave.setS64(0, a);
    wave.setS64(4, b);
    wave.setS64(8, 0x5555555555555555);
    wave.wave.setScc(scc);
    wave.run(text);
    const Outcome expected = c.formula(a, b, scc);
    const U64 got = c.widthD == 64 ? wave.s64(8) : wave.s(8);
    ASSERT_EQ(got, expected.value) << text << " a = " << std::hex << a << " b = " << b;
    ASSERT_EQ(wave.wave.scc(), expected.scc.value_or(scc))
        << text << " " << std::hex << a << " " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Scalar, SopTest, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(SopcTest, Comparisons) {
  const struct {
    const char *name;
    std::function<bool(I64, I64)> holds;
  } predicates[] = {{"eq", std::equal_to<I64>()}, {"lg", std::not_equal_to<I64>()},
                    {"gt", std::greater<I64>()},  {"ge", std::greater_equal<I64>()},
                    {"lt", std::less<I64>()},     {"le", std::less_equal<I64>()}};
  OperandSource source(6);
  IsaWave wave;
  for (const auto &p : predicates)
    for (unsigned round = 0; round < 20; ++round) {
      const U32 a = source.bits32(), b = round % 5 ? source.bits32() : a;
      wave.s(0) = a;
      wave.s(1) = b;
      wave.run(std::string("s_cmp_") + p.name + "_i32 s0, s1");
      EXPECT_EQ(wave.wave.scc(), p.holds(I32(a), I32(b)));
      wave.run(std::string("s_cmp_") + p.name + "_u32 s0, s1");
      EXPECT_EQ(wave.wave.scc(), p.holds(a, b));
      wave.run(std::string("s_cmpk_") + p.name + "_i32 s0, 0xfff0");
      EXPECT_EQ(wave.wave.scc(), p.holds(I32(a), -16));
      wave.run(std::string("s_cmpk_") + p.name + "_u32 s0, 0xfff0");
      EXPECT_EQ(wave.wave.scc(), p.holds(a, 0xfff0));
    }
  wave.setS64(0, 0x100000000);
  wave.setS64(2, 0);
  wave.run("s_cmp_eq_u64 s[0:1], s[2:3]");
  EXPECT_FALSE(wave.wave.scc());
  wave.run("s_cmp_lg_u64 s[0:1], s[2:3]");
  EXPECT_TRUE(wave.wave.scc());
  wave.run("s_bitcmp1_b64 s[0:1], 32");
  EXPECT_TRUE(wave.wave.scc());
  wave.run("s_bitcmp0_b32 s1, 32");
  EXPECT_FALSE(wave.wave.scc());
}

TEST(Sop1Test, ExecUpdates) {
  const struct {
    const char *name;
    std::function<U64(U64, U64)> mask;
  } cases[] = {{"and", [](U64 a, U64 e) { return a & e; }},
               {"or", [](U64 a, U64 e) { return a | e; }},
               {"xor", [](U64 a, U64 e) { return a ^ e; }},
               {"andn2", [](U64 a, U64 e) { return a & ~e; }},
               {"orn2", [](U64 a, U64 e) { return a | ~e; }},
               {"andn1", [](U64 a, U64 e) { return ~a & e; }},
               {"orn1", [](U64 a, U64 e) { return ~a | e; }},
               {"nand", [](U64 a, U64 e) { return ~(a & e); }},
               {"nor", [](U64 a, U64 e) { return ~(a | e); }},
               {"xnor", [](U64 a, U64 e) { return ~(a ^ e); }}};
  IsaWave wave;
  for (const auto &c : cases) {
    const U64 exec = 0xff00ff0000000f0f, a = 0x0ff00000ffff1234;
    wave.wave.setExec(exec);
    wave.setS64(2, a);
    wave.run(std::string("s_") + c.name + "_saveexec_b64 s[0:1], s[2:3]");
    EXPECT_EQ(wave.s64(0), exec);
    EXPECT_EQ(wave.wave.exec(), c.mask(a, exec));
    EXPECT_EQ(wave.wave.scc(), c.mask(a, exec) != 0);
  }
  wave.wave.setExec(0xf0);
  wave.setS64(2, 0x90);
  wave.run("s_andn1_wrexec_b64 s[0:1], s[2:3]");
  EXPECT_EQ(wave.s64(0), 0x60u);
  EXPECT_EQ(wave.wave.exec(), 0x60u);
}

TEST(SopkTest, Immediates) {
  IsaWave wave;
  wave.run("s_movk_i32 s0, 0x8000");
  EXPECT_EQ(wave.s(0), 0xffff8000u);
  wave.s(0) = 0x7fffffff;
  wave.run("s_addk_i32 s0, 1");
  EXPECT_EQ(wave.s(0), 0x80000000u);
  EXPECT_TRUE(wave.wave.scc());
  wave.s(0) = 7;
  wave.run("s_mulk_i32 s0, 0xffff");
  EXPECT_EQ(wave.s(0), U32(-7));
  wave.wave.setScc(false);
  wave.run("s_cmovk_i32 s0, 3");
  EXPECT_EQ(wave.s(0), U32(-7));
  wave.wave.setScc(true);
  wave.run("s_cmovk_i32 s0, 3");
  EXPECT_EQ(wave.s(0), 3u);
}

TEST(SopkTest, ModeRegister) {
  IsaWave wave;
  wave.v(1)[0] = asBits(1.0f);
  wave.v(2)[0] = asBits(0x1p-30f);
  wave.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\n" // toward +infinity
           "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)\n"
           "v_add_f32 v0, v1, v2");
  EXPECT_EQ(wave.s(0), 0xf1u);
  EXPECT_EQ(asFloat(wave.v(0)[0]), std::nextafterf(1.0f, 2.0f));
}

TEST(SopkTest, RelativeRegisters) {
  IsaWave wave;
  for (unsigned i = 0; i < 8; ++i)
    wave.v(i)[5] = 100 + i;
  wave.s(0) = 3;
  wave.run("s_set_gpr_idx_on s0, gpr_idx(SRC0)\nv_mov_b32 v20, v2\ns_set_gpr_idx_off\n"
           "s_set_gpr_idx_on s0, gpr_idx(DST)\nv_mov_b32 v20, v2\ns_set_gpr_idx_off\n"
           "v_mov_b32 v30, v2");
  EXPECT_EQ(wave.v(20)[5], 105u);
  EXPECT_EQ(wave.v(23)[5], 102u);
  EXPECT_EQ(wave.v(30)[5], 102u);
}

TEST(Sop1Test, RelativeScalars) {
  IsaWave wave;
  wave.s(7) = 77;
  wave.wave.sgpr[kM0] = 5;
  wave.run("s_movrels_b32 s0, s2\ns_movreld_b32 s3, s7");
  EXPECT_EQ(wave.s(0), 77u);
  EXPECT_EQ(wave.s(8), 77u);
}
