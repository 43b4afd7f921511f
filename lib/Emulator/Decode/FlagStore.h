//===- FlagStore.h - Which stores may set flags -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store with the scope of the device may be that of a flag, which others wait for, or of results
// that go past the L2 of an XCD.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_DECODE_FLAGSTORE_H
#define CK_MLIR_LIB_EMULATOR_DECODE_FLAGSTORE_H

namespace ckemu {

/// Bytes of a lane in the widest store that may set a flag: no atomic is wider.
constexpr unsigned kWidestFlagStore = 8;

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_DECODE_FLAGSTORE_H
