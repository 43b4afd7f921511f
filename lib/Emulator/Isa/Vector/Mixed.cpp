//===- Mixed.cpp - Mixed-precision and dot-product instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused multiply-add whose sources are single or half precision, and dot products of packed
// integers with a 32-bit accumulator.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Number/Arithmetic.h"
#include "Emulator/Isa/Number/Numeric.h"
#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include <cmath>

using namespace ckemu;

namespace {
/// Where v_fma_mix puts its result.
enum class MixResult { Single, LowHalf, HighHalf };
} // namespace

/// A constant where a half is read. Constants are parsed as those of a 32-bit operation: an inline
/// float stands for the half of that value, anything else for its low bits.
static uint16_t getHalfConstant(uint32_t bits) {
  constexpr uint32_t kInverseOfTwoPi = 0x3e22f983;
  if (bits == kInverseOfTwoPi)
    return 0x3118;
  const float magnitude = std::fabs(floatOf(bits));
  const bool isInlineFloat =
      magnitude == 0.5f || magnitude == 1.0f || magnitude == 2.0f || magnitude == 4.0f;
  return isInlineFloat ? bitsOf(toHalf(floatOf(bits))) : uint16_t(bits);
}

/// Source i as single precision: op_sel_hi says that it is a half, op_sel which one.
static void fetchMix(const Wave &wave, const Instruction *inst, unsigned i, Lanes &result,
                     LaneMask &written) {
  const Operand &operand = inst->op(1 + i);
  Lanes scratch, moved;
  const bool isMoved = i == 0 && inst->form == Encoding::Dpp;
  if (isMoved) {
    moved = wave.vectorSource(operand, scratch);
    written = moveLanes(inst->mods, wave.exec(), &moved, 1);
  }
  const Lanes &source = isMoved ? moved : wave.vectorSource(operand, scratch);
  const bool isHalf = inst->mods.opSelHi >> i & 1;
  const unsigned shift = inst->mods.opSel >> i & 1 ? 16 : 0;
  if (isHalf) {
    if (operand.isConstant())
      broadcast(getHalfConstant(uint32_t(operand.value)), result);
    else
      for (unsigned lane = 0; lane < kLanes; ++lane)
        result[lane] = source[lane] >> shift & 0xffff;
    flushDenormals(wave.mode, LaneType::F16, /*results=*/false, &result);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = bitsOf(static_cast<float>(halfOf(uint16_t(result[lane]))));
  } else {
    result = source;
    flushDenormals(wave.mode, LaneType::F32, /*results=*/false, &result);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (operand.flags & kOperandAbs)
      result[lane] &= 0x7fffffff;
    if (operand.flags & kOperandNeg)
      result[lane] ^= 0x80000000;
  }
}

template <MixResult kind>
static const Instruction *executeMix(Wave &wave, const Instruction *inst) {
  static constexpr VectorRow row = vectorRow<fma32>("v_fma_mix_f32");
  Lanes sources[3], result;
  LaneOperands ops;
  LaneMask written = wave.exec();
  for (unsigned i = 0; i < 3; ++i) {
    fetchMix(wave, inst, i, sources[i], written);
    ops.src[i][0] = sources[i].lane;
  }
  ops.dst[0] = result.lane;
  {
    FloatEnvironment environment(wave.mode, LaneType::F32);
    row.run(ops);
    canonicalizeNans(row, ops);
    applyOutputModifiers(inst, LaneType::F32, wave.mode, &result);
  }
  if (kind == MixResult::Single) {
    Wave::commitMasked(wave.vectorRegister(inst->op(0)), result, written);
    return inst + 1;
  }
  if (LLVM_UNLIKELY(wave.mode & kModeFp16Overflow))
    return wave.fault(inst, "FP16_OVFL of MODE is not implemented for this instruction");
  {
    FloatEnvironment environment(wave.mode, LaneType::F16);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = bitsOf(toHalf(floatOf(result[lane])));
    flushDenormals(wave.mode, LaneType::F16, /*results=*/true, &result);
  }
  const Lanes &old = wave.vectorRegister(inst->op(0));
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = kind == MixResult::LowHalf ? (old[lane] & 0xffff0000) | result[lane]
                                              : (old[lane] & 0xffff) | result[lane] << 16;
  Wave::commitMasked(wave.vectorRegister(inst->op(0)), result, written);
  return inst + 1;
}

