//===- InstructionCost.cpp - What an instruction asks of a compute unit -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InstructionCost.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Timing/Replay/InstructionCost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace ckemu;

static constexpr unsigned kCodeLineBytes = 64;

namespace {
/// Computes the cost of one instruction after another.
class CostComputer {
public:
  CostComputer(const DecodedCode &code, const ChipModel &chip, const TimingParameters &parameters,
               unsigned waveSize)
      : code(code), chip(chip), parameters(parameters),
        passes(isCdna(chip.isa) ? 1 : waveSize / 32) {}

  InstructionCost compute(const Instruction &inst) const;

private:
  const DecodedCode &code;
  const ChipModel &chip;
  const TimingParameters &parameters;
  const unsigned passes; ///< of a vector instruction: waves of 64 lanes take two on RDNA

  llvm::StringRef getMnemonic(const Instruction &inst) const;
  void setVector(InstructionCost &cost, const Instruction &inst, llvm::StringRef name) const;
  void setMatrix(InstructionCost &cost, const Instruction &inst, llvm::StringRef name) const;
  void setMemory(InstructionCost &cost, const Instruction &inst, llvm::StringRef name) const;
  void setControl(InstructionCost &cost, const Instruction &inst, llvm::StringRef name) const;
};
} // namespace

llvm::StringRef CostComputer::getMnemonic(const Instruction &inst) const {
  return code.getText(&inst).ltrim().take_until([](char c) { return c == ' ' || c == '\t'; });
}

/// Quarter of the rate of the others: transcendental functions, and products of 32-bit integers.
static bool isTranscendental(llvm::StringRef name) {
  static constexpr llvm::StringLiteral prefixes[] = {"v_exp_",  "v_log_", "v_rcp_", "v_rsq_",
                                                     "v_sqrt_", "v_sin_", "v_cos_", "v_s_"};
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}
static bool isQuarterRate(llvm::StringRef name) {
  return name.starts_with("v_mul_lo_u32") || name.starts_with("v_mul_hi_") ||
         name.starts_with("v_mad_u64_u32") || name.starts_with("v_mad_i64_i32") ||
         name.starts_with("v_mad_co_u64_u32") || name.starts_with("v_mad_nc_u64") ||
         name.starts_with("v_div_scale_f64") || name.starts_with("v_div_fmas_f64");
}
static bool isDouble(llvm::StringRef name) {
  return name.contains("_f64") && !name.starts_with("v_cmp");
}

void CostComputer::setVector(InstructionCost &cost, const Instruction &inst,
                             llvm::StringRef name) const {
  cost.unit = TimingUnit::Valu;
  double cycles = parameters.valuCycles;
  if (isTranscendental(name))
    cycles = parameters.transCycles;
  else if (isQuarterRate(name))
    cycles = parameters.quarterCycles;
  else if (isDouble(name))
    cycles = parameters.doubleCycles;
  else if (name.starts_with("v_pk_") && name.contains("_f32")) {
    cost.unit = TimingUnit::Packed;
    cycles = parameters.packedCycles;
  }
  cost.busy = uint16_t(cycles * passes);
  cost.issue = std::max(uint16_t(parameters.issueCycles), cost.busy);
  cost.latency =
      uint16_t(std::max(0.0, parameters.valuLatency + cost.busy - parameters.valuCycles));
  // An instruction of eight bytes that crosses a border of fetched blocks is found later.
  if (inst.size >= 8 && inst.offset % 8 != 0)
    cost.issue += uint16_t(parameters.crossingCycles);
}

