//===- RegisterPriority.cpp - Which values get registers first -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM assigns the values of a basic block in the order of its instructions, but those that live
// longer than twice as many instructions as there are registers by their length. The products of a
// K step are one block, in which every accumulator lives for hundreds of instructions and is the
// result of several. Where accumulators take all AGPRs, each of these results fits only where the
// last one ends, which the order of instructions finds and that of lengths does not.
// See docs/decisions/loops/0070-accumulators-in-order.md.
//
//===----------------------------------------------------------------------===//

#include "Serialize/RegisterPriority.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegAllocPriorityAdvisor.h"
#include "llvm/CodeGen/RegisterClassInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include <algorithm>

using namespace llvm;

namespace {
class InOrderAdvisor final : public RegAllocPriorityAdvisor {
public:
  InOrderAdvisor(const MachineFunction &function, const RAGreedy &allocator, SlotIndexes *indexes)
      : RegAllocPriorityAdvisor(function, allocator, indexes),
        llvmAdvisor(function, allocator, indexes) {}

  unsigned getPriority(const LiveInterval &interval) const override {
    const RegAllocPriorityAdvisor &byDefault = llvmAdvisor;
    const unsigned priority = byDefault.getPriority(interval);
    const unsigned globalBit = RegClassPriorityTrumpsGlobalness ? 1u << 24 : 1u << 29;
    if (!(priority & kAssign) || !(priority & globalBit) || !isLong(interval))
      return priority;
    const unsigned distance = interval.beginIndex().getApproxInstrDistance(Indexes->getLastIndex());
    return (priority & ~globalBit & ~kPlace) | std::min(distance, kPlace);
  }

private:
  /// Bits of a priority: values that are not the rest of a split one, and the place in the order.
  static constexpr unsigned kAssign = 1u << 31, kPlace = (1u << 24) - 1;

  /// Whether LLVM treats a value of one basic block as if it lived in several, for its length.
  bool isLong(const LiveInterval &interval) const {
    const TargetRegisterClass &registers = *MRI->getRegClass(interval.reg());
    return !interval.empty() && !registers.GlobalPriority &&
           interval.getSize() / SlotIndex::InstrDist >
               2 * RegClassInfo.getNumAllocatableRegs(&registers) &&
           LIS->intervalIsInOneMBB(interval);
  }

  DefaultPriorityAdvisor llvmAdvisor;
};

class InOrderProvider final : public RegAllocPriorityAdvisorProvider {
public:
  InOrderProvider() : RegAllocPriorityAdvisorProvider(AdvisorMode::Default) {}

  std::unique_ptr<RegAllocPriorityAdvisor> getAdvisor(const MachineFunction &function,
                                                      const RAGreedy &allocator,
                                                      SlotIndexes &indexes) override {
    return std::make_unique<InOrderAdvisor>(function, allocator, &indexes);
  }
};

class InOrderAnalysis final : public RegAllocPriorityAdvisorAnalysisLegacy {
public:
  InOrderAnalysis() : RegAllocPriorityAdvisorAnalysisLegacy(AdvisorMode::Default) {
    Provider = std::make_unique<InOrderProvider>();
  }
};
} // namespace

llvm::Pass *mlir::ck::createPriorityInOrder() { return new InOrderAnalysis(); }
