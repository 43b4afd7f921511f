//===- ExecMasks.cpp - Where all lanes of a wave are active -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar register (two for waves of 64 lanes) covers EXEC when each lane is active or set in it.
// Where such a register is added to EXEC, all lanes are active again.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/ExecMasks.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace ckemu;

std::optional<ControlFlow> ControlFlow::find(const DecodedCode &code, const Instruction *entry) {
  const llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  ControlFlow flow;
  flow.successors.resize(instructions.size());
  flow.reached.resize(instructions.size());
  std::vector<uint32_t> work = {entry->index};
  flow.reached[entry->index] = true;
  while (!work.empty()) {
    const Instruction &inst = instructions[work.back()];
    work.pop_back();
    const ControlFlowKind control = inst.facts->control;
    if (control == ControlFlowKind::ComputedJump || control == ControlFlowKind::Call ||
        control == ControlFlowKind::Trap || inst.facts->numbersRegisters)
      return std::nullopt;
    auto &successors = flow.successors[inst.index];
    // What cannot be decoded ends the launch.
    const bool ends = control == ControlFlowKind::End || !code.getDecodeError(&inst).empty();
    if (!ends && control != ControlFlowKind::Branch)
      successors.push_back(inst.index + 1);
    if (!ends && inst.target)
      successors.push_back(inst.target->index);
    for (uint32_t next : successors)
      if (!flow.reached[next]) {
        flow.reached[next] = true;
        work.push_back(next);
      }
  }
  return flow;
}

namespace {
/// What is known before an instruction.
struct MaskState {
  bool isReached = false;
  bool isFull = false;                   ///< all lanes are active
  std::bitset<kNumScalarSlots> ones;     ///< registers in which all lanes are set
  std::bitset<kNumScalarSlots> covering; ///< those that cover EXEC

  bool covers(unsigned slot) const { return isFull || ones[slot] || covering[slot]; }
  /// Adds another way to come here; true when less is known now.
  bool meet(const MaskState &other);
};

/// One instruction as a change of masks.
class MaskStep {
public:
  MaskStep(const Instruction &inst, unsigned waveSize)
      : inst(inst), words(waveSize / 32), operation(inst.facts->mask),
        writesExec(inst.facts->writesExec) {}
  void apply(MaskState &state) const;

private:
  const Instruction &inst;
  const unsigned words; ///< of a mask
  const MaskOperation operation;
  const bool writesExec; ///< without naming it

  bool isMask(const Operand &op) const { return op.isScalar() && op.count == words; }
  bool isExec(const Operand &op) const { return isMask(op) && op.index == kExec; }
  bool isOnes(const Operand &op) const { return op.isConstant() && op.value == ~0ull; }
  bool isOnes(const MaskState &state, const Operand &op) const {
    return isOnes(op) || (isExec(op) ? state.isFull : isMask(op) && state.ones[op.index]);
  }
  bool covers(const MaskState &state, const Operand &op) const {
    return isOnes(op) || (isExec(op) ? state.isFull : isMask(op) && state.covers(op.index));
  }
  void forgetWritten(MaskState &state) const;
  void setExec(const MaskState &before, MaskState &state) const;
  void saveExec(const MaskState &before, MaskState &state) const;
  void setRegister(const MaskState &before, MaskState &state) const;
};
} // namespace

bool MaskState::meet(const MaskState &other) {
  if (!isReached) {
    *this = other;
    isReached = true;
    return true;
  }
  std::bitset<kNumScalarSlots> all;
  all.set();
  const auto both =
      (isFull ? all : covering | ones) & (other.isFull ? all : other.covering | other.ones);
  const MaskState before = *this;
  isFull = isFull && other.isFull;
  ones &= other.ones;
  covering = both;
  return isFull != before.isFull || ones != before.ones || covering != before.covering;
}

/// Whatever names a register first may write it; vector instructions have a second result.
void MaskStep::forgetWritten(MaskState &state) const {
  for (unsigned i = 0; i < inst.numOperands && i < (inst.kind == InstructionClass::Salu ? 1 : 2);
       ++i) {
    const Operand &op = inst.op(i);
    if (!op.isScalar())
      continue;
    // A pair that begins one register before overlaps, too.
    const unsigned first = op.index > 0 ? op.index - 1 : 0;
    for (unsigned slot = first; slot < op.index + op.count && slot < kNumScalarSlots; ++slot)
      state.ones[slot] = state.covering[slot] = false;
  }
}