void CostComputer::setMatrix(InstructionCost &cost, const Instruction &inst,
                             llvm::StringRef name) const {
  cost.unit = TimingUnit::Matrix;
  const bool isSmall = inst.mods.cbsz >= 2 && inst.mods.blgp >= 2; // codes of six and four bits
  cost.matrix = uint16_t(getMatrixCycles(name, chip.isa, inst.op(0).count, isSmall) *
                         (isCdna(chip.isa) ? 1 : passes));
  cost.busy = uint16_t(isCdna(chip.isa) ? parameters.valuCycles : cost.matrix);
  cost.issue = std::max(uint16_t(parameters.issueCycles), cost.busy);
  cost.latency = uint16_t(cost.matrix + parameters.matrixLatency);
  cost.slowdown = float(getMatrixSlowdown(name, chip.isa, parameters));
  cost.matrixBits = uint8_t(getMatrixBits(name, chip.isa, isSmall));
}

/// Whether an instruction of the vector memory unit or of LDS gets data for other instructions.
static bool isFetch(llvm::StringRef name) {
  return name.starts_with("buffer_load") || name.starts_with("tbuffer_load") ||
         name.starts_with("global_load") || name.starts_with("flat_load") ||
         name.starts_with("ds_write") || name.starts_with("ds_store");
}

void CostComputer::setMemory(InstructionCost &cost, const Instruction &inst,
                             llvm::StringRef name) const {
  cost.issue = uint16_t(parameters.issueCycles);
  if (name.contains("_inv") || name.contains("wbinv")) {
    cost.unit = TimingUnit::Invalidate;
    return;
  }
  if (name.contains("_wb")) {
    cost.unit = TimingUnit::WriteBack;
    return;
  }
  if (inst.kind == InstructionClass::Smem) {
    cost.unit = TimingUnit::Smem;
    return;
  }
  cost.unit = inst.kind == InstructionClass::Lds ? TimingUnit::Lds : TimingUnit::Vmem;
  cost.fetches = isFetch(name);
  cost.isAtomic = cost.unit == TimingUnit::Vmem && name.contains("_atomic");
  const bool isCounted = !isCdna(chip.isa);
  cost.isStore = isCounted && (name.contains("_store") ||
                               (name.contains("_atomic") && !inst.has(Modifier::Glc)));
  cost.bytesPerLane = llvm::StringSwitch<uint16_t>(name.rsplit('_').second)
                          .Cases({"b128", "dwordx4"}, 16)
                          .Cases({"b96", "dwordx3"}, 12)
                          .Cases({"b64", "dwordx2", "u64", "f64"}, 8)
                          .Case("x2", 8)
                          .Default(4);
  if (name.starts_with("ds_read2") || name.starts_with("ds_write2") ||
      name.starts_with("ds_load_2addr") || name.starts_with("ds_store_2addr"))
    cost.bytesPerLane *= 2;
  // The data of a store are read from the registers after it is issued.
  if (name.contains("store") || name.contains("write")) {
    const unsigned dwords = cost.bytesPerLane / 4;
    cost.issue = std::max(cost.issue, uint16_t(dwords * parameters.storeDwordCycles));
  }
}

void CostComputer::setControl(InstructionCost &cost, const Instruction &inst,
                              llvm::StringRef name) const {
  const bool isCdnaChip = isCdna(chip.isa);
  cost.issue = uint16_t(parameters.issueCycles);
  if (name.starts_with("s_wait")) {
    cost.unit = TimingUnit::Wait;
    cost.wait = decodeWait(code, inst, chip.isa);
  } else if (name == "s_nop") {
    cost.issue = uint16_t((inst.simm16() + 1) * cost.issue);
  } else if (name == "s_sleep") {
    cost.issue =
        uint16_t(std::max<double>(cost.issue, (inst.simm16() & 127) * parameters.sleepCycles));
  } else if (name == "s_barrier") {
    cost.unit = TimingUnit::Barrier;
  } else if (name.starts_with("s_barrier_signal")) {
    cost.unit = TimingUnit::BarrierSignal;
  } else if (name == "s_barrier_wait") {
    cost.unit = TimingUnit::BarrierWait;
  } else if (name == "s_setprio") {
    cost.unit = TimingUnit::Priority;
    cost.priority = uint8_t(inst.simm16() & 3);
  } else if (name == "s_endpgm") {
    cost.unit = TimingUnit::End;
  } else if (name.contains("_inv") || name.contains("_wb")) {
    setMemory(cost, inst, name);
  } else if (name == "s_delay_alu" || name == "s_clause") {
    cost.issue = uint16_t(isCdnaChip ? cost.issue : 1);
  }
}

