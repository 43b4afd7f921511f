//===- MfmaTest.cpp - Tests of matrix products -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every MFMA instruction against a plain matrix product. Elements are placed into registers by the
// lane layouts as CK documents them (parameters of `mfma_type`: rows per register group, threads
// per block, input and output blocks, elements of k per lane), which is a statement of the layouts
// that shares nothing with the emulator's.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
/// OFp8 and OBf8 are the formats of the OCP.
enum class Element { F32, Xf32, F16, Bf16, I8, Fp8, Bf8, OFp8, OBf8, F64 };

/// CK's parameters of one instruction.
struct Shape {
  const char *name;
  Element a, b;
  unsigned size, groupSize, groups, threads, inBlocks, outBlocks, kPerLane;
  const char *chip = "gfx942";
};
} // namespace

static unsigned bitsOf(Element e) {
  switch (e) {
  case Element::F64:
    return 64;
  case Element::F32:
  case Element::Xf32:
    return 32;
  case Element::F16:
  case Element::Bf16:
    return 16;
  default:
    return 8;
  }
}

/// The bits of a small number, which every format holds exactly.
static uint64_t encode(Element e, int value) {
  switch (e) {
  case Element::F64:
    return asBits(double(value));
  case Element::F32:
  case Element::Xf32:
    return asBits(float(value));
  case Element::F16:
    return halfBits(value);
  case Element::Bf16:
    return asBits(float(value)) >> 16;
  case Element::I8:
    return uint8_t(value);
  case Element::Fp8:
  case Element::Bf8:
  case Element::OFp8:
  case Element::OBf8: {
    if (value == 0)
      return 0;
    const bool fp8 = e == Element::Fp8 || e == Element::OFp8;
    const bool ocp = e == Element::OFp8 || e == Element::OBf8;
    const unsigned mantissaBits = fp8 ? 3 : 2, bias = (fp8 ? 8 : 16) - ocp;
    int exponent;
    const double fraction = std::frexp(std::abs(double(value)), &exponent);
    const unsigned mantissa = unsigned((2 * fraction - 1) * (1u << mantissaBits));
    return (value < 0 ? 0x80 : 0) | (unsigned(exponent - 1) + bias) << mantissaBits | mantissa;
  }
  }
  return 0;
}

/// Writes element `j` of a lane into consecutive registers from `first` on.
static void place(IsaWave &wave, unsigned first, unsigned lane, unsigned j, Element e,
                  uint64_t bits) {
  const unsigned width = bitsOf(e);
  if (width == 64)
    return wave.setV64(first + 2 * j, lane, bits);
  uint32_t &word = wave.v(first + j * width / 32)[lane];
  const unsigned shift = j * width % 32;
  const uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
  word = (word & ~(mask << shift)) | uint32_t(bits) << shift;
}

/// The number in a result register.
static double result(IsaWave &wave, Element e, unsigned first, unsigned index, unsigned lane) {
  if (e == Element::F64)
    return asDouble(wave.v64(first + 2 * index, lane));
  const uint32_t bits = wave.v(first + index)[lane];
  return e == Element::I8 ? double(int32_t(bits)) : double(asFloat(bits));
}

