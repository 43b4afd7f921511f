//===- InterleaveProducts.cpp - The order of a loop, in the IR -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment is what lies between two instructions that nothing may pass. Its matrix instructions
// keep their order, and there is a gap before each of them and behind the last one. Scheduling
// groups say in which gaps reads of LDS and copies past registers are. What these need, and what
// the next steps need, is computed in the last gap before where there is room.
//
//===----------------------------------------------------------------------===//

#include "Serialize/InterleaveProducts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace llvm;

namespace {
/// Bits of scheduling groups.
constexpr uint64_t kProducts = 0x8, kCopies = 0x20, kReads = 0x100;

/// Instructions that are issued while the shortest matrix instruction runs, besides itself.
constexpr unsigned kRoom = 3;

enum class Kind { Product, Copy, Read, Group, Free, Fixed };

/// What lies between two instructions that nothing may pass, if it has groups.
struct Segment {
  SmallVector<Instruction *> products, copies, reads;
  SmallVector<CallInst *> groups;
  Instruction *end = nullptr; ///< behind it
  unsigned firstGap = 0;      ///< of the block; there is one more gap than products

  unsigned getLastGap() const { return firstGap + unsigned(products.size()); }
};

/// The segments of a basic block, which share their gaps.
struct Plan {
  std::vector<Segment> segments;
  /// All but groups, with the numbers of their segments.
  SmallVector<std::pair<Instruction *, size_t>> all;
  /// Of matrix instructions the gap before them.
  DenseMap<const Instruction *, unsigned> gaps;
};
} // namespace

static Kind getKind(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->getPointerAddressSpace() == AMDGPUAS::LOCAL_ADDRESS && !load->isVolatile()
               ? Kind::Read
               : Kind::Fixed;
  if (const auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    switch (call->getIntrinsicID()) {
    case Intrinsic::amdgcn_raw_ptr_buffer_load_lds:
      return Kind::Copy;
    case Intrinsic::amdgcn_ds_read_tr16_b64:
    case Intrinsic::amdgcn_ds_read_tr8_b64:
      return Kind::Read;
    case Intrinsic::amdgcn_sched_group_barrier:
      return Kind::Group;
    default:
      if (call->getCalledFunction()->getName().starts_with("llvm.amdgcn.mfma."))
        return Kind::Product;
    }
  }
  const bool isFree = !isa<PHINode>(instruction) && !instruction.isTerminator() &&
                      !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
  return isFree ? Kind::Free : Kind::Fixed;
}

/// Instructions that the compiler makes of `instruction`, about.
static unsigned getWeight(const Instruction &instruction) {
  if (getKind(instruction) == Kind::Copy)
    return 3; // the place in LDS goes to m0, for which the copy waits
  if (isa<GetElementPtrInst, ShuffleVectorInst, InsertElementInst, ExtractElementInst>(instruction))
    return 0;
  if (const auto *cast = dyn_cast<CastInst>(&instruction))
    return cast->getSrcTy()->isIntegerTy(1) ? 2 : 0;
  return isa<SelectInst>(instruction) ? 2 : 1; // a scalar one is two
}

/// Whether `consumer` waits if it directly follows `instruction`.
static bool waitsFor(const Instruction &consumer, const Instruction &instruction) {
  const auto *select = dyn_cast<SelectInst>(&consumer);
  return select && select->getCondition() == &instruction;
}

/// Whether reads may pass copies: these say that they write to other places.
static bool mayPass(const Segment &segment) {
  if (segment.copies.empty() || segment.reads.empty())
    return true;
  const MDNode *written = segment.copies.front()->getMetadata(LLVMContext::MD_alias_scope);
  return written &&
         llvm::all_of(segment.copies,
                      [&](const Instruction *copy) {
                        return copy->getMetadata(LLVMContext::MD_alias_scope) == written;
                      }) &&
         llvm::all_of(segment.reads, [&](const Instruction *read) {
           return read->getMetadata(LLVMContext::MD_noalias) == written;
         });
}

/// Finds the gaps of products, reads and copies that the groups ask for, or up to two behind where
/// there is no room; false if the groups do not name all.
static bool placeGroups(Plan &plan, const Segment &segment) {
  for (auto [number, product] : llvm::enumerate(segment.products))
    plan.gaps[product] = segment.firstGap + unsigned(number);
  unsigned gap = 0;
  SmallVector<unsigned> load(segment.products.size() + 1, 0);
  ArrayRef<Instruction *> copies = segment.copies, reads = segment.reads;
  for (const CallInst *group : segment.groups) {
    const uint64_t mask = cast<ConstantInt>(group->getArgOperand(0))->getZExtValue();
    uint64_t size = cast<ConstantInt>(group->getArgOperand(1))->getZExtValue();
    if (mask == kProducts) {
      gap += unsigned(size);
      continue;
    }
    if ((mask != kCopies && mask != kReads) || gap >= load.size())
      return false;
    ArrayRef<Instruction *> &next = mask == kCopies ? copies : reads;
    for (; size > 0 && !next.empty(); --size, next = next.drop_front()) {
      const unsigned weight = getWeight(*next.front());
      unsigned place = gap;
      while (place < gap + 2 && place + 1 < load.size() && load[place] + weight > kRoom)
        ++place;
      load[place] += weight;
      plan.gaps[next.front()] = segment.firstGap + place;
    }
  }
  return gap < load.size() && copies.empty() && reads.empty();
}

