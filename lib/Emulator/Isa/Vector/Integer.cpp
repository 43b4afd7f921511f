//===- Integer.cpp - Integer arithmetic -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums with and without carry, products, and minima and maxima of 16, 24, 32 and 64 bits.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using I16 = int16_t;
using I32 = int32_t;

static uint16_t multiplyLow16(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(uint32_t(a) * b);
}

static int32_t signed24(int32_t a) { return static_cast<int32_t>(uint32_t(a) << 8) >> 8; }

static int32_t multiply24(int32_t a, int32_t b) {
  return static_cast<int32_t>(uint32_t(signed24(a)) * uint32_t(signed24(b)));
}

static int32_t multiplyHigh24(int32_t a, int32_t b) {
  return static_cast<int32_t>(int64_t(signed24(a)) * signed24(b) >> 32);
}

static uint32_t multiply24u(uint32_t a, uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }

static uint32_t multiplyHigh24u(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t(a & 0xffffff) * (b & 0xffffff) >> 32);
}

// Saturating forms (clamp).
static uint32_t addSaturated(uint32_t a, uint32_t b) { return a + b < a ? ~0u : a + b; }

static uint32_t subtractSaturated(uint32_t a, uint32_t b) { return a < b ? 0 : a - b; }
static uint32_t subtractReversedSaturated(uint32_t a, uint32_t b) { return b < a ? 0 : b - a; }

static uint16_t addSaturated16(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(a + b > 0xffff ? 0xffff : a + b);
}

static uint16_t subtractSaturated16(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(a < b ? 0 : a - b);
}

static uint16_t subtractReversedSaturated16(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(b < a ? 0 : b - a);
}

/// a + b (+ carry in) or a - b (- borrow in) with the carry or borrow of each lane.
template <bool subtracts, bool reversed, bool carries, bool saturates>
static void addWithCarry(LaneOperands &ops) {
  const uint32_t *first = ops.src[reversed ? 1 : 0][0], *second = ops.src[reversed ? 0 : 1][0];
  uint32_t *result = ops.dst[0];
  alignas(64) uint8_t carry[kLanes];
  for (unsigned begin = 0; begin < kLanes; begin += 32) {
    const uint32_t bits = carries ? uint32_t(ops.bitsIn >> begin) : 0;
#pragma clang loop vectorize(assume_safety)
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned lane = begin + i;
      const uint32_t a = first[lane], b = second[lane], in = bits >> i & 1;
      const uint32_t sum = subtracts ? a - b - in : a + b + in;
      const bool overflow = subtracts ? a < b || (in && a == b) : sum < a || (in && sum == a);
      carry[lane] = overflow;
      result[lane] = saturates && overflow ? (subtracts ? 0 : ~0u) : sum;
    }
  }
  ops.bitsOut = packLaneBits(carry);
}

template <bool subtracts, bool reversed, bool carries>
static constexpr VectorRow carryRow(const char *name) {
  return VectorRow{name,
                   addWithCarry<subtracts, reversed, carries, false>,
                   addWithCarry<subtracts, reversed, carries, true>,
                   uint16_t(CarryOut | (carries ? CarryIn : 0)),
                   2,
                   LaneType::B32,
                   {LaneType::B32, LaneType::B32},
                   nullptr};
}

static U32 multiplyLow(U32 a, U32 b) { return a * b; }
static U32 multiplyHigh(U32 a, U32 b) { return U32(U64(a) * b >> 32); }
static I32 multiplyHighSigned(I32 a, I32 b) { return I32(int64_t(a) * b >> 32); }
static U32 add3(U32 a, U32 b, U32 c) { return a + b + c; }
static I32 addSigned(I32 a, I32 b) { return I32(U32(a) + U32(b)); }
static I32 subtractSigned(I32 a, I32 b) { return I32(U32(a) - U32(b)); }