static std::string range(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

static const Shape kShapes[] = {
    {"v_mfma_f32_32x32x1_2b_f32", Element::F32, Element::F32, 32, 4, 4, 32, 2, 2, 1},
    {"v_mfma_f32_16x16x1_4b_f32", Element::F32, Element::F32, 16, 4, 1, 16, 4, 4, 1},
    {"v_mfma_f32_4x4x1_16b_f32", Element::F32, Element::F32, 4, 4, 1, 4, 16, 16, 1},
    {"v_mfma_f32_32x32x2_f32", Element::F32, Element::F32, 32, 4, 4, 32, 2, 1, 1},
    {"v_mfma_f32_16x16x4_f32", Element::F32, Element::F32, 16, 4, 1, 16, 4, 1, 1},
    {"v_mfma_f32_32x32x4_2b_f16", Element::F16, Element::F16, 32, 4, 4, 32, 2, 2, 4},
    {"v_mfma_f32_16x16x4_4b_f16", Element::F16, Element::F16, 16, 4, 1, 16, 4, 4, 4},
    {"v_mfma_f32_4x4x4_16b_f16", Element::F16, Element::F16, 4, 4, 1, 4, 16, 16, 4},
    {"v_mfma_f32_32x32x8_f16", Element::F16, Element::F16, 32, 4, 4, 32, 2, 1, 4},
    {"v_mfma_f32_16x16x16_f16", Element::F16, Element::F16, 16, 4, 1, 16, 4, 1, 4},
    {"v_mfma_f32_32x32x4_2b_bf16", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 2, 4},
    {"v_mfma_f32_16x16x4_4b_bf16", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 4, 4},
    {"v_mfma_f32_4x4x4_16b_bf16", Element::Bf16, Element::Bf16, 4, 4, 1, 4, 16, 16, 4},
    {"v_mfma_f32_32x32x8_bf16", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 1, 4},
    {"v_mfma_f32_16x16x16_bf16", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 1, 4},
    {"v_mfma_i32_32x32x4_2b_i8", Element::I8, Element::I8, 32, 4, 4, 32, 2, 2, 4},
    {"v_mfma_i32_16x16x4_4b_i8", Element::I8, Element::I8, 16, 4, 1, 16, 4, 4, 4},
    {"v_mfma_i32_4x4x4_16b_i8", Element::I8, Element::I8, 4, 4, 1, 4, 16, 16, 4},
    {"v_mfma_i32_32x32x16_i8", Element::I8, Element::I8, 32, 4, 4, 32, 2, 1, 8},
    {"v_mfma_i32_16x16x32_i8", Element::I8, Element::I8, 16, 4, 1, 16, 4, 1, 8},
    {"v_mfma_f32_32x32x4_xf32", Element::Xf32, Element::Xf32, 32, 4, 4, 32, 2, 1, 2},
    {"v_mfma_f32_16x16x8_xf32", Element::Xf32, Element::Xf32, 16, 4, 1, 16, 4, 1, 2},
    {"v_mfma_f32_32x32x16_fp8_fp8", Element::Fp8, Element::Fp8, 32, 4, 4, 32, 2, 1, 8},
    {"v_mfma_f32_32x32x16_fp8_bf8", Element::Fp8, Element::Bf8, 32, 4, 4, 32, 2, 1, 8},
    {"v_mfma_f32_32x32x16_bf8_fp8", Element::Bf8, Element::Fp8, 32, 4, 4, 32, 2, 1, 8},
    {"v_mfma_f32_32x32x16_bf8_bf8", Element::Bf8, Element::Bf8, 32, 4, 4, 32, 2, 1, 8},
    {"v_mfma_f32_16x16x32_fp8_fp8", Element::Fp8, Element::Fp8, 16, 4, 1, 16, 4, 1, 8},
    {"v_mfma_f32_16x16x32_fp8_bf8", Element::Fp8, Element::Bf8, 16, 4, 1, 16, 4, 1, 8},
    {"v_mfma_f32_16x16x32_bf8_fp8", Element::Bf8, Element::Fp8, 16, 4, 1, 16, 4, 1, 8},
    {"v_mfma_f32_16x16x32_bf8_bf8", Element::Bf8, Element::Bf8, 16, 4, 1, 16, 4, 1, 8},
    {"v_mfma_f64_16x16x4_f64", Element::F64, Element::F64, 16, 1, 4, 16, 4, 1, 1},
    {"v_mfma_f32_32x32x1f32", Element::F32, Element::F32, 32, 4, 4, 32, 2, 2, 1, "gfx90a"},
    {"v_mfma_f32_16x16x1f32", Element::F32, Element::F32, 16, 4, 1, 16, 4, 4, 1, "gfx90a"},
    {"v_mfma_f32_4x4x1f32", Element::F32, Element::F32, 4, 4, 1, 4, 16, 16, 1, "gfx90a"},
    {"v_mfma_f32_32x32x2f32", Element::F32, Element::F32, 32, 4, 4, 32, 2, 1, 1, "gfx90a"},
    {"v_mfma_f32_16x16x4f32", Element::F32, Element::F32, 16, 4, 1, 16, 4, 1, 1, "gfx90a"},
    {"v_mfma_f32_32x32x4f16", Element::F16, Element::F16, 32, 4, 4, 32, 2, 2, 4, "gfx90a"},
    {"v_mfma_f32_16x16x4f16", Element::F16, Element::F16, 16, 4, 1, 16, 4, 4, 4, "gfx90a"},
    {"v_mfma_f32_4x4x4f16", Element::F16, Element::F16, 4, 4, 1, 4, 16, 16, 4, "gfx90a"},
    {"v_mfma_f32_32x32x8f16", Element::F16, Element::F16, 32, 4, 4, 32, 2, 1, 4, "gfx90a"},
    {"v_mfma_f32_16x16x16f16", Element::F16, Element::F16, 16, 4, 1, 16, 4, 1, 4, "gfx90a"},
    {"v_mfma_f32_32x32x4bf16_1k", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 2, 4, "gfx90a"},
    {"v_mfma_f32_16x16x4bf16_1k", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 4, 4, "gfx90a"},
    {"v_mfma_f32_4x4x4bf16_1k", Element::Bf16, Element::Bf16, 4, 4, 1, 4, 16, 16, 4, "gfx90a"},
    {"v_mfma_f32_32x32x8bf16_1k", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 1, 4, "gfx90a"},
    {"v_mfma_f32_16x16x16bf16_1k", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 1, 4, "gfx90a"},
    {"v_mfma_i32_32x32x4i8", Element::I8, Element::I8, 32, 4, 4, 32, 2, 2, 4, "gfx90a"},
    {"v_mfma_i32_16x16x4i8", Element::I8, Element::I8, 16, 4, 1, 16, 4, 4, 4, "gfx90a"},
    {"v_mfma_i32_4x4x4i8", Element::I8, Element::I8, 4, 4, 1, 4, 16, 16, 4, "gfx90a"},
    {"v_mfma_i32_32x32x8i8", Element::I8, Element::I8, 32, 4, 4, 32, 2, 1, 4, "gfx90a"},
    {"v_mfma_i32_16x16x16i8", Element::I8, Element::I8, 16, 4, 1, 16, 4, 1, 4, "gfx90a"},
    {"v_mfma_f32_32x32x2bf16", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 2, 2, "gfx90a"},
    {"v_mfma_f32_16x16x2bf16", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 4, 2, "gfx90a"},
    {"v_mfma_f32_4x4x2bf16", Element::Bf16, Element::Bf16, 4, 4, 1, 4, 16, 16, 2, "gfx90a"},
    {"v_mfma_f32_32x32x4bf16", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 1, 2, "gfx90a"},
    {"v_mfma_f32_16x16x8bf16", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 1, 2, "gfx90a"},
    {"v_mfma_f32_32x32x16_f16", Element::F16, Element::F16, 32, 4, 4, 32, 2, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_f16", Element::F16, Element::F16, 16, 4, 1, 16, 4, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf16", Element::Bf16, Element::Bf16, 32, 4, 4, 32, 2, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf16", Element::Bf16, Element::Bf16, 16, 4, 1, 16, 4, 1, 8, "gfx950"},
    {"v_mfma_i32_32x32x32_i8", Element::I8, Element::I8, 32, 4, 4, 32, 2, 1, 16, "gfx950"},
    {"v_mfma_i32_16x16x64_i8", Element::I8, Element::I8, 16, 4, 1, 16, 4, 1, 16, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_fp8", Element::OFp8, Element::OFp8, 32, 4, 4, 32, 2, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_fp8", Element::OFp8, Element::OFp8, 16, 4, 1, 16, 4, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_bf8", Element::OFp8, Element::OBf8, 32, 4, 4, 32, 2, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_bf8", Element::OFp8, Element::OBf8, 16, 4, 1, 16, 4, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_fp8", Element::OBf8, Element::OFp8, 32, 4, 4, 32, 2, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_fp8", Element::OBf8, Element::OFp8, 16, 4, 1, 16, 4, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_bf8", Element::OBf8, Element::OBf8, 32, 4, 4, 32, 2, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_bf8", Element::OBf8, Element::OBf8, 16, 4, 1, 16, 4, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x8_f16", Element::F16, Element::F16, 32, 4, 4, 32, 2, 1, 4, "gfx950"},
    {"v_mfma_f32_4x4x4_16b_bf16", Element::Bf16, Element::Bf16, 4, 4, 1, 4, 16, 16, 4, "gfx950"},
    {"v_mfma_f64_16x16x4f64", Element::F64, Element::F64, 16, 1, 4, 16, 4, 1, 1, "gfx90a"},
};

namespace {
/// The matrices of one test: A and B of every output block, the expected D.
class Product {
public:
  explicit Product(const Shape &shape, unsigned seed) : shape(shape), engine(seed) {
    lanesOfK = shape.outBlocks > 1 ? 1 : shape.inBlocks;
    depth = lanesOfK * shape.kPerLane;
    a.resize(shape.outBlocks * shape.size * depth);
    b.resize(a.size());
    for (int &value : a)
      value = draw();
    for (int &value : b)
      value = draw();
  }
  int draw() { return int(engine() % 7) - 3; }
  int &at(std::vector<int> &m, unsigned block, unsigned i, unsigned k) {
    return m[(block * shape.size + i) * depth + k];
  }
  /// Puts a matrix into the registers from `first` on.
  void load(IsaWave &wave, std::vector<int> &m, Element e, unsigned first) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned j = 0; j < shape.kPerLane; ++j) {
        const unsigned group = lane / shape.threads, i = lane % shape.threads;
        const bool reduces = shape.outBlocks == 1;
        const int value = reduces ? at(m, 0, i, group * shape.kPerLane + j) : at(m, group, i, j);
        place(wave, first, lane, j, e, encode(e, value));
      }
  }
  int dot(unsigned blockA, unsigned blockB, unsigned i, unsigned n) {
    int sum = 0;
    for (unsigned k = 0; k < depth; ++k)
      sum += at(a, blockA, i, k) * at(b, blockB, n, k);
    return sum;
  }
  const Shape &shape;
  unsigned lanesOfK, depth;
  std::vector<int> a, b;

private:
  std::mt19937 engine;
};
} // namespace

/// Register and lane of D(m, n) of a block.
static std::pair<unsigned, unsigned> findD(const Shape &s, unsigned block, unsigned m, unsigned n) {
  if (s.size == 4)
    return {m, block * 4 + n};
  const unsigned blocksOfLanes = kLanes / s.threads;
  const unsigned group = m / (s.groupSize * blocksOfLanes);
  const unsigned laneGroup = m / s.groupSize % blocksOfLanes;
  return {block * s.groupSize * s.groups + group * s.groupSize + m % s.groupSize,
          laneGroup * s.threads + n};
}

static std::string instruction(const Shape &s, const std::string &c, unsigned d,
                               const std::string &modifiers = "") {
  const unsigned words = s.kPerLane * bitsOf(s.a) / 32;
  const unsigned scale = s.a == Element::F64 ? 2 : 1;
  const unsigned registers = s.outBlocks * s.size * s.size / kLanes * scale;
  return std::string(s.name) + " " + range(d, registers) + ", " + range(0, words) + ", " +
         range(16, words) + ", " + (c.empty() ? range(d, registers) : c) + modifiers;
}

namespace {
class MfmaTest : public testing::TestWithParam<Shape> {};
class MfmaBlockTest : public testing::TestWithParam<Shape> {};
} // namespace

TEST_P(MfmaTest, MatchesMatrixProduct) {
  const Shape &s = GetParam();
  Product product(s, 7);
  IsaWave wave(s.chip);
  product.load(wave, product.a, s.a, 0);
  product.load(wave, product.b, s.b, 16);
  const bool isInt = s.a == Element::I8, isDouble = s.a == Element::F64;
  const unsigned registers = s.outBlocks * s.size * s.size / kLanes;
  for (unsigned i = 0; i < registers; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const int c = int(i + lane) % 11;
      if (isDouble)
        wave.setV64(32 + 2 * i, lane, asBits(double(c)));
      else
        wave.v(32 + i)[lane] = isInt ? uint32_t(c) : asBits(float(c));
    }
  wave.wave.setExec(0x5); // has no influence
  wave.run(instruction(s, "", 32));
  for (unsigned block = 0; block < s.outBlocks; ++block)
    for (unsigned m = 0; m < s.size; ++m)
      for (unsigned n = 0; n < s.size; ++n) {
        const auto [index, lane] = findD(s, block, m, n);
        const int expected = product.dot(block, block, m, n) + int(index + lane) % 11;
        ASSERT_EQ(result(wave, s.a, 32, index, lane), expected)
            << s.name << " block " << block << " m " << m << " n " << n;
      }
}

TEST_P(MfmaTest, TakesConstantC) {
  const Shape &s = GetParam();
  Product product(s, 9);
  IsaWave wave(s.chip);
  product.load(wave, product.a, s.a, 0);
  product.load(wave, product.b, s.b, 16);
  wave.run(instruction(s, s.a == Element::I8 ? "2" : "2.0", 32));
  for (unsigned m = 0; m < s.size; ++m)
    for (unsigned n = 0; n < s.size; ++n) {
      const auto [index, lane] = findD(s, 0, m, n);
      ASSERT_EQ(result(wave, s.a, 32, index, lane), product.dot(0, 0, m, n) + 2);
    }
}

/// cbsz and abid give one block of A to several blocks of D.
TEST_P(MfmaBlockTest, BroadcastsBlocksOfA) {
  const Shape &s = GetParam();
  Product product(s, 11);
  IsaWave wave(s.chip);
  product.load(wave, product.a, s.a, 0);
  product.load(wave, product.b, s.b, 16);
  const unsigned logOfBlocks = s.outBlocks == 2 ? 1 : s.outBlocks == 4 ? 2 : 4;
  wave.run(instruction(s, "0", 32, " cbsz:" + std::to_string(logOfBlocks) + " abid:1"));
  for (unsigned block = 0; block < s.outBlocks; ++block)
    for (unsigned m = 0; m < s.size; ++m)
      for (unsigned n = 0; n < s.size; ++n) {
        const auto [index, lane] = findD(s, block, m, n);
        ASSERT_EQ(result(wave, s.a, 32, index, lane), product.dot(1, block, m, n))
            << s.name << " block " << block;
      }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MfmaTest, testing::ValuesIn(kShapes), [](const auto &info) {
  return info.param.chip + std::string("_") + info.param.name;
});

static std::vector<Shape> getBlockShapes() {
  std::vector<Shape> result;
  for (const Shape &shape : kShapes)
    if (shape.outBlocks > 1)
      result.push_back(shape);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Shapes, MfmaBlockTest, testing::ValuesIn(getBlockShapes()),
                         [](const auto &info) {
                           return info.param.chip + std::string("_") + info.param.name;
                         });

/// Four blocks of 4 x 4 x 4 doubles: A and B in lane 16 k + 4 block + i, D in lane 16 m + 4 block +
/// n.
TEST(MfmaDoubleTest, SmallBlocksAndSigns) {
  IsaWave wave;
  auto a = [](unsigned block, unsigned i, unsigned k) {
    return int(block * 5 + i * 3 + k) % 7 - 3;
  };
  auto b = [](unsigned block, unsigned n, unsigned k) {
    return int(block + n * 5 + k * 2) % 9 - 4;
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned k = lane / 16, block = lane / 4 % 4, i = lane % 4;
    wave.setV64(0, lane, asBits(double(a(block, i, k))));
    wave.setV64(16, lane, asBits(double(b(block, i, k))));
    wave.setV64(32, lane, asBits(double(lane)));
  }
  wave.run("v_mfma_f64_4x4x4_4b_f64 v[34:35], v[0:1], v[16:17], v[32:33] neg:[1,0,1]");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned m = lane / 16, block = lane / 4 % 4, n = lane % 4;
    int sum = -int(lane);
    for (unsigned k = 0; k < 4; ++k)
      sum -= a(block, m, k) * b(block, n, k);
    EXPECT_EQ(asDouble(wave.v64(34, lane)), sum) << lane;
  }
}

