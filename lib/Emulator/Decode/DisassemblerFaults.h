//===- DisassemblerFaults.h - Encodings on which LLVM crashes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The disassembler and the instruction printer of LLVM 22 end the process on some bytes. A code
// object can hold any bytes, so that they are told apart before LLVM sees them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_DISASSEMBLERFAULTS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_DISASSEMBLERFAULTS_H

#include "Emulator/Chip/ChipModel.h"
#include <cstdint>
#include <string>

namespace ckemu {

/// True for encodings on which LLVM crashes and which are no instruction. `encoding` has the first
/// two dwords.
bool crashesDisassembler(const uint32_t *encoding, Isa isa);

/// True for `v_madmk`, `v_madak`, `v_fmamk` and `v_fmaak` with the literal 0xff, the number that
/// LLVM keeps for "the literal comes later". They are instructions as good as any other: LLVM gets
/// kSentinelSubstitute in place of the literal, and the text is put right.
bool hasSentinelLiteral(const uint32_t *encoding, Isa isa);
inline constexpr uint32_t kSentinelSubstitute = 0xfe;
/// Writes the literal back into what LLVM printed for the substitute.
void restoreSentinelLiteral(std::string &text);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_DISASSEMBLERFAULTS_H
