//===- TimedCode.cpp - Decoded code as the model of time sees it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TimedCode.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Trace/TimedCode.h"
#include "Emulator/Decode/WaitCounts.h"

using namespace ckemu;

static_assert(kMaxOperands == std::tuple_size<decltype(TimedInstruction::sources)>::value);

static RegisterRange getRegisters(const Operand &op) {
  switch (op.kind) {
  case OperandKind::Vgpr:
    return {RegisterFile::Vector, op.count, op.index};
  case OperandKind::Agpr:
    return {RegisterFile::Accumulation, op.count, op.index};
  case OperandKind::Sgpr:
    return {RegisterFile::Scalar, op.count, op.index};
  default:
    return {};
  }
}

/// The first operand of an access may be its address.
static bool readsFirst(const Instruction &inst) {
  return inst.facts->addsToFirst || inst.kind == InstructionClass::Vmem ||
         inst.kind == InstructionClass::Lds;
}

static TimedInstruction makeInstruction(const Instruction &inst, const ChipModel &chip) {
  const InstructionFacts &facts = *inst.facts;
  TimedInstruction timed;
  timed.timing = facts.timing;
  timed.size = inst.size;
  timed.offset = inst.offset;
  timed.immediate = inst.simm16();
  if (facts.timing == TimingClass::Wait)
    timed.wait = decodeWait(inst, chip);
  timed.action = facts.action;
  timed.bytesPerLane = facts.bytesPerLane;
  timed.returns = inst.has(Modifier::Glc);
  timed.fetches = facts.fetches;
  timed.readsDataLate = facts.readsDataLate;
  timed.matrix = facts.matrix;
  timed.resultRegisters = inst.op(0).count;
  timed.hasSmallFactors = inst.mods.cbsz >= 2 && inst.mods.blgp >= 2; // codes of six and four bits
  timed.result = getRegisters(inst.op(0));
  for (unsigned i = readsFirst(inst) ? 0 : 1; i < inst.numOperands; ++i)
    timed.sources[i] = getRegisters(inst.op(i));
  return timed;
}

std::vector<TimedInstruction> ckemu::makeTimedCode(const DecodedCode &code, const ChipModel &chip) {
  std::vector<TimedInstruction> result;
  for (const Instruction &inst : code.getInstructions()) {
    result.push_back(makeInstruction(inst, chip));
    result.back().text = code.getText(&inst).trim().str();
  }
  return result;
}
