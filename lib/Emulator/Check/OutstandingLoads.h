//===- OutstandingLoads.h - Registers that loads have yet to write -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator loads at once, hardware does not: a register has its value only when a wait has made
// sure of it. Each wave counts what it issues to each queue, and remembers which lanes of which
// registers are outstanding. An instruction that reads or replaces one of them misses a wait.
//
// Accesses of a queue in order complete in the order of their issue, also where another queue has
// the same counter: when an access is outstanding, so are all later ones of its queue, and a count
// below their number tells that it is not. Of the others, only a count of zero tells anything.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_CHECK_OUTSTANDINGLOADS_H
#define CK_MLIR_LIB_EMULATOR_CHECK_OUTSTANDINGLOADS_H

#include "Emulator/Decode/RegisterUses.h"
#include "Emulator/Machine/Wave.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace ckemu {

/// The outstanding loads of one wave.
class OutstandingLoads {
public:
  /// Of a new wave, which executes the instructions that `uses` describes.
  explicit OutstandingLoads(const RegisterUses &uses) : uses(&uses) {
    mask.scalars = RegisterMask::kSpecial;
  }

  /// Those of the instructions, for admits().
  const RegisterMask *getMasks() const { return uses->getMasks(); }
  /// Notes that `wave` is about to execute `inst`, whose mask is `used`; false when a wait is
  /// missing before it.
  bool admits(const Wave &wave, const Instruction *inst, const RegisterMask &used) {
    return LLVM_LIKELY(!mask.intersects(used)) || admitsSlowly(wave, inst, used);
  }
  /// What is wrong, after admits() was false.
  const std::string &getReason() const { return reason; }

private:
  /// A load, or its part that a queue has.
  struct Load {
    LaneMask lanes;
    uint32_t clock; ///< number of accesses of its queue up to it
    uint32_t index; ///< of the instruction
    RegisterNumbers registers;
    AccessQueue queue;
    RegisterPart part;
  };
  /// What an instruction that is about to be executed issues.
  struct Issue {
    LaneMask lanes[kNumAccessQueues] = {}; ///< that its result gets from each queue
    bool counts[kNumAccessQueues] = {};    ///< in the queues
  };
  /// How an operand is used.
  struct OperandUse {
    const Operand *operand; ///< null for VCC, which is not named
    RegisterNumbers numbers;
    LaneMask lanes;
    RegisterPart part = RegisterPart::All;
    bool isReplaced = false;       ///< not read
    const Issue *result = nullptr; ///< of an access that replaces the operand
  };

  const RegisterUses *uses;
  llvm::SmallVector<Load, 8> loads;
  RegisterMask mask;                                ///< the registers of loads, with kSpecial
  uint64_t pending[kRegisterNumbers / 64 + 2] = {}; ///< the same exactly, by number
  uint32_t issued[kNumAccessQueues] = {}, completed[kNumAccessQueues] = {};
  std::string reason;

  bool admitsSlowly(const Wave &wave, const Instruction *inst, const RegisterMask &used);
  void makeIssue(const Wave &wave, const Instruction *inst, const RegisterUse &use,
                 Issue &issue) const;
  bool checkOperands(const Wave &wave, const Instruction &inst, const RegisterUse &use,
                     const Issue &issue);
  bool check(const OperandUse &use);
  bool isPending(const RegisterNumbers &numbers) const;
  void report(const Load &load, const OperandUse &use);
  std::string describeWait(const Load &load) const;
  void count(AccessQueue queue);
  void note(const Instruction *inst, const Issue &issue);
  void remember(const RegisterNumbers &numbers);
  void wait(const WaitCounts &counts);
  void forgetCompleted();
};

/// Ends the launch because `loads` of `wave` do not admit `inst`. Returns null.
const Instruction *reportMissingWait(Wave &wave, const Instruction *inst,
                                     const OutstandingLoads &loads);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_CHECK_OUTSTANDINGLOADS_H
