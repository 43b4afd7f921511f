//===- DisassemblerFaults.cpp - Encodings on which LLVM crashes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DisassemblerFaults.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/DisassemblerFaults.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>

using namespace ckemu;

/// The operand that stands for a literal behind the instruction.
static constexpr uint32_t kLiteral = 255;

/// True for encodings of 8 bytes that ask for a literal, which gfx9 does not have behind them: the
/// disassembler reads behind the bytes that it looks at.
static bool asksForMissingLiteral(const uint32_t *encoding) {
  switch (encoding[0] >> 26) {
  case 0x34: { // VOP3, VOP3P: three sources of 9 bits; comparisons and v_readlane write a scalar
    constexpr uint32_t kReadLane = 0x289;
    uint32_t opcode = encoding[0] >> 16 & 0x3ff;
    if ((opcode < 0x100 || opcode == kReadLane) && (encoding[0] & 0xff) == kLiteral)
      return true;
    return llvm::any_of(std::array{0, 9, 18},
                        [&](unsigned shift) { return (encoding[1] >> shift & 0x1ff) == kLiteral; });
  }
  case 0x38: // MUBUF, MTBUF: soffset
  case 0x3a:
    return encoding[1] >> 24 == kLiteral;
  default:
    return false;
  }
}

/// True for SDWA encodings with a part of a register that does not exist, on which the printer
/// crashes.
static bool hasUnknownSdwaPart(const uint32_t *encoding) {
  constexpr uint32_t kSdwa = 0xf9, kNoSel = 7, kNoUnused = 3;
  if (encoding[0] >> 31 || (encoding[0] & 0x1ff) != kSdwa)
    return false;
  bool isCompare = encoding[0] >> 25 == 0x3e; // writes a scalar: no part to select
  return (encoding[1] >> 16 & 7) == kNoSel || (encoding[1] >> 24 & 7) == kNoSel ||
         (!isCompare && ((encoding[1] >> 8 & 7) == kNoSel || (encoding[1] >> 11 & 3) == kNoUnused));
}

/// True for the barrier instructions of gfx12 (s_barrier_signal to s_barrier_join) with a literal,
/// on which disassembler and printer crash.
static bool hasLiteralBarrier(const uint32_t *encoding) {
  const uint32_t opcode = encoding[0] >> 8 & 0xff;
  return encoding[0] >> 23 == 0x17d && opcode >= 0x4e && opcode <= 0x52 &&
         (encoding[0] & 0xff) == kLiteral;
}

bool ckemu::crashesDisassembler(const uint32_t *encoding, Isa isa) {
  if (isCdna(isa))
    return asksForMissingLiteral(encoding) || hasUnknownSdwaPart(encoding);
  return isa == Isa::Gfx12 && hasLiteralBarrier(encoding);
}

bool ckemu::hasSentinelLiteral(const uint32_t *encoding, Isa isa) {
  // Of VOP2, whose highest bit is 0: f32 and f16, each with the literal as factor and as addend.
  static constexpr uint32_t kCdna[] = {0x17, 0x18, 0x24, 0x25};
  static constexpr uint32_t kRdna[] = {0x2c, 0x2d, 0x37, 0x38};
  const uint32_t opcode = encoding[0] >> 25;
  return encoding[1] == kLiteral && llvm::is_contained(isCdna(isa) ? kCdna : kRdna, opcode);
}

void ckemu::restoreSentinelLiteral(std::string &text) {
  // The first source may name the same literal. No other operand is printed as a number in hex.
  static constexpr llvm::StringLiteral kPrinted = "0xfe";
  for (size_t at = text.find(kPrinted); at != std::string::npos; at = text.find(kPrinted, at + 1))
    text.replace(at, kPrinted.size(), "0xff");
}
