//===- Bits.cpp - Three-operand integer instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer instructions that exist in the 64-bit encoding only: bit fields, fused shifts and
// additions, 64-bit shifts and products, byte permutation, sums of absolute differences, lane
// counting.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace mlir::ck::emulator;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using I16 = int16_t;
using I32 = int32_t;

static U32 extractUnsigned(U32 a, U32 offset, U32 width) {
  return a >> (offset & 31) & ((1u << (width & 31)) - 1);
}
static I32 extractSigned(I32 a, U32 offset, U32 width) {
  const U32 bits = width & 31;
  const U32 field = U32(a >> (offset & 31)) & ((1u << bits) - 1);
  const U32 sign = bits ? 1u << (bits - 1) : 0;
  return I32((field ^ sign) - sign);
}
static U32 insertBits(U32 mask, U32 a, U32 b) { return (mask & a) | (~mask & b); }
static U32 bitMask(U32 width, U32 offset) { return ((1u << (width & 31)) - 1) << (offset & 31); }
static U32 alignBits(U32 high, U32 low, U32 n) { return U32((U64(high) << 32 | low) >> (n & 31)); }
static U32 alignBytes(U32 high, U32 low, U32 n) {
  return U32((U64(high) << 32 | low) >> (8 * (n & 3)));
}
static U32 multiplyLow(U32 a, U32 b) { return a * b; }
static U32 multiplyHigh(U32 a, U32 b) { return U32(U64(a) * b >> 32); }
static I32 multiplyHighSigned(I32 a, I32 b) { return I32(int64_t(a) * b >> 32); }
static U32 shiftAdd(U32 a, U32 n, U32 b) { return (a << (n & 31)) + b; }
static U64 shiftAdd64(U64 a, U32 n, U64 b) { return (a << (n & 7)) + b; }
static U32 addShift(U32 a, U32 b, U32 n) { return (a + b) << (n & 31); }
static U32 add3(U32 a, U32 b, U32 c) { return a + b + c; }
static U32 shiftOr(U32 a, U32 n, U32 b) { return a << (n & 31) | b; }
static U32 andOr(U32 a, U32 b, U32 c) { return (a & b) | c; }
static U32 or3(U32 a, U32 b, U32 c) { return a | b | c; }
static U32 xorAdd(U32 a, U32 b, U32 c) { return (a ^ b) + c; }
static U64 shiftLeft64(U32 n, U64 a) { return a << (n & 63); }
static U64 shiftRight64(U32 n, U64 a) { return a >> (n & 63); }
static int64_t shiftRightSigned64(U32 n, int64_t a) { return a >> (n & 63); }
static U32 countBits(U32 a, U32 b) { return U32(__builtin_popcount(a)) + b; }
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
static I32 signed24(I32 a) { return I32(U32(a) << 8) >> 8; }
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
  const T low = a < b ? a : b;
  return low < c ? low : c;
}
template <typename T>
static T max3(T a, T b, T c) {
  const T high = a > b ? a : b;
  return high > c ? high : c;
}
template <typename T>
static T median(T a, T b, T c) {
  const T low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

/// One byte of {a, b}, or a constant: 8 to 11 repeat the sign of a half word, 12 is 0, more is
/// 0xff.
static U32 permuteByte(U32 a, U32 b, U32 selector) {
  const U64 both = U64(a) << 32 | b;
  const U32 byte = U32(both >> (8 * (selector & 7))) & 0xff;
  const U32 sign = both >> (16 * (selector & 3) + 15) & 1 ? 0xff : 0;
  return selector < 8 ? byte : selector < 12 ? sign : selector == 12 ? 0 : 0xff;
}
static U32 permuteBytes(U32 a, U32 b, U32 selectors) {
  return permuteByte(a, b, selectors & 0xff) | permuteByte(a, b, selectors >> 8 & 0xff) << 8 |
         permuteByte(a, b, selectors >> 16 & 0xff) << 16 | permuteByte(a, b, selectors >> 24) << 24;
}

/// All lanes with one selector, as compilers write it: every byte is a shift by a constant.
static void permuteUniform(LaneOperands &ops, U32 selectors) {
  const U32 *a = ops.src[0][0], *b = ops.src[1][0];
  U32 constant = 0, shift[4], mask[4];
  const U32 *source[4];
  for (unsigned i = 0; i < 4; ++i) {
    const U32 selector = selectors >> (8 * i) & 0xff;
    source[i] = selector & 4 ? a : b;
    shift[i] = 8 * (selector & 3);
    mask[i] = selector < 8 ? 0xffu << (8 * i) : 0;
    constant |= (selector > 12 ? 0xffu : 0) << (8 * i);
  }
#pragma clang loop vectorize(assume_safety)
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 low =
        (source[0][lane] >> shift[0] & mask[0]) | ((source[1][lane] >> shift[1] << 8) & mask[1]);
    const U32 high = ((source[2][lane] >> shift[2] << 16) & mask[2]) |
                     ((source[3][lane] >> shift[3] << 24) & mask[3]);
    ops.dst[0][lane] = low | high | constant;
  }
}

static bool selectsSign(U32 selectors) {
  for (unsigned i = 0; i < 32; i += 8)
    if ((selectors >> i & 0xff) >= 8 && (selectors >> i & 0xff) < 12)
      return true;
  return false;
}

