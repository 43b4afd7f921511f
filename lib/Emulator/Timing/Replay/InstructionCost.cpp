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
#include <algorithm>

using namespace ckemu;

static constexpr unsigned kCodeLineBytes = 64;

namespace {
/// Computes the cost of one instruction after another.
class CostComputer {
public:
  CostComputer(const ChipModel &chip, const TimingParameters &parameters, unsigned waveSize)
      : chip(chip), parameters(parameters), passes(isCdna(chip.isa) ? 1 : waveSize / 32) {}

  InstructionCost compute(const TimedInstruction &inst) const;

private:
  const ChipModel &chip;
  const TimingParameters &parameters;
  const unsigned passes; ///< of a vector instruction: waves of 64 lanes take two on RDNA

  void setVector(InstructionCost &cost, const TimedInstruction &inst) const;
  void setMatrix(InstructionCost &cost, const TimedInstruction &inst) const;
  void setScalar(InstructionCost &cost) const;
  void setVectorMemory(InstructionCost &cost, const TimedInstruction &inst) const;
  void setControl(InstructionCost &cost, const TimedInstruction &inst) const;
};
} // namespace

void CostComputer::setVector(InstructionCost &cost, const TimedInstruction &inst) const {
  cost.unit = TimingUnit::Valu;
  double cycles = parameters.valuCycles;
  switch (inst.timing) {
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

void CostComputer::setMatrix(InstructionCost &cost, const TimedInstruction &inst) const {
  cost.unit = TimingUnit::Matrix;
  const MatrixShape &shape = inst.matrix;
  cost.matrix = uint16_t(
      getMatrixCycles(shape, chip.matrixRates, inst.resultRegisters, inst.hasSmallFactors) *
      (isCdna(chip.isa) ? 1 : passes));
  cost.busy = uint16_t(isCdna(chip.isa) ? parameters.valuCycles : cost.matrix);
  cost.issue = std::max(uint16_t(parameters.issueCycles), cost.busy);
  cost.latency = uint16_t(cost.matrix + parameters.matrixLatency);
  cost.slowdown = float(getMatrixSlowdown(shape, chip.matrixRates, parameters));
  cost.matrixBits = uint8_t(getMatrixBits(shape, inst.hasSmallFactors));
}

void CostComputer::setScalar(InstructionCost &cost) const {
  cost.unit = TimingUnit::Salu;
  cost.busy = cost.issue = uint16_t(parameters.saluCycles);
  cost.latency = uint16_t(parameters.saluLatency);
}

/// Vector memory and LDS.
void CostComputer::setVectorMemory(InstructionCost &cost, const TimedInstruction &inst) const {
  const bool isAtomic = inst.action == MemoryAction::Atomic;
  cost.unit = inst.timing == TimingClass::Lds ? TimingUnit::Lds : TimingUnit::Vmem;
  cost.issue = uint16_t(parameters.issueCycles);
  cost.fetches = inst.fetches;
  if (cost.unit == TimingUnit::Vmem) {
    cost.isAtomic = isAtomic;
    cost.isStore =
        !isCdna(chip.isa) && (inst.action == MemoryAction::Store || (isAtomic && !inst.returns));
  }
  cost.bytesPerLane = inst.bytesPerLane;
  // The data of a store are read from the registers after it is issued.
  if (inst.readsDataLate) {
    const unsigned dwords = cost.bytesPerLane / 4;
    cost.issue = std::max(cost.issue, uint16_t(dwords * parameters.storeDwordCycles));
  }
}

/// What no unit executes.
void CostComputer::setControl(InstructionCost &cost, const TimedInstruction &inst) const {
  cost.issue = uint16_t(parameters.issueCycles);
  switch (inst.timing) {
  case TimingClass::Smem:
    cost.unit = TimingUnit::Smem;
    break;
  case TimingClass::Wait:
    cost.unit = TimingUnit::Wait;
    cost.wait = inst.wait;
    break;
  case TimingClass::Nop:
    cost.issue = uint16_t((inst.immediate + 1) * cost.issue);
    break;
  case TimingClass::Sleep:
    cost.issue =
        uint16_t(std::max<double>(cost.issue, (inst.immediate & 127) * parameters.sleepCycles));
    break;
  case TimingClass::Hint:
    cost.issue = uint16_t(isCdna(chip.isa) ? cost.issue : 1);
    break;
  case TimingClass::Priority:
    cost.unit = TimingUnit::Priority;
    cost.priority = uint8_t(inst.immediate & 3);
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

InstructionCost CostComputer::compute(const TimedInstruction &inst) const {
  InstructionCost cost;
  switch (inst.timing) {
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

static bool overlaps(const RegisterRange &a, const RegisterRange &b) {
  return a.file == b.file && a.file != RegisterFile::None && a.first < b.first + b.count &&
         b.first < a.first + a.count;
}

/// Whether `consumer` has an operand that `producer`, an instruction of the vector or matrix unit,
/// writes.
static bool isConsumer(const TimedInstruction &consumer, const TimedInstruction &producer) {
  return llvm::any_of(consumer.sources, [&](const RegisterRange &source) {
    return overlaps(source, producer.result);
  });
}

/// Notes where the operands of instruction `at` come from: the nearest instructions before it that
/// the wave may have to wait for.
static void findProducers(llvm::ArrayRef<TimedInstruction> instructions, size_t at,
                          std::vector<InstructionCost> &costs) {
  InstructionCost &cost = costs[at];
  unsigned found = 0, elapsed = 0;
  for (size_t distance = 1; distance < kProducerWindow && distance <= at && found < 3; ++distance) {
    const InstructionCost &producer = costs[at - distance];
    elapsed += producer.issue;
    if (producer.unit == TimingUnit::Branch || producer.unit == TimingUnit::End)
      break;
    if (producer.latency <= elapsed || !isConsumer(instructions[at], instructions[at - distance]))
      continue;
    cost.producers[found++] = {uint8_t(distance),
                               uint8_t(std::min<unsigned>(producer.latency, 255))};
  }
}

std::vector<InstructionCost> ckemu::computeCosts(llvm::ArrayRef<TimedInstruction> code,
                                                 const ChipModel &chip,
                                                 const TimingParameters &parameters,
                                                 unsigned waveSize) {
  const CostComputer computer(chip, parameters, waveSize);
  std::vector<InstructionCost> costs(code.size());
  for (size_t i = 0; i < code.size(); ++i) {
    costs[i] = computer.compute(code[i]);
    costs[i].codeLine = uint32_t(code[i].offset / kCodeLineBytes);
    findProducers(code, i, costs);
  }
  return costs;
}
