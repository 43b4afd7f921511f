//===- ConvertScaled.cpp - Scaled conversions of small floats of gfx950 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// V_CVT_SCALEF32_*: numbers are divided by the scale before they become 8-, 6- or 4-bit floats, and
// multiplied by it after. The scale is the power of two that the exponent of a float in the last
// operand gives. op_sel, as encoded, names the byte or half of the source or of the destination,
// whose other bits are kept (CDNA4 reference, section 7.3 and the instructions' descriptions).
//
// The forms that round stochastically are refused: how the random number meets results that are
// denormal is not described.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Number/OcpFormats.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

namespace {
/// Element types: their bits, what the bits mean, and the bits of a number. Rounding is to nearest
/// even; a float that was rounded to odd keeps what the second rounding must know. What overflows
/// may be asked to saturate.
struct Single {
  static constexpr unsigned bits = 32;
  static double decode(uint32_t x) { return floatOf(x); }
  static uint32_t encode(double x, bool) { return bitsOf(static_cast<float>(x)); }
};
struct Half {
  static constexpr unsigned bits = 16;
  static double decode(uint32_t x) { return static_cast<double>(halfOf(uint16_t(x))); }
  static uint32_t encode(double x, bool) { return bitsOf(toHalf(x)); }
};
struct Bfloat {
  static constexpr unsigned bits = 16;
  static double decode(uint32_t x) { return bfloatToFloat(uint16_t(x)); }
  static uint32_t encode(double x, bool) { return floatToBfloat(roundToOdd(x)); }
};
template <unsigned bits_, float (*widen)(uint8_t), uint8_t (*narrow)(float, bool)>
struct Small {
  static constexpr unsigned bits = bits_;
  static double decode(uint32_t x) { return widen(uint8_t(x)); }
  static uint32_t encode(double x, bool saturate) { return narrow(roundToOdd(x), saturate); }
};
} // namespace

/// The formats without infinities always saturate.
template <uint8_t (*narrow)(float)>
static uint8_t narrowSaturating(float x, bool) {
  return narrow(x);
}
using Fp8 = Small<8, ocpFp8ToFloat, floatToOcpFp8>;
using Bf8 = Small<8, ocpBf8ToFloat, floatToOcpBf8>;
using Fp6 = Small<6, fp6ToFloat, narrowSaturating<floatToFp6>>;
using Bf6 = Small<6, bf6ToFloat, narrowSaturating<floatToBf6>>;
using Fp4 = Small<4, fp4ToFloat, narrowSaturating<floatToFp4>>;

/// `bits` bits from bit `at` of a lane's registers on.
static uint32_t getBits(const Lanes *rows, unsigned lane, unsigned at, unsigned bits) {
  const unsigned shift = at % 32;
  const bool splits = shift + bits > 32;
  const uint64_t both = rows[at / 32][lane] | uint64_t(splits ? rows[at / 32 + 1][lane] : 0) << 32;
  return uint32_t(both >> shift & ((uint64_t(1) << bits) - 1));
}
static void putBits(Lanes *rows, unsigned lane, unsigned at, unsigned bits, uint32_t value) {
  const uint64_t placed = uint64_t(value) << (at % 32);
  rows[at / 32][lane] |= uint32_t(placed);
  if (at % 32 + bits > 32)
    rows[at / 32 + 1][lane] |= uint32_t(placed >> 32);
}

/// Where the numbers of a source of small floats begin.
static unsigned getSourceBit(unsigned bits, unsigned count, unsigned opSel) {
  if (bits == 6 || bits > 8)
    return 0;
  return bits == 8 && count == 2 ? 16 * (opSel & 1) : 8 * (opSel & 3);
}

/// Converts `count` numbers. They come from one operand, or with `isPair` in turn from two.
template <class From, class To, unsigned count, bool isPair>
static const Instruction *executeScaled(Wave &wave, const Instruction *inst) {
  constexpr bool narrows = To::bits < From::bits;
  constexpr unsigned perSource = isPair ? count / 2 : count;
  constexpr unsigned sourceWords = (perSource * From::bits + 31) / 32;
  constexpr unsigned resultBits = count * To::bits, words = (resultBits + 31) / 32;
  const bool saturate = wave.mode & kModeFp16Overflow;
  if (!isDefaultFloatMode(wave.mode & ~uint32_t(kModeFp16Overflow)) ||
      (saturate && std::is_same_v<To, Half>))
    return wave.fault(inst, "scaled conversions are implemented for the default MODE only");
  const unsigned opSel = inst->encoding[0] >> 11 & 15;
  Lanes sources[isPair ? 2 : 1][sourceWords], scratch, result[words] = {};
  for (unsigned i = 0; i < (isPair ? 2 : 1); ++i)
    for (unsigned word = 0; word < sourceWords; ++word)
      sources[i][word] = wave.vectorSource(inst->op(1 + i), scratch, word);
  const Lanes scales = wave.vectorSource(inst->op(inst->numOperands - 1u), scratch);
  const unsigned begin = getSourceBit(From::bits, count, opSel);
  const unsigned to = resultBits == 16 ? 16 * (opSel >> 3) : resultBits == 8 ? 8 * (opSel >> 2) : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const int exponent = int(scales[lane] >> 23 & 0xff);
    for (unsigned i = 0; i < count; ++i) {
      const unsigned at = begin + (isPair ? i / 2 : i) * From::bits;
      double value = From::decode(getBits(sources[isPair ? i % 2 : 0], lane, at, From::bits));
      value = exponent == 255 ? double(defaultNan<float>())
                              : std::ldexp(value, narrows ? 127 - exponent : exponent - 127);
      if (To::bits < 8 && value != value) {
        if (wave.exec() >> lane & 1)
          return wave.fault(inst, "a NaN as a float of 6 or 4 bits is not implemented");
        value = 0;
      }
      putBits(result, lane, to + i * To::bits, To::bits, To::encode(value, saturate));
    }
    if constexpr (resultBits < 32) {
      constexpr uint32_t mask = uint32_t((uint64_t(1) << resultBits) - 1);
      result[0][lane] |= wave.vectorRegister(inst->op(0))[lane] & ~(mask << to);
    }
  }
  for (unsigned word = 0; word < words; ++word)
    wave.commit(inst->op(0), result[word], word);
  return inst + 1;
}