static void permuteLanes(LaneOperands &ops) {
  const U32 *selectors = ops.src[2][0];
  U32 differences = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    differences |= selectors[lane] ^ selectors[0];
  if (differences == 0 && !selectsSign(selectors[0]))
    return permuteUniform(ops, selectors[0]);
  laneMap<permuteBytes>(ops);
}

static U32 absoluteDifference(U32 a, U32 b) { return a > b ? a - b : b - a; }
static U32 byteOf(U32 a, unsigned i) { return a >> (8 * i) & 0xff; }
static U32 sadBytes(U32 a, U32 b, U32 c) {
  U32 sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    sum += absoluteDifference(byteOf(a, i), byteOf(b, i));
  return sum + c;
}
/// The same, skipping bytes whose reference `b` is 0.
static U32 sadMaskedBytes(U32 a, U32 b, U32 c) {
  U32 sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    sum += byteOf(b, i) ? absoluteDifference(byteOf(a, i), byteOf(b, i)) : 0;
  return sum + c;
}
static U32 sadBytesHigh(U32 a, U32 b, U32 c) { return (sadBytes(a, b, 0) << 16) + c; }
static U32 sadWords(U32 a, U32 b, U32 c) {
  return absoluteDifference(a & 0xffff, b & 0xffff) + absoluteDifference(a >> 16, b >> 16) + c;
}
static U32 sadDword(U32 a, U32 b, U32 c) { return absoluteDifference(a, b) + c; }
/// Average of bytes; the third operand's low bits choose rounding up.
static U32 lerpBytes(U32 a, U32 b, U32 c) {
  U32 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= ((byteOf(a, i) + byteOf(b, i) + (byteOf(c, i) & 1)) >> 1) << (8 * i);
  return result;
}

/// Counts the ones of `mask` below each lane, in its low or high half.
template <bool high>
static void countMaskBits(LaneOperands &ops) {
  const U32 *mask = ops.src[0][0], *addend = ops.src[1][0];
  U32 *result = ops.dst[0];
#pragma clang loop vectorize(assume_safety)
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U64 below = (U64(1) << lane) - 1;
    result[lane] =
        U32(__builtin_popcount(mask[lane] & U32(high ? below >> 32 : below))) + addend[lane];
  }
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
  ops.bitsOut = detail::packLaneBits(carry);
}

static constexpr LaneType B32 = LaneType::B32;

static constexpr VectorRow rows[] = {
    vectorRow<extractUnsigned>("v_bfe_u32"),
    vectorRow<extractSigned>("v_bfe_i32"),
    vectorRow<insertBits>("v_bfi_b32"),
    vectorRow<bitMask>("v_bfm_b32"),
    vectorRow<alignBits>("v_alignbit_b32"),
    vectorRow<alignBytes>("v_alignbyte_b32"),
    vectorRow<multiplyLow>("v_mul_lo_u32"),
    vectorRow<multiplyLow>("v_mul_lo_i32"),
    vectorRow<multiplyHigh>("v_mul_hi_u32"),
    vectorRow<multiplyHighSigned>("v_mul_hi_i32"),
    vectorRow<shiftAdd>("v_lshl_add_u32"),
    vectorRow<shiftAdd64>("v_lshl_add_u64"),
    vectorRow<addShift>("v_add_lshl_u32"),
    vectorRow<add3>("v_add3_u32"),
    vectorRow<shiftOr>("v_lshl_or_b32"),
    vectorRow<andOr>("v_and_or_b32"),
    vectorRow<or3>("v_or3_b32"),
    vectorRow<xorAdd>("v_xad_u32"),
    vectorRow<shiftLeft64>("v_lshlrev_b64"),
    vectorRow<shiftRight64>("v_lshrrev_b64"),
    vectorRow<shiftRightSigned64>("v_ashrrev_i64"),
    vectorRow<countBits>("v_bcnt_u32_b32"),
    VectorRow{"v_mbcnt_lo_u32_b32", countMaskBits<false>, nullptr, 0, 2, B32, {B32, B32}},
    VectorRow{"v_mbcnt_hi_u32_b32", countMaskBits<true>, nullptr, 0, 2, B32, {B32, B32}},
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
    VectorRow{"v_mad_u64_u32",
              multiplyAddLong<false>,
              nullptr,
              CarryOut,
              3,
              LaneType::B64,
              {B32, B32, LaneType::B64}},
    VectorRow{"v_mad_i64_i32",
              multiplyAddLong<true>,
              nullptr,
              CarryOut,
              3,
              LaneType::B64,
              {B32, B32, LaneType::B64}},
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
    withRun(vectorRow<permuteBytes>("v_perm_b32"), permuteLanes),
    vectorRow<sadBytes>("v_sad_u8"),
    vectorRow<sadMaskedBytes>("v_msad_u8"),
    vectorRow<sadBytesHigh>("v_sad_hi_u8"),
    vectorRow<sadWords>("v_sad_u16"),
    vectorRow<sadDword>("v_sad_u32"),
    vectorRow<lerpBytes>("v_lerp_u8"),
};

void mlir::ck::emulator::registerVectorBits(InstructionTable &table) { addVectorRows(table, rows); }
