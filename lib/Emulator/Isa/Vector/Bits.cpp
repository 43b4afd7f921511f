//===- Bits.cpp - Logic, shifts, bit fields and bytes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What treats a register as bits: logic, shifts (of which the amount comes first in the "rev" forms
// and ignores its upper bits), bit fields, counts, and permutations of bytes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using I32 = int32_t;

static uint32_t bitXnor(uint32_t a, uint32_t b) { return ~(a ^ b); }
static U32 xor3(U32 a, U32 b, U32 c) { return a ^ b ^ c; }
static uint32_t reverseBits(uint32_t a) { return __builtin_bitreverse32(a); }

/// Position of the first one from the most significant bit, or -1.
static uint32_t findHighest(uint32_t a) { return a ? uint32_t(__builtin_clz(a)) : ~0u; }

static uint32_t findLowest(uint32_t a) { return a ? uint32_t(__builtin_ctz(a)) : ~0u; }

/// Number of leading bits equal to the sign, or -1 when all are.
static uint32_t findSignChange(uint32_t a) {
  const uint32_t changes = a ^ uint32_t(int32_t(a) >> 31);
  return changes ? uint32_t(__builtin_clz(changes)) : ~0u;
}

/// Two signed 16-bit numbers saturated to unsigned bytes.
static uint32_t saturateBytes(uint32_t a) {
  auto byte = [](int32_t value) { return uint32_t(value < 0 ? 0 : value > 255 ? 255 : value); };
  return byte(int16_t(a)) | byte(int16_t(a >> 16)) << 8;
}

template <typename T>
static T shiftLeft(T n, T a) {
  return static_cast<T>(a << (n & (8 * sizeof(T) - 1)));
}

template <typename T>
static T shiftRight(T n, T a) {
  return static_cast<T>(a >> (n & (8 * sizeof(T) - 1)));
}

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

static U32 shiftAdd(U32 a, U32 n, U32 b) { return (a << (n & 31)) + b; }
static U64 shiftAdd64(U64 a, U32 n, U64 b) { return (a << (n & 7)) + b; }
static U32 addShift(U32 a, U32 b, U32 n) { return (a + b) << (n & 31); }
static U32 shiftOr(U32 a, U32 n, U32 b) { return a << (n & 31) | b; }
static U32 andOr(U32 a, U32 b, U32 c) { return (a & b) | c; }
static U32 or3(U32 a, U32 b, U32 c) { return a | b | c; }
static U32 xorAdd(U32 a, U32 b, U32 c) { return (a ^ b) + c; }
static U64 shiftLeft64(U32 n, U64 a) { return a << (n & 63); }
static U64 shiftRight64(U32 n, U64 a) { return a >> (n & 63); }
static int64_t shiftRightSigned64(U32 n, int64_t a) { return a >> (n & 63); }
static U32 countBits(U32 a, U32 b) { return U32(__builtin_popcount(a)) + b; }
static U32 byteOf(U32 a, unsigned i) { return a >> (8 * i) & 0xff; }

