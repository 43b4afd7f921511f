//===- VopIntTest.cpp - Tests of vector integer instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector integer instructions against formulas in every lane, with full and partial EXEC, and with
// scalar and constant operands.
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
using I32 = int32_t;
using I64 = int64_t;

namespace {
struct Case {
  const char *name;
  const char *widths; ///< words of the result and of each source, for example "2122"
  std::function<U64(U64 a, U64 b, U64 c)> formula;
  const char *modifiers = "";
};
} // namespace

static I64 sext24(U64 a) { return I32(U32(a) << 8) >> 8; }
static U64 clampTo(I64 value, I64 low, I64 high) {
  return U64(value < low ? low : value > high ? high : value);
}
static U64 byte(U64 a, unsigned i) { return a >> 8 * i & 0xff; }
static U64 distance(U64 a, U64 b) { return a > b ? a - b : b - a; }
static U64 permuted(U64 a, U64 b, U64 selectors) {
  U64 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const U64 s = byte(selectors, i);
    const U64 part = s < 4     ? byte(b, unsigned(s))
                     : s < 8   ? byte(a, unsigned(s - 4))
                     : s < 10  ? (b >> (16 * (s - 8) + 15) & 1) * 0xff
                     : s < 12  ? (a >> (16 * (s - 10) + 15) & 1) * 0xff
                     : s == 12 ? 0
                               : 0xff;
    result |= part << 8 * i;
  }
  return result;
}
template <typename T>
static U64 medianOf(U64 a, U64 b, U64 c) {
  T values[] = {T(a), T(b), T(c)};
  std::sort(values, values + 3);
  return U64(std::make_unsigned_t<T>(values[1]));
}
template <typename T>
static U64 minimumOf(U64 a, U64 b, U64 c) {
  return std::make_unsigned_t<T>(std::min({T(a), T(b), T(c)}));
}
template <typename T>
static U64 maximumOf(U64 a, U64 b, U64 c) {
  return std::make_unsigned_t<T>(std::max({T(a), T(b), T(c)}));
}
static U64 sumOfBytes(U64 a, U64 b, U64 c, bool masked) {
  for (unsigned i = 0; i < 4; ++i)
    c += masked && byte(b, i) == 0 ? 0 : distance(byte(a, i), byte(b, i));
  return U32(c);
}
template <unsigned bits, bool isSigned>
static I64 dot(U64 a, U64 b, U64 c) {
  I64 sum = isSigned ? I64(I32(c)) : I64(c);
  for (unsigned i = 0; i < 32 / bits; ++i) {
    auto element = [&](U64 v) {
      const I64 raw = I64(v >> bits * i & ((1u << bits) - 1));
      return isSigned && raw >> (bits - 1) ? raw - (I64(1) << bits) : raw;
    };
    sum += element(a) * element(b);
  }
  return sum;
}

static U64 reversed(U64 a) {
  U64 result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= (a >> i & 1) << (31 - i);
  return result;
}
static U64 signedField(U64 a, unsigned offset, unsigned width) {
  const I64 field = (I64(I32(a)) >> offset) & ((I64(1) << width) - 1);
  return U32(width && field >> (width - 1) ? field - (I64(1) << width) : field);
}
static U64 averages(U64 a, U64 b, U64 c) {
  U64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= (byte(a, i) + byte(b, i) + (byte(c, i) & 1)) / 2 << 8 * i;
  return result;
}
static U64 clamp32(I64 value) { return U32(clampTo(value, INT32_MIN, INT32_MAX)); }
static U64 clamp16(I64 value) { return clampTo(value, -32768, 32767) & 65535; }
static U64 clamp8(I64 value) { return clampTo(value, 0, 255); }
static U64 wordDistance(U64 a, U64 b) {
  return distance(a & 65535, b & 65535) + distance(a >> 16, b >> 16);
}

#define FORMULA(...) [](U64 a, U64 b, U64 c) -> U64 { return U64(__VA_ARGS__); }

