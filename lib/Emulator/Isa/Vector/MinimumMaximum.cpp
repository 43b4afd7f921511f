//===- MinimumMaximum.cpp - Vector instructions of gfx11 and gfx12 -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector arithmetic that gfx9 does not have. What gfx9 has under another name is in
// RdnaVectorNames.cpp. 16-bit operands are halves of registers; a result leaves the other half
// alone (kOperandHalf). Sources: the RDNA3 and RDNA4 instruction set references.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace mlir::ck::emulator;
using U16 = uint16_t;
using U32 = uint32_t;
using I32 = int32_t;

template <typename T>
static T move(T a) {
  return a;
}
template <typename T>
static T bitAnd(T a, T b) {
  return a & b;
}
template <typename T>
static T bitOr(T a, T b) {
  return a | b;
}
template <typename T>
static T bitXor(T a, T b) {
  return a ^ b;
}
template <typename T>
static T bitNot(T a) {
  return static_cast<T>(~a);
}
static U32 xor3(U32 a, U32 b, U32 c) { return a ^ b ^ c; }

template <typename T>
static T minimumInteger(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
static T maximumInteger(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
static T minMaxInteger(T a, T b, T c) {
  return maximumInteger(minimumInteger(a, b), c);
}
template <typename T>
static T maxMinInteger(T a, T b, T c) {
  return minimumInteger(maximumInteger(a, b), c);
}
template <typename T, bool ieee>
static T minMax(T a, T b, T c) {
  return maximum<T, ieee>(minimum<T, ieee>(a, b), c);
}
template <typename T, bool ieee>
static T maxMin(T a, T b, T c) {
  return minimum<T, ieee>(maximum<T, ieee>(a, b), c);
}

template <typename T>
static T minimum3Nan(T a, T b, T c) {
  return minimumNan(minimumNan(a, b), c);
}
template <typename T>
static T maximum3Nan(T a, T b, T c) {
  return maximumNan(maximumNan(a, b), c);
}
template <typename T>
static T minimumMaximumNan(T a, T b, T c) {
  return maximumNan(minimumNan(a, b), c);
}
template <typename T>
static T maximumMinimumNan(T a, T b, T c) {
  return minimumNan(maximumNan(a, b), c);
}

/// 0 times anything is 0, as in DirectX 9.
static float fmaLegacy(float a, float b, float c) {
  return isZero(a) || isZero(b) ? 0.0f + c : __builtin_fmaf(a, b, c);
}

/// One bit per lane chooses the second source.
static void runSelectHalf(LaneOperands &ops) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    ops.dst[0][lane] = ops.src[ops.bitsIn >> lane & 1][0][lane];
}

static I32 signExtend16(int16_t a) { return a; }
static U32 zeroExtend16(U16 a) { return a; }

static constexpr VectorRow kRows[] = {
    vectorRow<move<U16>>("v_mov_b16"),
    vectorRow<bitAnd<U16>>("v_and_b16"),
    vectorRow<bitOr<U16>>("v_or_b16"),
    vectorRow<bitXor<U16>>("v_xor_b16"),
    vectorRow<bitNot<U16>>("v_not_b16"),
    VectorRow{"v_cndmask_b16",
              runSelectHalf,
              nullptr,
              CarryIn | AnyModifiers | RawBits,
              2,
              LaneType::F16,
              {LaneType::F16, LaneType::F16, LaneType::None}},
    vectorRow<xor3>("v_xor3_b32"),
    vectorRow<fmaHalf>("v_fmac_f16", DstIsSource),
    vectorRow<fmaHalf>("v_fmamk_f16"),
    vectorRow<fmaHalf>("v_fmaak_f16"),
    vectorRow<fmaLegacy>("v_fma_dx9_zero_f32"),
    vectorRow<fmaLegacy>("v_fmac_dx9_zero_f32", DstIsSource),
    vectorRow<minMaxInteger<I32>>("v_minmax_i32"),
    vectorRow<maxMinInteger<I32>>("v_maxmin_i32"),
    vectorRow<minMaxInteger<U32>>("v_minmax_u32"),
    vectorRow<maxMinInteger<U32>>("v_maxmin_u32"),
    vectorRow<signExtend16>("v_cvt_i32_i16"),
    vectorRow<zeroExtend16>("v_cvt_u32_u16"),
    ieeeRow<minMax<float, false>, minMax<float, true>>("v_minmax_f32"),
    ieeeRow<maxMin<float, false>, maxMin<float, true>>("v_maxmin_f32"),
    ieeeRow<minMax<half, false>, minMax<half, true>>("v_minmax_f16"),
    ieeeRow<maxMin<half, false>, maxMin<half, true>>("v_maxmin_f16"),
};

/// With the NaNs of IEEE 754-2019.
static constexpr VectorRow kGfx12Rows[] = {
    vectorRow<minimumNan<float>>("v_minimum_f32"),
    vectorRow<maximumNan<float>>("v_maximum_f32"),
    vectorRow<minimumNan<half>>("v_minimum_f16"),
    vectorRow<maximumNan<half>>("v_maximum_f16"),
    vectorRow<minimumNan<double>>("v_minimum_f64"),
    vectorRow<maximumNan<double>>("v_maximum_f64"),
    vectorRow<minimum3Nan<float>>("v_minimum3_f32"),
    vectorRow<maximum3Nan<float>>("v_maximum3_f32"),
    vectorRow<minimum3Nan<half>>("v_minimum3_f16"),
    vectorRow<maximum3Nan<half>>("v_maximum3_f16"),
    vectorRow<minimumMaximumNan<float>>("v_minimummaximum_f32"),
    vectorRow<maximumMinimumNan<float>>("v_maximumminimum_f32"),
    vectorRow<minimumMaximumNan<half>>("v_minimummaximum_f16"),
    vectorRow<maximumMinimumNan<half>>("v_maximumminimum_f16"),
};

void mlir::ck::emulator::registerVectorMinimumMaximum(InstructionTable &table) {
  if (isCdna(table.getIsa()))
    return;
  addVectorRows(table, kRows);
  if (table.getIsa() == Isa::Gfx12)
    addVectorRows(table, kGfx12Rows);
}
