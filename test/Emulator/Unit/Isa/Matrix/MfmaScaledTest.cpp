//===- MfmaScaledTest.cpp - Small floats and sparse matrices against plain products -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts are written from the tables of the CDNA4 instruction set reference (sections 7.1.5.1,
// 7.2.1 and 7.5): k of each quarter of a lane's registers, row by row of lanes.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
struct Format {
  unsigned code, bits, exponentBits, mantissaBits, bias;
};
} // namespace

static const Format kFormats[] = {
    {0, 8, 4, 3, 7}, {1, 8, 5, 2, 15}, {2, 6, 2, 3, 1}, {3, 6, 3, 2, 3}, {4, 4, 2, 1, 1}};

static double decode(const Format &f, unsigned bits) {
  const unsigned mantissa = bits & ((1u << f.mantissaBits) - 1);
  const unsigned exponent = bits >> f.mantissaBits & ((1u << f.exponentBits) - 1);
  const double value = exponent ? std::ldexp(1 + std::ldexp(mantissa, -int(f.mantissaBits)),
                                             int(exponent) - int(f.bias))
                                : std::ldexp(mantissa, 1 - int(f.bias) - int(f.mantissaBits));
  return bits >> (f.bits - 1) & 1 ? -value : value;
}

/// A random code of moderate size: products and sums are exact in single precision.
static unsigned draw(const Format &f, std::mt19937 &engine) {
  const unsigned exponent = f.exponentBits > 2 ? f.bias - 2 + engine() % 5 : engine() % 4;
  return (engine() & 1) << (f.bits - 1) | exponent << f.mantissaBits |
         (engine() & ((1u << f.mantissaBits) - 1));
}

/// k of item j in a row of 16 lanes, from the tables.
static unsigned getDepth(unsigned size, const Format &f, unsigned rowOfLanes, unsigned j) {
  static const unsigned wide16[4][2] = {{0, 64}, {16, 80}, {32, 96}, {48, 112}};
  static const unsigned wide32[4][2] = {{0, 32}, {0, 32}, {16, 48}, {16, 48}};
  static const unsigned narrow16[4] = {0, 32, 64, 96}, narrow32[4] = {0, 0, 32, 32};
  if (f.bits == 8)
    return (size == 16 ? wide16 : wide32)[rowOfLanes][j / 16] + j % 16;
  return (size == 16 ? narrow16 : narrow32)[rowOfLanes] + j;
}

static void putBits(IsaWave &wave, unsigned first, unsigned lane, unsigned bit, unsigned width,
                    unsigned bits) {
  for (unsigned i = 0; i < width; ++i) {
    uint32_t &word = wave.v(first + (bit + i) / 32)[lane];
    const unsigned shift = (bit + i) % 32;
    word = (word & ~(1u << shift)) | (bits >> i & 1) << shift;
  }
}

