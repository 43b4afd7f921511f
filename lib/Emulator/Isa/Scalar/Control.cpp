//===- Control.cpp - Program control -*- C++ -*-===//
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

#include "Emulator/Isa/Memory/Fence.h"
#include "Emulator/Isa/Scalar/Families.h"
#include "Emulator/Machine/Wave.h"

using namespace ckemu;

static const Instruction *executeNothing(Wave &, const Instruction *inst) { return inst + 1; }

static const Instruction *executeSleep(Wave &wave, const Instruction *inst) {
  return wave.yield(inst + 1);
}

static const Instruction *executeEndProgram(Wave &wave, const Instruction *inst) {
  wave.pc = inst;
  return wave.endProgram();
}

static const Instruction *executeTrap(Wave &wave, const Instruction *inst) {
  return wave.fault(inst, "the kernel executed s_trap " + llvm::Twine(inst->simm16()));
}

static const Instruction *executeBranch(Wave &, const Instruction *inst) { return inst->target; }

/// The mask that branches on vcc and exec look at: waves of 32 lanes use vcc_hi as a register.
static uint64_t activeBits(const Wave &wave, uint64_t mask) {
  return wave.laneCount == 32 ? uint32_t(mask) : mask;
}

namespace {
struct IfScc0 {
  static bool test(const Wave &wave) { return !wave.scc(); }
};
struct IfScc1 {
  static bool test(const Wave &wave) { return wave.scc(); }
};
struct IfVccz {
  static bool test(const Wave &wave) { return activeBits(wave, wave.vcc()) == 0; }
};
struct IfVccnz {
  static bool test(const Wave &wave) { return activeBits(wave, wave.vcc()) != 0; }
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

/// s_round_mode, s_denorm_mode: four bits of MODE at `shift`.
template <unsigned shift>
static const Instruction *executeMode(Wave &wave, const Instruction *inst) {
  wave.mode = (wave.mode & ~(15u << shift)) | (uint32_t(inst->simm16()) & 15u) << shift;
  wave.applyMode();
  return inst + 1;
}

static const Instruction *jump(Wave &wave, const Instruction *inst, uint64_t address) {
  if (const Instruction *target = wave.findInstruction(address))
    return target;
  return wave.fault(inst, "expected the address of an instruction, got 0x" +
                              llvm::Twine::utohexstr(address));
}

static const Instruction *executeGetPc(Wave &wave, const Instruction *inst) {
  wave.setScalar64(inst->op(0), wave.getAddress(inst) + inst->size);
  return inst + 1;
}

static const Instruction *executeSetPc(Wave &wave, const Instruction *inst) {
  return jump(wave, inst, wave.scalar64(inst->op(0)));
}

static const Instruction *executeSwapPc(Wave &wave, const Instruction *inst) {
  const uint64_t address = wave.scalar64(inst->op(1));
  wave.setScalar64(inst->op(0), wave.getAddress(inst) + inst->size);
  return jump(wave, inst, address);
}

static const Instruction *executeCall(Wave &wave, const Instruction *inst) {
  wave.setScalar64(inst->op(0), wave.getAddress(inst) + inst->size);
  return inst->target;
}

static llvm::Error checkMessage(Instruction &inst) {
  constexpr int16_t kDeallocVgprs = 3; // the wave needs no vector registers up to its end
  if (inst.simm16() == kDeallocVgprs)
    return llvm::Error::success();
  return llvm::createStringError("s_sendmsg is implemented for MSG_DEALLOC_VGPRS only");
}

/// -1 is the workgroup's barrier; gfx12's other ones are the trap handler's.
static llvm::Error checkBarrier(Instruction &inst) {
  if (inst.op(0).isConstant() && int32_t(inst.op(0).value) == -1)
    return llvm::Error::success();
  return llvm::createStringError("barriers other than -1 are not implemented");
}

/// What gfx11 and gfx12 have beside the instructions of gfx9.
static void addRdna(InstructionTable &table) {
  for (const char *name : {"s_clause", "s_delay_alu", "s_set_inst_prefetch_distance", "s_wait_idle",
                           "s_waitcnt_depctr", "s_wait_alu", "s_ttracedata_imm"})
    table.add(name, {executeNothing, InstructionClass::Other});
  for (const char *name :
       {"s_wait_loadcnt", "s_wait_storecnt", "s_wait_samplecnt", "s_wait_bvhcnt", "s_wait_expcnt",
        "s_wait_dscnt", "s_wait_kmcnt", "s_wait_loadcnt_dscnt", "s_wait_storecnt_dscnt"})
    table.add(name, {executeWait, InstructionClass::Other});
  table.add("s_round_mode", {executeMode<0>, InstructionClass::Other});
  table.add("s_denorm_mode", {executeMode<4>, InstructionClass::Other});
  for (const char *name :
       {"s_waitcnt_vmcnt", "s_waitcnt_vscnt", "s_waitcnt_lgkmcnt", "s_waitcnt_expcnt"})
    table.add(name, {executeWait, InstructionClass::Other, 0, SourceType::B32, 2});
  table.add("s_sleep_var", {executeSleep, InstructionClass::Salu, 0, SourceType::B32, 1});
  OpcodeInfo signal{executeBarrierSignal, InstructionClass::Other, 0, SourceType::B32, 1,
                    checkBarrier};
  table.add("s_barrier_signal", signal);
  signal.handler = executeBarrierSignalIsFirst;
  table.add("s_barrier_signal_isfirst", signal);
  table.add("s_barrier_wait", {executeBarrierWait, InstructionClass::Other});
  table.add("s_sendmsg", {executeNothing, InstructionClass::Other, 0, SourceType::B32, kAnyOperands,
                          checkMessage});
}

void ckemu::registerScalarControl(InstructionTable &table) {
  for (const char *name : {"s_nop", "s_setprio", "s_icache_inv", "s_incperflevel", "s_decperflevel",
                           "s_ttracedata", "s_inst_prefetch", "s_wakeup"})
    table.add(name, {executeNothing, InstructionClass::Other});
  table.add("s_waitcnt", {executeWait, InstructionClass::Other});
  if (isCdna(table.getIsa()))
    table.add("s_code_end", {executeNothing, InstructionClass::Other});
  else
    addRdna(table);
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

  auto addJump = [&](const char *name, Handler handler, int8_t numOperands) {
    table.add(name, {handler, InstructionClass::Branch, 0, SourceType::B64, numOperands});
  };
  addJump("s_getpc_b64", executeGetPc, 1);
  addJump("s_setpc_b64", executeSetPc, 1);
  addJump("s_swappc_b64", executeSwapPc, 2);
  addJump("s_call_b64", executeCall, kAnyOperands);
}
