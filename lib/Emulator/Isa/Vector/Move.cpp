//===- Move.cpp - One-operand integer instructions and moves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves, bit counting and bit reversal.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"

using namespace mlir::ck::emulator;

static uint32_t move(uint32_t a) { return a; }
static uint64_t move64(uint64_t a) { return a; }
static uint32_t bitNot(uint32_t a) { return ~a; }
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

static const Instruction *executeMove(Wave &wave, const Instruction *inst) {
  Lanes scratch;
  wave.commit(inst->op(0), wave.vectorSource(inst->op(1), scratch));
  return inst + 1;
}

static const Instruction *executeSwap(Wave &wave, const Instruction *inst) {
  Lanes &a = wave.vectorRegister(inst->op(0)), &b = wave.vectorRegister(inst->op(1));
  const Lanes first = a, second = b;
  wave.commit(inst->op(0), second);
  wave.commit(inst->op(1), first);
  return inst + 1;
}

static const Instruction *executeNothing(Wave &, const Instruction *inst) { return inst + 1; }

static constexpr VectorRow rows[] = {
    withPlain(vectorRow<move>("v_mov_b32", AnyModifiers), executeMove),
    withPlain(vectorRow<move>("v_accvgpr_mov_b32"), executeMove),
    withPlain(vectorRow<move>("v_accvgpr_read_b32"), executeMove),
    withPlain(vectorRow<move>("v_accvgpr_write_b32"), executeMove),
    vectorRow<move64>("v_mov_b64"),
    vectorRow<bitNot>("v_not_b32"),
    vectorRow<reverseBits>("v_bfrev_b32"),
    vectorRow<findHighest>("v_ffbh_u32"),
    vectorRow<findLowest>("v_ffbl_b32"),
    vectorRow<findSignChange>("v_ffbh_i32"),
    vectorRow<saturateBytes>("v_sat_pk_u8_i16"),
};

void mlir::ck::emulator::registerVectorMove(InstructionTable &table) {
  addVectorRows(table, rows);
  table.add("v_swap_b32", {executeSwap, InstructionClass::Valu, 0, SourceType::B32, 2});
  table.add("v_nop", {executeNothing, InstructionClass::Valu, 0, SourceType::B32, 0});
}
