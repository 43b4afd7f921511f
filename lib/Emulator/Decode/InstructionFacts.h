//===- InstructionFacts.h - What an instruction is, without executing it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an instruction's row that is for those who look at code: the model of time, the
// analyses of Decode, and what records accesses. They read these facts and never the mnemonic.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTIONFACTS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTIONFACTS_H

#include "ck-mlir/Emulator/TimingClass.h"
#include <algorithm>

namespace ckemu {

/// Where control goes behind an instruction.
enum class ControlFlowKind : uint8_t {
  Next,              ///< to the next instruction
  Branch,            ///< to the target
  ConditionalBranch, ///< to the next instruction or the target
  Call,              ///< to the target, which can come back
  ComputedJump,      ///< to an address in registers, also as a call
  ProgramCounter,    ///< to the next instruction, whose address others may compute with
  Trap,              ///< the wave stops with a fault
  End                ///< the wave ends
};

/// Which counters a wait names, by how its immediate is read.
enum class WaitKind : uint8_t {
  None,         ///< counters that the emulator does not have
  Packed,       ///< all of s_waitcnt
  All,          ///< everything must be complete
  Loads,        ///< one counter
  Stores,       //
  Lds,          //
  Scalar,       //
  LdsAndScalar, ///< one counter for both
  LoadsAndLds,  ///< two counters
  StoresAndLds  //
};

/// What a scalar instruction makes of masks of lanes, as far as analyses follow it.
enum class MaskOperation : uint8_t { Other, Move, Or, Xor, AndNot, Save, SaveOr, SaveAndNot };

/// The memory that an address leads to.
enum class MemorySpace : uint8_t { None, Lds, Global, Flat, Scratch, Buffer };

/// The lanes of vector registers that an instruction reads or writes.
enum class LaneChoice : uint8_t {
  Active, ///< at most those of EXEC
  First,  ///< the first of EXEC
  Named   ///< the one that op(2) names
};

/// The halves of each register that a load writes, as bits.
enum class RegisterPart : uint8_t { Low = 1, High = 2, All = 3 };

/// The timing class of a row that says nothing of it: that of its InstructionClass, which
/// InstructionTable::add puts in its place.
inline constexpr auto kTimingOfClass = TimingClass(255);

/// See above. All are known for a mnemonic, before operands and modifiers are.
struct InstructionFacts {
  TimingClass timing = kTimingOfClass;
  ControlFlowKind control = ControlFlowKind::Next;
  WaitKind wait = WaitKind::None;
  MaskOperation mask = MaskOperation::Other;

  // Memory.
  MemoryAction action = MemoryAction::None;
  MemorySpace space = MemorySpace::None; ///< None for scalar memory, too
  uint8_t bytesPerLane = 4;              ///< that the model of time counts; at least a dword
  bool fetches = false; ///< gets data for other instructions: what waves do that load for others
  bool readsDataLate = false; ///< its data are read from the registers after its issue
  bool returns = false;       ///< of LDS: also the old value
  bool addsFloats = false;    ///< an atomic operation on floats, or an order of them
  RegisterPart loadedPart = RegisterPart::All;

  MatrixShape matrix;

  LaneChoice lanes = LaneChoice::Active;
  bool addsToFirst = false;   ///< op(0) is an operand, too
  bool replacesFirst = false; ///< op(0), which is scalar, becomes a function of the other operands
  bool comparesScalars = false;  ///< op(0), which is scalar, is an operand and no result
  bool readsVcc = false;         ///< without naming it
  bool writesExec = false;       ///< without naming it
  bool numbersRegisters = false; ///< computes the number of a register
};

/// The facts of instructions of which only the timing class, or what they do with control, is
/// special.
constexpr InstructionFacts describeTiming(TimingClass timing) {
  InstructionFacts facts;
  facts.timing = timing;
  return facts;
}
constexpr InstructionFacts describeControl(ControlFlowKind control) {
  InstructionFacts facts;
  facts.control = control;
  return facts;
}
constexpr InstructionFacts describeWait(WaitKind wait) {
  InstructionFacts facts = describeTiming(TimingClass::Wait);
  facts.wait = wait;
  return facts;
}

/// The facts of an access of `bytes` by each lane, which follow from what it does and where.
constexpr InstructionFacts describeAccess(MemoryAction action, MemorySpace space, unsigned bytes) {
  const bool isDevice =
      space == MemorySpace::Global || space == MemorySpace::Flat || space == MemorySpace::Buffer;
  InstructionFacts facts;
  facts.action = action;
  facts.space = space;
  facts.bytesPerLane = uint8_t(std::max(4u, bytes));
  facts.fetches = (action == MemoryAction::Load && isDevice) ||
                  (action == MemoryAction::Store && space == MemorySpace::Lds);
  facts.readsDataLate = action == MemoryAction::Store;
  return facts;
}

/// The facts of scalar instructions whose first operand is the result and nothing else.
constexpr InstructionFacts describeReplacement(MaskOperation mask = MaskOperation::Other) {
  InstructionFacts facts;
  facts.replacesFirst = true;
  facts.mask = mask;
  return facts;
}

/// What is known of code that could not be decoded.
inline constexpr InstructionFacts kNoFacts = describeTiming(TimingClass::Other);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTIONFACTS_H