static const Case kCases[] = {
    {"v_mov_b32", "11", FORMULA(a)},
    {"v_mov_b64", "22", FORMULA(a)},
    {"v_not_b32", "11", FORMULA(U32(~a))},
    {"v_bfrev_b32", "11", FORMULA(reversed(a))},
    {"v_ffbh_u32", "11", FORMULA(a ? __builtin_clz(U32(a)) : ~0u)},
    {"v_ffbl_b32", "11", FORMULA(a ? __builtin_ctz(U32(a)) : ~0u)},
    {"v_ffbh_i32", "11", FORMULA(I32(a) == 0 || I32(a) == -1 ? ~0u : __builtin_clrsb(int(a)) + 1)},
    {"v_sat_pk_u8_i16", "11", FORMULA(clamp8(I16(a)) | clamp8(I16(a >> 16)) << 8)},
    {"v_add_u32", "111", FORMULA(U32(a + b))},
    {"v_sub_u32", "111", FORMULA(U32(a - b))},
    {"v_subrev_u32", "111", FORMULA(U32(b - a))},
    {"v_add_u32", "111", FORMULA(clampTo(I64(a + b), 0, 0xffffffff)), " clamp"},
    {"v_sub_u32", "111", FORMULA(clampTo(I64(a - b), 0, 0xffffffff)), " clamp"},
    {"v_add_u16", "111", FORMULA(U16(a + b))},
    {"v_sub_u16", "111", FORMULA(U16(a - b))},
    {"v_subrev_u16", "111", FORMULA(U16(b - a))},
    {"v_add_u16", "111", FORMULA(clampTo(U16(a) + U16(b), 0, 65535)), " clamp"},
    {"v_mul_lo_u16", "111", FORMULA(U16(a * b))},
    {"v_mul_i32_i24", "111", FORMULA(U32(sext24(a) * sext24(b)))},
    {"v_mul_hi_i32_i24", "111", FORMULA(U32(U64(sext24(a) * sext24(b)) >> 32))},
    {"v_mul_u32_u24", "111", FORMULA(U32((a & 0xffffff) * (b & 0xffffff)))},
    {"v_mul_hi_u32_u24", "111", FORMULA((a & 0xffffff) * (b & 0xffffff) >> 32)},
    {"v_min_i32", "111", FORMULA(minimumOf<I32>(a, b, b))},
    {"v_max_i32", "111", FORMULA(maximumOf<I32>(a, b, b))},
    {"v_min_u32", "111", FORMULA(std::min(a, b))},
    {"v_max_u32", "111", FORMULA(std::max(a, b))},
    {"v_min_i16", "111", FORMULA(minimumOf<I16>(a, b, b))},
    {"v_max_i16", "111", FORMULA(maximumOf<I16>(a, b, b))},
    {"v_min_u16", "111", FORMULA(minimumOf<U16>(a, b, b))},
    {"v_max_u16", "111", FORMULA(maximumOf<U16>(a, b, b))},
    {"v_lshlrev_b32", "111", FORMULA(U32(b << a % 32))},
    {"v_lshrrev_b32", "111", FORMULA(b >> a % 32)},
    {"v_ashrrev_i32", "111", FORMULA(U32(I32(b) >> a % 32))},
    {"v_lshlrev_b16", "111", FORMULA(U16(b << a % 16))},
    {"v_lshrrev_b16", "111", FORMULA(U16(b) >> a % 16)},
    {"v_ashrrev_i16", "111", FORMULA(U16(I16(b) >> a % 16))},
    {"v_and_b32", "111", FORMULA(a & b)},
    {"v_or_b32", "111", FORMULA(a | b)},
    {"v_xor_b32", "111", FORMULA(a ^ b)},
    {"v_xnor_b32", "111", FORMULA(U32(~(a ^ b)))},
    {"v_bfe_u32", "1111", FORMULA(a >> b % 32 & ((1u << c % 32) - 1))},
    {"v_bfe_i32", "1111", FORMULA(signedField(a, b % 32, c % 32))},
    {"v_bfi_b32", "1111", FORMULA((a & b) | (U32(~a) & c))},
    {"v_bfm_b32", "111", FORMULA(U32(((1ull << a % 32) - 1) << b % 32))},
    {"v_alignbit_b32", "1111", FORMULA(U32((a << 32 | b) >> c % 32))},
    {"v_alignbyte_b32", "1111", FORMULA(U32((a << 32 | b) >> 8 * (c % 4)))},
    {"v_mul_lo_u32", "111", FORMULA(U32(a * b))},
    {"v_mul_hi_u32", "111", FORMULA(a * b >> 32)},
    {"v_mul_hi_i32", "111", FORMULA(U32(U64(I64(I32(a)) * I32(b)) >> 32))},
    {"v_lshl_add_u32", "1111", FORMULA(U32((a << b % 32) + c))},
    {"v_lshl_add_u64", "2212", FORMULA((a << b % 8) + c)},
    {"v_add_lshl_u32", "1111", FORMULA(U32((a + b) << c % 32))},
    {"v_add3_u32", "1111", FORMULA(U32(a + b + c))},
    {"v_lshl_or_b32", "1111", FORMULA(U64(U32(a << b % 32)) | c)},
    {"v_and_or_b32", "1111", FORMULA((a & b) | c)},
    {"v_or3_b32", "1111", FORMULA(a | b | c)},
    {"v_xad_u32", "1111", FORMULA(U32((a ^ b) + c))},
    {"v_lshlrev_b64", "212", FORMULA(b << a % 64)},
    {"v_lshrrev_b64", "212", FORMULA(b >> a % 64)},
    {"v_ashrrev_i64", "212", FORMULA(I64(b) >> a % 64)},
    {"v_bcnt_u32_b32", "111", FORMULA(U32(U32(__builtin_popcountll(a)) + b))},
    {"v_add_i32", "111", FORMULA(U32(a + b))},
    {"v_add_i32", "111", FORMULA(clamp32(I64(I32(a)) + I32(b))), " clamp"},
    {"v_sub_i32", "111", FORMULA(clamp32(I64(I32(a)) - I32(b))), " clamp"},
    {"v_mad_i32_i24", "1111", FORMULA(U32(U64(sext24(a) * sext24(b)) + c))},
    {"v_mad_u32_u24", "1111", FORMULA(U32((a & 0xffffff) * (b & 0xffffff) + c))},
    {"v_mad_legacy_u16", "1111", FORMULA(U16(a * b + c))},
    {"v_mad_legacy_i16", "1111", FORMULA(U16(a * b + c))},
    {"v_mad_u32_u16", "1111", FORMULA(U32(U64(U16(a)) * U16(b) + c))},
    {"v_mad_i32_i16", "1111", FORMULA(U32(U64(I64(I16(a)) * I16(b)) + c))},
    {"v_min3_i32", "1111", minimumOf<I32>},
    {"v_max3_i32", "1111", maximumOf<I32>},
    {"v_med3_i32", "1111", medianOf<I32>},
    {"v_min3_u32", "1111", minimumOf<I64>},
    {"v_max3_u32", "1111", maximumOf<I64>},
    {"v_med3_u32", "1111", medianOf<I64>},
    {"v_perm_b32", "1111", permuted},
    {"v_sad_u8", "1111", FORMULA(sumOfBytes(a, b, c, false))},
    {"v_msad_u8", "1111", FORMULA(sumOfBytes(a, b, c, true))},
    {"v_sad_hi_u8", "1111", FORMULA(U32((sumOfBytes(a, b, 0, false) << 16) + c))},
    {"v_sad_u16", "1111", FORMULA(U32(wordDistance(a, b) + c))},
    {"v_sad_u32", "1111", FORMULA(U32(distance(a, b) + c))},
    {"v_lerp_u8", "1111", FORMULA(averages(a, b, c))},
    {"v_dot2_i32_i16", "1111", FORMULA(U32(dot<16, true>(a, b, c)))},
    {"v_dot2_u32_u16", "1111", FORMULA(U32(dot<16, false>(a, b, c)))},
    {"v_dot4_i32_i8", "1111", FORMULA(U32(dot<8, true>(a, b, c)))},
    {"v_dot4_u32_u8", "1111", FORMULA(clampTo(dot<8, false>(a, b, c), 0, 0xffffffff)), " clamp"},
    {"v_dot8_i32_i4", "1111", FORMULA(clamp32(dot<4, true>(a, b, c))), " clamp"},
    {"v_dot8_u32_u4", "1111", FORMULA(U32(dot<4, false>(a, b, c)))},
    {"v_cvt_pk_i16_i32", "111", FORMULA(clamp16(I32(a)) | clamp16(I32(b)) << 16)},
    {"v_cvt_pk_u16_u32", "111", FORMULA(std::min<U64>(a, 65535) | std::min<U64>(b, 65535) << 16)},
    {"v_pack_b32_f16", "111", FORMULA((a & 65535) | (b & 65535) << 16)},
};

