//===- ScalarAddress.h - Addresses of scalar memory instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_SCALARADDRESS_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_SCALARADDRESS_H

#include "Emulator/Machine/Wave.h"

namespace ckemu {

/// The offset of `s_load dst, base, offset [offset:imm]`, and of stores, whose data come first,
/// too.
inline int64_t scalarOffset(const Wave &wave, const Instruction *inst) {
  const Operand &offset = inst->op(2);
  const int64_t first =
      offset.isConstant() ? int64_t(offset.value) : int64_t(wave.scalar32(offset));
  return first + inst->mods.offset;
}

/// The part of a buffer descriptor that scalar memory instructions look at.
struct ScalarBuffer {
  uint64_t base, size;
  ScalarBuffer(const Wave &wave, const Operand &op) {
    const uint32_t *resource = &wave.sgpr[op.index];
    const uint32_t stride = resource[1] >> 16 & 0x3fff;
    base = resource[0] | uint64_t(resource[1] & 0xffff) << 32;
    size = stride ? uint64_t(stride) * resource[2] : resource[2];
  }
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_SCALARADDRESS_H
