//===- Integer.cpp - Two-operand integer instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer additions with and without carry, shifts, logic, multiplication, minimum and maximum of
// 16 and 32 bits, and the select by mask. Shifts take the amount first ("rev") and ignore its upper
// bits.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace mlir::ck::emulator;

template <typename T>
static T add(T a, T b) {
  return static_cast<T>(a + b);
}
template <typename T>
static T subtract(T a, T b) {
  return static_cast<T>(a - b);
}
template <typename T>
static T subtractReversed(T a, T b) {
  return static_cast<T>(b - a);
}
template <typename T>
static T minimumOf(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
static T maximumOf(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
static T shiftLeft(T n, T a) {
  return static_cast<T>(a << (n & (8 * sizeof(T) - 1)));
}
template <typename T>
static T shiftRight(T n, T a) {
  return static_cast<T>(a >> (n & (8 * sizeof(T) - 1)));
}
static uint32_t bitAnd(uint32_t a, uint32_t b) { return a & b; }
static uint32_t bitOr(uint32_t a, uint32_t b) { return a | b; }
static uint32_t bitXor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t bitXnor(uint32_t a, uint32_t b) { return ~(a ^ b); }
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
  ops.bitsOut = detail::packLaneBits(carry);
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

static void selectByMask(LaneOperands &ops) {
  const uint32_t *ifClear = ops.src[0][0], *ifSet = ops.src[1][0];
  uint32_t *result = ops.dst[0];
  const LaneMask mask = ops.bitsIn;
#pragma clang loop vectorize(assume_safety)
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = mask >> lane & 1 ? ifSet[lane] : ifClear[lane];
}

/// v_cndmask dst, ifClear, ifSet, mask: two masked writes.
static const Instruction *executeSelect(Wave &wave, const Instruction *inst) {
  Lanes scratch[2];
  const LaneMask mask = wave.scalar64(inst->op(3)), exec = wave.exec();
  const Lanes &ifClear = wave.vectorSource(inst->op(1), scratch[0]);
  const Lanes &ifSet = wave.vectorSource(inst->op(2), scratch[1]);
  Lanes &result = wave.vectorRegister(inst->op(0));
  Wave::commitMasked(result, ifClear, exec & ~mask);
  Wave::commitMasked(result, ifSet, exec & mask);
  return inst + 1;
}

static constexpr VectorRow rows[] = {
    VectorRow{"v_cndmask_b32",
              selectByMask,
              nullptr,
              CarryIn | AnyModifiers,
              2,
              LaneType::B32,
              {LaneType::B32, LaneType::B32},
              executeSelect},
    VectorRow{"v_dual_cndmask_b32",
              selectByMask,
              nullptr,
              ReadsVcc,
              2,
              LaneType::B32,
              {LaneType::B32, LaneType::B32}},
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
    vectorRow<multiplyHigh24>("v_mul_hi_i32_i24"),
    vectorRow<multiply24u>("v_mul_u32_u24"),
    vectorRow<multiplyHigh24u>("v_mul_hi_u32_u24"),
    vectorRow<minimumOf<int32_t>>("v_min_i32"),
    vectorRow<maximumOf<int32_t>>("v_max_i32"),
    vectorRow<minimumOf<uint32_t>>("v_min_u32"),
    vectorRow<maximumOf<uint32_t>>("v_max_u32"),
    vectorRow<minimumOf<int16_t>>("v_min_i16"),
    vectorRow<maximumOf<int16_t>>("v_max_i16"),
    vectorRow<minimumOf<uint16_t>>("v_min_u16"),
    vectorRow<maximumOf<uint16_t>>("v_max_u16"),
    vectorRow<shiftLeft<uint32_t>>("v_lshlrev_b32"),
    vectorRow<shiftRight<uint32_t>>("v_lshrrev_b32"),
    vectorRow<shiftRight<int32_t>>("v_ashrrev_i32"),
    vectorRow<shiftLeft<uint16_t>>("v_lshlrev_b16"),
    vectorRow<shiftRight<uint16_t>>("v_lshrrev_b16"),
    vectorRow<shiftRight<int16_t>>("v_ashrrev_i16"),
    vectorRow<bitAnd>("v_and_b32"),
    vectorRow<bitOr>("v_or_b32"),
    vectorRow<bitXor>("v_xor_b32"),
    vectorRow<bitXnor>("v_xnor_b32"),
};

void mlir::ck::emulator::registerVectorInteger(InstructionTable &table) {
  addVectorRows(table, rows);
}