/// For each instruction the first gap in which its operands are there, by products, reads and
/// copies alone; nullopt if one of these would be before an operand.
static std::optional<DenseMap<const Instruction *, unsigned>> findFirstGaps(const Plan &plan) {
  DenseMap<const Instruction *, unsigned> first;
  for (auto [instruction, number] : plan.all) {
    const unsigned own = plan.segments[number].firstGap;
    unsigned gap = 0;
    for (const Use &operand : instruction->operands()) {
      const auto *producer = dyn_cast<Instruction>(operand.get());
      if (!producer || producer->getParent() != instruction->getParent() || isa<PHINode>(producer))
        continue;
      const auto it = first.find(producer);
      gap = std::max(gap, it == first.end() ? own : it->second);
    }
    if (const auto it = plan.gaps.find(instruction); it != plan.gaps.end()) {
      if (gap > it->second)
        return std::nullopt;
      gap = it->second + (getKind(*instruction) == Kind::Product);
    }
    first[instruction] = gap;
  }
  return first;
}

/// The last gap for `instruction` of `segment`, by its users.
static unsigned findLastGap(const Plan &plan, const Instruction &instruction,
                            const Segment &segment) {
  unsigned last = segment.getLastGap();
  for (const User *user : instruction.users()) {
    const auto *consumer = cast<Instruction>(user);
    const auto it = plan.gaps.find(consumer);
    if (it == plan.gaps.end() || isa<PHINode>(consumer))
      continue;
    const bool waits = waitsFor(*consumer, instruction) && it->second > 0;
    last = std::min(last, waits ? it->second - 1 : it->second);
  }
  return last;
}

/// Finds the gaps of all other instructions; false if the groups ask for something that is not
/// there yet.
static bool placeOthers(Plan &plan) {
  const auto first = findFirstGaps(plan);
  if (!first)
    return false;
  SmallVector<unsigned> load(plan.segments.back().getLastGap() + 1, 0);
  unsigned total = 0;
  for (auto [instruction, number] : plan.all)
    if (getKind(*instruction) != Kind::Product) {
      total += getWeight(*instruction);
      if (const auto it = plan.gaps.find(instruction); it != plan.gaps.end())
        load[it->second] += getWeight(*instruction);
    }
  const unsigned room = std::max(kRoom, unsigned(divideCeil(total, load.size())));
  for (auto [instruction, number] : llvm::reverse(plan.all)) {
    if (getKind(*instruction) != Kind::Free)
      continue;
    const unsigned begin = first->lookup(instruction), weight = getWeight(*instruction);
    const unsigned last = std::max(begin, findLastGap(plan, *instruction, plan.segments[number]));
    unsigned gap = last;
    while (gap > begin && load[gap] + weight > room)
      --gap;
    if (load[gap] + weight > room && weight > 0) // no room anywhere: where the least is
      gap =
          unsigned(std::min_element(load.begin() + begin, load.begin() + last + 1) - load.begin());
    load[gap] += weight;
    plan.gaps[instruction] = gap;
  }
  return true;
}

/// Puts the instructions into the order of their gaps, and those of a gap into the order they had,
/// before its product. No scheduler moves anything from one gap to another.
static void reorder(Plan &plan) {
  SmallVector<SmallVector<Instruction *>> inGaps(plan.segments.back().getLastGap() + 1);
  for (auto [instruction, number] : plan.all)
    if (getKind(*instruction) != Kind::Product)
      inGaps[plan.gaps.lookup(instruction)].push_back(instruction);
  for (const Segment &segment : plan.segments) {
    for (unsigned gap = segment.firstGap; gap <= segment.getLastGap(); ++gap) {
      IRBuilder<> builder(segment.end);
      auto pin = [&] {
        if (!inGaps[gap].empty())
          builder.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {}, {builder.getInt32(0)});
      };
      pin();
      for (Instruction *instruction : inGaps[gap])
        instruction->moveBefore(segment.end->getIterator());
      if (gap < segment.getLastGap())
        segment.products[gap - segment.firstGap]->moveBefore(segment.end->getIterator());
      pin();
    }
    for (CallInst *group : segment.groups)
      group->eraseFromParent();
  }
}

/// Takes a block apart.
static Plan findSegments(BasicBlock &block) {
  Plan plan;
  Segment segment;
  SmallVector<Instruction *> all;
  for (Instruction &instruction : block) {
    switch (getKind(instruction)) {
    case Kind::Group:
      segment.groups.push_back(cast<CallInst>(&instruction));
      continue;
    case Kind::Product:
      segment.products.push_back(&instruction);
      break;
    case Kind::Copy:
      segment.copies.push_back(&instruction);
      break;
    case Kind::Read:
      segment.reads.push_back(&instruction);
      break;
    case Kind::Free:
      break;
    case Kind::Fixed:
      if (!segment.groups.empty()) {
        for (Instruction *of : all)
          plan.all.emplace_back(of, plan.segments.size());
        segment.end = &instruction;
        if (!plan.segments.empty())
          segment.firstGap = plan.segments.back().getLastGap() + 1;
        plan.segments.push_back(std::move(segment));
      }
      segment = Segment();
      all.clear();
      continue;
    }
    all.push_back(&instruction);
  }
  return plan;
}

bool mlir::ck::hasShortProducts(const Module &module) {
  for (const Function &function : module) {
    const StringRef name = function.getName();
    if (!function.use_empty() && name.starts_with("llvm.amdgcn.mfma.") &&
        !name.contains(".16x16x32.f16") && !name.contains(".16x16x32.bf16"))
      return false;
  }
  return true;
}

void mlir::ck::interleaveProducts(Module &module) {
  std::vector<Plan> plans;
  for (Function &function : module)
    for (BasicBlock &block : function)
      if (Plan plan = findSegments(block); !plan.segments.empty())
        plans.push_back(std::move(plan));
  for (Plan &plan : plans) {
    for (const Segment &segment : plan.segments)
      if (!mayPass(segment) || !placeGroups(plan, segment))
        return;
    if (!placeOthers(plan))
      return;
  }
  for (Plan &plan : plans)
    reorder(plan);
}
