//===- OutstandingLoads.cpp - Registers that loads have yet to write -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OutstandingLoads.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Check/OutstandingLoads.h"
#include "Emulator/Decode/AddressMap.h"
#include "Emulator/Machine/Faults.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ckemu;

static LaneMask getActiveLanes(const Wave &wave) {
  return wave.laneCount == kLanes ? wave.exec() : uint32_t(wave.exec());
}

/// Those of `lanes` for which a flat access, whose address is `address`, leads to LDS.
static LaneMask findLdsLanes(const Wave &wave, const Instruction *inst, const Operand &address,
                             LaneMask lanes) {
  Lanes64 addresses;
  wave.vectorSource64(address, addresses);
  const auto offset = uint64_t(int64_t(inst->mods.offset));
  LaneMask result = 0;
  for (; lanes; lanes &= lanes - 1) {
    const auto lane = unsigned(__builtin_ctzll(lanes));
    if ((addresses[lane] + offset) >> 32 == kSharedApertureBase >> 32)
      result |= LaneMask(1) << lane;
  }
  return result;
}

/// The counters of flat accesses are those of both memories. On CDNA, the part of a memory to which
/// no lane leads returns at once, so that accesses which lead to LDS are in no order with others.
void OutstandingLoads::makeIssue(const Wave &wave, const Instruction *inst, const RegisterUse &use,
                                 Issue &issue) const {
  auto add = [&](AccessQueue queue, LaneMask lanes) {
    issue.counts[unsigned(queue)] = true;
    issue.lanes[unsigned(queue)] = use.returns ? lanes : 0;
  };
  if (use.queue == AccessQueue::Scalar)
    return add(use.queue, ~LaneMask(0));
  const LaneMask lanes = getActiveLanes(wave);
  if (use.queue != AccessQueue::FlatVector)
    return add(use.queue, lanes);
  const LaneMask lds = findLdsLanes(wave, inst, inst->op(use.returns ? 1 : 0), lanes);
  if (!isCdna(uses->getChip().isa)) {
    add(AccessQueue::Lds, lds);
    if (use.returns)
      add(AccessQueue::Vector, lanes & ~lds);
  } else if (lds == 0) {
    add(AccessQueue::Vector, lanes);
  } else {
    add(AccessQueue::FlatLds, lds);
    add(AccessQueue::FlatVector, lanes & ~lds);
  }
}

bool OutstandingLoads::admitsSlowly(const Wave &wave, const Instruction *inst,
                                    const RegisterMask &used) {
  const RegisterUse &use = (*uses)[inst];
  const bool mayConflict = ((used.vectors & mask.vectors) |
                            (used.scalars & mask.scalars & ~RegisterMask::kSpecial)) != 0;
  Issue issue;
  if (use.returns || use.queue == AccessQueue::FlatVector)
    makeIssue(wave, inst, use, issue);
  if (mayConflict) {
    const llvm::ArrayRef<Instruction> parts =
        use.isPair ? llvm::ArrayRef<Instruction>(
                         *static_cast<const InstructionPair *>(inst->extra.pointer))
                   : llvm::ArrayRef<Instruction>(*inst);
    for (const Instruction &part : parts)
      if (!checkOperands(wave, part, use, issue))
        return false;
  }
  if (use.waits)
    wait(use.wait);
  else if (use.returns || use.queue == AccessQueue::FlatVector)
    note(inst, issue);
  else if (use.queue != AccessQueue::None)
    count(use.queue);
  return true;
}

/// The lanes of vector registers that `inst` may read or write.
static LaneMask getLanes(const Wave &wave, const Instruction &inst) {
  const LaneMask active = getActiveLanes(wave);
  switch (inst.facts->lanes) {
  case LaneChoice::Active:
    break;
  case LaneChoice::First:
    return active ? active & -active : 1;
  case LaneChoice::Named:
    return LaneMask(1) << (wave.scalar32(inst.op(2)) & (wave.laneCount - 1u));
  }
  return active;
}

/// True when operand `i` of an instruction that is no access is replaced, not read.
static bool isReplaced(const Instruction &inst, unsigned i) {
  const InstructionFacts &facts = *inst.facts;
  if (i == 1)
    return inst.effect == Effect::SetsTwo;
  const bool readsFirst = facts.comparesScalars || facts.addsToFirst ||
                          facts.control == ControlFlowKind::ComputedJump ||
                          (facts.writesExec && inst.op(0).isVector());
  return i == 0 && !readsFirst;
}

bool OutstandingLoads::checkOperands(const Wave &wave, const Instruction &inst,
                                     const RegisterUse &use, const Issue &issue) {
  const bool isAccess = use.queue != AccessQueue::None;
  // What is read comes behind what is replaced, and is said first.
  for (unsigned i = inst.numOperands; i-- > 0;) {
    const Operand &op = inst.op(i);
    const RegisterNumbers numbers = uses->getNumbers(op);
    if (!isPending(numbers))
      continue;
    OperandUse operandUse{&op, numbers, op.isScalar() ? ~LaneMask(0) : getLanes(wave, inst)};
    operandUse.isReplaced =
        isAccess ? i == 0 && use.returns && !use.readsResult : isReplaced(inst, i);
    if (op.flags & kOperandHalf)
      operandUse.part = op.flags & kOperandHigh ? RegisterPart::High : RegisterPart::Low;
    if (isAccess && operandUse.isReplaced) {
      operandUse.part = inst.facts->loadedPart;
      operandUse.result = &issue;
    }
    if (!check(operandUse))
      return false;
  }
  const RegisterNumbers vcc{kFirstScalarNumber + kVcc, uint16_t(wave.laneCount == kLanes ? 2 : 1)};
  return !inst.facts->readsVcc || !isPending(vcc) || check({nullptr, vcc, ~LaneMask(0)});
}

