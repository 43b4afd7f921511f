//===- Dual.cpp - Pairs of vector instructions in one -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VOPD of gfx11 and gfx12 issues two operations of waves of 32 lanes at once. Each half is one of a
// few VOP2 instructions and executed by the handler of that; the order is chosen at decode so that
// neither sees what the other writes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Vector/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

static const InstructionPair &pairOf(const Instruction *inst) {
  return *static_cast<const InstructionPair *>(inst->extra.pointer);
}

template <unsigned first>
static const Instruction *executeInOrder(Wave &wave, const Instruction *inst) {
  const InstructionPair &pair = pairOf(inst);
  for (const Instruction *half : {&pair[first], &pair[1 - first]})
    if (!half->handler(wave, half))
      return nullptr;
  return inst + 1;
}

/// For halves that read each other's destination.
static const Instruction *executeCrossed(Wave &wave, const Instruction *inst) {
  const InstructionPair &pair = pairOf(inst);
  Lanes &destination = wave.vectorRegister(pair[0].op(0));
  const Lanes old = destination;
  if (!pair[0].handler(wave, &pair[0]))
    return nullptr;
  const Lanes result = destination;
  destination = old;
  if (!pair[1].handler(wave, &pair[1]))
    return nullptr;
  destination = result;
  return inst + 1;
}

static bool reads(const Instruction &inst, const Operand &written) {
  for (unsigned i = 1; i < inst.numOperands; ++i)
    if (inst.op(i).kind == written.kind && inst.op(i).index == written.index)
      return true;
  return false;
}

Handler ckemu::selectPairHandler(const InstructionPair &pair) {
  if (!reads(pair[1], pair[0].op(0)))
    return executeInOrder<0>;
  return reads(pair[0], pair[1].op(0)) ? executeCrossed : executeInOrder<1>;
}

void ckemu::registerVectorDual(InstructionTable &table) {
  for (const std::string name :
       {"fmac_f32", "fmaak_f32", "fmamk_f32", "mul_f32", "add_f32", "sub_f32", "subrev_f32",
        "mul_dx9_zero_f32", "mov_b32", "max_f32", "min_f32", "max_num_f32", "min_num_f32",
        "dot2acc_f32_f16", "dot2acc_f32_bf16", "add_nc_u32", "lshlrev_b32", "and_b32"})
    if (const OpcodeInfo *known = table.lookup("v_" + name)) {
      OpcodeInfo info = *known;
      info.accepts = 0;
      table.add("v_dual_" + name, info);
    }
}
