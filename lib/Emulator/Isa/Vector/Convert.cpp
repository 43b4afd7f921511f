//===- Convert.cpp - Conversions between number formats -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of one and two operands. Those to integers truncate, saturate and turn NaN into 0.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Number/OcpFormats.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

template <typename To, typename From>
static To convert(From value) {
  return static_cast<To>(value);
}

static half halfFromFloat(float a) { return toHalf(a); }
static float floatFromHalf(half a) { return static_cast<float>(a); }
static half halfFromU16(uint16_t a) { return toHalf(static_cast<float>(a)); }
static half halfFromI16(int16_t a) { return toHalf(static_cast<float>(a)); }

static uint16_t u16FromHalf(half a) {
  const float value = static_cast<float>(a);
  return static_cast<uint16_t>(
      value >= 65535.0f ? 65535 : static_cast<int32_t>(value > 0.0f ? value : 0.0f));
}

static int16_t i16FromHalf(half a) {
  const float value = isNan(a) ? 0.0f : static_cast<float>(a);
  const float bounded = value > 32767.0f ? 32767.0f : value < -32768.0f ? -32768.0f : value;
  return static_cast<int16_t>(static_cast<int32_t>(bounded));
}

static int32_t i32FromFloat(float a) { return saturateToI32(a); }
static uint32_t u32FromFloat(float a) { return saturateToU32(a); }
static int32_t i32FromDouble(double a) { return saturateToI32(a); }
static uint32_t u32FromDouble(double a) { return saturateToU32(a); }
static int32_t floorToI32(float a) { return saturateToI32(__builtin_floorf(a)); }

template <unsigned byte>
static float floatFromByte(uint32_t a) {
  return static_cast<float>(a >> (8 * byte) & 0xff);
}

/// Four signed bits as a fraction in [-0.5, 0.5).
static float floatFromOffset(uint32_t a) {
  return static_cast<float>(static_cast<int32_t>(a << 28) >> 28) / 16.0f;
}

/// 8-bit floats; `widen` says of which format.
template <float (*widen)(uint8_t)>
static float floatFromByteFloat(uint32_t a) {
  return widen(static_cast<uint8_t>(a));
}

static uint64_t packFloats(float low, float high) {
  return bitsOf(low) | static_cast<uint64_t>(bitsOf(high)) << 32;
}

template <float (*widen)(uint8_t)>
static uint64_t floatsFromByteFloats(uint32_t a) {
  return packFloats(floatFromByteFloat<widen>(a), floatFromByteFloat<widen>(a >> 8));
}

static uint32_t packHalves(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }

static uint16_t halfTowardZero(float a) {
  const half nearest = toHalf(a);
  const uint16_t bits = bitsOf(nearest);
  const bool away = __builtin_fabsf(static_cast<float>(nearest)) > __builtin_fabsf(a);
  return static_cast<uint16_t>(away && !isInf(a) ? bits - 1 : bits);
}

static uint32_t packTowardZero(float a, float b) {
  return packHalves(halfTowardZero(a), halfTowardZero(b));
}

/// [-1, 1] to the full range of 16 bits, to nearest even.
static uint32_t signedNorm(float a) {
  const float bounded = !(a > -1.0f) ? (isNan(a) ? 0.0f : -1.0f) : a > 1.0f ? 1.0f : a;
  return static_cast<uint32_t>(
      static_cast<int32_t>(__builtin_roundeven(static_cast<double>(bounded) * 32767.0)));
}

static uint32_t unsignedNorm(float a) {
  const float bounded = !(a > 0.0f) ? 0.0f : a > 1.0f ? 1.0f : a;
  return static_cast<uint32_t>(
      static_cast<int32_t>(__builtin_roundeven(static_cast<double>(bounded) * 65535.0)));
}

static uint32_t packSignedNorm(float a, float b) {
  return packHalves(signedNorm(a), signedNorm(b));
}

static uint32_t packUnsignedNorm(float a, float b) {
  return packHalves(unsignedNorm(a), unsignedNorm(b));
}

