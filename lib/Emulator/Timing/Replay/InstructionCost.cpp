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
#include <algorithm>

using namespace ckemu;

static constexpr unsigned kCodeLineBytes = 64;

namespace {
/// Computes the cost of one instruction after another.
class CostComputer {
public:
  CostComputer(const ChipModel &chip, const TimingParameters &parameters, unsigned waveSize)
      : chip(chip), parameters(parameters), passes(isCdna(chip.isa) ? 1 : waveSize / 32) {}

  InstructionCost compute(const Instruction &inst) const;

private:
  const ChipModel &chip;
  const TimingParameters &parameters;
  const unsigned passes; ///< of a vector instruction: waves of 64 lanes take two on RDNA

  void setVector(InstructionCost &cost, const Instruction &inst) const;
  void setMatrix(InstructionCost &cost, const Instruction &inst) const;
  void setScalar(InstructionCost &cost) const;
  void setVectorMemory(InstructionCost &cost, const Instruction &inst) const;
  void setControl(InstructionCost &cost, const Instruction &inst) const;
};
} // namespace

void CostComputer::setVector(InstructionCost &cost, const Instruction &inst) const {
  cost.unit = TimingUnit::Valu;
  double cycles = parameters.valuCycles;
  switch (inst.facts->timing) {
  case TimingClass::Transcendental:
    cycles = parameters.transCycles;
    break;
  case TimingClass::Quarter:
    cycles = parameters.quarterCycles;
    break;
  case TimingClass::Double:
    cycles = parameters.doubleCycles;
    break;
  case TimingClass::Packed:
    cost.unit = TimingUnit::Packed;
    cycles = parameters.packedCycles;
    break;
  default:
    break;
  }
  cost.busy = uint16_t(cycles * passes);
  cost.issue = std::max(uint16_t(parameters.issueCycles), cost.busy);
  cost.latency =
      uint16_t(std::max(0.0, parameters.valuLatency + cost.busy - parameters.valuCycles));
  // An instruction of eight bytes that crosses a border of fetched blocks is found later.
  if (inst.size >= 8 && inst.offset % 8 != 0)
    cost.issue += uint16_t(parameters.crossingCycles);
}

void CostComputer::setMatrix(InstructionCost &cost, const Instruction &inst) const {
  cost.unit = TimingUnit::Matrix;
  const MatrixShape &shape = inst.facts->matrix;
  const bool isSmall = inst.mods.cbsz >= 2 && inst.mods.blgp >= 2; // codes of six and four bits
  cost.matrix = uint16_t(getMatrixCycles(shape, chip.isa, inst.op(0).count, isSmall) *
                         (isCdna(chip.isa) ? 1 : passes));
  cost.busy = uint16_t(isCdna(chip.isa) ? parameters.valuCycles : cost.matrix);
  cost.issue = std::max(uint16_t(parameters.issueCycles), cost.busy);
  cost.latency = uint16_t(cost.matrix + parameters.matrixLatency);
  cost.slowdown = float(getMatrixSlowdown(shape, chip.isa, parameters));
  cost.matrixBits = uint8_t(getMatrixBits(shape, isSmall));
}

void CostComputer::setScalar(InstructionCost &cost) const {
  cost.unit = TimingUnit::Salu;
  cost.busy = cost.issue = uint16_t(parameters.saluCycles);
  cost.latency = uint16_t(parameters.saluLatency);
}

/// Vector memory and LDS.
void CostComputer::setVectorMemory(InstructionCost &cost, const Instruction &inst) const {
  const InstructionFacts &facts = *inst.facts;
  const bool isAtomic = facts.action == MemoryAction::Atomic;
  cost.unit = facts.timing == TimingClass::Lds ? TimingUnit::Lds : TimingUnit::Vmem;
  cost.issue = uint16_t(parameters.issueCycles);
  cost.fetches = facts.fetches;
  if (cost.unit == TimingUnit::Vmem) {
    cost.isAtomic = isAtomic;
    cost.isStore = !isCdna(chip.isa) &&
                   (facts.action == MemoryAction::Store || (isAtomic && !inst.has(Modifier::Glc)));
  }
  cost.bytesPerLane = facts.bytesPerLane;
  // The data of a store are read from the registers after it is issued.
  if (facts.readsDataLate) {
    const unsigned dwords = cost.bytesPerLane / 4;
    cost.issue = std::max(cost.issue, uint16_t(dwords * parameters.storeDwordCycles));
  }
}

