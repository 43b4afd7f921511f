//===- FloatFunctions.cpp - Functions of one floating-point value -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounding, splitting, reciprocals, roots and transcendental functions. The hardware computes the
// latter to within about one unit in the last place; here they are rounded correctly from the
// host's double-precision functions, so results may differ from hardware in the last bit.
// Single-precision ones flush denormal inputs and results in every mode, as the hardware does.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

static float flushed(double value) { return flushDenormal(static_cast<float>(value)); }
static float reciprocal32(float a) { return flushDenormal(1.0f / flushDenormal(a)); }
static double reciprocal64(double a) { return 1.0 / a; }
static half reciprocal16(half a) { return toHalf(1.0 / static_cast<float>(a)); }
static float squareRoot32(float a) { return __builtin_sqrtf(flushDenormal(a)); }
static double squareRoot64(double a) { return __builtin_sqrt(a); }

static half squareRoot16(half a) {
  return toHalf(__builtin_sqrt(static_cast<double>(static_cast<float>(a))));
}

static double reciprocalRoot(double a) { return 1.0 / __builtin_sqrt(a); }

static float reciprocalRoot32(float a) {
  return flushed(reciprocalRoot(static_cast<double>(flushDenormal(a))));
}

static half reciprocalRoot16(half a) { return toHalf(reciprocalRoot(static_cast<float>(a))); }
static float exponential32(float a) { return flushed(std::exp2(static_cast<double>(a))); }

static half exponential16(half a) {
  return toHalf(std::exp2(static_cast<double>(static_cast<float>(a))));
}

static float logarithm32(float a) {
  return static_cast<float>(std::log2(static_cast<double>(flushDenormal(a))));
}

static half logarithm16(half a) {
  return toHalf(std::log2(static_cast<double>(static_cast<float>(a))));
}

/// Sine of 2 pi a; 0 outside the valid domain [-256, 256].
static double sineOfTurns(double a) {
  if (!(__builtin_fabs(a) <= 256.0))
    return isNan(a) || isInf(a) ? defaultNan<double>() : 0.0;
  return std::sin(std::remainder(a, 1.0) * 6.283185307179586476925);
}

/// Cosine of 2 pi a; 1 outside the valid domain.
static double cosineOfTurns(double a) {
  if (!(__builtin_fabs(a) <= 256.0))
    return isNan(a) || isInf(a) ? defaultNan<double>() : 1.0;
  return std::cos(std::remainder(a, 1.0) * 6.283185307179586476925);
}

static float sine32(float a) { return static_cast<float>(sineOfTurns(a)); }
static float cosine32(float a) { return static_cast<float>(cosineOfTurns(a)); }
static half sine16(half a) { return toHalf(sineOfTurns(static_cast<float>(a))); }
static half cosine16(half a) { return toHalf(cosineOfTurns(static_cast<float>(a))); }
static double floor64(double a) { return __builtin_floor(a); }
static double ceil64(double a) { return __builtin_ceil(a); }
static double trunc64(double a) { return __builtin_trunc(a); }
static double roundEven64(double a) { return __builtin_roundeven(a); }
static half floor16(half a) { return toHalf(floor32(a)); }
static half ceil16(half a) { return toHalf(ceil32(a)); }
static half trunc16(half a) { return toHalf(trunc32(a)); }
static half roundEven16(half a) { return toHalf(roundEven32(a)); }

/// a - floor(a), kept below 1.
template <typename T>
static T fraction(T a, T whole) {
  constexpr typename FloatBits<T>::Bits belowOne =
      (typename FloatBits<T>::Bits(FloatBits<T>::bias) << FloatBits<T>::mantissa) - 1;
  const T rest = a - whole, limit = fromBits<T>(belowOne);
  return rest > limit ? limit : rest;
}

static float fraction32(float a) { return fraction<float>(a, floor32(a)); }
static double fraction64(double a) { return fraction<double>(a, floor64(a)); }
static half fraction16(half a) { return fraction<half>(a, floor16(a)); }

/// Exponent of a as a fraction in [0.5, 1) times a power of two; 0 for zero, infinity and NaN.
template <typename T>
static int exponentOf(T a) {
  int exponent = 0;
  if (!isNan(a) && !isInf(a))
    std::frexp(static_cast<double>(a), &exponent);
  return exponent;
}

static int32_t exponent32(float a) { return exponentOf(a); }
static int32_t exponent64(double a) { return exponentOf(a); }
static int16_t exponent16(half a) { return static_cast<int16_t>(exponentOf(a)); }

template <typename T>
static T mantissaOf(T a) {
  int exponent = 0;
  if (isNan(a) || isInf(a))
    return a;
  return static_cast<T>(std::frexp(static_cast<double>(a), &exponent));
}

using U32 = uint32_t;
using U64 = uint64_t;

/// The first 1216 bits after the point of 2 / pi.
static constexpr U64 kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/// Bits [first, first + 53) of 2 / pi, counted from the point.
static U64 getTwoOverPi(unsigned first) {
  U64 bits = 0;
  for (unsigned i = 0; i < 53; ++i) {
    const unsigned at = first + i;
    bits = bits << 1 | (at < 1201 ? kTwoOverPi[at / 64] >> (63 - at % 64) & 1 : 0);
  }
  return bits;
}

