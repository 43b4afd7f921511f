//===- Immediate.cpp - Instructions with an immediate of 16 bits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons with one are in Compare.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

static const Instruction *executeMove(Wave &wave, const Instruction *inst) {
  wave.setScalar32(inst->op(0), uint32_t(int32_t(inst->simm16())));
  return inst + 1;
}

static const Instruction *executeConditionalMove(Wave &wave, const Instruction *inst) {
  return wave.scc() ? executeMove(wave, inst) : inst + 1;
}

static const Instruction *executeAdd(Wave &wave, const Instruction *inst) {
  int32_t sum;
  wave.setScc(
      __builtin_add_overflow(int32_t(wave.scalar32(inst->op(0))), int32_t(inst->simm16()), &sum));
  wave.setScalar32(inst->op(0), uint32_t(sum));
  return inst + 1;
}

static const Instruction *executeMultiply(Wave &wave, const Instruction *inst) {
  wave.setScalar32(inst->op(0), wave.scalar32(inst->op(0)) * uint32_t(int32_t(inst->simm16())));
  return inst + 1;
}

void ckemu::registerScalarImmediate(InstructionTable &table) {
  auto add = [&](const char *name, Handler handler) {
    table.add(name, {handler, InstructionClass::Salu, 0, SourceType::B32, 2});
  };
  add("s_movk_i32", executeMove);
  add("s_cmovk_i32", executeConditionalMove);
  add("s_addk_i32", executeAdd);
  add("s_mulk_i32", executeMultiply);
}