/// op(0) is EXEC.
void MaskStep::setExec(const MaskState &before, MaskState &state) const {
  const Operand &first = inst.op(1), &second = inst.op(inst.numOperands - 1u);
  const Operand &other = isExec(first) ? second : first;
  const bool grows = operation == MaskOperation::Or && (isExec(first) || isExec(second));
  state.isFull = false;
  if (!grows)
    state.covering.reset();
  if (grows) {
    state.isFull = covers(before, other);
  } else if (operation == MaskOperation::Move) {
    state.isFull = isOnes(before, first);
  } else if (!isExec(first) && !isExec(second)) {
    state.isFull =
        operation == MaskOperation::Or && (isOnes(before, first) || isOnes(before, second));
  } else if ((operation == MaskOperation::Xor ||
              (operation == MaskOperation::AndNot && isExec(first))) &&
             isMask(other)) {
    // Lanes leave EXEC that are set in the other.
    state.covering[other.index] = before.covers(other.index);
  }
}

/// op(0) becomes EXEC, and EXEC is combined with op(1).
void MaskStep::saveExec(const MaskState &before, MaskState &state) const {
  const unsigned saved = inst.op(0).index;
  const bool isCovered = covers(before, inst.op(1));
  state.isFull = operation == MaskOperation::SaveOr && isCovered;
  if (operation != MaskOperation::SaveOr)
    state.covering.reset();
  state.ones[saved] = before.isFull;
  if (operation == MaskOperation::SaveAndNot)
    state.covering[saved] = isCovered;
}

/// op(0) is another register.
void MaskStep::setRegister(const MaskState &before, MaskState &state) const {
  const unsigned slot = inst.op(0).index;
  const Operand &first = inst.op(1), &second = inst.op(inst.numOperands - 1u);
  if (operation == MaskOperation::Move) {
    state.ones[slot] = isOnes(before, first);
    state.covering[slot] = covers(before, first);
  } else if (operation == MaskOperation::Or) {
    state.ones[slot] = isOnes(before, first) || isOnes(before, second);
    state.covering[slot] = covers(before, first) || covers(before, second);
  } else if (operation == MaskOperation::Xor && (isExec(first) || isExec(second))) {
    state.covering[slot] = covers(before, isExec(first) ? second : first);
  }
}

void MaskStep::apply(MaskState &state) const {
  const MaskState before = state;
  forgetWritten(state);
  const bool isOfMasks = inst.kind == InstructionClass::Salu && inst.numOperands >= 2 &&
                         !inst.facts->comparesScalars && isMask(inst.op(0));
  const bool saves = operation == MaskOperation::Save || operation == MaskOperation::SaveOr ||
                     operation == MaskOperation::SaveAndNot;
  if (isOfMasks && saves && !isExec(inst.op(0))) {
    saveExec(before, state);
  } else if (isOfMasks && isExec(inst.op(0))) {
    setExec(before, state);
  } else if (isOfMasks && !writesExec) {
    setRegister(before, state);
  } else {
    bool names = false;
    for (unsigned i = 0; i < std::min<unsigned>(inst.numOperands, 2); ++i)
      names |= inst.op(i).isScalar() && inst.op(i).index <= kExec + 1 &&
               inst.op(i).index + inst.op(i).count > kExec;
    if (!writesExec && !names)
      return;
    state.isFull = false;
    state.covering.reset();
  }
}

std::vector<bool> ckemu::findFullExec(const DecodedCode &code, const ControlFlow &flow,
                                      const Instruction *entry, unsigned waveSize) {
  const llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  std::vector<MaskState> states(instructions.size());
  MaskState first;
  first.isFull = true;
  states[entry->index].meet(first);
  std::vector<uint32_t> work = {entry->index};
  while (!work.empty()) {
    const uint32_t index = work.back();
    work.pop_back();
    MaskState state = states[index];
    MaskStep(instructions[index], waveSize).apply(state);
    for (uint32_t next : flow.getSuccessors(index))
      if (states[next].meet(state))
        work.push_back(next);
  }
  std::vector<bool> result(instructions.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = states[i].isReached && states[i].isFull;
  return result;
}
