//===- LanePermutation.cpp - Lanes moved within and between rows -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane of a row of 16 reads a lane of the same row (permlane16) or of the other row of its 32
// (permlanex16), chosen by four bits of two scalars or, in gfx12's `_var` forms, of a register.
// op_sel holds what other lane exchanges call fi and bound_ctrl.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

/// Writes the lane that `select(lane)` names for each active lane. Inactive lanes are read with the
/// first bit of op_sel only; without it they give 0 with the second bit, else nothing is written.
template <bool crosses, typename Select>
static const Instruction *permuteRows(Wave &wave, const Instruction *inst, Select select) {
  const bool readsInactive = inst->mods.opSel & 1, givesZero = inst->mods.opSel & 2;
  const LaneMask exec = wave.exec();
  Lanes scratch, result;
  const Lanes &source = wave.vectorSource(inst->op(1), scratch);
  LaneMask written = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned row = (lane & ~15u) ^ (crosses ? 16 : 0);
    const unsigned from = row | (select(lane) & 15);
    const bool valid = readsInactive || exec >> from & 1;
    result[lane] = valid ? source[from] : 0;
    written |= LaneMask(valid || givesZero) << lane;
  }
  Wave::commitMasked(wave.vectorRegister(inst->op(0)), result, written & exec);
  return inst + 1;
}

template <bool crosses>
static const Instruction *executeByScalars(Wave &wave, const Instruction *inst) {
  const uint64_t selectors =
      uint64_t(wave.scalar32(inst->op(3))) << 32 | wave.scalar32(inst->op(2));
  return permuteRows<crosses>(
      wave, inst, [=](unsigned lane) { return unsigned(selectors >> (4 * (lane & 15))); });
}

template <bool crosses>
static const Instruction *executeByRegister(Wave &wave, const Instruction *inst) {
  const Lanes selectors = wave.vectorRegister(inst->op(2));
  return permuteRows<crosses>(wave, inst, [&](unsigned lane) { return selectors[lane]; });
}

/// Exchanges the halves of a wave of 64 lanes, inactive lanes included; nothing in one of 32.
static const Instruction *executeExchangeHalves(Wave &wave, const Instruction *inst) {
  if (wave.laneCount != kLanes)
    return inst + 1;
  const Lanes source = wave.vectorRegister(inst->op(1));
  Lanes result;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = source[lane ^ 32];
  wave.commit(inst->op(0), result);
  return inst + 1;
}

/// Swaps lanes [row, 2 row) of the destination with lanes [0, row) of the source, in each group of
/// 2 row lanes.
template <unsigned row>
static const Instruction *executePermlaneSwap(Wave &wave, const Instruction *inst) {
  if (wave.exec() != ~LaneMask(0))
    return wave.fault(inst, "swapping rows with inactive lanes is not implemented");
  Lanes &first = wave.vectorRegister(inst->op(0)), &second = wave.vectorRegister(inst->op(1));
  if (&first == &second)
    return wave.fault(inst, "swapping rows of a register with itself is not implemented");
  for (unsigned lane = 0; lane < kLanes; lane += 2 * row)
    for (unsigned i = lane; i < lane + row; ++i)
      std::swap(first[i + row], second[i]);
  return inst + 1;
}

void ckemu::registerVectorLanePermutation(InstructionTable &table) {
  auto add = [&](const char *name, Handler handler, ModifierSet accepted, int8_t operands,
                 Effect effect = Effect::Changes) {
    table.add(name, {handler, InstructionClass::Valu, accepted, SourceType::B32, operands, nullptr,
                     nullptr, effect});
  };
  if (table.getIsa() == Isa::Gfx950) {
    constexpr ModifierSet invalid = modifiers(Modifier::BoundCtrl, Modifier::Fi);
    add("v_permlane16_swap_b32", executePermlaneSwap<16>, invalid, 2, Effect::SetsTwo);
    add("v_permlane32_swap_b32", executePermlaneSwap<32>, invalid, 2, Effect::SetsTwo);
  }
  if (isCdna(table.getIsa()))
    return;
  constexpr ModifierSet opSel = modifiers(Modifier::OpSel);
  add("v_permlane16_b32", executeByScalars<false>, opSel, 4);
  add("v_permlanex16_b32", executeByScalars<true>, opSel, 4);
  add("v_permlane16_var_b32", executeByRegister<false>, opSel, 3);
  add("v_permlanex16_var_b32", executeByRegister<true>, opSel, 3);
  add("v_permlane64_b32", executeExchangeHalves, 0, 2);
}