static I32 saturated(int64_t value) {
  return I32(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

static I32 addSignedSaturated(I32 a, I32 b) { return saturated(int64_t(a) + b); }
static I32 subtractSignedSaturated(I32 a, I32 b) { return saturated(int64_t(a) - b); }
static I16 addSigned16(I16 a, I16 b) { return I16(a + b); }
static I16 subtractSigned16(I16 a, I16 b) { return I16(a - b); }

static I16 saturated16(I32 value) {
  return I16(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
}

static I16 addSigned16Saturated(I16 a, I16 b) { return saturated16(a + b); }
static I16 subtractSigned16Saturated(I16 a, I16 b) { return saturated16(a - b); }

static I32 multiplyAdd24(I32 a, I32 b, I32 c) {
  return I32(U32(signed24(a)) * U32(signed24(b)) + U32(c));
}

static I32 multiplyAdd24Saturated(I32 a, I32 b, I32 c) {
  return saturated(int64_t(signed24(a)) * signed24(b) + c);
}

static U32 multiplyAdd24u(U32 a, U32 b, U32 c) { return (a & 0xffffff) * (b & 0xffffff) + c; }

static U32 multiplyAdd24uSaturated(U32 a, U32 b, U32 c) {
  const U64 sum = U64(a & 0xffffff) * (b & 0xffffff) + c;
  return sum >> 32 ? ~0u : U32(sum);
}

static U16 multiplyAdd16(U16 a, U16 b, U16 c) { return U16(U32(a) * b + c); }

static U16 multiplyAdd16Saturated(U16 a, U16 b, U16 c) {
  const U64 sum = U64(a) * b + c;
  return U16(sum > 0xffff ? 0xffff : sum);
}

static I16 multiplyAddSigned16(I16 a, I16 b, I16 c) { return I16(U32(I32(a) * b) + U32(I32(c))); }

static I16 multiplyAddSigned16Saturated(I16 a, I16 b, I16 c) {
  const int64_t sum = int64_t(a) * b + c;
  return I16(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
}

static U32 multiplyAddWide(U16 a, U16 b, U32 c) { return U32(a) * b + c; }
static I32 multiplyAddWideSigned(I16 a, I16 b, I32 c) { return I32(U32(I32(a) * b) + U32(c)); }

template <typename T>
static T min3(T a, T b, T c) {
  return minimumOf(minimumOf(a, b), c);
}

template <typename T>
static T max3(T a, T b, T c) {
  return maximumOf(maximumOf(a, b), c);
}

template <typename T>
static T median(T a, T b, T c) {
  const T low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

template <typename T>
static T minMaxInteger(T a, T b, T c) {
  return maximumOf(minimumOf(a, b), c);
}

template <typename T>
static T maxMinInteger(T a, T b, T c) {
  return minimumOf(maximumOf(a, b), c);
}

/// a * b + c with 64 bits, and the carry out of each lane.
template <bool isSigned>
static void multiplyAddLong(LaneOperands &ops) {
  detail::SourceRows<U64> addend(ops.src[2]);
  detail::ResultRows<U64> result(ops.dst);
  const U32 *a = ops.src[0][0], *b = ops.src[1][0];
  alignas(64) uint8_t carry[kLanes];
#pragma clang loop vectorize(assume_safety)
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U64 product =
        isSigned ? U64(int64_t(I32(a[lane])) * I32(b[lane])) : U64(a[lane]) * b[lane];
    const U64 c = addend[lane], sum = product + c;
    const U64 overflow = (~(product ^ c) & (product ^ sum)) >> 63;
    carry[lane] = isSigned ? uint8_t(sum >> 63 ^ overflow) : uint8_t(sum < c); // bit 64
    result.set(lane, sum);
  }
  ops.bitsOut = packLaneBits(carry);
}

static constexpr VectorRow rows[] = {
    carryRow<false, false, false>("v_add_co_u32"),
    carryRow<true, false, false>("v_sub_co_u32"),
    carryRow<true, true, false>("v_subrev_co_u32"),
    carryRow<false, false, true>("v_addc_co_u32"),
    carryRow<true, false, true>("v_subb_co_u32"),
    carryRow<true, true, true>("v_subbrev_co_u32"),
    vectorRow<add<uint32_t>>("v_add_u32", NoFlags, laneMap<addSaturated>),
    vectorRow<subtract<uint32_t>>("v_sub_u32", NoFlags, laneMap<subtractSaturated>),
    vectorRow<subtractReversed<uint32_t>>("v_subrev_u32", NoFlags,
                                          laneMap<subtractReversedSaturated>),
    vectorRow<add<uint16_t>>("v_add_u16", NoFlags, laneMap<addSaturated16>),
    vectorRow<subtract<uint16_t>>("v_sub_u16", NoFlags, laneMap<subtractSaturated16>),
    vectorRow<subtractReversed<uint16_t>>("v_subrev_u16", NoFlags,
                                          laneMap<subtractReversedSaturated16>),
    vectorRow<multiplyLow16>("v_mul_lo_u16"),
    vectorRow<multiply24>("v_mul_i32_i24"),
    vectorRow<multiply24u>("v_mul_u32_u24"),
    vectorRow<minimumOf<int32_t>>("v_min_i32"),
    vectorRow<maximumOf<int32_t>>("v_max_i32"),
    vectorRow<minimumOf<uint32_t>>("v_min_u32"),
    vectorRow<maximumOf<uint32_t>>("v_max_u32"),
    vectorRow<minimumOf<int16_t>>("v_min_i16"),
    vectorRow<maximumOf<int16_t>>("v_max_i16"),
    vectorRow<minimumOf<uint16_t>>("v_min_u16"),
    vectorRow<maximumOf<uint16_t>>("v_max_u16"),
    vectorRow<multiplyLow>("v_mul_lo_i32"),
    vectorRow<add3>("v_add3_u32"),
    vectorRow<addSigned>("v_add_i32", NoFlags, laneMap<addSignedSaturated>),
    vectorRow<subtractSigned>("v_sub_i32", NoFlags, laneMap<subtractSignedSaturated>),
    vectorRow<addSigned16>("v_add_i16", PartialDst, laneMap<addSigned16Saturated>),
    vectorRow<subtractSigned16>("v_sub_i16", PartialDst, laneMap<subtractSigned16Saturated>),
    vectorRow<multiplyAdd24>("v_mad_i32_i24", NoFlags, laneMap<multiplyAdd24Saturated>),
    vectorRow<multiplyAdd24u>("v_mad_u32_u24", NoFlags, laneMap<multiplyAdd24uSaturated>),
    vectorRow<multiplyAdd16>("v_mad_u16", PartialDst, laneMap<multiplyAdd16Saturated>),
    vectorRow<multiplyAdd16>("v_mad_legacy_u16", NoFlags, laneMap<multiplyAdd16Saturated>),
    vectorRow<multiplyAddSigned16>("v_mad_i16", PartialDst, laneMap<multiplyAddSigned16Saturated>),
    vectorRow<multiplyAddSigned16>("v_mad_legacy_i16", NoFlags,
                                   laneMap<multiplyAddSigned16Saturated>),
    vectorRow<multiplyAddWide>("v_mad_u32_u16"),
    vectorRow<multiplyAddWideSigned>("v_mad_i32_i16"),
    vectorRow<min3<I32>>("v_min3_i32"),
    vectorRow<max3<I32>>("v_max3_i32"),
    vectorRow<median<I32>>("v_med3_i32"),
    vectorRow<min3<U32>>("v_min3_u32"),
    vectorRow<max3<U32>>("v_max3_u32"),
    vectorRow<median<U32>>("v_med3_u32"),
    vectorRow<min3<I16>>("v_min3_i16", PartialDst),
    vectorRow<max3<I16>>("v_max3_i16", PartialDst),
    vectorRow<median<I16>>("v_med3_i16", PartialDst),
    vectorRow<min3<U16>>("v_min3_u16", PartialDst),
    vectorRow<max3<U16>>("v_max3_u16", PartialDst),
    vectorRow<median<U16>>("v_med3_u16", PartialDst),
};

/// Products of 32 bits, or of which the high half counts.
static constexpr VectorRow products[] = {
    vectorRow<multiplyHigh24>("v_mul_hi_i32_i24"),
    vectorRow<multiplyHigh24u>("v_mul_hi_u32_u24"),
    vectorRow<multiplyLow>("v_mul_lo_u32"),
    vectorRow<multiplyHigh>("v_mul_hi_u32"),
    vectorRow<multiplyHighSigned>("v_mul_hi_i32"),
    VectorRow{"v_mad_u64_u32",
              multiplyAddLong<false>,
              nullptr,
              CarryOut,
              3,
              LaneType::B64,
              {LaneType::B32, LaneType::B32, LaneType::B64}},
    VectorRow{"v_mad_i64_i32",
              multiplyAddLong<true>,
              nullptr,
              CarryOut,
              3,
              LaneType::B64,
              {LaneType::B32, LaneType::B32, LaneType::B64}},
};

static constexpr VectorRow rdnaRows[] = {
    vectorRow<minMaxInteger<I32>>("v_minmax_i32"),
    vectorRow<maxMinInteger<I32>>("v_maxmin_i32"),
    vectorRow<minMaxInteger<U32>>("v_minmax_u32"),
    vectorRow<maxMinInteger<U32>>("v_maxmin_u32"),
};

void ckemu::registerVectorInteger(InstructionTable &table) {
  addVectorRows(table, rows);
  addVectorRows(table, products, TimingClass::Quarter);
  if (!isCdna(table.getIsa()))
    addVectorRows(table, rdnaRows);
}