static uint16_t signedNorm16(half a) { return static_cast<uint16_t>(signedNorm(a)); }
static uint16_t unsignedNorm16(half a) { return static_cast<uint16_t>(unsignedNorm(a)); }
static uint32_t packSignedNorm16(half a, half b) { return packSignedNorm(a, b); }
static uint32_t packUnsignedNorm16(half a, half b) { return packUnsignedNorm(a, b); }

static uint32_t packI16(int32_t a, int32_t b) {
  auto bounded = [](int32_t v) { return uint32_t(v > 32767 ? 32767 : v < -32768 ? -32768 : v); };
  return packHalves(bounded(a), bounded(b));
}

static uint32_t packU16(uint32_t a, uint32_t b) {
  return packHalves(a > 65535 ? 65535 : a, b > 65535 ? 65535 : b);
}

/// Of numbers, truncated.
static uint32_t packI16FromFloats(float a, float b) {
  return packI16(saturateToI32(a), saturateToI32(b));
}

static uint32_t packU16FromFloats(float a, float b) {
  return packU16(saturateToU32(a), saturateToU32(b));
}

static uint32_t packHalfPair(half a, half b) { return packHalves(bitsOf(a), bitsOf(b)); }

/// Two 8-bit floats in one half of the destination.
template <uint8_t (*narrow)(float, bool), bool saturate>
static uint16_t packBytes(float a, float b) {
  return static_cast<uint16_t>(narrow(a, saturate) | narrow(b, saturate) << 8);
}

/// What overflows is NaN, or with FP16_OVFL of MODE the largest finite value.
template <uint8_t (*narrow)(float, bool)>
static void runPackBytes(LaneOperands &ops) {
  (ops.mode & kModeFp16Overflow ? laneMap<packBytes<narrow, true>>
                                : laneMap<packBytes<narrow, false>>)(ops);
}

template <uint8_t (*narrow)(float, bool)>
static constexpr VectorRow packBytesRow(const char *name) {
  return withRun(vectorRow<packBytes<narrow, false>>(name, PartialDst), runPackBytes<narrow>);
}

static int32_t roundUpHalf(float a) { return saturateToI32(__builtin_floorf(a + 0.5f)); }
static uint32_t packRoundedHalves(float a, float b) {
  return bitsOf(toHalf(a)) | uint32_t(bitsOf(toHalf(b))) << 16;
}
static uint32_t packBfloats(float a, float b) {
  return floatToBfloat(a) | uint32_t(floatToBfloat(b)) << 16;
}

/// These round to nearest even, whatever MODE says.
static void runPackRoundedHalves(LaneOperands &ops) {
  const FloatEnvironment environment;
  laneMap<packRoundedHalves>(ops);
}

static float floatFromBfloat(uint16_t a) { return bfloatToFloat(a); }
static int32_t signExtend16(int16_t a) { return a; }
static uint32_t zeroExtend16(uint16_t a) { return a; }

