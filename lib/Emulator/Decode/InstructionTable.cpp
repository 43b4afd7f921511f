//===- InstructionTable.cpp - Which handler executes which mnemonic -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InstructionTable.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/InstructionTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace ckemu;

static TimingClass getTimingClass(InstructionClass kind) {
  switch (kind) {
  case InstructionClass::Mfma:
  case InstructionClass::Wmma:
    return TimingClass::Matrix;
  case InstructionClass::Valu:
    return TimingClass::Valu;
  case InstructionClass::Salu:
    return TimingClass::Salu;
  case InstructionClass::Smem:
    return TimingClass::Smem;
  case InstructionClass::Vmem:
    return TimingClass::Vmem;
  case InstructionClass::Lds:
    return TimingClass::Lds;
  case InstructionClass::Branch:
    return TimingClass::Branch;
  case InstructionClass::Other:
    break;
  }
  return TimingClass::Other;
}

void InstructionTable::add(llvm::StringRef mnemonic, const OpcodeInfo &info) {
  const auto [entry, isNew] = entries.try_emplace(mnemonic, info);
  if (!isNew)
    duplicates.push_back(mnemonic.str());
  else if (info.facts.timing == kTimingOfClass)
    entry->second.facts.timing = getTimingClass(info.kind);
}

const OpcodeInfo *InstructionTable::lookup(llvm::StringRef mnemonic) const {
  auto it = entries.find(mnemonic);
  return it == entries.end() ? nullptr : &it->second;
}

std::vector<std::string> InstructionTable::getMnemonics() const {
  std::vector<std::string> result;
  for (llvm::StringRef mnemonic : entries.keys())
    result.push_back(mnemonic.str());
  llvm::sort(result);
  return result;
}

llvm::StringRef ckemu::getInstructionClassName(InstructionClass kind) {
  static constexpr llvm::StringLiteral names[kNumInstructionClasses] = {
      "mfma", "wmma", "valu", "salu", "smem", "vmem", "lds", "branch", "other"};
  return names[unsigned(kind)];
}
