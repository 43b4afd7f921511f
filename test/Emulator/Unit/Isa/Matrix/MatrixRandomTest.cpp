//===- MatrixRandomTest.cpp - Matrix instructions on any bits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of all levels against loops over single numbers, on random bits with many infinities,
// NaNs, denormals and overflows: each product is added to the sum in ascending k and rounded once.
// NaNs of any payload count as equal: which one of several operands a fused multiply-add of the
// host returns depends on the order in which the compiler names them.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"

using namespace ckemu;
using namespace ckemu::test;

namespace {
enum class Format { F32, F16, Bf16, I8, U8, I4, U4, Fp8, Bf8, OFp8, OBf8 };

/// An instruction: D has `size` rows and columns, `blocks` times; a lane holds `perLane` k.
struct Case {
  const char *name, *chip;
  Format a, b;
  unsigned size, blocks, perLane;
  unsigned waveSize = 64;
  const char *modifiers = "";
};
} // namespace

static unsigned bitsOf(Format format) {
  switch (format) {
  case Format::F32:
    return 32;
  case Format::F16:
  case Format::Bf16:
    return 16;
  case Format::I4:
  case Format::U4:
    return 4;
  default:
    return 8;
  }
}

static bool isInteger(Format format) { return format >= Format::I8 && format <= Format::U4; }

/// Sign, exponent and mantissa; what is no number is for the caller.
static float smallFloat(uint32_t bits, unsigned mantissaBits, int bias) {
  const int exponent = int(bits >> mantissaBits & ((1u << (7 - mantissaBits)) - 1));
  const unsigned mantissa = bits & ((1u << mantissaBits) - 1);
  const float magnitude = std::ldexp(float(mantissa + (exponent ? 1u << mantissaBits : 0)),
                                     (exponent ? exponent : 1) - bias - int(mantissaBits));
  return bits & 0x80 ? -magnitude : magnitude;
}

static float toFloat(Format format, uint32_t bits) {
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  switch (format) {
  case Format::F16:
    return halfToFloat(uint16_t(bits));
  case Format::Bf16:
    return asFloat(bits << 16);
  case Format::Fp8:
    return bits == 0x80 ? std::nanf("") : smallFloat(bits, 3, 8);
  case Format::Bf8:
    return bits == 0x80 ? std::nanf("") : smallFloat(bits, 2, 16);
  case Format::OFp8:
    return (bits & 0x7f) == 0x7f ? std::nanf("") : smallFloat(bits, 3, 7);
  case Format::OBf8:
    return (bits & 0x7f) == 0x7c  ? sign * INFINITY
           : (bits & 0x7f) > 0x7c ? std::nanf("")
                                  : smallFloat(bits, 2, 15);
  default:
    return asFloat(bits);
  }
}

static int32_t toInteger(Format format, uint32_t bits) {
  switch (format) {
  case Format::I8:
    return int8_t(bits);
  case Format::I4:
    return int32_t(bits << 28) >> 28;
  default:
    return int32_t(bits);
  }
}

/// Element j of a lane in the registers from `first` on.
static uint32_t readElement(IsaWave &wave, unsigned first, unsigned lane, unsigned j,
                            Format format) {
  const unsigned bits = bitsOf(format), perWord = 32 / bits;
  const uint32_t word = wave.v(first + j / perWord)[lane] >> bits * (j % perWord);
  return bits == 32 ? word : word & ((1u << bits) - 1);
}

static constexpr unsigned kA = 0, kB = 32, kC = 64, kD = 128;

static bool isWmma(const Case &c) { return llvm::StringRef(c.name).starts_with("v_wmma"); }
static bool isGfx11(const Case &c) { return llvm::StringRef(c.chip) == "gfx1100"; }

/// Number of k, and the lane and element of row `i` at k.
static unsigned getDepth(const Case &c) {
  return isGfx11(c) ? c.perLane : c.perLane * c.waveSize / (c.size * c.blocks);
}
static std::pair<unsigned, unsigned> findSource(const Case &c, unsigned block, unsigned i,
                                                unsigned k) {
  return {c.size * (block + k / c.perLane) + i, k % c.perLane};
}
/// Register and lane of D(m, n).
static std::pair<unsigned, unsigned> findResult(const Case &c, unsigned block, unsigned m,
                                                unsigned n) {
  if (isWmma(c)) {
    const unsigned groups = c.waveSize / 16;
    return isGfx11(c) ? std::pair(m / groups, 16 * (m % groups) + n)
                      : std::pair(m % 8, 16 * (m / 8) + n);
  }
  if (c.size == 4)
    return {m, 4 * block + n};
  const unsigned groups = 64 / c.size;
  return {block * c.size * c.size / 64 + 4 * (m / (4 * groups)) + m % 4,
          c.size * (m / 4 % groups) + n};
}