/// The 53 bits of 2 / pi that count for segment `b` of the argument `a`, at their weight.
static double trigSegment(double a, U32 b) {
  unsigned shift = (b & 31) * 53;
  const int exponent = exponentField(a);
  shift += exponent > 1077 ? unsigned(exponent - 1077) : 0;
  const int scale = -53 - int(shift) + (exponent >= 1968 ? 128 : 0);
  return std::ldexp(static_cast<double>(getTwoOverPi(shift)), scale);
}

static constexpr VectorRow transcendentals[] = {
    vectorRow<reciprocal32>("v_rcp_f32"),
    vectorRow<reciprocal32>("v_rcp_iflag_f32"),
    vectorRow<reciprocal64>("v_rcp_f64"),
    vectorRow<reciprocal16>("v_rcp_f16"),
    vectorRow<squareRoot32>("v_sqrt_f32"),
    vectorRow<squareRoot64>("v_sqrt_f64"),
    vectorRow<squareRoot16>("v_sqrt_f16"),
    vectorRow<reciprocalRoot32>("v_rsq_f32"),
    vectorRow<reciprocalRoot>("v_rsq_f64"),
    vectorRow<reciprocalRoot16>("v_rsq_f16"),
    vectorRow<exponential32>("v_exp_f32"),
    vectorRow<exponential32>("v_exp_legacy_f32"),
    vectorRow<exponential16>("v_exp_f16"),
    vectorRow<logarithm32>("v_log_f32"),
    vectorRow<logarithm32>("v_log_legacy_f32"),
    vectorRow<logarithm16>("v_log_f16"),
    vectorRow<sine32>("v_sin_f32"),
    vectorRow<cosine32>("v_cos_f32"),
    vectorRow<sine16>("v_sin_f16"),
    vectorRow<cosine16>("v_cos_f16"),
};

static constexpr VectorRow rows[] = {
    vectorRow<floor32>("v_floor_f32"),
    vectorRow<ceil32>("v_ceil_f32"),
    vectorRow<trunc32>("v_trunc_f32"),
    vectorRow<roundEven32>("v_rndne_f32"),
    vectorRow<floor64>("v_floor_f64"),
    vectorRow<ceil64>("v_ceil_f64"),
    vectorRow<trunc64>("v_trunc_f64"),
    vectorRow<roundEven64>("v_rndne_f64"),
    vectorRow<floor16>("v_floor_f16"),
    vectorRow<ceil16>("v_ceil_f16"),
    vectorRow<trunc16>("v_trunc_f16"),
    vectorRow<roundEven16>("v_rndne_f16"),
    vectorRow<fraction32>("v_fract_f32"),
    vectorRow<fraction64>("v_fract_f64"),
    vectorRow<fraction16>("v_fract_f16"),
    vectorRow<exponent32>("v_frexp_exp_i32_f32"),
    vectorRow<exponent64>("v_frexp_exp_i32_f64"),
    vectorRow<exponent16>("v_frexp_exp_i16_f16"),
    vectorRow<mantissaOf<float>>("v_frexp_mant_f32"),
    vectorRow<mantissaOf<double>>("v_frexp_mant_f64"),
    vectorRow<mantissaOf<half>>("v_frexp_mant_f16"),
    vectorRow<trigSegment>("v_trig_preop_f64", OwnNans),
};

/// The vector instruction of the row, of one scalar: EXEC does not matter. The upper half of the
/// register gets 0 when the result is a half.
static const Instruction *executeScalarFunction(Wave &wave, const Instruction *inst) {
  const VectorRow &row = *static_cast<const VectorRow *>(inst->extra.pointer);
  LaneOperands ops;
  Lanes source[kMaxWords], result[kMaxWords];
  broadcast(wave.scalar32(inst->op(1)), source[0]);
  applySourceModifiers(inst, row, 0, inst->op(1), source);
  flushDenormals(wave.mode, row.src[0], /*results=*/false, source);
  ops.src[0][0] = source[0].lane;
  ops.dst[0] = result[0].lane;
  ops.mode = wave.mode;
  {
    const FloatEnvironment environment(wave.mode, row.dst);
    row.run(ops);
    canonicalizeNans(row, ops);
    if (row.dst == LaneType::F16 && (wave.mode & kModeFp16Overflow))
      clampOverflownHalves(row, ops);
    applyOutputModifiers(inst, row.dst, wave.mode, result);
  }
  wave.setScalar32(inst->op(0), is16Bit(row.dst) ? result[0][0] & 0xffff : result[0][0]);
  return inst + 1;
}

static void registerScalarFunctions(InstructionTable &table) {
  constexpr ModifierSet accepted =
      modifiers(Modifier::Clamp, Modifier::Omod, Modifier::SourceNeg, Modifier::SourceAbs);
  for (const std::string name : {"exp_f16", "exp_f32", "log_f16", "log_f32", "rcp_f16", "rcp_f32",
                                 "rsq_f16", "rsq_f32", "sqrt_f16", "sqrt_f32"}) {
    const OpcodeInfo &vector = *table.lookup("v_" + name);
    table.add("v_s_" + name,
              {executeScalarFunction, InstructionClass::Valu, accepted, vector.sourceType, 2,
               nullptr, vector.data, Effect::Unknown, vector.facts});
  }
}

void ckemu::registerVectorFloatFunctions(InstructionTable &table) {
  addVectorRows(table, transcendentals, TimingClass::Transcendental);
  addVectorRows(table, rows);
  if (table.getIsa() == Isa::Gfx12)
    registerScalarFunctions(table);
}