static constexpr VectorRow rows[] = {
    vectorRow<halfFromFloat>("v_cvt_f16_f32"),
    vectorRow<floatFromHalf>("v_cvt_f32_f16"),
    vectorRow<convert<float, double>>("v_cvt_f32_f64"),
    vectorRow<convert<double, float>>("v_cvt_f64_f32"),
    vectorRow<convert<float, int32_t>>("v_cvt_f32_i32"),
    vectorRow<convert<float, uint32_t>>("v_cvt_f32_u32"),
    vectorRow<convert<double, int32_t>>("v_cvt_f64_i32"),
    vectorRow<convert<double, uint32_t>>("v_cvt_f64_u32"),
    vectorRow<i32FromFloat>("v_cvt_i32_f32"),
    vectorRow<u32FromFloat>("v_cvt_u32_f32"),
    vectorRow<i32FromDouble>("v_cvt_i32_f64"),
    vectorRow<u32FromDouble>("v_cvt_u32_f64"),
    vectorRow<floorToI32>("v_cvt_flr_i32_f32"),
    vectorRow<floatFromByte<0>>("v_cvt_f32_ubyte0"),
    vectorRow<floatFromByte<1>>("v_cvt_f32_ubyte1"),
    vectorRow<floatFromByte<2>>("v_cvt_f32_ubyte2"),
    vectorRow<floatFromByte<3>>("v_cvt_f32_ubyte3"),
    vectorRow<floatFromOffset>("v_cvt_off_f32_i4"),
    vectorRow<halfFromU16>("v_cvt_f16_u16"),
    vectorRow<halfFromI16>("v_cvt_f16_i16"),
    vectorRow<u16FromHalf>("v_cvt_u16_f16"),
    vectorRow<i16FromHalf>("v_cvt_i16_f16"),
    vectorRow<signedNorm16>("v_cvt_norm_i16_f16"),
    vectorRow<unsignedNorm16>("v_cvt_norm_u16_f16"),
    vectorRow<packTowardZero>("v_cvt_pkrtz_f16_f32"),
    vectorRow<packSignedNorm>("v_cvt_pknorm_i16_f32"),
    vectorRow<packUnsignedNorm>("v_cvt_pknorm_u16_f32"),
    vectorRow<packSignedNorm16>("v_cvt_pknorm_i16_f16"),
    vectorRow<packUnsignedNorm16>("v_cvt_pknorm_u16_f16"),
    vectorRow<packI16>("v_cvt_pk_i16_i32"),
    vectorRow<packU16>("v_cvt_pk_u16_u32"),
    vectorRow<packI16FromFloats>("v_cvt_pk_i16_f32"),
    vectorRow<packU16FromFloats>("v_cvt_pk_u16_f32"),
    vectorRow<packHalfPair>("v_pack_b32_f16"),
    vectorRow<roundUpHalf>("v_cvt_rpi_i32_f32"),
};

static constexpr VectorRow rdnaRows[] = {
    vectorRow<signExtend16>("v_cvt_i32_i16"),
    vectorRow<zeroExtend16>("v_cvt_u32_u16"),
};

static constexpr VectorRow gfx950Rows[] = {
    withRun(vectorRow<packRoundedHalves>("v_cvt_pk_f16_f32"), runPackRoundedHalves),
    vectorRow<packBfloats>("v_cvt_pk_bf16_f32"),
    vectorRow<floatFromBfloat>("v_cvt_f32_bf16"),
};

/// Those of gfx942 have neither infinities nor a negative zero, later ones are the OCP's.
template <float (*fp8)(uint8_t), float (*bf8)(uint8_t), uint8_t (*toFp8)(float, bool),
          uint8_t (*toBf8)(float, bool)>
static constexpr VectorRow byteFloatRows[] = {
    vectorRow<floatFromByteFloat<fp8>>("v_cvt_f32_fp8"),
    vectorRow<floatFromByteFloat<bf8>>("v_cvt_f32_bf8"),
    vectorRow<floatsFromByteFloats<fp8>>("v_cvt_pk_f32_fp8"),
    vectorRow<floatsFromByteFloats<bf8>>("v_cvt_pk_f32_bf8"),
    packBytesRow<toFp8>("v_cvt_pk_fp8_f32"),
    packBytesRow<toBf8>("v_cvt_pk_bf8_f32"),
};

void ckemu::registerVectorConvert(InstructionTable &table) {
  addVectorRows(table, rows);
  if (!isCdna(table.getIsa()))
    addVectorRows(table, rdnaRows);
  if (table.getIsa() == Isa::Gfx950)
    addVectorRows(table, gfx950Rows);
  if (table.getIsa() <= Isa::Gfx942)
    addVectorRows(table, byteFloatRows<fp8ToFloat, bf8ToFloat, floatToFp8, floatToBf8>);
  else
    addVectorRows(table, byteFloatRows<ocpFp8ToFloat, ocpBf8ToFloat, floatToOcpFp8, floatToOcpBf8>);
}