InstructionCost CostComputer::compute(const Instruction &inst) const {
  InstructionCost cost;
  const llvm::StringRef name = getMnemonic(inst);
  switch (inst.kind) {
  case InstructionClass::Mfma:
  case InstructionClass::Wmma:
    setMatrix(cost, inst, name);
    break;
  case InstructionClass::Valu:
    setVector(cost, inst, name);
    break;
  case InstructionClass::Salu:
    cost.unit = TimingUnit::Salu;
    cost.busy = cost.issue = uint16_t(parameters.saluCycles);
    cost.latency = uint16_t(parameters.saluLatency);
    break;
  case InstructionClass::Smem:
  case InstructionClass::Vmem:
  case InstructionClass::Lds:
    setMemory(cost, inst, name);
    break;
  case InstructionClass::Branch:
    if (name != "s_endpgm" && name != "s_getpc_b64") {
      cost.unit = TimingUnit::Branch;
      cost.issue = uint16_t(parameters.saluCycles);
      break;
    }
    [[fallthrough]];
  case InstructionClass::Other:
    setControl(cost, inst, name);
    break;
  }
  return cost;
}

/// Whether a vector instruction adds to its destination.
static bool readsDestination(llvm::StringRef text) {
  return text.contains("mac") || text.starts_with("v_dot2c") || text.starts_with("v_dot4c");
}

static bool overlaps(const Operand &a, const Operand &b) {
  return a.kind == b.kind && (a.isVector() || a.isScalar()) && a.index < b.index + b.count &&
         b.index < a.index + a.count;
}

/// Whether `consumer` has an operand that `producer`, an instruction of the vector or matrix unit,
/// writes.
static bool isConsumer(const Instruction &consumer, bool readsFirst, const Instruction &producer) {
  const Operand &result = producer.op(0);
  const bool isMemory =
      consumer.kind == InstructionClass::Vmem || consumer.kind == InstructionClass::Lds;
  for (unsigned i = readsFirst || isMemory ? 0 : 1; i < consumer.numOperands; ++i)
    if (overlaps(consumer.op(i), result))
      return true;
  return false;
}

/// Notes where the operands of instruction `at` come from: the nearest instructions before it that
/// the wave may have to wait for.
static void findProducers(llvm::ArrayRef<Instruction> instructions, size_t at,
                          std::vector<InstructionCost> &costs, const DecodedCode &code) {
  const Instruction &inst = instructions[at];
  InstructionCost &cost = costs[at];
  const bool readsFirst = readsDestination(code.getText(&inst));
  unsigned found = 0, elapsed = 0;
  for (size_t distance = 1; distance < kProducerWindow && distance <= at && found < 3; ++distance) {
    const InstructionCost &producer = costs[at - distance];
    elapsed += producer.issue;
    if (producer.unit == TimingUnit::Branch || producer.unit == TimingUnit::End)
      break;
    if (producer.latency <= elapsed || !isConsumer(inst, readsFirst, instructions[at - distance]))
      continue;
    cost.producers[found++] = {uint8_t(distance),
                               uint8_t(std::min<unsigned>(producer.latency, 255))};
  }
}

std::vector<InstructionCost> ckemu::computeCosts(const DecodedCode &code, const ChipModel &chip,
                                                 const TimingParameters &parameters,
                                                 unsigned waveSize) {
  const llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  const CostComputer computer(code, chip, parameters, waveSize);
  std::vector<InstructionCost> costs(instructions.size());
  for (size_t i = 0; i < instructions.size(); ++i) {
    costs[i] = computer.compute(instructions[i]);
    costs[i].codeLine = uint32_t(instructions[i].offset / kCodeLineBytes);
    findProducers(instructions, i, costs, code);
  }
  return costs;
}
