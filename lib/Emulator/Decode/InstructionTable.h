//===- InstructionTable.h - Which handler executes which mnemonic -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that the instruction families in lib/Emulator/Isa fill, one register function per
// family. An instruction that no family names, or that carries a modifier its family does not
// accept, becomes a fault naming it when it is executed: never a wrong value.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTIONTABLE_H
#define CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTIONTABLE_H

#include "Emulator/Chip/ChipModel.h"
#include "Emulator/Decode/Instruction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace ckemu {

/// Called once per instruction at decode, after operands and modifiers are parsed. May choose a
/// more special handler, fill `extra`, and check operand kinds and counts; an error makes the
/// instruction a fault with that message when it is executed.
using Prepare = llvm::Error (*)(Instruction &inst);

/// What a family says about a mnemonic.
struct OpcodeInfo {
  Handler handler = nullptr;
  InstructionClass kind = InstructionClass::Other;
  /// Modifiers that the handler honours (or that have no meaning here, such as cache bits).
  ModifierSet accepts = 0;
  /// How constant operands become bits.
  SourceType sourceType = SourceType::B32;
  /// Number of printed operands that is expected, checked at decode; kAnyOperands for no check.
  int8_t numOperands = -1;
  Prepare prepare = nullptr;
  /// What Instruction::extra.pointer holds when `prepare` is called: the family's table row.
  const void *data = nullptr;
  /// What is known without looking at operands; `prepare` may say more.
  Effect effect = Effect::Unknown;
  /// What the instruction is for those who look at code.
  InstructionFacts facts = {};
};
inline constexpr int8_t kAnyOperands = -1;

/// The handler of an instruction whose `extra.pointer` is `pair`: both halves read their sources
/// before either writes.
using PairSelector = Handler (*)(const InstructionPair &pair);

/// Mnemonics (without encoding suffix) to handlers, for one instruction set.
class InstructionTable {
public:
  /// An empty table. `undecoded` executes what could not be decoded: it faults.
  InstructionTable(Isa isa, Handler undecoded, PairSelector selectPair)
      : isa(isa), undecoded(undecoded), selectPair(selectPair) {}

  /// The instruction set that the families are asked for: where its semantics differ from others'
  /// they add other handlers. Names that do not exist on it need not be left out: LLVM's
  /// disassembler never prints them.
  Isa getIsa() const { return isa; }
  Handler getUndecodedHandler() const { return undecoded; }
  Handler getPairHandler(const InstructionPair &pair) const { return selectPair(pair); }
  /// Adds `mnemonic`; a mnemonic can be added once only (checked by a unit test through
  /// getDuplicates).
  void add(llvm::StringRef mnemonic, const OpcodeInfo &info);
  /// The entry of `mnemonic`, or null.
  const OpcodeInfo *lookup(llvm::StringRef mnemonic) const;
  /// Mnemonics that were added more than once.
  llvm::ArrayRef<std::string> getDuplicates() const { return duplicates; }
  size_t size() const { return entries.size(); }
  /// All mnemonics, in ascending order.
  std::vector<std::string> getMnemonics() const;

private:
  Isa isa;
  Handler undecoded;
  PairSelector selectPair;
  llvm::StringMap<OpcodeInfo> entries;
  std::vector<std::string> duplicates;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_INSTRUCTIONTABLE_H