static std::string vgprs(unsigned first, unsigned words) {
  return words == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + words - 1) + "]";
}

namespace {
class VopIntTest : public testing::TestWithParam<Case> {
protected:
  static constexpr U32 kUntouched = 0x5aa5a55a;
  IsaWave wave;
  OperandSource source{17};

  void SetUp() override {
    for (unsigned i = 1; i < 8; ++i)
      source.fill(wave.v(i));
    broadcast(kUntouched, wave.v(10));
    broadcast(kUntouched, wave.v(11));
  }
  unsigned words(unsigned i) const { return unsigned(GetParam().widths[i] - '0'); }
  unsigned sources() const { return unsigned(std::strlen(GetParam().widths)) - 1; }
  U64 sourceValue(unsigned i, unsigned lane) {
    return words(1 + i) == 2 ? wave.v64(2 * i + 2, lane) : wave.v(2 * i + 2)[lane];
  }
  void expectLanes(const std::string &text, LaneMask exec,
                   const std::function<U64(unsigned, unsigned)> &value) {
    const Case &c = GetParam();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const U64 got = words(0) == 2 ? wave.v64(10, lane) : wave.v(10)[lane];
      const U64 old = words(0) == 2 ? U64(kUntouched) << 32 | kUntouched : kUntouched;
      const U64 expected = exec >> lane & 1
                               ? c.formula(value(0, lane), sources() > 1 ? value(1, lane) : 0,
                                           sources() > 2 ? value(2, lane) : 0)
                               : old;
      ASSERT_EQ(got, expected) << text << " lane " << lane << std::hex << " a = " << value(0, lane)
                               << " b = " << (sources() > 1 ? value(1, lane) : 0)
                               << " c = " << (sources() > 2 ? value(2, lane) : 0);
    }
  }
  std::string text(const std::string &firstSource) {
    std::string result = std::string(GetParam().name) + " " + vgprs(10, words(0));
    for (unsigned i = 0; i < sources(); ++i)
      result +=
          ", " + (i == 0 && !firstSource.empty() ? firstSource : vgprs(2 * i + 2, words(1 + i)));
    return result + GetParam().modifiers;
  }
};
} // namespace

