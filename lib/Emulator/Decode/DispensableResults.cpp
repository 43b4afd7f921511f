//===- DispensableResults.cpp - What does not decide what waves do -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers are followed backward from those that name addresses, decide branches or are scalar
// sources of scalar instructions: an instruction is needed when one of its results is. A result
// ends the need of a register where it replaces all of it. Memory is one place for each space.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/DispensableResults.h"
#include "Emulator/Decode/ExecMasks.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace ckemu;

/// Vector registers, accumulation registers, and slots of scalar ones.
static constexpr unsigned kVectors = 256, kFirstScalar = 2 * kVectors;
static constexpr unsigned kNumRegisters = kFirstScalar + kNumScalarSlots;
/// Dwords per lane of an access of device memory; also stands for more.
static constexpr unsigned kMostDwords = 4;

using RegisterSet = std::bitset<kNumRegisters>;

namespace {
/// Where what instructions read decides something.
struct NeededMemory {
  bool lds = false, isPrivate = false;
  /// Dwords per lane of accesses of device memory.
  std::bitset<kMostDwords + 1> device;
  /// The same of scalar loads that look at what others do, and of what they may look at.
  std::bitset<kMostDwords + 1> flags;
  bool operator!=(const NeededMemory &other) const {
    return lds != other.lds || isPrivate != other.isPrivate || device != other.device ||
           flags != other.flags;
  }
};

/// Where an access may lead.
struct Spaces {
  bool lds, isPrivate, device;
};

/// Follows one kernel backward.
class NeedAnalysis {
public:
  NeedAnalysis(const DecodedCode &code, const Instruction *entry, const ControlFlow &flow,
               const KernelFacts &facts)
      : code(code), flow(flow), facts(facts),
        fullExec(findFullExec(code, flow, entry, facts.waveSize)),
        needed(code.getInstructions().size()) {}

  std::vector<Dispensable> run();

private:
  const DecodedCode &code;
  const ControlFlow &flow;
  const KernelFacts &facts;
  const std::vector<bool> fullExec;
  std::vector<RegisterSet> needed; ///< before each instruction
  NeededMemory memory;
  bool looksAtVectors = false; ///< vector loads look at what others do

  /// `inst`, or its halves when it has no operands of its own.
  llvm::ArrayRef<Instruction> getParts(const Instruction &inst) const {
    return inst.numOperands == 0 ? code.getParts(inst) : llvm::ArrayRef<Instruction>(inst);
  }
  Spaces getSpaces(const Instruction &inst) const;
  RegisterSet getNeededBehind(const Instruction &inst) const;
  bool isDataNeeded(const Instruction &inst, const RegisterSet &behind) const;
  bool isStoreNeeded(const Instruction &inst) const;
  bool mayBeFlag(const Instruction &inst) const;
  void needMemory(const Instruction &inst);
  void needUnknown(const Instruction &inst, RegisterSet &result);
  void needSources(const Instruction &inst, RegisterSet &result) const;
  void needAccess(const Instruction &inst, bool isDataNeeded, RegisterSet &result);
  void visit(const Instruction &inst, RegisterSet &result);
};
} // namespace

static void setRegisters(const Operand &op, RegisterSet &set, bool value = true) {
  unsigned first = op.index;
  if (op.kind == OperandKind::Agpr)
    first += kVectors;
  else if (op.kind == OperandKind::Sgpr && op.index != kNull) // which keeps nothing
    first += kFirstScalar;
  else if (op.kind != OperandKind::Vgpr)
    return;
  for (unsigned i = first; i < first + op.count && i < kNumRegisters; ++i)
    set[i] = value;
}

static RegisterSet getRegisters(const Operand &op) {
  RegisterSet result;
  setRegisters(op, result);
  return result;
}

/// True for scalar state that has readers which do not name it.
static bool hasHiddenReaders(const Operand &op) {
  return op.index >= kSgprCount && op.index / 2 != kVcc / 2 && op.index != kNull;
}

static bool isLoad(Effect effect) {
  return effect == Effect::Loads || effect == Effect::LoadsParts || effect == Effect::LoadsToLds;
}
static bool isStore(Effect effect) {
  return effect == Effect::StoresFirst || effect == Effect::StoresBehind;
}
static bool isCombination(Effect effect) {
  return effect == Effect::CombinesFirst || effect == Effect::CombinesBehind;
}

/// True when operand `i` holds data, not a place.
static bool isData(const Instruction &inst, unsigned i) {
  switch (inst.effect) {
  case Effect::StoresFirst:
  case Effect::CombinesFirst:
    return i == 0;
  case Effect::StoresBehind:
  case Effect::CombinesBehind:
    return i != 0 && inst.op(i).isVector();
  default:
    return false;
  }
}

