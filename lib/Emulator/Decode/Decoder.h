//===- Decoder.h - Machine code to decoded instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses LLVM's disassembler and instruction printer, once for each kernel that is launched.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_DECODER_H
#define CK_MLIR_LIB_EMULATOR_DECODE_DECODER_H

#include "Emulator/Decode/CodeRegions.h"
#include "Emulator/Decode/InstructionTable.h"
#include "Emulator/Decode/OperandParser.h"
#include "llvm/ADT/ArrayRef.h"
#include <deque>
#include <string>
#include <vector>

namespace ckemu {

/// The instructions of some ranges of code, each in address order and followed by a sentinel.
class DecodedCode {
public:
  llvm::ArrayRef<Instruction> getInstructions() const { return instructions; }
  const Lanes *getConstants() const { return constants.data(); }
  /// The instruction at a byte offset of the image, or null.
  const Instruction *find(uint32_t offset) const;
  /// The disassembly of `inst`.
  llvm::StringRef getText(const Instruction *inst) const;
  /// The instructions that `inst` is made of: itself, or its halves when it is two.
  llvm::ArrayRef<Instruction> getParts(const Instruction &inst) const;
  /// Why `inst` cannot be executed, or an empty string.
  llvm::StringRef getDecodeError(const Instruction *inst) const;

private:
  friend class Decoder;
  std::vector<Instruction> instructions;
  std::deque<InstructionPair> pairs; ///< instructions point to them
  ConstantPool constants;
  std::string textArena;
  std::vector<uint32_t> textBegin;              ///< per instruction, and one past the last
  llvm::DenseMap<uint32_t, uint32_t> indexOf;   ///< by offset in the image
  llvm::DenseMap<uint32_t, std::string> errors; ///< by instruction index
};

/// Decodes `sections` for waves of `waveSize` lanes (0: the chip's default). `table` is that of the
/// chip's instruction set (see Isa/InstructionTables.h). Instructions that are not understood
/// become instructions that fault when executed; an error is returned only when LLVM does not know
/// the processor.
llvm::Expected<DecodedCode> decodeCode(llvm::ArrayRef<CodeSection> sections, const ChipModel &chip,
                                       const InstructionTable &table, unsigned waveSize = 0);

/// Decodes what a wave that begins at `entry`, which must lie in the code, can reach. A jump whose
/// target is computed may lead wherever CodeRegions says; in small code objects, anywhere.
llvm::Expected<DecodedCode> decodeReachable(const CodeRegions &regions, uint64_t entry,
                                            const ChipModel &chip, const InstructionTable &table,
                                            unsigned waveSize);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_DECODER_H
