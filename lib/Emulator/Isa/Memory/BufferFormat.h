//===- BufferFormat.h - What buffer instructions share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of MUBUF, MTBUF and VBUFFER instructions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_BUFFERFORMAT_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_BUFFERFORMAT_H

#include "Emulator/Memory/LaneMemory.h"
#include "llvm/Support/Error.h"

namespace ckemu {

/// Resolves `address, resource, scalar offset`, printed from operand `first` on, for an access of
/// `size` bytes.
bool resolveBufferOperands(Wave &wave, const Instruction *inst, unsigned first, unsigned size,
                           BufferAccess &access);

/// Common to all: operands are data, address, resource and scalar offset; the address has a
/// register for the index and one for the offset.
llvm::Error checkBufferOperands(const Instruction &inst, unsigned numOperands);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_BUFFERFORMAT_H