/// The dwords per lane that a vector access moves.
static unsigned countDwords(const Instruction &inst) {
  if (inst.effect == Effect::LoadsToLds)
    return kMostDwords;
  const bool isBehind =
      inst.effect == Effect::StoresBehind || inst.effect == Effect::CombinesBehind;
  return std::min<unsigned>(inst.op(isBehind ? 1 : 0).count, kMostDwords);
}

RegisterSet NeedAnalysis::getNeededBehind(const Instruction &inst) const {
  RegisterSet result;
  for (uint32_t next : flow.getSuccessors(inst.index))
    result |= needed[next];
  return result;
}

Spaces NeedAnalysis::getSpaces(const Instruction &inst) const {
  const bool isVmem = inst.kind == InstructionClass::Vmem;
  const bool isFlat = inst.facts->space == MemorySpace::Flat;
  const bool isScratch = inst.facts->space == MemorySpace::Scratch;
  return {inst.kind == InstructionClass::Lds || isFlat, isScratch || isFlat, isVmem && !isScratch};
}

/// What a load finds is needed: all that may be there is.
void NeedAnalysis::needMemory(const Instruction &inst) {
  const Spaces spaces = getSpaces(inst);
  memory.lds |= spaces.lds;
  memory.isPrivate |= spaces.isPrivate;
  if (spaces.device)
    (isCombination(inst.effect) ? memory.flags : memory.device).set(countDwords(inst));
  // Loads to LDS do not name what they move; private memory of gfx90a is accessed as a buffer.
  if (inst.effect == Effect::LoadsToLds ||
      (facts.hasPrivateMemory && inst.facts->space == MemorySpace::Buffer))
    memory.device.set();
}

bool NeedAnalysis::isStoreNeeded(const Instruction &inst) const {
  const Spaces spaces = getSpaces(inst);
  if ((spaces.lds && memory.lds) || (spaces.isPrivate && memory.isPrivate))
    return true;
  const unsigned dwords = countDwords(inst);
  return spaces.device && (memory.device[dwords] ||
                           (memory.flags[dwords] && (isStore(inst.effect) || mayBeFlag(inst))));
}

/// True when waves may wait for what an atomic operation leaves: nobody waits for a sum of floats,
/// unless vector loads look at what others do, which may be anything.
bool NeedAnalysis::mayBeFlag(const Instruction &inst) const {
  return looksAtVectors || !inst.facts->addsFloats;
}

/// True when what `inst` computes or moves decides something, given what is needed behind it.
bool NeedAnalysis::isDataNeeded(const Instruction &inst, const RegisterSet &behind) const {
  switch (inst.effect) {
  case Effect::Unknown:
    return true;
  case Effect::Sets:
  case Effect::Changes:
  case Effect::Loads:
  case Effect::LoadsParts:
    return llvm::any_of(getParts(inst), [&](const Instruction &part) {
      return (behind & getRegisters(part.op(0))).any();
    });
  case Effect::SetsScalar:
    return hasHiddenReaders(inst.op(0)) || (behind & getRegisters(inst.op(0))).any();
  case Effect::SetsTwo:
    return (inst.op(1).isScalar() && hasHiddenReaders(inst.op(1))) ||
           (behind & (getRegisters(inst.op(0)) | getRegisters(inst.op(1)))).any();
  case Effect::LoadsToLds:
    return memory.lds;
  case Effect::StoresFirst:
  case Effect::StoresBehind:
    return isStoreNeeded(inst);
  case Effect::CombinesFirst:
  case Effect::CombinesBehind:
    return isStoreNeeded(inst) || (facts.synchronizes && mayBeFlag(inst));
  }
  return true;
}

void NeedAnalysis::needUnknown(const Instruction &inst, RegisterSet &result) {
  const bool replaces = inst.facts->replacesFirst && inst.op(0).isScalar();
  if (replaces)
    setRegisters(inst.op(0), result, false);
  for (const Instruction &part : getParts(inst))
    for (unsigned i = replaces ? 1 : 0; i < part.numOperands; ++i)
      setRegisters(part.op(i), result);
  const bool hasVectors =
      llvm::any_of(inst.operands, [](const Operand &op) { return op.isVector(); });
  // Atomic operations, among others; but not those on caches.
  if (hasVectors) {
    const Spaces spaces = getSpaces(inst);
    memory.lds |= spaces.lds;
    memory.isPrivate |= spaces.isPrivate;
    if (spaces.device)
      memory.device.set();
  }
  // A flag, or several at once.
  if (inst.kind == InstructionClass::Smem && facts.synchronizes && hasDeviceScope(inst)) {
    memory.flags.set(1);
    memory.flags.set(std::min<unsigned>(inst.op(0).count, kMostDwords));
  }
}

