//===- OperandParser.h - The text of an instruction to operands -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses what LLVM's instruction printer prints after the mnemonic. Done once per instruction of a
// code object. Everything that is not understood is an error; nothing is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_OPERANDPARSER_H
#define CK_MLIR_LIB_EMULATOR_DECODE_OPERANDPARSER_H

#include "Emulator/Decode/Instruction.h"
#include "Emulator/Decode/Lanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ckemu {

/// The constants of a code object as broadcast vectors, pairs of (low dword, high dword), shared by
/// all instructions.
class ConstantPool {
public:
  /// Index of the pair of `value`.
  uint32_t getIndex(uint64_t value);
  const Lanes *data() const { return pool.data(); }

private:
  llvm::DenseMap<uint64_t, uint32_t> indices;
  std::vector<Lanes> pool;
  uint32_t allOnes = ~0u; ///< index of ~0, which is no DenseMap key
  uint32_t allOnesLess1 = ~0u;
};

/// Splits `text` (for example "v_add_f32_e32 v0, 1.0, v1") into the mnemonic without encoding
/// suffix and the rest; returns the encoding that the suffix names.
Encoding splitMnemonic(llvm::StringRef text, llvm::StringRef &mnemonic, llvm::StringRef &rest);

/// Parses operands and modifiers (`rest` of splitMnemonic) into `inst`. Errors: "unknown operand
/// 'x'", "unknown modifier 'x'", "expected at most 6 operands, got 7".
llvm::Error parseOperands(llvm::StringRef rest, SourceType type, ConstantPool &constants,
                          Instruction &inst);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_OPERANDPARSER_H