/// What no unit executes.
void CostComputer::setControl(InstructionCost &cost, const Instruction &inst) const {
  cost.issue = uint16_t(parameters.issueCycles);
  switch (inst.facts->timing) {
  case TimingClass::Smem:
    cost.unit = TimingUnit::Smem;
    break;
  case TimingClass::Wait:
    cost.unit = TimingUnit::Wait;
    cost.wait = decodeWait(inst, chip.isa);
    break;
  case TimingClass::Nop:
    cost.issue = uint16_t((inst.simm16() + 1) * cost.issue);
    break;
  case TimingClass::Sleep:
    cost.issue =
        uint16_t(std::max<double>(cost.issue, (inst.simm16() & 127) * parameters.sleepCycles));
    break;
  case TimingClass::Hint:
    cost.issue = uint16_t(isCdna(chip.isa) ? cost.issue : 1);
    break;
  case TimingClass::Priority:
    cost.unit = TimingUnit::Priority;
    cost.priority = uint8_t(inst.simm16() & 3);
    break;
  case TimingClass::Barrier:
    cost.unit = TimingUnit::Barrier;
    break;
  case TimingClass::BarrierSignal:
    cost.unit = TimingUnit::BarrierSignal;
    break;
  case TimingClass::BarrierWait:
    cost.unit = TimingUnit::BarrierWait;
    break;
  case TimingClass::Invalidate:
    cost.unit = TimingUnit::Invalidate;
    break;
  case TimingClass::WriteBack:
    cost.unit = TimingUnit::WriteBack;
    break;
  case TimingClass::End:
    cost.unit = TimingUnit::End;
    break;
  default:
    break;
  }
}

InstructionCost CostComputer::compute(const Instruction &inst) const {
  InstructionCost cost;
  switch (inst.facts->timing) {
  case TimingClass::Matrix:
    setMatrix(cost, inst);
    break;
  case TimingClass::Valu:
  case TimingClass::Transcendental:
  case TimingClass::Quarter:
  case TimingClass::Double:
  case TimingClass::Packed:
    setVector(cost, inst);
    break;
  case TimingClass::Salu:
    setScalar(cost);
    break;
  case TimingClass::Vmem:
  case TimingClass::Lds:
    setVectorMemory(cost, inst);
    break;
  case TimingClass::Branch:
    cost.unit = TimingUnit::Branch;
    cost.issue = uint16_t(parameters.saluCycles);
    break;
  default:
    setControl(cost, inst);
    break;
  }
  return cost;
}

static bool overlaps(const Operand &a, const Operand &b) {
  return a.kind == b.kind && (a.isVector() || a.isScalar()) && a.index < b.index + b.count &&
         b.index < a.index + a.count;
}

/// Whether `consumer` has an operand that `producer`, an instruction of the vector or matrix unit,
/// writes.
static bool isConsumer(const Instruction &consumer, const Instruction &producer) {
  const Operand &result = producer.op(0);
  const bool readsFirst = consumer.facts->addsToFirst;
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
                          std::vector<InstructionCost> &costs) {
  const Instruction &inst = instructions[at];
  InstructionCost &cost = costs[at];
  unsigned found = 0, elapsed = 0;
  for (size_t distance = 1; distance < kProducerWindow && distance <= at && found < 3; ++distance) {
    const InstructionCost &producer = costs[at - distance];
    elapsed += producer.issue;
    if (producer.unit == TimingUnit::Branch || producer.unit == TimingUnit::End)
      break;
    if (producer.latency <= elapsed || !isConsumer(inst, instructions[at - distance]))
      continue;
    cost.producers[found++] = {uint8_t(distance),
                               uint8_t(std::min<unsigned>(producer.latency, 255))};
  }
}

std::vector<InstructionCost> ckemu::computeCosts(const DecodedCode &code, const ChipModel &chip,
                                                 const TimingParameters &parameters,
                                                 unsigned waveSize) {
  const llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  const CostComputer computer(chip, parameters, waveSize);
  std::vector<InstructionCost> costs(instructions.size());
  for (size_t i = 0; i < instructions.size(); ++i) {
    costs[i] = computer.compute(instructions[i]);
    costs[i].codeLine = uint32_t(instructions[i].offset / kCodeLineBytes);
    findProducers(instructions, i, costs);
  }
  return costs;
}