/// D(m, n) from the registers before.
static uint32_t expect(const Case &c, IsaWave &wave, unsigned block, unsigned m, unsigned n) {
  const auto [index, lane] = findResult(c, block, m, n);
  const uint32_t start = wave.v(kC + index)[lane];
  float sum = asFloat(start);
  int64_t total = int32_t(start);
  for (unsigned k = 0; k < getDepth(c); ++k) {
    const auto [laneA, j] = findSource(c, block, m, k);
    const auto [laneB, jB] = findSource(c, block, n, k);
    const uint32_t a = readElement(wave, kA, laneA, j, c.a);
    const uint32_t b = readElement(wave, kB, laneB, jB, c.b);
    if (isInteger(c.a))
      total += int64_t(toInteger(c.a, a)) * toInteger(c.b, b);
    else
      sum = std::fma(toFloat(c.a, a), toFloat(c.b, b), sum);
  }
  if (isInteger(c.a) && llvm::StringRef(c.modifiers).contains("clamp"))
    total = std::min<int64_t>(std::max<int64_t>(total, INT32_MIN), INT32_MAX);
  return isInteger(c.a) ? uint32_t(total) : asBits(sum);
}

/// Kinds of contents: any bits, many special ones, and numbers of like size, whose sums round.
static uint32_t draw(unsigned kind, OperandSource &special, std::mt19937_64 &engine) {
  const auto bits = uint32_t(engine() >> 16);
  switch (kind) {
  case 0:
    return bits;
  case 1:
    return uint32_t(special.float16()) << 16 | special.float16();
  case 2:
    return special.float32();
  default:
    return (bits & 0xb7ffb7ff) | 0x30003000;
  }
}

