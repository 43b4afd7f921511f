//===- RegisterUses.cpp - Registers that depend on waits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RegisterUses.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/RegisterUses.h"
#include "Emulator/Decode/Decoder.h"
#include "Emulator/Decode/WaitCounts.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ckemu;

static bool returnsOld(const Instruction &inst) {
  if (inst.kind == InstructionClass::Lds)
    return inst.facts->returns;
  return inst.has(Modifier::Sc0) || inst.has(Modifier::Glc);
}

/// True when op(0) gets what the access `inst` finds.
static bool returnsResult(const Instruction &inst) {
  if (!inst.op(0).isVector() && !inst.op(0).isScalar())
    return false;
  switch (inst.facts->action) {
  case MemoryAction::Load:
    return inst.effect != Effect::LoadsToLds;
  case MemoryAction::Store:
    return false;
  case MemoryAction::Atomic:
    return returnsOld(inst);
  case MemoryAction::None:
    break;
  }
  // Exchanges between lanes; counters of lanes and clocks have one operand; others, such as
  // prefetches, no result.
  return inst.effect == Effect::Changes || inst.numOperands == 1;
}

/// The queue of an access. On RDNA, what returns nothing has a counter of its own.
static AccessQueue getQueue(const Instruction &inst, const ChipModel &chip) {
  if (inst.kind == InstructionClass::Lds)
    return AccessQueue::Lds;
  if (inst.kind == InstructionClass::Smem)
    return AccessQueue::Scalar;
  if (inst.kind != InstructionClass::Vmem)
    return AccessQueue::None;
  if (inst.facts->space == MemorySpace::Flat)
    return AccessQueue::FlatVector;
  const bool counts = chip.waits.countsStores || returnsResult(inst) ||
                      inst.effect == Effect::LoadsToLds ||
                      inst.facts->timing == TimingClass::Invalidate;
  return counts ? AccessQueue::Vector : AccessQueue::None;
}

llvm::ArrayRef<Instruction> RegisterUses::getParts(const Instruction &inst) const {
  return inst.numOperands == 0 ? code.getParts(inst) : llvm::ArrayRef<Instruction>(inst);
}

RegisterMask RegisterUses::makeMask(const Instruction &inst) const {
  RegisterMask mask;
  for (const Instruction &part : getParts(inst)) {
    if (part.facts->numbersRegisters)
      continue; // it may use others than it names
    for (unsigned i = 0; i < part.numOperands; ++i)
      mask.add(getNumbers(part.op(i)));
    if (part.facts->readsVcc)
      mask.add({kFirstScalarNumber + kVcc, 2});
  }
  const RegisterUse &use = uses[inst.index];
  if (use.waits || use.queue != AccessQueue::None)
    mask.scalars |= RegisterMask::kSpecial;
  return mask;
}

RegisterUse RegisterUses::makeUse(const Instruction &inst) const {
  RegisterUse use;
  use.isPair = getParts(inst).size() != 1;
  use.queue = getQueue(inst, chip);
  if (use.queue != AccessQueue::None) {
    use.returns = returnsResult(inst);
    // What these combine memory with stands where the old value comes.
    use.readsResult =
        inst.facts->action == MemoryAction::Atomic &&
        (inst.kind == InstructionClass::Smem || inst.facts->space == MemorySpace::Buffer);
  }
  use.waits = inst.facts->wait != WaitKind::None;
  if (use.waits)
    use.wait = decodeWait(inst, chip);
  return use;
}

RegisterUses::RegisterUses(const DecodedCode &code, const Instruction *entry, const ChipModel &chip,
                           unsigned numVgprs)
    : code(code), entry(entry), chip(chip), numVgprs(numVgprs),
      vectorLimit((1u << (chip.waits.loads.width + chip.waits.highLoads.width)) - 1),
      ldsLimit((1u << chip.waits.lds.width) - 1) {
  for (const Instruction &inst : code.getInstructions()) {
    uses.push_back(makeUse(inst));
    masks.push_back(makeMask(inst));
  }
}

std::string RegisterUses::describe(uint32_t index) const {
  const Instruction &inst = code.getInstructions()[index];
  return llvm::formatv("{0} at pc {1:x} (+{2:x})", code.getText(&inst), inst.offset,
                       int64_t(inst.offset) - entry->offset);
}
