//===- FloatArithmetic.cpp - Two-operand floating-point instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addition, multiplication, fused multiply-add, minimum and maximum of half, single and double
// precision. The host rounds each operation once, as the hardware does.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"

using namespace mlir::ck::emulator;

template <typename T>
static T add(T a, T b) {
  return a + b;
}
template <typename T>
static T subtract(T a, T b) {
  return a - b;
}
template <typename T>
static T subtractReversed(T a, T b) {
  return b - a;
}
template <typename T>
static T multiply(T a, T b) {
  return a * b;
}
/// 0 times anything, infinities and NaN included, is +0.
static float multiplyLegacy(float a, float b) { return isZero(a) || isZero(b) ? 0.0f : a * b; }
static float fma32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static double fma64(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <typename T>
static constexpr VectorRow minimumRow(const char *name) {
  return ieeeRow<minimum<T, false>, minimum<T, true>>(name);
}
template <typename T>
static constexpr VectorRow maximumRow(const char *name) {
  return ieeeRow<maximum<T, false>, maximum<T, true>>(name);
}

/// a * 2^n. The product is exact in the wider type, so it is rounded once.
static half scaleHalf(half a, int16_t n) {
  const int exponent = n > 64 ? 64 : n < -64 ? -64 : n;
  const float power = floatOf(static_cast<uint32_t>(exponent + 127) << 23);
  return toHalf(static_cast<float>(a) * power);
}

static constexpr VectorRow rows[] = {
    vectorRow<add<float>>("v_add_f32"),
    vectorRow<subtract<float>>("v_sub_f32"),
    vectorRow<subtractReversed<float>>("v_subrev_f32"),
    vectorRow<multiply<float>>("v_mul_f32"),
    vectorRow<multiplyLegacy>("v_mul_legacy_f32"),
    vectorRow<fma32>("v_fmac_f32", DstIsSource),
    vectorRow<fma32>("v_fmamk_f32"),
    vectorRow<fma32>("v_fmaak_f32"),
    minimumRow<float>("v_min_f32"),
    maximumRow<float>("v_max_f32"),
    vectorRow<add<double>>("v_add_f64"),
    vectorRow<multiply<double>>("v_mul_f64"),
    vectorRow<fma64>("v_fmac_f64", DstIsSource),
    minimumRow<double>("v_min_f64"),
    maximumRow<double>("v_max_f64"),
    vectorRow<add<half>>("v_add_f16"),
    vectorRow<subtract<half>>("v_sub_f16"),
    vectorRow<subtractReversed<half>>("v_subrev_f16"),
    vectorRow<multiply<half>>("v_mul_f16"),
    minimumRow<half>("v_min_f16"),
    maximumRow<half>("v_max_f16"),
    vectorRow<scaleHalf>("v_ldexp_f16"),
};

void mlir::ck::emulator::registerVectorFloatArithmetic(InstructionTable &table) {
  addVectorRows(table, rows);
}
