//===- Move.cpp - Moves, exchanges and selections -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves of registers, also of those that M0 chooses, exchanges of registers and of halves, and the
// choice by a mask.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Isa/Vector/Modifiers.h"
#include "Emulator/Isa/Vector/VectorRow.h"

using namespace ckemu;

template <typename T>
static T move(T a) {
  return a;
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

/// One bit per lane chooses the second source.
static void runSelectHalf(LaneOperands &ops) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    ops.dst[0][lane] = ops.src[ops.bitsIn >> lane & 1][0][lane];
}

/// What M0 adds to the number of the source and of the destination.
template <bool movesSource, bool movesDestination, bool separately>
static const Instruction *executeRelativeMove(Wave &wave, const Instruction *inst) {
  constexpr uint32_t kMask = 0x3ff; // the offsets of v_movrelsd_2: bits 9 to 0 and 25 to 16
  const uint32_t m0 = wave.m0();
  Operand source = inst->op(1), destination = inst->op(0);
  if (movesSource)
    source.index += separately ? m0 & kMask : m0;
  if (movesDestination)
    destination.index += separately ? m0 >> 16 & kMask : m0;
  if ((movesSource && source.index >= wave.numVgprs) || destination.index >= wave.numVgprs)
    return wave.fault(inst, "M0 chooses a register past the " + llvm::Twine(wave.numVgprs) +
                                " vector registers of the wave");
  Lanes scratch;
  const Lanes value = wave.vectorSource(source, scratch);
  wave.commit(destination, value);
  return inst + 1;
}

static unsigned shiftOf(const Operand &op) { return op.flags & kOperandHigh ? 16 : 0; }

/// Both are read before either is written; they may be halves of one register.
static const Instruction *executeSwapHalves(Wave &wave, const Instruction *inst) {
  const unsigned shifts[2] = {shiftOf(inst->op(0)), shiftOf(inst->op(1))};
  Lanes values[2];
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[i][lane] = wave.vectorRegister(inst->op(i))[lane] >> shifts[i] & 0xffff;
  for (unsigned i = 0; i < 2; ++i) {
    Lanes result = wave.vectorRegister(inst->op(i));
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = (result[lane] & ~(0xffffu << shifts[i])) | values[1 - i][lane] << shifts[i];
    wave.commit(inst->op(i), result);
  }
  return inst + 1;
}

static constexpr VectorRow rows[] = {
    withPlain(vectorRow<move<uint32_t>>("v_mov_b32", AnyModifiers), executeMove),
    withPlain(vectorRow<move<uint32_t>>("v_accvgpr_mov_b32"), executeMove),
    withPlain(vectorRow<move<uint32_t>>("v_accvgpr_read_b32"), executeMove),
    withPlain(vectorRow<move<uint32_t>>("v_accvgpr_write_b32"), executeMove),
    vectorRow<move<uint64_t>>("v_mov_b64"),
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
};

static constexpr VectorRow rdnaRows[] = {
    vectorRow<move<uint16_t>>("v_mov_b16"),
    VectorRow{"v_cndmask_b16",
              runSelectHalf,
              nullptr,
              CarryIn | AnyModifiers | RawBits,
              2,
              LaneType::F16,
              {LaneType::F16, LaneType::F16, LaneType::None}},
};

static void registerRdna(InstructionTable &table) {
  addVectorRows(table, rdnaRows);
  auto add = [&](const char *name, Handler handler, Prepare prepare) {
    OpcodeInfo info{handler, InstructionClass::Valu, 0, SourceType::B32, 2, prepare};
    info.facts.numbersRegisters = true;
    table.add(name, info);
  };
  add("v_movreld_b32", executeRelativeMove<false, true, false>, nullptr);
  add("v_movrels_b32", executeRelativeMove<true, false, false>, prepareVectorSource);
  add("v_movrelsd_b32", executeRelativeMove<true, true, false>, prepareVectorSource);
  add("v_movrelsd_2_b32", executeRelativeMove<true, true, true>, prepareVectorSource);
  table.add("v_swap_b16", {executeSwapHalves, InstructionClass::Valu, modifiers(Modifier::Half),
                           SourceType::B32, 2});
}

void ckemu::registerVectorMove(InstructionTable &table) {
  addVectorRows(table, rows);
  table.add("v_swap_b32", {executeSwap, InstructionClass::Valu, 0, SourceType::B32, 2, nullptr,
                           nullptr, Effect::SetsTwo});
  for (const char *name :
       {"v_nop", "v_clrexcp"}) // which clears exception flags: nothing reads them
    table.add(name, {executeNothing, InstructionClass::Valu, 0, SourceType::B32, 0});
  if (!isCdna(table.getIsa()))
    registerRdna(table);
}