/// Calls `body` with each word of `words` that has bits for `numbers`, of which there are at most
/// 64, and these bits.
template <class Words, class F>
static void forWords(Words &words, const RegisterNumbers &numbers, F body) {
  const unsigned word = numbers.first / 64, shift = numbers.first % 64;
  const uint64_t bits = llvm::maskTrailingOnes<uint64_t>(numbers.count);
  body(words[word], bits << shift);
  body(words[word + 1], bits >> 1 >> (63 - shift));
}

bool OutstandingLoads::isPending(const RegisterNumbers &numbers) const {
  uint64_t found = 0;
  forWords(pending, numbers, [&](uint64_t word, uint64_t bits) { found |= word & bits; });
  return found != 0;
}

/// False when the use is too early, which is reported.
bool OutstandingLoads::check(const OperandUse &use) {
  for (const Load &load : loads) {
    if (load.registers.first >= use.numbers.end() || use.numbers.first >= load.registers.end())
      continue;
    LaneMask lanes = load.lanes & use.lanes;
    // The later one of two accesses in order writes later, too.
    if (use.result && isInOrder(load.queue))
      lanes &= ~use.result->lanes[unsigned(load.queue)];
    if (lanes == 0 || (unsigned(load.part) & unsigned(use.part)) == 0)
      continue;
    report(load, use);
    return false;
  }
  return true;
}

static std::string getScalarName(unsigned slot) {
  if (slot / 2 == kVcc / 2)
    return slot == kVcc ? "vcc_lo" : "vcc_hi";
  if (slot / 2 == kFlatScratch / 2)
    return slot == kFlatScratch ? "flat_scratch_lo" : "flat_scratch_hi";
  if (slot >= kTtmp)
    return "ttmp" + std::to_string(slot - kTtmp);
  return "s" + std::to_string(slot);
}

void OutstandingLoads::report(const Load &load, const OperandUse &use) {
  const unsigned number = std::max(use.numbers.first, load.registers.first);
  std::string name;
  if (number >= kFirstScalarNumber)
    name = getScalarName(number - kFirstScalarNumber);
  else
    name = (use.operand->kind == OperandKind::Agpr ? "a" : "v") +
           std::to_string(use.operand->index + number - use.numbers.first);
  reason = llvm::formatv("{0} is {1} before {2} has returned: {3} is missing", name,
                         use.isReplaced ? "overwritten" : "read", uses->describe(load.index),
                         describeWait(load));
}

/// The wait that would have sufficed.
std::string OutstandingLoads::describeWait(const Load &load) const {
  const unsigned count = isInOrder(load.queue) ? issued[unsigned(load.queue)] - load.clock : 0;
  const bool isVector = load.queue == AccessQueue::Vector || load.queue == AccessQueue::FlatVector;
  if (uses->getChip().isa == Isa::Gfx12)
    return llvm::formatv("s_wait_{0}cnt {1:x}",
                         isVector                            ? "load"
                         : load.queue == AccessQueue::Scalar ? "km"
                                                             : "ds",
                         count);
  return llvm::formatv("s_waitcnt {0}({1})", isVector ? "vmcnt" : "lgkmcnt", count);
}

/// Counts an access. One of a queue that is full waits for the oldest one.
void OutstandingLoads::count(AccessQueue queue) {
  const auto i = unsigned(queue);
  ++issued[i];
  if (!isInOrder(queue) || issued[i] - completed[i] <= uses->getLimit(queue))
    return;
  completed[i] = issued[i] - uses->getLimit(queue);
  forgetCompleted();
}

/// Counts the access and remembers what it will write.
void OutstandingLoads::note(const Instruction *inst, const Issue &issue) {
  for (unsigned i = 0; i < kNumAccessQueues; ++i) {
    if (!issue.counts[i])
      continue;
    count(AccessQueue(i));
    if (issue.lanes[i] == 0)
      continue;
    Load &load = loads.emplace_back();
    load.lanes = issue.lanes[i];
    load.clock = issued[i];
    load.index = inst->index;
    load.registers = uses->getNumbers(inst->op(0));
    load.queue = AccessQueue(i);
    load.part = inst->facts->loadedPart;
    remember(load.registers);
  }
}

void OutstandingLoads::remember(const RegisterNumbers &numbers) {
  mask.add(numbers);
  forWords(pending, numbers, [](uint64_t &word, uint64_t bits) { word |= bits; });
}

void OutstandingLoads::wait(const WaitCounts &counts) {
  auto complete = [&](AccessQueue queue, uint8_t left) {
    const auto i = unsigned(queue);
    if (left < issued[i] - completed[i] && (left == 0 || isInOrder(queue)))
      completed[i] = issued[i] - left;
  };
  complete(AccessQueue::Vector, counts.loads);
  complete(AccessQueue::FlatVector, counts.loads);
  complete(AccessQueue::Lds, counts.lds);
  complete(AccessQueue::FlatLds, counts.lds);
  complete(AccessQueue::Scalar, counts.scalar);
  forgetCompleted();
}

void OutstandingLoads::forgetCompleted() {
  if (loads.empty())
    return;
  const size_t before = loads.size();
  llvm::erase_if(loads,
                 [&](const Load &load) { return load.clock <= completed[unsigned(load.queue)]; });
  if (loads.size() == before)
    return;
  mask = {0, RegisterMask::kSpecial};
  std::fill(std::begin(pending), std::end(pending), 0);
  for (const Load &load : loads)
    remember(load.registers);
}

const Instruction *ckemu::reportMissingWait(Wave &wave, const Instruction *inst,
                                            const OutstandingLoads &loads) {
  return wave.fault(inst, loads.getReason());
}
