//===- Float.cpp - Scalar floating-point instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gfx12 computes with floats that are the same for all lanes in its scalar unit. The rules are
// those of the vector instructions of the same name: rounding and denormals from MODE, quieted
// NaNs.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

template <typename T>
static constexpr LaneType laneTypeOf = sizeof(T) == 4 ? LaneType::F32 : LaneType::F16;

/// What MODE says about denormals of T.
template <typename T>
static T flushByMode(const Wave &wave, T value, bool isResult) {
  const unsigned shift = sizeof(T) == 4 ? kModeDenorm32Shift : kModeDenorm16_64Shift;
  return wave.mode >> shift & (isResult ? 2 : 1) ? value : flushDenormal(value);
}

template <typename T>
static T readRaw(const Wave &wave, const Operand &op) {
  return fromBits<T>(typename FloatBits<T>::Bits(wave.scalar32(op)));
}
template <typename T>
static T readFloat(const Wave &wave, const Operand &op) {
  return flushByMode(wave, readRaw<T>(wave, op), /*isResult=*/false);
}

/// The result of an operation on `sources`: its first NaN, quieted, where there is one.
template <typename T>
static void writeFloat(Wave &wave, const Instruction *inst, T result,
                       std::initializer_list<T> sources) {
  result = isNan(result) ? defaultNan<T>() : flushByMode(wave, result, /*isResult=*/true);
  if (isNan(result))
    for (const T &source : sources)
      if (isNan(source)) {
        result = quiet(source);
        break;
      }
  wave.setScalar32(inst->op(0), bitsOf(result));
}

template <typename T, T (*fn)(T)>
static const Instruction *execute1(Wave &wave, const Instruction *inst) {
  const FloatEnvironment environment(wave.mode, laneTypeOf<T>);
  const T a = readFloat<T>(wave, inst->op(1));
  writeFloat<T>(wave, inst, fn(a), {a});
  return inst + 1;
}
template <typename T, T (*fn)(T, T)>
static const Instruction *execute2(Wave &wave, const Instruction *inst) {
  const FloatEnvironment environment(wave.mode, laneTypeOf<T>);
  const T a = readFloat<T>(wave, inst->op(1)), b = readFloat<T>(wave, inst->op(2));
  writeFloat<T>(wave, inst, fn(a, b), {a, b});
  return inst + 1;
}

static float fusedMultiplyAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static half fusedMultiplyAdd(half a, half b, half c) { return fmaHalf(a, b, c); }

/// D = op(a) * op(b) + op(c), with operand numbers.
template <typename T, unsigned a, unsigned b, unsigned c>
static const Instruction *executeMultiplyAdd(Wave &wave, const Instruction *inst) {
  const FloatEnvironment environment(wave.mode, laneTypeOf<T>);
  const T x = readFloat<T>(wave, inst->op(a)), y = readFloat<T>(wave, inst->op(b)),
          z = readFloat<T>(wave, inst->op(c));
  writeFloat<T>(wave, inst, fusedMultiplyAdd(x, y, z), {x, y, z});
  return inst + 1;
}

template <float (*fn)(float)>
static half onHalf(half a) {
  return static_cast<half>(fn(static_cast<float>(a)));
}

/// A number wins against a NaN (`num`), or the NaN does.
template <typename T, bool takesLarger, bool numberWins>
static const Instruction *executeChoose(Wave &wave, const Instruction *inst) {
  const T a = readFloat<T>(wave, inst->op(1)), b = readFloat<T>(wave, inst->op(2));
  const bool anyNan = isNan(a) || isNan(b), bothNan = isNan(a) && isNan(b);
  T result = takesLarger ? maximum<T, false>(a, b) : minimum<T, false>(a, b);
  if (numberWins ? bothNan : anyNan)
    result = quiet(isNan(a) ? a : b);
  wave.setScalar32(inst->op(0), bitsOf(flushByMode(wave, result, /*isResult=*/true)));
  return inst + 1;
}

