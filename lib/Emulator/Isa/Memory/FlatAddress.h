//===- FlatAddress.h - Addresses of global, flat and scratch instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `first` is the index of the address among the printed operands; a scalar address, where there is
// one, is the last operand.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FLATADDRESS_H
#define CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FLATADDRESS_H

#include "Emulator/Memory/LaneMemory.h"
#include "llvm/Support/Error.h"

namespace ckemu {

/// A register pair plus the offset, or a scalar pair plus a 32-bit register plus the offset.
inline void resolveGlobal(const Wave &wave, const Instruction *inst, unsigned first,
                          Lanes64 &addresses) {
  const Operand &vector = inst->op(first), &scalar = inst->op(inst->numOperands - 1);
  const uint64_t offset = uint64_t(int64_t(inst->mods.offset));
  Lanes unused;
  const Lanes &low = wave.vectorSource(vector, unused, 0);
  if (scalar.kind == OperandKind::Off) {
    const Lanes &high = wave.vectorSource(vector, unused, 1);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      addresses[lane] = (low[lane] | uint64_t(high[lane]) << 32) + offset;
    return;
  }
  const uint64_t base = wave.scalar64(scalar) + offset;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = base + low[lane];
}

/// A register pair plus the offset.
inline void resolveFlat(const Wave &wave, const Instruction *inst, unsigned first,
                        Lanes64 &addresses) {
  wave.vectorSource64(inst->op(first), addresses);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] += uint64_t(int64_t(inst->mods.offset));
}

/// The sum of a register, a scalar (each may be `off`) and the offset.
inline void resolveScratch(const Wave &wave, const Instruction *inst, unsigned first,
                           Lanes &offsets) {
  const Operand &vector = inst->op(first), &scalar = inst->op(inst->numOperands - 1);
  const uint32_t base =
      (scalar.kind == OperandKind::Off ? 0 : wave.scalar32(scalar)) + uint32_t(inst->mods.offset);
  if (vector.kind == OperandKind::Off)
    return broadcast(base, offsets);
  Lanes unused;
  const Lanes &source = wave.vectorSource(vector, unused);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    offsets[lane] = source[lane] + base;
}

/// An error unless `op` is a vector register operand of `count` registers.
inline llvm::Error checkRegisterCount(const Instruction &, const Operand &op, unsigned count) {
  if (op.isVector() && op.count == count)
    return llvm::Error::success();
  return llvm::createStringError("expected a data operand of " + llvm::Twine(count) +
                                 " vector registers, got " + llvm::Twine(unsigned(op.count)));
}

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_ISA_MEMORY_FLATADDRESS_H