/// blgp rearranges the lanes of B before the product.
TEST(MfmaPatternTest, LanePatternsOfB) {
  const Shape &s = kShapes[2]; // 4x4x1, 16 blocks: column n of block b is lane 4 b + n
  for (unsigned pattern : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    Product product(s, 13);
    IsaWave wave;
    product.load(wave, product.a, s.a, 0);
    product.load(wave, product.b, s.b, 16);
    wave.run(instruction(s, "0", 32, " blgp:" + std::to_string(pattern)));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned from = pattern == 1   ? lane % 32
                            : pattern == 2 ? 32 + lane % 32
                            : pattern == 3 ? (lane + 16) % 64
                                           : (pattern - 4) * 16 + lane % 16;
      for (unsigned m = 0; m < 4; ++m) {
        const int expected =
            product.at(product.a, lane / 4, m, 0) * product.at(product.b, from / 4, from % 4, 0);
        EXPECT_EQ(result(wave, s.a, 32, m, lane), expected) << pattern << " " << lane;
      }
    }
  }
}

/// Products of half-precision denormals and large numbers are accumulated in ascending k.
TEST(MfmaRoundingTest, AccumulatesInAscendingOrder) {
  std::mt19937 engine(3);
  IsaWave wave;
  std::vector<float> a(32 * 8), b(32 * 8);
  auto draw = [&] { return halfToFloat(uint16_t(engine() % 0x7800 | (engine() & 1) << 15)); };
  for (float &value : a)
    value = draw();
  for (float &value : b)
    value = draw();
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned j = 0; j < 4; ++j) {
      const unsigned k = 4 * (lane / 32) + j;
      place(wave, 0, lane, j, Element::F16, halfBits(a[lane % 32 * 8 + k]));
      place(wave, 16, lane, j, Element::F16, halfBits(b[lane % 32 * 8 + k]));
    }
  wave.run("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[16:17], 0");
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned r = 0; r < 16; ++r) {
      const unsigned m = 8 * (r / 4) + 4 * (lane / 32) + r % 4, n = lane % 32;
      float sum = 0;
      for (unsigned k = 0; k < 8; ++k)
        sum = std::fmaf(a[m * 8 + k], b[n * 8 + k], sum);
      ASSERT_EQ(wave.a(r)[lane], asBits(sum)) << m << " " << n;
    }
}

