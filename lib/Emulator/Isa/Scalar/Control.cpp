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

namespace {
/// What needs no handler of its own, or a wait.
struct PlainRow {
  const char *name;
  InstructionFacts facts = {};
};
} // namespace

static constexpr PlainRow kPlainRows[] = {
    {"s_nop", describeTiming(TimingClass::Nop)},
    {"s_setprio", describeTiming(TimingClass::Priority)},
    {"s_icache_inv", describeTiming(TimingClass::Invalidate)},
    {"s_incperflevel"},
    {"s_decperflevel"},
    {"s_ttracedata"},
    {"s_inst_prefetch"},
    {"s_wakeup"},
};

/// Of gfx11 and gfx12.
static constexpr PlainRow kRdnaPlainRows[] = {
    {"s_clause", describeTiming(TimingClass::Hint)},
    {"s_delay_alu", describeTiming(TimingClass::Hint)},
    {"s_set_inst_prefetch_distance"},
    {"s_wait_idle", describeWait(WaitKind::All)},
    {"s_waitcnt_depctr", describeWait(WaitKind::None)},
    {"s_wait_alu", describeWait(WaitKind::None)},
    {"s_ttracedata_imm"},
};

/// One counter, or two, of gfx12.
static constexpr PlainRow kWaitRows[] = {
    {"s_wait_loadcnt", describeWait(WaitKind::Loads)},
    {"s_wait_storecnt", describeWait(WaitKind::Stores)},
    {"s_wait_samplecnt", describeWait(WaitKind::None)},
    {"s_wait_bvhcnt", describeWait(WaitKind::None)},
    {"s_wait_expcnt", describeWait(WaitKind::None)},
    {"s_wait_dscnt", describeWait(WaitKind::Lds)},
    {"s_wait_kmcnt", describeWait(WaitKind::Scalar)},
    {"s_wait_loadcnt_dscnt", describeWait(WaitKind::LoadsAndLds)},
    {"s_wait_storecnt_dscnt", describeWait(WaitKind::StoresAndLds)},
};

/// One counter and a register, which is null.
static constexpr PlainRow kWaitRegisterRows[] = {
    {"s_waitcnt_vmcnt", describeWait(WaitKind::Loads)},
    {"s_waitcnt_vscnt", describeWait(WaitKind::Stores)},
    {"s_waitcnt_lgkmcnt", describeWait(WaitKind::LdsAndScalar)},
    {"s_waitcnt_expcnt", describeWait(WaitKind::None)},
};

static void addPlain(InstructionTable &table, llvm::ArrayRef<PlainRow> rows, Handler handler,
                     int8_t numOperands = kAnyOperands) {
  OpcodeInfo info{handler, InstructionClass::Other, 0, SourceType::B32, numOperands};
  for (const PlainRow &row : rows) {
    info.facts = row.facts;
    table.add(row.name, info);
  }
}

static void addBarriers(InstructionTable &table) {
  OpcodeInfo signal{executeBarrierSignal, InstructionClass::Other, 0, SourceType::B32, 1,
                    checkBarrier};
  signal.facts = describeTiming(TimingClass::BarrierSignal);
  table.add("s_barrier_signal", signal);
  signal.handler = executeBarrierSignalIsFirst;
  table.add("s_barrier_signal_isfirst", signal);
  addPlain(table, {{"s_barrier_wait", describeTiming(TimingClass::BarrierWait)}},
           executeBarrierWait);
}

/// What gfx11 and gfx12 have beside the instructions of gfx9.
static void addRdna(InstructionTable &table) {
  addPlain(table, kRdnaPlainRows, executeNothing);
  addPlain(table, kWaitRows, executeWait);
  addPlain(table, kWaitRegisterRows, executeWait, 2);
  table.add("s_round_mode", {executeMode<0>, InstructionClass::Other});
  table.add("s_denorm_mode", {executeMode<4>, InstructionClass::Other});
  table.add("s_sleep_var", {executeSleep, InstructionClass::Salu, 0, SourceType::B32, 1});
  addBarriers(table);
  table.add("s_sendmsg", {executeNothing, InstructionClass::Other, 0, SourceType::B32, kAnyOperands,
                          checkMessage});
}

static void addBranches(InstructionTable &table) {
  auto add = [&](const char *name, Handler handler, bool readsVcc = false) {
    OpcodeInfo info{handler, InstructionClass::Branch};
    info.facts = describeControl(ControlFlowKind::ConditionalBranch);
    info.facts.readsVcc = readsVcc;
    table.add(name, info);
  };
  add("s_cbranch_scc0", executeConditionalBranch<IfScc0>);
  add("s_cbranch_scc1", executeConditionalBranch<IfScc1>);
  add("s_cbranch_vccz", executeConditionalBranch<IfVccz>, /*readsVcc=*/true);
  add("s_cbranch_vccnz", executeConditionalBranch<IfVccnz>, /*readsVcc=*/true);
  add("s_cbranch_execz", executeConditionalBranch<IfExecz>);
  add("s_cbranch_execnz", executeConditionalBranch<IfExecnz>);

  auto addJump = [&](const char *name, Handler handler, int8_t numOperands,
                     const InstructionFacts &facts) {
    table.add(name, {handler, InstructionClass::Branch, 0, SourceType::B64, numOperands, nullptr,
                     nullptr, Effect::Unknown, facts});
  };
  InstructionFacts counter = describeTiming(TimingClass::Other);
  counter.control = ControlFlowKind::ProgramCounter;
  addJump("s_branch", executeBranch, kAnyOperands, describeControl(ControlFlowKind::Branch));
  addJump("s_getpc_b64", executeGetPc, 1, counter);
  addJump("s_setpc_b64", executeSetPc, 1, describeControl(ControlFlowKind::ComputedJump));
  addJump("s_swappc_b64", executeSwapPc, 2, describeControl(ControlFlowKind::ComputedJump));
  addJump("s_call_b64", executeCall, kAnyOperands, describeControl(ControlFlowKind::Call));
}

void ckemu::registerScalarControl(InstructionTable &table) {
  addPlain(table, kPlainRows, executeNothing);
  addPlain(table, {{"s_waitcnt", describeWait(WaitKind::Packed)}}, executeWait);
  if (isCdna(table.getIsa()))
    table.add("s_code_end", {executeNothing, InstructionClass::Other});
  else
    addRdna(table);
  addPlain(table, {{"s_sleep", describeTiming(TimingClass::Sleep)}}, executeSleep);
  addPlain(table, {{"s_trap", describeControl(ControlFlowKind::Trap)}}, executeTrap);
  addPlain(table, {{"s_barrier", describeTiming(TimingClass::Barrier)}}, executeBarrier);
  OpcodeInfo end{executeEndProgram, InstructionClass::Branch};
  end.facts = describeTiming(TimingClass::End);
  end.facts.control = ControlFlowKind::End;
  table.add("s_endpgm", end);
  addBranches(table);
}
