//===- Dual.h - Pairs of vector instructions in one -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoder parses each half of "v_dual_... :: v_dual_..." as an instruction of its own and asks
// here how the pair executes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_VECTOR_DUAL_H
#define CK_MLIR_LIB_EMULATOR_ISA_VECTOR_DUAL_H

#include "Emulator/Decode/Instruction.h"

namespace ckemu {

/// The handler of an instruction whose `extra.pointer` is `pair`: both halves read their sources
/// before either writes.
Handler selectPairHandler(const InstructionPair &pair);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_VECTOR_DUAL_H