static std::string range(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

static std::string getText(const Case &c) {
  const unsigned words = c.perLane * bitsOf(c.a) / 32;
  const unsigned registers = c.blocks * c.size * c.size / c.waveSize;
  return std::string(c.name) + " " + range(kD, registers) + ", " + range(kA, words) + ", " +
         range(kB, words) + ", " + range(kC, registers) + c.modifiers;
}

static void check(const Case &c, const VectorLevel &level, unsigned kind) {
  const std::vector<uint8_t> bytes = assemble(getText(c), c.chip, c.waveSize);
  CodeSection section;
  section.bytes = bytes;
  const ChipModel &chip = **getChipModel(c.chip);
  llvm::Expected<DecodedCode> code =
      decodeCode(section, chip, level.getTable(chip.isa), c.waveSize);
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  const Instruction *inst = code->getInstructions().begin();
  ASSERT_EQ(code->getDecodeError(inst).str(), "");
  IsaWave wave(c.chip, c.waveSize);
  OperandSource special(kind);
  std::mt19937_64 engine(kind);
  for (unsigned i = 0; i < 128; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      wave.v(i)[lane] = draw(kind, special, engine);
  wave.wave.constants = code->getConstants();
  wave.wave.applyMode();
  ASSERT_NE(inst->handler(wave.wave, inst), nullptr);
  for (unsigned block = 0; block < c.blocks; ++block)
    for (unsigned m = 0; m < c.size; ++m)
      for (unsigned n = 0; n < c.size; ++n) {
        const auto [index, lane] = findResult(c, block, m, n);
        const uint32_t expected = expect(c, wave, block, m, n), found = wave.v(kD + index)[lane];
        const bool nans =
            !isInteger(c.a) && std::isnan(asFloat(expected)) && std::isnan(asFloat(found));
        ASSERT_TRUE(nans || expected == found)
            << level.name.str() << " " << getText(c) << " kind " << kind << " block " << block
            << " m " << m << " n " << n << ": expected " << expected << ", got " << found;
      }
}

static constexpr Format F32 = Format::F32, F16 = Format::F16, Bf16 = Format::Bf16, I8 = Format::I8,
                        U8 = Format::U8, I4 = Format::I4, U4 = Format::U4, Fp8 = Format::Fp8,
                        Bf8 = Format::Bf8, OFp8 = Format::OFp8, OBf8 = Format::OBf8;

static const Case kCases[] = {
    {"v_mfma_f32_32x32x1_2b_f32", "gfx942", F32, F32, 32, 2, 1},
    {"v_mfma_f32_16x16x1_4b_f32", "gfx942", F32, F32, 16, 4, 1},
    {"v_mfma_f32_4x4x1_16b_f32", "gfx942", F32, F32, 4, 16, 1},
    {"v_mfma_f32_32x32x2_f32", "gfx942", F32, F32, 32, 1, 1},
    {"v_mfma_f32_16x16x4_f32", "gfx942", F32, F32, 16, 1, 1},
    {"v_mfma_f32_32x32x4_2b_f16", "gfx942", F16, F16, 32, 2, 4},
    {"v_mfma_f32_16x16x4_4b_f16", "gfx942", F16, F16, 16, 4, 4},
    {"v_mfma_f32_4x4x4_16b_f16", "gfx942", F16, F16, 4, 16, 4},
    {"v_mfma_f32_32x32x8_f16", "gfx942", F16, F16, 32, 1, 4},
    {"v_mfma_f32_16x16x16_f16", "gfx942", F16, F16, 16, 1, 4},
    {"v_mfma_f32_32x32x16_f16", "gfx950", F16, F16, 32, 1, 8},
    {"v_mfma_f32_16x16x32_f16", "gfx950", F16, F16, 16, 1, 8},
    {"v_mfma_f32_32x32x4_2b_bf16", "gfx942", Bf16, Bf16, 32, 2, 4},
    {"v_mfma_f32_4x4x4_16b_bf16", "gfx942", Bf16, Bf16, 4, 16, 4},
    {"v_mfma_f32_32x32x8_bf16", "gfx942", Bf16, Bf16, 32, 1, 4},
    {"v_mfma_f32_16x16x32_bf16", "gfx950", Bf16, Bf16, 16, 1, 8},
    {"v_mfma_i32_32x32x4_2b_i8", "gfx942", I8, I8, 32, 2, 4},
    {"v_mfma_i32_16x16x4_4b_i8", "gfx942", I8, I8, 16, 4, 4},
    {"v_mfma_i32_4x4x4_16b_i8", "gfx942", I8, I8, 4, 16, 4},
    {"v_mfma_i32_32x32x16_i8", "gfx942", I8, I8, 32, 1, 8},
    {"v_mfma_i32_16x16x32_i8", "gfx942", I8, I8, 16, 1, 8},
    {"v_mfma_i32_32x32x8i8", "gfx90a", I8, I8, 32, 1, 4},
    {"v_mfma_i32_32x32x32_i8", "gfx950", I8, I8, 32, 1, 16},
    {"v_mfma_f32_32x32x16_fp8_bf8", "gfx942", Fp8, Bf8, 32, 1, 8},
    {"v_mfma_f32_16x16x32_bf8_fp8", "gfx942", Bf8, Fp8, 16, 1, 8},
    {"v_mfma_f32_32x32x16_bf8_fp8", "gfx950", OBf8, OFp8, 32, 1, 8},
    {"v_mfma_f32_16x16x32_fp8_bf8", "gfx950", OFp8, OBf8, 16, 1, 8},
    {"v_wmma_f32_16x16x16_f16", "gfx1100", F16, F16, 16, 1, 16, 32},
    {"v_wmma_f32_16x16x16_f16", "gfx1100", F16, F16, 16, 1, 16, 64},
    {"v_wmma_f32_16x16x16_f16", "gfx1201", F16, F16, 16, 1, 8, 32},
    {"v_wmma_f32_16x16x16_bf16", "gfx1100", Bf16, Bf16, 16, 1, 16, 32},
    {"v_wmma_f32_16x16x16_bf16", "gfx1201", Bf16, Bf16, 16, 1, 8, 32},
    {"v_wmma_f32_16x16x16_fp8_bf8", "gfx1201", OFp8, OBf8, 16, 1, 8, 32},
    {"v_wmma_f32_16x16x16_bf8_fp8", "gfx1201", OBf8, OFp8, 16, 1, 8, 32},
    {"v_wmma_i32_16x16x16_iu8", "gfx1100", U8, U8, 16, 1, 16, 32, " clamp"},
    {"v_wmma_i32_16x16x16_iu8", "gfx1100", U8, U8, 16, 1, 16, 64},
    {"v_wmma_i32_16x16x16_iu8", "gfx1201", I8, U8, 16, 1, 8, 32, " neg_lo:[1,0,0] clamp"},
    {"v_wmma_i32_16x16x16_iu8", "gfx1201", I8, I8, 16, 1, 8, 32, " neg_lo:[1,1,0]"},
    {"v_wmma_i32_16x16x16_iu4", "gfx1100", I4, U4, 16, 1, 16, 32, " neg_lo:[1,0,0]"},
    {"v_wmma_i32_16x16x32_iu4", "gfx1201", U4, I4, 16, 1, 16, 32, " neg_lo:[0,1,0] clamp"},
};

namespace {
class MatrixRandomTest : public testing::TestWithParam<Case> {};
} // namespace

TEST_P(MatrixRandomTest, AddsInAscendingOrder) {
  for (const VectorLevel &level : getVectorLevels())
    for (unsigned kind = 0; kind < 4; ++kind)
      check(GetParam(), level, kind);
}

INSTANTIATE_TEST_SUITE_P(Cases, MatrixRandomTest, testing::ValuesIn(kCases));
