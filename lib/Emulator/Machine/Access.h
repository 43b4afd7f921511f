//===- Access.h - How an instruction uses memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks and the accesses themselves both speak of.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_MACHINE_ACCESS_H
#define CK_MLIR_LIB_EMULATOR_MACHINE_ACCESS_H

#include "Emulator/Decode/Instruction.h"
#include <cstdint>

namespace ckemu {

/// What is done with the bytes.
enum class Access : uint8_t { Load, Store, Atomic };

/// True for atomic operations that return what was there.
inline bool returnsOld(const Instruction &inst) {
  return inst.has(Modifier::Sc0) || inst.has(Modifier::Glc);
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_MACHINE_ACCESS_H