/// True when the results depend on what the registers were.
static bool keepsParts(const Instruction &inst) {
  return inst.effect == Effect::Changes ||
         (inst.effect == Effect::SetsTwo && inst.op(1).isVector());
}

/// The operands of an instruction that is no access, or of those of its halves that are needed.
void NeedAnalysis::needSources(const Instruction &inst, RegisterSet &result) const {
  const llvm::ArrayRef<Instruction> parts = getParts(inst);
  const RegisterSet behind = result;
  auto isNeeded = [&](const Instruction &part) {
    return parts.size() == 1 || (behind & getRegisters(part.op(0))).any();
  };
  // Scalar results are written whole, whatever EXEC is. Both halves read before one writes.
  for (const Instruction &part : llvm::make_filter_range(parts, isNeeded)) {
    if (keepsParts(part))
      continue;
    if (part.effect == Effect::SetsScalar || fullExec[inst.index])
      setRegisters(part.op(0), result, false);
    if (part.effect == Effect::SetsTwo)
      setRegisters(part.op(1), result, false);
  }
  for (const Instruction &part : llvm::make_filter_range(parts, isNeeded))
    for (unsigned i = keepsParts(part)                 ? 0
                      : part.effect == Effect::SetsTwo ? 2
                                                       : 1;
         i < part.numOperands; ++i)
      setRegisters(part.op(i), result);
}

/// The places that an access names, which always matter, and its data where they do.
void NeedAnalysis::needAccess(const Instruction &inst, bool isDataNeeded, RegisterSet &result) {
  if (isDataNeeded && (isLoad(inst.effect) || isCombination(inst.effect)))
    needMemory(inst);
  const bool hasResult = inst.effect == Effect::Loads || inst.effect == Effect::LoadsParts;
  if (isDataNeeded && inst.effect == Effect::Loads && fullExec[inst.index])
    setRegisters(inst.op(0), result, false);
  for (unsigned i = hasResult ? 1 : 0; i < inst.numOperands; ++i)
    if (isDataNeeded || !isData(inst, i))
      setRegisters(inst.op(i), result);
}

/// True when VCC may be a source, although it is no operand or one of several results.
static bool concernsVcc(const Instruction &inst) {
  return inst.facts->readsVcc || llvm::any_of(inst.operands, [](const Operand &op) {
           return op.isScalar() && op.index <= kVcc + 1 && op.index + op.count > kVcc;
         });
}

/// Turns what is needed behind `inst` into what is needed before it.
void NeedAnalysis::visit(const Instruction &inst, RegisterSet &result) {
  const bool isNeeded = isDataNeeded(inst, result);
  if (inst.effect == Effect::Unknown)
    needUnknown(inst, result);
  else if (isLoad(inst.effect) || isStore(inst.effect) || isCombination(inst.effect))
    needAccess(inst, isNeeded, result);
  else if (isNeeded)
    needSources(inst, result);
  else
    return;
  if (llvm::any_of(getParts(inst), concernsVcc))
    result[kFirstScalar + kVcc] = result[kFirstScalar + kVcc + 1] = true;
}

std::vector<Dispensable> NeedAnalysis::run() {
  const llvm::ArrayRef<Instruction> instructions = code.getInstructions();
  for (const Instruction &inst : instructions)
    looksAtVectors |= isLoad(inst.effect) && hasDeviceScope(inst);
  for (bool changed = true; changed;) {
    changed = false;
    const NeededMemory before = memory;
    for (const Instruction &inst : llvm::reverse(instructions)) {
      if (!flow.isReached(inst.index))
        continue;
      RegisterSet result = getNeededBehind(inst);
      visit(inst, result);
      changed |= result != needed[inst.index];
      needed[inst.index] = result;
    }
    changed |= memory != before;
  }
  std::vector<Dispensable> result(instructions.size(), Dispensable::None);
  for (const Instruction &inst : instructions)
    if (flow.isReached(inst.index) && !isDataNeeded(inst, getNeededBehind(inst)))
      result[inst.index] = isLoad(inst.effect) || isStore(inst.effect) || isCombination(inst.effect)
                               ? Dispensable::Data
                               : Dispensable::Whole;
  return result;
}

std::vector<Dispensable> ckemu::findDispensable(const DecodedCode &code, const Instruction *entry,
                                                const KernelFacts &facts) {
  const std::optional<ControlFlow> flow = ControlFlow::find(code, entry);
  if (!flow)
    return {};
  return NeedAnalysis(code, entry, *flow, facts).run();
}
