//===- WmmaTest.cpp - Matrix instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every instruction against a plain matrix product. The lane layouts are stated here once more,
// from the tables for programmers and not from the emulator: gfx11 holds all k of a row in one lane
// and row 2 r + lane / 16 (wave64: 4 r + lane / 16) of D in register r; gfx12 holds k = 8 (lane /
// 16) + j (twice as many for depth 32) and row 8 (lane / 16) + r.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <functional>

using namespace ckemu;
using namespace ckemu::test;

namespace {
struct Format {
  unsigned bits;
  double (*value)(uint32_t bits, bool isSigned);
  uint32_t (*encode)(int value); ///< a small integer
};

struct Case {
  std::string name;
  const Format *a, *b;
  char result; ///< f: f32, h: f16, b: bf16, i: i32
  unsigned depth;
  bool gfx12Only;
};
} // namespace

static double halfValue(uint32_t bits, bool) { return halfToFloat(uint16_t(bits)); }
static double bfloatValue(uint32_t bits, bool) { return asFloat(bits << 16); }
static double byteValue(uint32_t bits, bool isSigned) {
  return isSigned ? int8_t(bits) : uint8_t(bits);
}
static double nibbleValue(uint32_t bits, bool isSigned) {
  return isSigned ? int32_t(bits << 28) >> 28 : int32_t(bits);
}
/// OCP E4M3 and E5M2: sign, exponent, mantissa.
static double smallFloat(uint32_t bits, unsigned mantissaBits, int bias) {
  const int exponent = int(bits >> mantissaBits & ((1u << (7 - mantissaBits)) - 1));
  const double fraction = double(bits & ((1u << mantissaBits) - 1)) / (1u << mantissaBits);
  const double magnitude =
      exponent ? std::ldexp(1 + fraction, exponent - bias) : std::ldexp(fraction, 1 - bias);
  return bits & 0x80 ? -magnitude : magnitude;
}
static double fp8Value(uint32_t bits, bool) { return smallFloat(bits, 3, 7); }
static double bf8Value(uint32_t bits, bool) { return smallFloat(bits, 2, 15); }

static uint32_t encodeHalf(int value) { return halfBits(value); }
static uint32_t encodeBfloat(int value) { return asBits(float(value)) >> 16; }
static uint32_t encodeInteger(int value) { return uint32_t(value); }
/// The encoding whose value is `value`.
template <double (*decode)(uint32_t, bool)>
static uint32_t search(int value) {
  for (uint32_t bits = 0; bits < 256; ++bits)
    if (decode(bits, true) == value)
      return bits;
  ADD_FAILURE() << value;
  return 0;
}

static constexpr Format kF16 = {16, halfValue, encodeHalf}, kBf16 = {16, bfloatValue, encodeBfloat},
                        kI8 = {8, byteValue, encodeInteger}, kI4 = {4, nibbleValue, encodeInteger},
                        kFp8 = {8, fp8Value, search<fp8Value>},
                        kBf8 = {8, bf8Value, search<bf8Value>};

static const Case kCases[] = {{"v_wmma_f32_16x16x16_f16", &kF16, &kF16, 'f', 16, false},
                              {"v_wmma_f32_16x16x16_bf16", &kBf16, &kBf16, 'f', 16, false},
                              {"v_wmma_f16_16x16x16_f16", &kF16, &kF16, 'h', 16, false},
                              {"v_wmma_bf16_16x16x16_bf16", &kBf16, &kBf16, 'b', 16, false},
                              {"v_wmma_i32_16x16x16_iu8", &kI8, &kI8, 'i', 16, false},
                              {"v_wmma_i32_16x16x16_iu4", &kI4, &kI4, 'i', 16, false},
                              {"v_wmma_i32_16x16x32_iu4", &kI4, &kI4, 'i', 32, true},
                              {"v_wmma_f32_16x16x16_fp8_fp8", &kFp8, &kFp8, 'f', 16, true},
                              {"v_wmma_f32_16x16x16_fp8_bf8", &kFp8, &kBf8, 'f', 16, true},
                              {"v_wmma_f32_16x16x16_bf8_fp8", &kBf8, &kFp8, 'f', 16, true},
                              {"v_wmma_f32_16x16x16_bf8_bf8", &kBf8, &kBf8, 'f', 16, true}};

namespace {
/// One wave with A in v64.., B in v96.., C in v128.. and D in v160..
struct MatrixWave {
  IsaWave wave;
  const Case &test;
  bool isGfx12;
  unsigned lanes, perLane, sourceWords, resultWords;
  double a[16][32], b[32][16], c[16][16];
  std::mt19937 random{7};

