//===- FloatArithmetic.cpp - Floating-point arithmetic -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums, products, fused multiply-adds, and multiply-adds that are not fused: v_mad rounds the
// product (see also Numeric.h for functions that flush). The host rounds each operation once, as
// the hardware does.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

/// 0 times anything, infinities and NaN included, is +0.
static float multiplyLegacy(float a, float b) { return isZero(a) || isZero(b) ? 0.0f : a * b; }

/// 0 times anything is 0, as in DirectX 9.
static float fmaLegacy(float a, float b, float c) {
  return isZero(a) || isZero(b) ? 0.0f + c : __builtin_fmaf(a, b, c);
}

static float multiplyAdd32(float a, float b, float c) {
  const float product = flushDenormal(flushDenormal(a) * flushDenormal(b));
  return flushDenormal(product + flushDenormal(c));
}

static float multiplyAddLegacy32(float a, float b, float c) {
  const float x = flushDenormal(a), y = flushDenormal(b);
  const float product = isZero(x) || isZero(y) ? 0.0f : flushDenormal(x * y);
  return flushDenormal(product + flushDenormal(c));
}

static half multiplyAdd16(half a, half b, half c) {
  const float x = flushDenormal(a), y = flushDenormal(b);
  const half product = flushDenormal(toHalf(x * y)); // a product of halves is exact in a float
  return flushDenormal(toHalf(static_cast<float>(product) + static_cast<float>(flushDenormal(c))));
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
    vectorRow<add<double>>("v_add_f64"),
    vectorRow<multiply<double>>("v_mul_f64"),
    vectorRow<fma64>("v_fmac_f64", DstIsSource),
    vectorRow<add<half>>("v_add_f16"),
    vectorRow<subtract<half>>("v_sub_f16"),
    vectorRow<subtractReversed<half>>("v_subrev_f16"),
    vectorRow<multiply<half>>("v_mul_f16"),
    vectorRow<scaleHalf>("v_ldexp_f16"),
    vectorRow<fma32>("v_fma_f32"),
    vectorRow<fma64>("v_fma_f64"),
    vectorRow<fmaHalf>("v_fma_f16", PartialDst),
    vectorRow<fmaHalf>("v_fma_legacy_f16"),
    vectorRow<scale32>("v_ldexp_f32"),
    vectorRow<scale64>("v_ldexp_f64"),
    vectorRow<multiplyAdd32>("v_mad_f32"),
    vectorRow<multiplyAdd32>("v_mac_f32", DstIsSource),
    vectorRow<multiplyAdd32>("v_madmk_f32"),
    vectorRow<multiplyAdd32>("v_madak_f32"),
    vectorRow<multiplyAddLegacy32>("v_mad_legacy_f32"),
    vectorRow<multiplyAdd16>("v_mad_f16", PartialDst),
    vectorRow<multiplyAdd16>("v_mad_legacy_f16"),
    vectorRow<multiplyAdd16>("v_mac_f16", DstIsSource),
    vectorRow<multiplyAdd16>("v_madmk_f16"),
    vectorRow<multiplyAdd16>("v_madak_f16"),
};

static constexpr VectorRow rdnaRows[] = {
    vectorRow<fmaHalf>("v_fmac_f16", DstIsSource),
    vectorRow<fmaHalf>("v_fmamk_f16"),
    vectorRow<fmaHalf>("v_fmaak_f16"),
    vectorRow<fmaLegacy>("v_fma_dx9_zero_f32"),
    vectorRow<fmaLegacy>("v_fmac_dx9_zero_f32", DstIsSource),
};

void ckemu::registerVectorFloatArithmetic(InstructionTable &table) {
  addVectorRows(table, rows);
  if (!isCdna(table.getIsa()))
    addVectorRows(table, rdnaRows);
}