namespace {
struct ScaleRow {
  const char *name;
  Handler handler;
  uint8_t sources, sourceWords, resultWords;
};
} // namespace

template <class From, class To, unsigned count, bool isPair = false>
static constexpr ScaleRow scaled(const char *name) {
  constexpr unsigned perSource = isPair ? count / 2 : count;
  return {name, executeScaled<From, To, count, isPair>, isPair ? 2 : 1,
          (perSource * From::bits + 31) / 32, (count * To::bits + 31) / 32};
}

static constexpr ScaleRow rows[] = {
    scaled<Single, Fp8, 2, true>("pk_fp8_f32"),
    scaled<Single, Bf8, 2, true>("pk_bf8_f32"),
    scaled<Single, Fp4, 2, true>("pk_fp4_f32"),
    scaled<Half, Fp8, 2>("pk_fp8_f16"),
    scaled<Half, Bf8, 2>("pk_bf8_f16"),
    scaled<Half, Fp4, 2>("pk_fp4_f16"),
    scaled<Bfloat, Fp8, 2>("pk_fp8_bf16"),
    scaled<Bfloat, Bf8, 2>("pk_bf8_bf16"),
    scaled<Bfloat, Fp4, 2>("pk_fp4_bf16"),
    scaled<Fp8, Single, 2>("pk_f32_fp8"),
    scaled<Bf8, Single, 2>("pk_f32_bf8"),
    scaled<Fp4, Single, 2>("pk_f32_fp4"),
    scaled<Fp8, Half, 2>("pk_f16_fp8"),
    scaled<Bf8, Half, 2>("pk_f16_bf8"),
    scaled<Fp4, Half, 2>("pk_f16_fp4"),
    scaled<Fp8, Bfloat, 2>("pk_bf16_fp8"),
    scaled<Bf8, Bfloat, 2>("pk_bf16_bf8"),
    scaled<Fp4, Bfloat, 2>("pk_bf16_fp4"),
    scaled<Fp8, Single, 1>("f32_fp8"),
    scaled<Bf8, Single, 1>("f32_bf8"),
    scaled<Fp8, Half, 1>("f16_fp8"),
    scaled<Bf8, Half, 1>("f16_bf8"),
    scaled<Single, Fp6, 32, true>("2xpk16_fp6_f32"),
    scaled<Single, Bf6, 32, true>("2xpk16_bf6_f32"),
    scaled<Half, Fp6, 32>("pk32_fp6_f16"),
    scaled<Half, Bf6, 32>("pk32_bf6_f16"),
    scaled<Bfloat, Fp6, 32>("pk32_fp6_bf16"),
    scaled<Bfloat, Bf6, 32>("pk32_bf6_bf16"),
    scaled<Fp6, Single, 32>("pk32_f32_fp6"),
    scaled<Bf6, Single, 32>("pk32_f32_bf6"),
    scaled<Fp6, Half, 32>("pk32_f16_fp6"),
    scaled<Bf6, Half, 32>("pk32_f16_bf6"),
    scaled<Fp6, Bfloat, 32>("pk32_bf16_fp6"),
    scaled<Bf6, Bfloat, 32>("pk32_bf16_bf6"),
};

static llvm::Error prepareScaled(Instruction &inst) {
  const ScaleRow &row = *static_cast<const ScaleRow *>(inst.extra.pointer);
  if (inst.numOperands != row.sources + 2 || inst.op(0).count != row.resultWords)
    return refuse("expected " + llvm::Twine(unsigned(row.resultWords)) + " result registers and " +
                  llvm::Twine(row.sources + 2u) + " operands");
  for (unsigned i = 1; i <= row.sources; ++i)
    if (row.sourceWords > 1 && (!inst.op(i).isVector() || inst.op(i).count != row.sourceWords))
      return refuse("expected " + llvm::Twine(unsigned(row.sourceWords)) + " source registers");
  return llvm::Error::success();
}

void ckemu::registerVectorConvertScaled(InstructionTable &table) {
  for (const ScaleRow &row : rows)
    table.add("v_cvt_scalef32_" + std::string(row.name),
              {row.handler, InstructionClass::Valu, modifiers(Modifier::OpSel), SourceType::B32,
               kAnyOperands, prepareScaled, &row, Effect::Changes});
}