  MatrixWave(const Case &test, const std::string &chip, unsigned lanes)
      : wave(chip, lanes), test(test), isGfx12(chip == "gfx1201"), lanes(lanes) {
    perLane = isGfx12 ? test.depth / 2 : test.depth;
    sourceWords = perLane * test.a->bits / 32;
    const bool packs = isGfx12 && (test.result == 'h' || test.result == 'b');
    resultWords = packs ? 4 : lanes == 32 ? 8 : 4;
  }

  void setElement(unsigned base, const Format &format, unsigned lane, unsigned j, uint32_t bits) {
    const unsigned perWord = 32 / format.bits, shift = format.bits * (j % perWord);
    const uint32_t mask = (format.bits == 32 ? ~0u : (1u << format.bits) - 1) << shift;
    uint32_t &word = wave.v(base + j / perWord)[lane];
    word = (word & ~mask) | (bits << shift & mask);
  }
  void fillSource(unsigned base, const Format &format, bool isSigned,
                  const std::function<void(unsigned, unsigned, double)> &note) {
    const int low = isSigned ? -3 : 0, high = format.bits == 4 && isSigned ? 7 : 4;
    uint32_t chosen[16][32];
    for (auto &row : chosen)
      for (uint32_t &bits : row)
        bits = format.encode(low + int(random() % unsigned(high - low + 1))) &
               ((1ull << format.bits) - 1);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned j = 0; j < perLane; ++j) {
        const unsigned row = lane % 16, k = isGfx12 ? perLane * (lane / 16) + j : j;
        setElement(base, format, lane, j, chosen[row][k]);
        note(row, k, format.value(chosen[row][k], isSigned));
      }
  }
  /// Register, shift and lane of D(m, n).
  std::array<unsigned, 3> findResult(unsigned m, unsigned n, bool highHalf) const {
    if (!isGfx12)
      return {m / (lanes / 16), highHalf ? 16u : 0u, n + 16 * (m % (lanes / 16))};
    const bool is16Bit = test.result == 'h' || test.result == 'b';
    const unsigned r = m % 8, lane = n + 16 * (m / 8);
    return is16Bit ? std::array<unsigned, 3>{r / 2, 16 * (r % 2), lane}
                   : std::array<unsigned, 3>{r, 0, lane};
  }
  uint32_t encodeResult(double value) const {
    switch (test.result) {
    case 'f':
      return asBits(float(value));
    case 'h':
      return halfBits(value);
    case 'b':
      return asBits(float(value)) >> 16;
    default:
      return uint32_t(int64_t(value));
    }
  }
  uint32_t readResult(unsigned base, unsigned m, unsigned n, bool highHalf) {
    const auto [reg, shift, lane] = findResult(m, n, highHalf);
    const uint32_t word = wave.v(base + reg)[lane];
    return test.result == 'f' || test.result == 'i' ? word : word >> shift & 0xffff;
  }
  void fillC(bool highHalf) {
    for (unsigned m = 0; m < 16; ++m)
      for (unsigned n = 0; n < 16; ++n) {
        c[m][n] = int(random() % 21) - 10;
        const auto [reg, shift, lane] = findResult(m, n, highHalf);
        uint32_t &word = wave.v(128 + reg)[lane];
        const uint32_t mask = test.result == 'f' || test.result == 'i' ? ~0u : 0xffffu << shift;
        word = (word & ~mask) | (encodeResult(c[m][n]) << shift & mask);
      }
  }
  std::string name(unsigned base, unsigned words) const {
    return words == 1 ? llvm::formatv("v{0}", base).str()
                      : llvm::formatv("v[{0}:{1}]", base, base + words - 1).str();
  }
  std::string text(const std::string &modifiers) const {
    return llvm::formatv("{0} {1}, {2}, {3}, {4} {5}", test.name, name(160, resultWords),
                         name(64, sourceWords), name(96, sourceWords), name(128, resultWords),
                         modifiers);
  }
  void run(bool isSigned, const std::string &modifiers, bool highHalf = false) {
    fillSource(64, *test.a, isSigned, [&](unsigned m, unsigned k, double v) { a[m][k] = v; });
    fillSource(96, *test.b, isSigned, [&](unsigned n, unsigned k, double v) { b[k][n] = v; });
    fillC(highHalf);
    wave.run(text(modifiers));
  }
  double product(unsigned m, unsigned n) const {
    double sum = 0;
    for (unsigned k = 0; k < test.depth; ++k)
      sum += a[m][k] * b[k][n];
    return sum;
  }
};
} // namespace

static void checkProducts(const std::string &chip, unsigned lanes) {
  for (const Case &test : kCases) {
    if (test.gfx12Only && chip != "gfx1201")
      continue;
    SCOPED_TRACE(chip + " " + test.name);
    for (bool isSigned : {true, false}) {
      MatrixWave wave(test, chip, lanes);
      wave.run(isSigned, test.result == 'i' && isSigned ? "neg_lo:[1,1,0]" : "");
      for (unsigned m = 0; m < 16; ++m)
        for (unsigned n = 0; n < 16; ++n)
          ASSERT_EQ(wave.readResult(160, m, n, false),
                    wave.encodeResult(wave.product(m, n) + wave.c[m][n]))
              << m << " " << n;
    }
  }
}

