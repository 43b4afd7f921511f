//===- Sopp.cpp - Program control -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branches, barrier, end of program and the instructions that only order or pace the hardware.
// Memory operations complete at once in the emulator, so waits have nothing to wait for.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "ck-mlir/Emulator/Wave.h"

using namespace mlir::ck::emulator;

static const Instruction *executeNothing(Wave &, const Instruction *inst) { return inst + 1; }

static const Instruction *executeSleep(Wave &wave, const Instruction *inst) {
  return wave.yield(inst + 1);
}

static const Instruction *executeEndProgram(Wave &wave, const Instruction *) {
  return wave.endProgram();
}

static const Instruction *executeBarrier(Wave &wave, const Instruction *inst) {
  return wave.waitAtBarrier(inst + 1);
}

static const Instruction *executeTrap(Wave &wave, const Instruction *inst) {
  return wave.fault(inst, "the kernel executed s_trap " + llvm::Twine(inst->simm16()));
}

static const Instruction *executeBranch(Wave &, const Instruction *inst) { return inst->target; }

namespace {
struct IfScc0 {
  static bool test(const Wave &wave) { return !wave.scc(); }
};
struct IfScc1 {
  static bool test(const Wave &wave) { return wave.scc(); }
};
struct IfVccz {
  static bool test(const Wave &wave) { return wave.vcc() == 0; }
};
struct IfVccnz {
  static bool test(const Wave &wave) { return wave.vcc() != 0; }
};
struct IfExecz {
  static bool test(const Wave &wave) { return wave.exec() == 0; }
};
struct IfExecnz {
  static bool test(const Wave &wave) { return wave.exec() != 0; }
};
} // namespace

template <class Condition>
static const Instruction *executeConditionalBranch(Wave &wave, const Instruction *inst) {
  return Condition::test(wave) ? inst->target : inst + 1;
}

void mlir::ck::emulator::registerSopp(InstructionTable &table) {
  for (const char *name :
       {"s_nop", "s_waitcnt", "s_setprio", "s_icache_inv", "s_incperflevel", "s_decperflevel",
        "s_ttracedata", "s_inst_prefetch", "s_code_end", "s_wakeup"})
    table.add(name, {executeNothing, InstructionClass::Other});
  table.add("s_sleep", {executeSleep, InstructionClass::Other});
  table.add("s_trap", {executeTrap, InstructionClass::Other});
  table.add("s_endpgm", {executeEndProgram, InstructionClass::Branch});
  table.add("s_barrier", {executeBarrier, InstructionClass::Other});

  auto addBranch = [&](const char *name, Handler handler) {
    table.add(name, {handler, InstructionClass::Branch});
  };
  addBranch("s_branch", executeBranch);
  addBranch("s_cbranch_scc0", executeConditionalBranch<IfScc0>);
  addBranch("s_cbranch_scc1", executeConditionalBranch<IfScc1>);
  addBranch("s_cbranch_vccz", executeConditionalBranch<IfVccz>);
  addBranch("s_cbranch_vccnz", executeConditionalBranch<IfVccnz>);
  addBranch("s_cbranch_execz", executeConditionalBranch<IfExecz>);
  addBranch("s_cbranch_execnz", executeConditionalBranch<IfExecnz>);
}
