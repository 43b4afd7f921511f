//===- WaitCounts.h - What waves wait for -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_WAITCOUNTS_H
#define CK_MLIR_LIB_EMULATOR_DECODE_WAITCOUNTS_H

#include "Emulator/Decode/Decoder.h"

namespace ckemu {

/// What a wait leaves incomplete at most, by counter; kAny where it says nothing.
struct WaitCounts {
  static constexpr uint8_t kAny = 255;
  uint8_t loads = kAny;
  uint8_t stores = kAny; ///< on CDNA, one counter for both
  uint8_t lds = kAny;
  uint8_t scalar = kAny; ///< scalar loads; those of before gfx12 share the counter of LDS
};

/// The counts of an `s_wait...` of `code`, which is for `isa`.
WaitCounts decodeWait(const DecodedCode &code, const Instruction &inst, Isa isa);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_WAITCOUNTS_H