TEST_P(VopIntTest, VectorOperands) {
  for (LaneMask exec : {~LaneMask(0), LaneMask(0x8000ffff00f0a5a1)}) {
    SetUp();
    wave.wave.setExec(exec);
    wave.run(text(""));
    expectLanes(text(""), exec, [&](unsigned i, unsigned lane) { return sourceValue(i, lane); });
  }
}

TEST_P(VopIntTest, ScalarAndConstantOperands) {
  wave.setS64(4, 0x8000000080000003);
  const unsigned width = words(1);
  wave.run(text(width == 2 ? "s[4:5]" : "s4"));
  expectLanes(text("s4"), ~LaneMask(0), [&](unsigned i, unsigned lane) {
    return i == 0 ? (width == 2 ? 0x8000000080000003 : 0x80000003) : sourceValue(i, lane);
  });
  SetUp();
  wave.run(text("-3"));
  expectLanes(text("-3"), ~LaneMask(0), [&](unsigned i, unsigned lane) {
    return i == 0 ? (width == 2 ? U64(-3) : U64(U32(-3))) : sourceValue(i, lane);
  });
}

INSTANTIATE_TEST_SUITE_P(Vector, VopIntTest, testing::ValuesIn(kCases), [](const auto &info) {
  return std::string(info.param.name) + (*info.param.modifiers ? "_clamp" : "");
});

TEST(Vop2Test, CarryChains) {
  IsaWave wave;
  OperandSource source(3);
  source.fill(wave.v(1));
  source.fill(wave.v(2));
  const LaneMask carry = 0x123456789abcdef0, exec = 0xff00ff00ffffffff;
  const struct {
    const char *name;
    std::function<I64(I64 a, I64 b, I64 c)> sum;
    bool reads;
  } cases[] = {{"v_add_co_u32", [](I64 a, I64 b, I64) { return a + b; }, false},
               {"v_sub_co_u32", [](I64 a, I64 b, I64) { return a - b; }, false},
               {"v_subrev_co_u32", [](I64 a, I64 b, I64) { return b - a; }, false},
               {"v_addc_co_u32", [](I64 a, I64 b, I64 c) { return a + b + c; }, true},
               {"v_subb_co_u32", [](I64 a, I64 b, I64 c) { return a - b - c; }, true},
               {"v_subbrev_co_u32", [](I64 a, I64 b, I64 c) { return b - a - c; }, true}};
  for (const auto &c : cases)
    for (bool explicitScalar : {false, true}) {
      wave.wave.setExec(exec);
      wave.wave.setVcc(carry);
      wave.setS64(6, carry);
      broadcast(9, wave.v(0));
      std::string text =
          std::string(c.name) + " v0, " + (explicitScalar ? "s[8:9]" : "vcc") + ", v1, v2";
      if (c.reads)
        text += explicitScalar ? ", s[6:7]" : ", vcc";
      wave.run(text);
      const LaneMask out = explicitScalar ? wave.s64(8) : wave.wave.vcc();
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const I64 sum = c.sum(wave.v(1)[lane], wave.v(2)[lane], carry >> lane & 1);
        const bool active = exec >> lane & 1;
        EXPECT_EQ(wave.v(0)[lane], active ? U32(sum) : 9u) << text << lane;
        EXPECT_EQ(out >> lane & 1, active && (sum < 0 || sum > 0xffffffff)) << text << lane;
      }
    }
}