template <typename T>
static const Instruction *executeFloatFromInteger(Wave &wave, const Instruction *inst) {
  const FloatEnvironment environment(wave.mode, LaneType::F32);
  wave.setScalar32(inst->op(0), bitsOf(static_cast<float>(T(wave.scalar32(inst->op(1))))));
  return inst + 1;
}
static const Instruction *executeI32FromFloat(Wave &wave, const Instruction *inst) {
  wave.setScalar32(inst->op(0), uint32_t(saturateToI32(readFloat<float>(wave, inst->op(1)))));
  return inst + 1;
}
static const Instruction *executeU32FromFloat(Wave &wave, const Instruction *inst) {
  wave.setScalar32(inst->op(0), saturateToU32(readFloat<float>(wave, inst->op(1))));
  return inst + 1;
}
static const Instruction *executeHalfFromFloat(Wave &wave, const Instruction *inst) {
  const FloatEnvironment environment(wave.mode, LaneType::F16);
  const float a = readFloat<float>(wave, inst->op(1));
  half result = flushByMode(wave, static_cast<half>(a), /*isResult=*/true);
  wave.setScalar32(inst->op(0), bitsOf(isNan(result) ? quiet(result) : result));
  return inst + 1;
}
template <unsigned shift>
static const Instruction *executeFloatFromHalf(Wave &wave, const Instruction *inst) {
  const half a = flushByMode(wave, fromBits<half>(uint16_t(wave.scalar32(inst->op(1)) >> shift)),
                             /*isResult=*/false);
  const float result = static_cast<float>(a);
  wave.setScalar32(inst->op(0), bitsOf(isNan(result) ? quiet(result) : result));
  return inst + 1;
}
static uint16_t halfTowardZero(float a) {
  const half nearest = toHalf(a);
  const uint16_t bits = bitsOf(nearest);
  const bool away = __builtin_fabsf(static_cast<float>(nearest)) > __builtin_fabsf(a);
  return static_cast<uint16_t>(away && !isInf(a) ? bits - 1 : bits);
}
static const Instruction *executePackTowardZero(Wave &wave, const Instruction *inst) {
  const FloatEnvironment environment; // to nearest, from which halfTowardZero steps back
  auto convert = [&](const Operand &op) -> uint32_t {
    const half value = fromBits<half>(halfTowardZero(readFloat<float>(wave, op)));
    return bitsOf(flushByMode(wave, value, /*isResult=*/true));
  };
  wave.setScalar32(inst->op(0), convert(inst->op(1)) | convert(inst->op(2)) << 16);
  return inst + 1;
}

namespace {
/// Comparisons as sets of outcomes.
enum Outcome : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
} // namespace

template <typename T, unsigned outcomes>
static const Instruction *executeCompare(Wave &wave, const Instruction *inst) {
  const T a = readFloat<T>(wave, inst->op(0)), b = readFloat<T>(wave, inst->op(1));
  const unsigned outcome = isNan(a) || isNan(b) ? kUnordered
                           : a < b              ? kLess
                           : a > b              ? kGreater
                                                : kEqual;
  wave.setScc(outcome & outcomes);
  return inst + 1;
}

template <typename T>
static void addComparisons(InstructionTable &table, const std::string &type) {
  const SourceType sources = sizeof(T) == 2 ? SourceType::F16 : SourceType::B32;
  auto add = [&](const char *predicate, Handler handler) {
    addComparison(table, "s_cmp_" + std::string(predicate) + type, handler, sources);
  };
  add("lt", executeCompare<T, kLess>);
  add("eq", executeCompare<T, kEqual>);
  add("le", executeCompare<T, kLess | kEqual>);
  add("gt", executeCompare<T, kGreater>);
  add("lg", executeCompare<T, kLess | kGreater>);
  add("ge", executeCompare<T, kGreater | kEqual>);
  add("o", executeCompare<T, kLess | kEqual | kGreater>);
  add("u", executeCompare<T, kUnordered>);
  add("nge", executeCompare<T, kLess | kUnordered>);
  add("nlg", executeCompare<T, kEqual | kUnordered>);
  add("ngt", executeCompare<T, kLess | kEqual | kUnordered>);
  add("nle", executeCompare<T, kGreater | kUnordered>);
  add("neq", executeCompare<T, kLess | kGreater | kUnordered>);
  add("nlt", executeCompare<T, kGreater | kEqual | kUnordered>);
}

