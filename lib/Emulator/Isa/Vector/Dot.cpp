//===- Dot.cpp - Dot products of floats -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of 8 and 16 bits, with an accumulator of 16 or 32: fused multiply-adds from the low to
// the high element; hardware may round differently.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Number/OcpFormats.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace ckemu;

using U16 = uint16_t;
using U32 = uint32_t;

static half halfAt(U32 row, unsigned i) { return halfOf(U16(row >> (16 * i))); }

static float dotHalves(U32 a, U32 b, float c) {
  const float low = __builtin_fmaf(halfAt(a, 0), halfAt(b, 0), c);
  return __builtin_fmaf(halfAt(a, 1), halfAt(b, 1), low);
}

static half dotHalvesToHalf(U32 a, U32 b, half c) {
  return fmaHalf(halfAt(a, 1), halfAt(b, 1), fmaHalf(halfAt(a, 0), halfAt(b, 0), c));
}

static float bfloatOf(U32 row, unsigned i) { return bfloatToFloat(U16(row >> (16 * i))); }

static float dotBfloats(U32 a, U32 b, float c) {
  const float low = __builtin_fmaf(bfloatOf(a, 0), bfloatOf(b, 0), c);
  return __builtin_fmaf(bfloatOf(a, 1), bfloatOf(b, 1), low);
}

/// a * b + c with one rounding to bfloat16. The sum of doubles is rounded to odd in single
/// precision, so that the second rounding does not see a tie that is none.
static U16 fmaBfloat(float a, float b, float c) {
  const double exact = double(a) * double(b) + double(c);
  float rounded = static_cast<float>(exact);
  if (double(rounded) != exact && !isNan(rounded) && !isInf(rounded)) {
    const bool away = __builtin_fabs(double(rounded)) > __builtin_fabs(exact);
    rounded = floatOf((bitsOf(rounded) - (away ? 1u : 0u)) | 1u);
  }
  return floatToBfloat(rounded);
}

static U16 dotBfloatsToBfloat(U32 a, U32 b, U16 c) {
  const U16 low = fmaBfloat(bfloatOf(a, 0), bfloatOf(b, 0), bfloatToFloat(c));
  return fmaBfloat(bfloatOf(a, 1), bfloatOf(b, 1), bfloatToFloat(low));
}

/// Products of 8-bit floats are exact in single precision.
template <float (*widenA)(uint8_t), float (*widenB)(uint8_t)>
static float dotBytes(U32 a, U32 b, float c) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    c = __builtin_fmaf(widenA(uint8_t(a >> shift)), widenB(uint8_t(b >> shift)), c);
  return c;
}

static constexpr VectorRow kHalfDots[] = {
    vectorRow<dotHalves>("v_dot2_f32_f16"),
    vectorRow<dotHalves>("v_dot2c_f32_f16", DstIsSource),
    vectorRow<dotHalves>("v_dot2acc_f32_f16", DstIsSource),
    vectorRow<dotHalvesToHalf>("v_dot2_f16_f16"),
};

static constexpr VectorRow kBfloatDots[] = {
    vectorRow<dotBfloats>("v_dot2_f32_bf16"),
    vectorRow<dotBfloats>("v_dot2acc_f32_bf16", DstIsSource),
    vectorRow<dotBfloatsToBfloat>("v_dot2_bf16_bf16"),
};

static constexpr VectorRow kByteDots[] = {
    vectorRow<dotBytes<ocpFp8ToFloat, ocpFp8ToFloat>>("v_dot4_f32_fp8_fp8"),
    vectorRow<dotBytes<ocpFp8ToFloat, ocpBf8ToFloat>>("v_dot4_f32_fp8_bf8"),
    vectorRow<dotBytes<ocpBf8ToFloat, ocpFp8ToFloat>>("v_dot4_f32_bf8_fp8"),
    vectorRow<dotBytes<ocpBf8ToFloat, ocpBf8ToFloat>>("v_dot4_f32_bf8_bf8"),
};

/// Denormals are flushed, and rounding is to nearest, whatever MODE says.
static float dotFlushedBfloats(U32 a, U32 b, float c) {
  auto term = [&](unsigned shift) {
    return flushDenormal(flushDenormal(bfloatToFloat(U16(a >> shift))) *
                         flushDenormal(bfloatToFloat(U16(b >> shift))));
  };
  const float products = flushDenormal(term(0) + term(16));
  return flushDenormal(products + flushDenormal(c));
}

static void runDotFlushedBfloats(LaneOperands &ops) {
  const FloatEnvironment environment;
  laneMap<dotFlushedBfloats>(ops);
}

static constexpr VectorRow kFlushedBfloatDots[] = {
    withRun(vectorRow<dotFlushedBfloats>("v_dot2_f32_bf16"), runDotFlushedBfloats),
    withRun(vectorRow<dotFlushedBfloats>("v_dot2c_f32_bf16", DstIsSource), runDotFlushedBfloats),
};

/// A constant where elements are read would stand for some of them only; a bfloat16 is none that
/// the parser knows.
static llvm::Error prepareDot(Instruction &inst) {
  const VectorRow &row = *static_cast<const VectorRow *>(inst.extra.pointer);
  for (unsigned i = 0; i < row.sources && i + 1 < inst.numOperands; ++i) {
    const bool isPacked = row.src[i] == LaneType::B32 || row.src[i] == LaneType::B16;
    if (isPacked && inst.op(1 + i).isConstant() && inst.op(1 + i).value != 0)
      return refuse("a constant of packed elements is not implemented for this instruction");
  }
  return prepareVector(inst);
}

static void addDots(InstructionTable &table, llvm::ArrayRef<VectorRow> rows) {
  constexpr ModifierSet accepted =
      modifiers(Modifier::Clamp, Modifier::OpSel, Modifier::Half, Modifier::Dpp, Modifier::RowMask,
                Modifier::BankMask, Modifier::BoundCtrl, Modifier::Fi);
  for (const VectorRow &row : rows)
    table.add(row.name, {executeVectorGeneral, InstructionClass::Valu, accepted,
                         row.dst == LaneType::F16 ? SourceType::F16 : SourceType::B32, kAnyOperands,
                         prepareDot, &row, Effect::Unknown, describeRow(row)});
}

void ckemu::registerVectorDot(InstructionTable &table) {
  addDots(table, kHalfDots);
  if (table.getIsa() == Isa::Gfx950)
    addVectorRows(table, kFlushedBfloatDots);
  if (!isCdna(table.getIsa()))
    addDots(table, kBfloatDots);
  if (table.getIsa() == Isa::Gfx12)
    addDots(table, kByteDots);
}