TEST(Vop2Test, SelectByMask) {
  IsaWave wave;
  OperandSource source(3);
  source.fill(wave.v(1));
  source.fill(wave.v(2));
  wave.setS64(4, 0xf0f01234);
  wave.run("v_cndmask_b32 v0, v1, v2, s[4:5]");
  wave.run("v_cndmask_b32 v3, -v1, |v2|, s[4:5]");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool set = 0xf0f01234ull >> lane & 1;
    EXPECT_EQ(wave.v(0)[lane], set ? wave.v(2)[lane] : wave.v(1)[lane]);
    EXPECT_EQ(wave.v(3)[lane], set ? wave.v(2)[lane] & 0x7fffffff : wave.v(1)[lane] ^ 0x80000000);
  }
}

TEST(Vop3Test, WideMultiplyAdd) {
  IsaWave wave;
  OperandSource source(4);
  for (unsigned i = 1; i < 6; ++i)
    source.fill(wave.v(i));
  wave.run(
      "v_mad_u64_u32 v[6:7], vcc, v1, v2, v[4:5]\nv_mad_i64_i32 v[8:9], s[0:1], v1, v2, v[4:5]");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 a = wave.v(1)[lane], b = wave.v(2)[lane];
    const U64 c = wave.v64(4, lane);
    const unsigned __int128 sum = (unsigned __int128)U64(a) * b + c;
    EXPECT_EQ(wave.v64(6, lane), U64(sum));
    EXPECT_EQ(wave.wave.vcc() >> lane & 1, U64(sum >> 64));
    EXPECT_EQ(wave.v64(8, lane), U64(I64(I32(a)) * I32(b)) + c);
  }
}

TEST(Vop3Test, CountsMaskBits) {
  IsaWave wave;
  wave.setS64(0, 0xf0f0123456789abc);
  wave.run("v_mbcnt_lo_u32_b32 v0, s0, 5\nv_mbcnt_hi_u32_b32 v0, s1, v0");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(wave.v(0)[lane],
              5u + unsigned(__builtin_popcountll(0xf0f0123456789abc & ((1ull << lane) - 1))));
}

TEST(Vop3Test, HalvesSelectedByOpSel) {
  IsaWave wave;
  OperandSource source(8);
  for (unsigned i = 0; i < 5; ++i)
    source.fill(wave.v(i));
  const Lanes old = wave.v(0);
  wave.run("v_mad_u16 v0, v1, v2, v3 op_sel:[1,0,1,1]");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 value = U16((wave.v(1)[lane] >> 16) * U16(wave.v(2)[lane]) + (wave.v(3)[lane] >> 16));
    EXPECT_EQ(wave.v(0)[lane], (old[lane] & 0xffff) | value << 16);
  }
  wave.v(0) = old;
  wave.run("v_add_i16 v0, v1, v2 op_sel:[0,1,0]");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(wave.v(0)[lane],
              (old[lane] & 0xffff0000) | U16(wave.v(1)[lane] + (wave.v(2)[lane] >> 16)));
}

TEST(Vop1Test, SwapAndAccumulators) {
  IsaWave wave;
  OperandSource source(8);
  source.fill(wave.v(0));
  source.fill(wave.v(1));
  const Lanes first = wave.v(0), second = wave.v(1);
  wave.wave.setExec(0xffff);
  wave.run("v_swap_b32 v0, v1\nv_accvgpr_write_b32 a3, v0\nv_accvgpr_mov_b32 a4, a3\n"
           "v_accvgpr_read_b32 v2, a4");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool active = lane < 16;
    EXPECT_EQ(wave.v(0)[lane], active ? second[lane] : first[lane]);
    EXPECT_EQ(wave.v(1)[lane], active ? first[lane] : second[lane]);
    EXPECT_EQ(wave.v(2)[lane], active ? second[lane] : 0);
  }
}
