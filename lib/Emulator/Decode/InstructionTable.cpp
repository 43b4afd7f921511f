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

void InstructionTable::add(llvm::StringRef mnemonic, const OpcodeInfo &info) {
  if (!entries.try_emplace(mnemonic, info).second)
    duplicates.push_back(mnemonic.str());
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