namespace {
struct FloatRow {
  const char *name;
  Handler handler;
  int8_t numOperands;
  bool addsToFirst = false;
};
} // namespace

static constexpr FloatRow kRows[] = {
    {"s_add_f32", execute2<float, add<float>>, 3},
    {"s_sub_f32", execute2<float, subtract<float>>, 3},
    {"s_mul_f32", execute2<float, multiply<float>>, 3},
    {"s_fmac_f32", executeMultiplyAdd<float, 1, 2, 0>, 3, /*addsToFirst=*/true},
    {"s_fmaak_f32", executeMultiplyAdd<float, 1, 2, 3>, 4},
    {"s_fmamk_f32", executeMultiplyAdd<float, 1, 2, 3>, 4},
    {"s_min_num_f32", executeChoose<float, false, true>, 3},
    {"s_max_num_f32", executeChoose<float, true, true>, 3},
    {"s_minimum_f32", executeChoose<float, false, false>, 3},
    {"s_maximum_f32", executeChoose<float, true, false>, 3},
    {"s_floor_f32", execute1<float, floor32>, 2},
    {"s_ceil_f32", execute1<float, ceil32>, 2},
    {"s_trunc_f32", execute1<float, trunc32>, 2},
    {"s_rndne_f32", execute1<float, roundEven32>, 2},
    {"s_cvt_f32_i32", executeFloatFromInteger<int32_t>, 2},
    {"s_cvt_f32_u32", executeFloatFromInteger<uint32_t>, 2},
    {"s_cvt_i32_f32", executeI32FromFloat, 2},
    {"s_cvt_u32_f32", executeU32FromFloat, 2},
    {"s_cvt_f16_f32", executeHalfFromFloat, 2},
    {"s_cvt_pk_rtz_f16_f32", executePackTowardZero, 3},
};

static constexpr FloatRow kHalfRows[] = {
    {"s_add_f16", execute2<half, add<half>>, 3},
    {"s_sub_f16", execute2<half, subtract<half>>, 3},
    {"s_mul_f16", execute2<half, multiply<half>>, 3},
    {"s_fmac_f16", executeMultiplyAdd<half, 1, 2, 0>, 3, /*addsToFirst=*/true},
    {"s_min_num_f16", executeChoose<half, false, true>, 3},
    {"s_max_num_f16", executeChoose<half, true, true>, 3},
    {"s_minimum_f16", executeChoose<half, false, false>, 3},
    {"s_maximum_f16", executeChoose<half, true, false>, 3},
    {"s_floor_f16", execute1<half, onHalf<floor32>>, 2},
    {"s_ceil_f16", execute1<half, onHalf<ceil32>>, 2},
    {"s_trunc_f16", execute1<half, onHalf<trunc32>>, 2},
    {"s_rndne_f16", execute1<half, onHalf<roundEven32>>, 2},
    {"s_cvt_f32_f16", executeFloatFromHalf<0>, 2},
    {"s_cvt_hi_f32_f16", executeFloatFromHalf<16>, 2},
};

static void addRows(InstructionTable &table, llvm::ArrayRef<FloatRow> rows, SourceType type) {
  for (const FloatRow &row : rows) {
    OpcodeInfo info{row.handler, InstructionClass::Salu, 0, type, row.numOperands};
    info.facts.addsToFirst = row.addsToFirst;
    info.facts.replacesFirst = !row.addsToFirst;
    table.add(row.name, info);
  }
}

void ckemu::registerScalarFloat(InstructionTable &table) {
  addRows(table, kRows, SourceType::B32);
  addRows(table, kHalfRows, SourceType::F16);
  addComparisons<float>(table, "_f32");
  addComparisons<half>(table, "_f16");
}
