//===- ExecMask.cpp - Instructions that change the execution mask -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// saveexec keeps the mask as it was, wrexec gives the new one; both set SCC when a lane is active.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

using U32 = uint32_t;
using U64 = uint64_t;

// EXEC updates: the new mask from the operand and the old mask.
static U64 maskAnd(U64 a, U64 exec) { return a & exec; }
static U64 maskOr(U64 a, U64 exec) { return a | exec; }
static U64 maskXor(U64 a, U64 exec) { return a ^ exec; }
static U64 maskAndNot2(U64 a, U64 exec) { return a & ~exec; }
static U64 maskOrNot2(U64 a, U64 exec) { return a | ~exec; }
static U64 maskAndNot1(U64 a, U64 exec) { return ~a & exec; }
static U64 maskOrNot1(U64 a, U64 exec) { return ~a | exec; }
static U64 maskNand(U64 a, U64 exec) { return ~(a & exec); }
static U64 maskNor(U64 a, U64 exec) { return ~(a | exec); }
static U64 maskXnor(U64 a, U64 exec) { return ~(a ^ exec); }

/// Sets EXEC and hands out the old mask, or the new one (wrexec).
template <U64 (*fn)(U64, U64), bool returnsOld>
static const Instruction *executeExec(Wave &wave, const Instruction *inst) {
  const U64 old = wave.exec(), mask = fn(wave.scalar64(inst->op(1)), old);
  wave.setScalar64(inst->op(0), returnsOld ? old : mask);
  wave.setExec(mask);
  wave.setScc(mask != 0);
  return inst + 1;
}

/// The same with 32 lanes: EXEC's upper half is no part of the state.
template <U64 (*fn)(U64, U64), bool returnsOld>
static const Instruction *executeExec32(Wave &wave, const Instruction *inst) {
  const U32 old = U32(wave.exec()), mask = U32(fn(wave.scalar32(inst->op(1)), old));
  wave.setScalar32(inst->op(0), returnsOld ? old : mask);
  wave.setExec(mask);
  wave.setScc(mask != 0);
  return inst + 1;
}

namespace {
struct Row {
  const char *name;
  Handler handler;
  MaskOperation mask = MaskOperation::Save;
};
} // namespace

static constexpr Row rows[] = {
    {"s_and_saveexec_b64", executeExec<maskAnd, true>},
    {"s_or_saveexec_b64", executeExec<maskOr, true>, MaskOperation::SaveOr},
    {"s_xor_saveexec_b64", executeExec<maskXor, true>},
    {"s_andn2_saveexec_b64", executeExec<maskAndNot2, true>, MaskOperation::SaveAndNot},
    {"s_orn2_saveexec_b64", executeExec<maskOrNot2, true>},
    {"s_andn1_saveexec_b64", executeExec<maskAndNot1, true>},
    {"s_orn1_saveexec_b64", executeExec<maskOrNot1, true>},
    {"s_nand_saveexec_b64", executeExec<maskNand, true>},
    {"s_nor_saveexec_b64", executeExec<maskNor, true>},
    {"s_xnor_saveexec_b64", executeExec<maskXnor, true>},
    {"s_andn1_wrexec_b64", executeExec<maskAndNot1, false>, MaskOperation::Other},
    {"s_andn2_wrexec_b64", executeExec<maskAndNot2, false>, MaskOperation::Other},
};

static constexpr Row rdnaRows[] = {
    {"s_and_saveexec_b32", executeExec32<maskAnd, true>},
    {"s_or_saveexec_b32", executeExec32<maskOr, true>, MaskOperation::SaveOr},
    {"s_xor_saveexec_b32", executeExec32<maskXor, true>},
    {"s_and_not1_saveexec_b32", executeExec32<maskAndNot2, true>, MaskOperation::SaveAndNot},
    {"s_or_not1_saveexec_b32", executeExec32<maskOrNot2, true>},
    {"s_and_not0_saveexec_b32", executeExec32<maskAndNot1, true>},
    {"s_or_not0_saveexec_b32", executeExec32<maskOrNot1, true>},
    {"s_nand_saveexec_b32", executeExec32<maskNand, true>},
    {"s_nor_saveexec_b32", executeExec32<maskNor, true>},
    {"s_xnor_saveexec_b32", executeExec32<maskXnor, true>},
    {"s_and_not0_wrexec_b32", executeExec32<maskAndNot1, false>, MaskOperation::Other},
    {"s_and_not1_wrexec_b32", executeExec32<maskAndNot2, false>, MaskOperation::Other},
};

void ckemu::registerScalarExecMask(InstructionTable &table) {
  auto add = [&](const Row &row, SourceType type) {
    OpcodeInfo info{row.handler, InstructionClass::Salu, 0, type, 2};
    info.facts = describeReplacement(row.mask);
    info.facts.writesExec = true;
    table.add(row.name, info);
  };
  for (const Row &row : rows)
    add(row, SourceType::B64);
  if (isCdna(table.getIsa()))
    return;
  for (const Row &row : rdnaRows)
    add(row, SourceType::B32);
}