/// Average of bytes; the third operand's low bits choose rounding up.
static U32 lerpBytes(U32 a, U32 b, U32 c) {
  U32 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= ((byteOf(a, i) + byteOf(b, i) + (byteOf(c, i) & 1)) >> 1) << (8 * i);
  return result;
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

template <int32_t low, int32_t high>
static U16 shiftPack(int32_t a, int32_t b, U32 n) {
  auto narrow = [n](int32_t value) {
    const int32_t shifted = value >> (n & 31);
    return U16((shifted < low ? low : shifted > high ? high : shifted) & 0xff);
  };
  return U16(narrow(a) | narrow(b) << 8);
}

static U32 nextRandom(U32 a) { return a << 1 ^ (a >> 31 ? 197u : 0u); }

/// Bit i of the table is the result where the three sources have the bits of i, the first of them
/// the highest.
static void lookUpBits(const Instruction *inst, const Lanes &a, const Lanes &b, const Lanes &c,
                       Lanes &result) {
  U32 table[8];
  for (unsigned i = 0; i < 8; ++i)
    table[i] = inst->mods.bitop3 >> i & 1 ? ~0u : 0;
  auto choose = [](U32 selector, U32 zero, U32 one) {
    return (~selector & zero) | (selector & one);
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U32 x = a[lane], y = b[lane], z = c[lane];
    const U32 low = choose(y, choose(z, table[0], table[1]), choose(z, table[2], table[3]));
    const U32 high = choose(y, choose(z, table[4], table[5]), choose(z, table[6], table[7]));
    result[lane] = choose(x, low, high);
  }
}

static const Instruction *executeBitOp32(Wave &wave, const Instruction *inst) {
  Lanes scratch[3], result;
  lookUpBits(inst, wave.vectorSource(inst->op(1), scratch[0]),
             wave.vectorSource(inst->op(2), scratch[1]), wave.vectorSource(inst->op(3), scratch[2]),
             result);
  wave.commit(inst->op(0), result);
  return inst + 1;
}

/// op_sel chooses the halves of the sources and of the destination, whose other half is kept.
static const Instruction *executeBitOp16(Wave &wave, const Instruction *inst) {
  Lanes sources[3], result;
  for (unsigned i = 0; i < 3; ++i) {
    const Lanes &source = wave.vectorSource(inst->op(1 + i), sources[i]);
    const unsigned shift = inst->mods.opSel >> i & 1 ? 16 : 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      sources[i][lane] = source[lane] >> shift;
  }
  lookUpBits(inst, sources[0], sources[1], sources[2], result);
  const Lanes &old = wave.vectorRegister(inst->op(0));
  const bool high = inst->mods.opSel >> 3 & 1;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = high ? (old[lane] & 0xffff) | result[lane] << 16
                        : (old[lane] & 0xffff0000) | (result[lane] & 0xffff);
  wave.commit(inst->op(0), result);
  return inst + 1;
}

static llvm::Error prepareBitOp16(Instruction &inst) {
  for (unsigned i = 0; i < 3; ++i)
    if (inst.op(1 + i).isConstant() && (inst.mods.opSel >> i & 1))
      return refuse("op_sel of a constant is not implemented for this instruction");
  return llvm::Error::success();
}

static constexpr LaneType b32 = LaneType::B32;

static constexpr VectorRow rows[] = {
    vectorRow<bitNot<U32>>("v_not_b32"),
    vectorRow<reverseBits>("v_bfrev_b32"),
    vectorRow<findHighest>("v_ffbh_u32"),
    vectorRow<findLowest>("v_ffbl_b32"),
    vectorRow<findSignChange>("v_ffbh_i32"),
    vectorRow<saturateBytes>("v_sat_pk_u8_i16"),
    vectorRow<shiftLeft<uint32_t>>("v_lshlrev_b32"),
    vectorRow<shiftRight<uint32_t>>("v_lshrrev_b32"),
    vectorRow<shiftRight<int32_t>>("v_ashrrev_i32"),
    vectorRow<shiftLeft<uint16_t>>("v_lshlrev_b16"),
    vectorRow<shiftRight<uint16_t>>("v_lshrrev_b16"),
    vectorRow<shiftRight<int16_t>>("v_ashrrev_i16"),
    vectorRow<bitAnd<U32>>("v_and_b32"),
    vectorRow<bitOr<U32>>("v_or_b32"),
    vectorRow<bitXor<U32>>("v_xor_b32"),
    vectorRow<bitXnor>("v_xnor_b32"),
    vectorRow<extractUnsigned>("v_bfe_u32"),
    vectorRow<extractSigned>("v_bfe_i32"),
    vectorRow<insertBits>("v_bfi_b32"),
    vectorRow<bitMask>("v_bfm_b32"),
    vectorRow<alignBits>("v_alignbit_b32"),
    vectorRow<alignBytes>("v_alignbyte_b32"),
    vectorRow<shiftAdd>("v_lshl_add_u32"),
    vectorRow<shiftAdd64>("v_lshl_add_u64"),
    vectorRow<addShift>("v_add_lshl_u32"),
    vectorRow<shiftOr>("v_lshl_or_b32"),
    vectorRow<andOr>("v_and_or_b32"),
    vectorRow<or3>("v_or3_b32"),
    vectorRow<xorAdd>("v_xad_u32"),
    vectorRow<shiftLeft64>("v_lshlrev_b64"),
    vectorRow<shiftRight64>("v_lshrrev_b64"),
    vectorRow<shiftRightSigned64>("v_ashrrev_i64"),
    vectorRow<countBits>("v_bcnt_u32_b32"),
    VectorRow{"v_mbcnt_lo_u32_b32", countMaskBits<false>, nullptr, 0, 2, b32, {b32, b32}},
    VectorRow{"v_mbcnt_hi_u32_b32", countMaskBits<true>, nullptr, 0, 2, b32, {b32, b32}},
    withRun(vectorRow<permuteBytes>("v_perm_b32"), permuteLanes),
    vectorRow<lerpBytes>("v_lerp_u8"),
};

static constexpr VectorRow rdnaRows[] = {
    vectorRow<bitAnd<U16>>("v_and_b16"), vectorRow<bitOr<U16>>("v_or_b16"),
    vectorRow<bitXor<U16>>("v_xor_b16"), vectorRow<bitNot<U16>>("v_not_b16"),
    vectorRow<xor3>("v_xor3_b32"),
};

static constexpr VectorRow gfx950Rows[] = {
    vectorRow<shiftPack<-128, 127>>("v_ashr_pk_i8_i32", PartialDst),
    vectorRow<shiftPack<0, 255>>("v_ashr_pk_u8_i32", PartialDst),
    vectorRow<nextRandom>("v_prng_b32"),
};

static void registerGfx950(InstructionTable &table) {
  addVectorRows(table, gfx950Rows);
  auto add = [&](const char *name, Handler handler, ModifierSet accepted, Prepare prepare) {
    table.add(name, {handler, InstructionClass::Valu, accepted, SourceType::B32, 4, prepare,
                     nullptr, Effect::Changes});
  };
  add("v_bitop3_b32", executeBitOp32, modifiers(Modifier::BitOp3), nullptr);
  add("v_bitop3_b16", executeBitOp16, modifiers(Modifier::BitOp3, Modifier::OpSel), prepareBitOp16);
}

void ckemu::registerVectorBits(InstructionTable &table) {
  addVectorRows(table, rows);
  if (!isCdna(table.getIsa()))
    addVectorRows(table, rdnaRows);
  if (table.getIsa() == Isa::Gfx950)
    registerGfx950(table);
}