TEST(WmmaTest, ProductsOfGfx11InWave32) { checkProducts("gfx1100", 32); }
TEST(WmmaTest, ProductsOfGfx11InWave64) { checkProducts("gfx1100", 64); }
TEST(WmmaTest, ProductsOfGfx12) { checkProducts("gfx1201", 32); }

TEST(WmmaTest, HighHalvesOfGfx11KeepTheLowOnes) {
  for (unsigned index : {2u, 3u}) {
    MatrixWave wave(kCases[index], "gfx1100", 32);
    for (unsigned reg = 0; reg < 8; ++reg)
      for (unsigned lane = 0; lane < 32; ++lane)
        wave.wave.v(160 + reg)[lane] = 0xabcd1234 + lane;
    wave.run(true, "op_sel:[0,0,1]", /*highHalf=*/true);
    for (unsigned m = 0; m < 16; ++m)
      for (unsigned n = 0; n < 16; ++n)
        ASSERT_EQ(wave.readResult(160, m, n, true),
                  wave.encodeResult(wave.product(m, n) + wave.c[m][n]));
    EXPECT_EQ(wave.wave.v(160)[5] & 0xffff, 0x1239u);
  }
}

TEST(WmmaTest, SignsAndMagnitudes) {
  MatrixWave wave(kCases[0], "gfx1201", 32);
  wave.run(true, "neg_lo:[1,0,1] neg_hi:[0,1,1]");
  for (unsigned m = 0; m < 16; ++m)
    for (unsigned n = 0; n < 16; ++n) {
      double sum = -std::fabs(wave.c[m][n]);
      for (unsigned k = 0; k < 16; ++k)
        sum -= wave.a[m][k] * wave.b[k][n]; // even k: A negated; odd k: B negated
      ASSERT_EQ(asFloat(wave.readResult(160, m, n, false)), float(sum));
    }
}

TEST(WmmaTest, ClampSaturatesIntegers) {
  MatrixWave wave(kCases[4], "gfx1100", 32);
  wave.fillSource(64, kI8, false, [](unsigned, unsigned, double) {});
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned reg = 0; reg < 4; ++reg) {
      wave.wave.v(64 + reg)[lane] = wave.wave.v(96 + reg)[lane] = 0x01010101;
      wave.wave.v(128 + reg)[lane] = 0x7ffffff8;
      wave.wave.v(132 + reg)[lane] = 5;
    }
  wave.wave.run(wave.text("clamp"));
  EXPECT_EQ(wave.wave.v(160)[3], 0x7fffffffu);
  EXPECT_EQ(wave.wave.v(164)[3], 21u);
  wave.wave.run(wave.text(""));
  EXPECT_EQ(wave.wave.v(160)[3], 0x80000008u);
}

TEST(WmmaTest, SumsAreRoundedInAscendingOrder) {
  MatrixWave wave(kCases[0], "gfx1100", 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < 16; ++j) {
      const unsigned row = lane % 16;
      wave.a[row][j] = halfToFloat(uint16_t(0x3c00 + 37 * row + 11 * j));
      wave.b[j][row] = halfToFloat(uint16_t(0xb800 + 23 * row + 5 * j));
      wave.setElement(64, kF16, lane, j, 0x3c00 + 37 * row + 11 * j);
      wave.setElement(96, kF16, lane, j, 0xb800 + 23 * row + 5 * j);
    }
  wave.fillC(false);
  wave.wave.run(wave.text(""));
  for (unsigned m = 0; m < 16; ++m)
    for (unsigned n = 0; n < 16; ++n) {
      float sum = float(wave.c[m][n]);
      for (unsigned k = 0; k < 16; ++k)
        sum = std::fmaf(float(wave.a[m][k]), float(wave.b[k][n]), sum);
      ASSERT_EQ(asFloat(wave.readResult(160, m, n, false)), sum);
    }
}

TEST(WmmaTest, ConstantsAndRefusals) {
  MatrixWave wave(kCases[0], "gfx1100", 32);
  wave.fillC(false);
  wave.wave.run("v_wmma_f32_16x16x16_f16 v[160:167], v[0:7], v[8:15], 1.0");
  EXPECT_EQ(asFloat(wave.wave.v(163)[7]), 1.0f);
  EXPECT_NE(
      IsaWave::getRefusal("v_wmma_bf16_16x16x16_bf16 v[0:7], v[8:15], v[16:23], 1.0", "gfx1100"),
      "");
  EXPECT_NE(
      IsaWave::getRefusal("v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[16:23], v24", "gfx1201"),
      "");
}