/// A constant has no upper half.
static llvm::Error prepareMix(Instruction &inst) {
  for (unsigned i = 0; i < 3; ++i)
    if (inst.op(1 + i).isConstant() && (inst.mods.opSelHi & inst.mods.opSel) >> i & 1)
      return refuse("the upper half of a constant is not implemented for this instruction");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// The exact sum of products of the elements of `bits` bits plus c.
template <unsigned bits, bool isSigned>
static int64_t dotExact(uint32_t a, uint32_t b, uint32_t c) {
  int64_t sum = isSigned ? int64_t(int32_t(c)) : int64_t(c);
  for (unsigned i = 0; i < 32; i += bits) {
    const int64_t x = isSigned ? int64_t(int32_t(a << (32 - bits - i)) >> (32 - bits))
                               : int64_t(a >> i & ((1u << bits) - 1));
    const int64_t y = isSigned ? int64_t(int32_t(b << (32 - bits - i)) >> (32 - bits))
                               : int64_t(b >> i & ((1u << bits) - 1));
    sum += x * y;
  }
  return sum;
}
template <unsigned bits, bool isSigned>
static uint32_t dot(uint32_t a, uint32_t b, uint32_t c) {
  return static_cast<uint32_t>(dotExact<bits, isSigned>(a, b, c));
}
template <unsigned bits, bool isSigned>
static uint32_t dotSaturated(uint32_t a, uint32_t b, uint32_t c) {
  const int64_t sum = dotExact<bits, isSigned>(a, b, c);
  if (!isSigned)
    return sum > 0xffffffffll ? ~0u : static_cast<uint32_t>(sum);
  return static_cast<uint32_t>(static_cast<int32_t>(sum > INT32_MAX   ? INT32_MAX
                                                    : sum < INT32_MIN ? INT32_MIN
                                                                      : sum));
}
template <unsigned bits, bool isSigned>
static constexpr VectorRow dotRow(const char *name, uint16_t flags = NoFlags) {
  return vectorRow<dot<bits, isSigned>>(name, flags, laneMap<dotSaturated<bits, isSigned>>);
}

static constexpr VectorRow rows[] = {
    dotRow<16, true>("v_dot2_i32_i16"),
    dotRow<16, false>("v_dot2_u32_u16"),
    dotRow<8, true>("v_dot4_i32_i8"),
    dotRow<8, false>("v_dot4_u32_u8"),
    dotRow<4, true>("v_dot8_i32_i4"),
    dotRow<4, false>("v_dot8_u32_u4"),
    dotRow<16, true>("v_dot2c_i32_i16", DstIsSource),
    dotRow<8, true>("v_dot4c_i32_i8", DstIsSource),
    dotRow<4, true>("v_dot8c_i32_i4", DstIsSource),
};

/// Element i of `bits` bits, sign extended where `isSigned`.
template <unsigned bits>
static int64_t elementOf(uint32_t row, unsigned i, bool isSigned) {
  const uint32_t value = row >> (bits * i) & ((1u << bits) - 1);
  return isSigned && value >> (bits - 1) ? int64_t(value) - (1 << bits) : int64_t(value);
}

/// v_dot4_i32_iu8, v_dot8_i32_iu4: neg_lo says which sources are signed. The exact sum saturates
/// with clamp and wraps without.
template <unsigned bits>
static const Instruction *executeMixedSigns(Wave &wave, const Instruction *inst) {
  const bool signs[] = {bool(inst->mods.negLo & 1), bool(inst->mods.negLo & 2)};
  Lanes scratch[3], result;
  const Lanes &a = wave.vectorSource(inst->op(1), scratch[0]);
  const Lanes &b = wave.vectorSource(inst->op(2), scratch[1]);
  const Lanes &c = wave.vectorSource(inst->op(3), scratch[2]);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    int64_t sum = int32_t(c[lane]);
    for (unsigned i = 0; i < 32 / bits; ++i)
      sum += elementOf<bits>(a[lane], i, signs[0]) * elementOf<bits>(b[lane], i, signs[1]);
    const int64_t bounded = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
    result[lane] = uint32_t(inst->has(Modifier::Clamp) ? bounded : sum);
  }
  wave.commit(inst->op(0), result);
  return inst + 1;
}

static llvm::Error prepareMixedSigns(Instruction &inst) {
  return inst.mods.negLo & 4 ? refuse("neg_lo of the addend is not defined")
                             : llvm::Error::success();
}

void ckemu::registerVectorMixed(InstructionTable &table) {
  addVectorRows(table, rows);
  const auto addMixedSigns = [&](const char *name, Handler handler) {
    table.add(name, {handler, InstructionClass::Valu, modifiers(Modifier::NegLo, Modifier::Clamp),
                     SourceType::B32, 4, prepareMixedSigns, nullptr, Effect::Changes});
  };
  addMixedSigns("v_dot4_i32_iu8", executeMixedSigns<8>);
  addMixedSigns("v_dot8_i32_iu4", executeMixedSigns<4>);
  constexpr ModifierSet accepted = modifiers(
      Modifier::OpSel, Modifier::OpSelHi, Modifier::SourceNeg, Modifier::SourceAbs, Modifier::Clamp,
      Modifier::Dpp, Modifier::RowMask, Modifier::BankMask, Modifier::BoundCtrl, Modifier::Fi);
  auto add = [&](const char *name, Handler handler) {
    table.add(name, {handler, InstructionClass::Valu, accepted, SourceType::B32, 4, prepareMix,
                     nullptr, Effect::Changes});
  };
  add("v_fma_mix_f32", executeMix<MixResult::Single>);
  add("v_fma_mixlo_f16", executeMix<MixResult::LowHalf>);
  add("v_fma_mixhi_f16", executeMix<MixResult::HighHalf>);
}