static std::string range(unsigned first, unsigned count) {
  return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

/// D's register and lane of row m and column n.
static std::pair<unsigned, unsigned> findD(unsigned size, unsigned m, unsigned n) {
  if (size == 16)
    return {m % 4, 16 * (m / 4) + n};
  return {4 * (m / 8) + m % 4, 32 * (m / 4 % 2) + n};
}

namespace {
using Parameters = std::tuple<unsigned, Format, Format, bool>;
class MfmaScaledTest : public testing::TestWithParam<Parameters> {};
} // namespace

TEST_P(MfmaScaledTest, MatchesPlainProduct) {
  const auto &[size, formatA, formatB, isScaled] = GetParam();
  const unsigned depth = 2048 / size, registers = size * size / 64;
  std::mt19937 engine(size + formatA.code * 8 + formatB.code);
  IsaWave wave("gfx950");
  std::vector<double> a(size * depth), b(size * depth);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned j = 0; j < 32; ++j) {
      auto put = [&, size = size](const Format &f, unsigned first, std::vector<double> &matrix) {
        const unsigned bits = draw(f, engine), k = getDepth(size, f, lane / 16, j);
        putBits(wave, first, lane, j * f.bits, f.bits, bits);
        matrix[lane % size * depth + k] = decode(f, bits);
      };
      put(formatA, 0, a);
      put(formatB, 8, b);
    }
  // Scales: byte 2 of v16 for A, byte 1 of v17 for B.
  std::vector<int> scaleA(size * depth / 32), scaleB(scaleA.size());
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned at = lane % size * (depth / 32) + lane / size;
    wave.v(16)[lane] = uint32_t(engine());
    wave.v(17)[lane] = uint32_t(engine());
    scaleA[at] = int(engine() % 5) - 2;
    scaleB[at] = int(engine() % 5) - 2;
    putBits(wave, 16, lane, 16, 8, unsigned(127 + scaleA[at]));
    putBits(wave, 17, lane, 8, 8, unsigned(127 + scaleB[at]));
  }
  for (unsigned i = 0; i < registers; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      wave.v(32 + i)[lane] = asBits(float((i + lane) % 7));
  const std::string name = size == 16 ? "16x16x128" : "32x32x64", d = range(32, registers);
  wave.run((isScaled ? "v_mfma_scale_f32_" : "v_mfma_f32_") + name + "_f8f6f4 " + d + ", " +
           range(0, formatA.bits) + ", " + range(8, formatB.bits) + ", " + d +
           (isScaled ? ", v16, v17 op_sel:[0,1,0] op_sel_hi:[1,0,0]" : "") +
           " cbsz:" + std::to_string(formatA.code) + " blgp:" + std::to_string(formatB.code));
  for (unsigned m = 0; m < size; ++m)
    for (unsigned n = 0; n < size; ++n) {
      const auto [index, lane] = findD(size, m, n);
      double sum = (index + lane) % 7;
      for (unsigned k = 0; k < depth; ++k) {
        const int scale =
            isScaled ? scaleA[m * (depth / 32) + k / 32] + scaleB[n * (depth / 32) + k / 32] : 0;
        sum += std::ldexp(a[m * depth + k] * b[n * depth + k], scale);
      }
      ASSERT_EQ(asFloat(wave.v(32 + index)[lane]), float(sum)) << m << " " << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, MfmaScaledTest,
                         testing::Combine(testing::Values(16u, 32u), testing::ValuesIn(kFormats),
                                          testing::ValuesIn(kFormats), testing::Bool()));

TEST(MfmaScaledValuesTest, NansAndRefusals) {
  IsaWave wave("gfx950");
  broadcast(127, wave.v(16));
  broadcast(255, wave.v(17));
  wave.run("v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:7], v[8:15], 0, v16, v17 "
           "op_sel_hi:[0,0,0]");
  EXPECT_TRUE(std::isnan(asFloat(wave.v(33)[7])));
  EXPECT_NE(IsaWave::getRefusal("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15] cbsz:1",
                                "gfx950")
                .find("cbsz"),
            std::string::npos);
}

namespace {
struct Sparse {
  const char *name;
  unsigned size, bits, stored; ///< bits of an element, elements of A per lane
  bool isInteger;
  Format a, b; ///< of 8-bit floats
  const char *chip;
};
class SmfmacTest : public testing::TestWithParam<Sparse> {};
} // namespace

/// k of item j of B in a row of 16 lanes: chunks of 16 bytes.
static unsigned getSparseDepth(const Sparse &s, unsigned lane, unsigned j) {
  const unsigned chunk = 128 / s.bits, groups = kLanes / s.size;
  return chunk * (lane / s.size + groups * (j / chunk)) + j % chunk;
}

static unsigned encode(const Sparse &s, const Format &f, int value) {
  if (s.isInteger)
    return uint8_t(value);
  if (s.bits == 16)
    return llvm::StringRef(s.name).ends_with("bf16") ? asBits(float(value)) >> 16 : halfBits(value);
  for (unsigned bits = 0; bits < 256; ++bits)
    if (decode(f, bits) == value && (value || bits == 0))
      return bits;
  return 0;
}

TEST_P(SmfmacTest, MatchesPlainProduct) {
  const Sparse &s = GetParam();
  const unsigned items = 2 * s.stored, depth = items * (kLanes / s.size);
  const unsigned registers = s.size * s.size / 64, words = s.stored * s.bits / 32;
  const unsigned sets = 16 / s.stored, set = sets - 1, indexBits = 2 * s.stored;
  std::mt19937 engine(5);
  IsaWave wave(s.chip);
  std::vector<int> a(s.size * depth), b(s.size * depth);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(30)[lane] = uint32_t(engine());
    for (unsigned j = 0; j < items; ++j) {
      const int value = int(engine() % 7) - 3;
      b[lane % s.size * depth + getSparseDepth(s, lane, j)] = value;
      putBits(wave, 8, lane, j * s.bits, s.bits, encode(s, s.b, value));
    }
    for (unsigned quad = 0; quad < s.stored / 2; ++quad) {
      const unsigned first = engine() % 3, second = first + 1 + engine() % (3 - first);
      for (unsigned i = 0; i < 2; ++i) {
        const int value = int(engine() % 7) - 3;
        const unsigned j = 2 * quad + i, place = i ? second : first;
        a[lane % s.size * depth + getSparseDepth(s, lane, 4 * quad + place)] = value;
        putBits(wave, 0, lane, j * s.bits, s.bits, encode(s, s.a, value));
        putBits(wave, 30, lane, set * indexBits + 2 * j, 2, place);
      }
    }
    for (unsigned i = 0; i < registers; ++i)
      wave.v(32 + i)[lane] = s.isInteger ? i : asBits(float(i));
  }
  wave.run(s.name + (" " + range(32, registers)) + ", " + range(0, words) + ", " +
           range(8, 2 * words) + ", v30" + (set ? " abid:" + std::to_string(set) : ""));
  for (unsigned m = 0; m < s.size; ++m)
    for (unsigned n = 0; n < s.size; ++n) {
      const auto [index, lane] = findD(s.size, m, n);
      int sum = int(index);
      for (unsigned k = 0; k < depth; ++k)
        sum += a[m * depth + k] * b[n * depth + k];
      const uint32_t bits = wave.v(32 + index)[lane];
      ASSERT_EQ(s.isInteger ? double(int32_t(bits)) : double(asFloat(bits)), sum) << m << " " << n;
    }
}

