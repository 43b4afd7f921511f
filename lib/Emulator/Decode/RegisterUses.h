//===- RegisterUses.h - Registers that depend on waits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must be known of each instruction of a kernel to find registers that are used before a load
// has written them. It is found once, so that most instructions cost one comparison of bits.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_REGISTERUSES_H
#define CK_MLIR_LIB_EMULATOR_DECODE_REGISTERUSES_H

#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Decode/Instruction.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ckemu {

class DecodedCode;

/// Registers of a wave by number. Vector registers come first, accumulation registers behind them
/// as in the file of the hardware, and then the slots of scalar registers.
struct RegisterNumbers {
  uint16_t first = 0, count = 0;
  unsigned end() const { return first + unsigned(count); }
};
inline constexpr unsigned kFirstScalarNumber = 512;
inline constexpr unsigned kRegisterNumbers = kFirstScalarNumber + kNumScalarSlots;

/// What counts an access until it is complete. Accesses of the first two complete in the order of
/// their issue.
enum class AccessQueue : uint8_t {
  Vector,     ///< device and private memory
  Lds,        ///< LDS and what uses its paths
  Scalar,     ///< scalar memory
  FlatVector, ///< flat accesses in no order: what goes to memory
  FlatLds,    ///< what goes to LDS
  None
};
inline constexpr unsigned kNumAccessQueues = 5;
constexpr bool isInOrder(AccessQueue queue) { return queue <= AccessQueue::Lds; }

/// Registers, coarsely: bit i stands for eight vector registers or two slots of scalar ones. The
/// slots behind exec, into which nothing is loaded, are left out.
struct RegisterMask {
  uint64_t vectors = 0, scalars = 0;
  /// A bit of `scalars` for instructions that are more than a use of registers.
  static constexpr uint64_t kSpecial = uint64_t(1) << 63;

  void add(const RegisterNumbers &numbers) {
    if (numbers.count == 0)
      return;
    if (numbers.first < kFirstScalarNumber)
      vectors |= getRange(numbers.first / 8, (numbers.end() - 1) / 8);
    else if (const unsigned slot = numbers.first - kFirstScalarNumber; slot < kExec)
      scalars |= getRange(slot / 2, (slot + numbers.count - 1) / 2) & ~kSpecial;
  }
  bool intersects(const RegisterMask &other) const {
    return ((vectors & other.vectors) | (scalars & other.scalars)) != 0;
  }

private:
  /// Bits from `first` to `last`, or to the end.
  static uint64_t getRange(unsigned first, unsigned last) {
    return ~uint64_t(0) << first & ~uint64_t(0) >> (63 - std::min(last, 63u));
  }
};

/// What one instruction has to do with registers and waits, beside its mask.
struct RegisterUse {
  AccessQueue queue = AccessQueue::None; ///< of an access; FlatVector where addresses decide
  bool waits = false;
  bool returns = false;     ///< op(0) gets what the access finds
  bool readsResult = false; ///< op(0) is read before
  bool isPair = false;      ///< the operands are those of its halves
  WaitCounts wait;
};

/// The uses of all instructions of a kernel.
class RegisterUses {
public:
  RegisterUses(const DecodedCode &code, const Instruction *entry, const ChipModel &chip,
               unsigned numVgprs);

  const RegisterUse &operator[](const Instruction *inst) const { return uses[inst->index]; }
  /// By Instruction::index.
  const RegisterMask *getMasks() const { return masks.data(); }
  /// The registers that `op` names; none for other operands.
  RegisterNumbers getNumbers(const Operand &op) const {
    unsigned first = op.index;
    if (op.kind == OperandKind::Agpr)
      first += numVgprs;
    else if (op.kind == OperandKind::Sgpr && op.index < kNull) // which keeps nothing
      first += kFirstScalarNumber;
    else if (op.kind != OperandKind::Vgpr)
      return {};
    if (first + op.count > kRegisterNumbers)
      return {};
    return {uint16_t(first), op.count};
  }
  /// The most accesses of a queue in order that are outstanding: the next one waits.
  unsigned getLimit(AccessQueue queue) const {
    return queue == AccessQueue::Lds ? ldsLimit : vectorLimit;
  }
  const ChipModel &getChip() const { return chip; }
  /// "global_load_dword v5, v[2:3], off at pc 0x3e5c (+0x5c)".
  std::string describe(uint32_t index) const;

private:
  const DecodedCode &code;
  const Instruction *entry;
  const ChipModel &chip;
  const unsigned numVgprs;
  unsigned vectorLimit, ldsLimit;
  std::vector<RegisterMask> masks;
  std::vector<RegisterUse> uses;

  llvm::ArrayRef<Instruction> getParts(const Instruction &inst) const;
  RegisterUse makeUse(const Instruction &inst) const;
  RegisterMask makeMask(const Instruction &inst) const;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_REGISTERUSES_H
