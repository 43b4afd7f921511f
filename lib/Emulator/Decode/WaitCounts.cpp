//===- WaitCounts.cpp - What waves wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See WaitCounts.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Decode/WaitCounts.h"

using namespace ckemu;

/// A field of all ones asks for nothing.
static uint8_t getLimit(unsigned value, unsigned ones) {
  return uint8_t(value == ones ? WaitCounts::kAny : value);
}

/// s_waitcnt of gfx9 and gfx11, whose fields lie in different places.
static WaitCounts decodeWaitcnt(Isa isa, unsigned bits) {
  WaitCounts counts;
  if (isCdna(isa)) {
    counts.loads = counts.stores = getLimit((bits & 15) | (bits >> 14 & 3) << 4, 63);
    counts.lds = counts.scalar = getLimit(bits >> 8 & 15, 15);
  } else {
    counts.loads = getLimit(bits >> 10 & 63, 63);
    counts.lds = counts.scalar = getLimit(bits >> 4 & 63, 63);
  }
  return counts;
}

/// The waits of SOPK, which compare one counter with a constant where the register is null.
static WaitCounts decodeSopk(llvm::StringRef text, unsigned bits) {
  WaitCounts counts;
  const uint8_t limit = getLimit(bits & 63, 63);
  if (text.starts_with("s_waitcnt_vscnt"))
    counts.stores = limit;
  else if (text.starts_with("s_waitcnt_vmcnt"))
    counts.loads = limit;
  else if (text.starts_with("s_waitcnt_lgkmcnt"))
    counts.lds = counts.scalar = limit;
  return counts;
}

WaitCounts ckemu::decodeWait(const DecodedCode &code, const Instruction &inst, Isa isa) {
  const unsigned bits = uint16_t(inst.simm16());
  constexpr uint32_t kSopp = 0x17f;
  if (inst.encoding[0] >> 23 != kSopp)
    return decodeSopk(code.getText(&inst).ltrim(), bits);
  const uint8_t only = getLimit(bits & 63, 63), first = getLimit(bits >> 8 & 63, 63);
  WaitCounts counts;
  switch (inst.encoding[0] >> 16 & 0x7f) {
  case 0x09: // s_waitcnt of gfx11
  case 0x0c: // of gfx9
    return decodeWaitcnt(isa, bits);
  case 0x0a: // s_wait_idle
    return {0, 0, 0, 0};
  case 0x40: // s_wait_loadcnt
    counts.loads = only;
    break;
  case 0x41: // s_wait_storecnt
    counts.stores = only;
    break;
  case 0x46: // s_wait_dscnt
    counts.lds = only;
    break;
  case 0x47: // s_wait_kmcnt
    counts.scalar = only;
    break;
  case 0x48: // s_wait_loadcnt_dscnt
    counts.loads = first;
    counts.lds = only;
    break;
  case 0x49: // s_wait_storecnt_dscnt
    counts.stores = first;
    counts.lds = only;
    break;
  default:
    break;
  }
  return counts;
}