static const Format kFnuz8 = {0, 8, 4, 3, 8}, kFnuzB8 = {0, 8, 5, 2, 16};
static const Sparse kSparse[] = {
    {"v_smfmac_f32_16x16x32_f16", 16, 16, 4, false, Format(), Format(), "gfx942"},
    {"v_smfmac_f32_32x32x16_f16", 32, 16, 4, false, Format(), Format(), "gfx942"},
    {"v_smfmac_f32_16x16x32_bf16", 16, 16, 4, false, Format(), Format(), "gfx942"},
    {"v_smfmac_f32_32x32x16_bf16", 32, 16, 4, false, Format(), Format(), "gfx942"},
    {"v_smfmac_i32_16x16x64_i8", 16, 8, 8, true, Format(), Format(), "gfx942"},
    {"v_smfmac_i32_32x32x32_i8", 32, 8, 8, true, Format(), Format(), "gfx942"},
    {"v_smfmac_f32_16x16x64_fp8_fp8", 16, 8, 8, false, kFnuz8, kFnuz8, "gfx942"},
    {"v_smfmac_f32_32x32x32_fp8_fp8", 32, 8, 8, false, kFnuz8, kFnuz8, "gfx942"},
    {"v_smfmac_f32_16x16x64_fp8_bf8", 16, 8, 8, false, kFnuz8, kFnuzB8, "gfx942"},
    {"v_smfmac_f32_32x32x32_fp8_bf8", 32, 8, 8, false, kFnuz8, kFnuzB8, "gfx942"},
    {"v_smfmac_f32_16x16x64_bf8_fp8", 16, 8, 8, false, kFnuzB8, kFnuz8, "gfx942"},
    {"v_smfmac_f32_32x32x32_bf8_fp8", 32, 8, 8, false, kFnuzB8, kFnuz8, "gfx942"},
    {"v_smfmac_f32_16x16x64_bf8_bf8", 16, 8, 8, false, kFnuzB8, kFnuzB8, "gfx942"},
    {"v_smfmac_f32_32x32x32_bf8_bf8", 32, 8, 8, false, kFnuzB8, kFnuzB8, "gfx942"},
    {"v_smfmac_f32_16x16x32_f16", 16, 16, 4, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_32x32x16_f16", 32, 16, 4, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_16x16x64_f16", 16, 16, 8, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_32x32x32_f16", 32, 16, 8, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_16x16x32_bf16", 16, 16, 4, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_32x32x16_bf16", 32, 16, 4, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_16x16x64_bf16", 16, 16, 8, false, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_32x32x32_bf16", 32, 16, 8, false, Format(), Format(), "gfx950"},
    {"v_smfmac_i32_16x16x64_i8", 16, 8, 8, true, Format(), Format(), "gfx950"},
    {"v_smfmac_i32_32x32x32_i8", 32, 8, 8, true, Format(), Format(), "gfx950"},
    {"v_smfmac_i32_16x16x128_i8", 16, 8, 16, true, Format(), Format(), "gfx950"},
    {"v_smfmac_i32_32x32x64_i8", 32, 8, 16, true, Format(), Format(), "gfx950"},
    {"v_smfmac_f32_16x16x64_fp8_fp8", 16, 8, 8, false, kFormats[0], kFormats[0], "gfx950"},
    {"v_smfmac_f32_32x32x32_fp8_fp8", 32, 8, 8, false, kFormats[0], kFormats[0], "gfx950"},
    {"v_smfmac_f32_16x16x128_fp8_fp8", 16, 8, 16, false, kFormats[0], kFormats[0], "gfx950"},
    {"v_smfmac_f32_32x32x64_fp8_fp8", 32, 8, 16, false, kFormats[0], kFormats[0], "gfx950"},
    {"v_smfmac_f32_16x16x64_fp8_bf8", 16, 8, 8, false, kFormats[0], kFormats[1], "gfx950"},
    {"v_smfmac_f32_32x32x32_fp8_bf8", 32, 8, 8, false, kFormats[0], kFormats[1], "gfx950"},
    {"v_smfmac_f32_16x16x128_fp8_bf8", 16, 8, 16, false, kFormats[0], kFormats[1], "gfx950"},
    {"v_smfmac_f32_32x32x64_fp8_bf8", 32, 8, 16, false, kFormats[0], kFormats[1], "gfx950"},
    {"v_smfmac_f32_16x16x64_bf8_fp8", 16, 8, 8, false, kFormats[1], kFormats[0], "gfx950"},
    {"v_smfmac_f32_32x32x32_bf8_fp8", 32, 8, 8, false, kFormats[1], kFormats[0], "gfx950"},
    {"v_smfmac_f32_16x16x128_bf8_fp8", 16, 8, 16, false, kFormats[1], kFormats[0], "gfx950"},
    {"v_smfmac_f32_32x32x64_bf8_fp8", 32, 8, 16, false, kFormats[1], kFormats[0], "gfx950"},
    {"v_smfmac_f32_16x16x64_bf8_bf8", 16, 8, 8, false, kFormats[1], kFormats[1], "gfx950"},
    {"v_smfmac_f32_32x32x32_bf8_bf8", 32, 8, 8, false, kFormats[1], kFormats[1], "gfx950"},
    {"v_smfmac_f32_16x16x128_bf8_bf8", 16, 8, 16, false, kFormats[1], kFormats[1], "gfx950"},
    {"v_smfmac_f32_32x32x64_bf8_bf8", 32, 8, 16, false, kFormats[1], kFormats[1], "gfx950"},
};
INSTANTIATE_TEST_SUITE_P(Shapes, SmfmacTest, testing::ValuesIn(kSparse), [](const auto &info) {
  return info.param.chip + std::string("_") + info.param.name;
});