/// On gfx90a denormal halves count as zeros, and so does a denormal C; later chips keep them.
TEST(MfmaDenormalTest, AreFlushedByGfx90aOnly) {
  for (const bool flushes : {true, false}) {
    IsaWave wave(flushes ? "gfx90a" : "gfx942");
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      wave.v(0)[lane] = 0x00010001; // 2^-24
      wave.v(1)[lane] = 0x00010001;
      wave.v(2)[lane] = wave.v(3)[lane] = 0x3c003c00;
      wave.v(4)[lane] = 0;
    }
    wave.run(flushes ? "v_mfma_f32_32x32x8f16 v[16:31], v[0:1], v[2:3], 0"
                     : "v_mfma_f32_32x32x8_f16 v[16:31], v[0:1], v[2:3], 0");
    EXPECT_EQ(asFloat(wave.v(16)[5]), flushes ? 0 : 0x1p-21f);
    for (unsigned i = 32; i < 48; ++i)
      broadcast(1, wave.v(i));
    wave.run(flushes ? "v_mfma_f32_32x32x8f16 v[16:31], v[4:5], v[2:3], v[32:47]"
                     : "v_mfma_f32_32x32x8_f16 v[16:31], v[4:5], v[2:3], v[32:47]");
    EXPECT_EQ(wave.v(31)[9], flushes ? 0u : 1u);
  }
}

/// MODE's flushing of single precision leaves denormal halves alone.
TEST(MfmaDenormalTest, HalvesAreKeptWhateverModeSays) {
  IsaWave wave("gfx942");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    wave.v(0)[lane] = wave.v(1)[lane] = 0x00010001; // 2^-24
    wave.v(2)[lane] = wave.v(3)[lane] = 0x3c003c00;
  }
  wave.wave.mode &= ~(3u << kModeDenorm32Shift);
  wave.wave.applyMode();
  wave.run("v_mfma_f32_32x32x8_f16 v[16:31], v[0:1], v[2:3], 0");
  EXPECT_EQ(asFloat(wave.v(16)[5]), 0x1p-21f);
}

TEST(MfmaRefusalTest, NamesWhatIsMissing) {
  const std::string blocks = "v_mfma_f32_4x4x1_16b_f32 v[0:3], v40, v41, v[0:3] cbsz:1";
  EXPECT_NE(IsaWave::getRefusal(blocks).find("cbsz"), std::string::npos);
  const std::string signs = "v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1] blgp:1";
  EXPECT_NE(IsaWave::getRefusal(signs, "gfx90a").find("blgp"), std::string::npos);
}
