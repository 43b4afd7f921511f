//===- BufferAccess.h - Memory through buffer descriptors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer takes an offset of 32 bits from each lane and another one that is the same for all.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_BUFFERACCESS_H
#define CK_MLIR_LIB_TRANSFORMS_BUFFERACCESS_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The descriptor, of `type`, of the `bytes`, of 64 bits, at `pointer`.
inline Value createBuffer(OpBuilder &builder, Location loc, Type type, Value pointer, Value bytes,
                          const ChipInfo &chip) {
  auto constant = [&](int64_t value, unsigned width) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, width);
  };
  return ROCDL::MakeBufferRsrcOp::create(builder, loc, type, pointer, /*stride=*/constant(0, 16),
                                         bytes, constant(int32_t(chip.bufferFlags), 32));
}
inline Value createBuffer(OpBuilder &builder, Location loc, Type type, Value pointer, int64_t bytes,
                          const ChipInfo &chip) {
  return createBuffer(builder, loc, type, pointer,
                      arith::ConstantIntOp::create(builder, loc, bytes, 64), chip);
}

/// Loads a value of `type` at `offset` of the lane and `scalarOffset`, both in bytes.
inline Value loadFromBuffer(OpBuilder &builder, Location loc, Type type, Value buffer, Value offset,
                            Value scalarOffset) {
  Value aux = arith::ConstantIntOp::create(builder, loc, 0, 32);
  return ROCDL::RawPtrBufferLoadOp::create(builder, loc, type, buffer, offset, scalarOffset, aux,
                                           ArrayAttr(), ArrayAttr(), ArrayAttr());
}

/// `policy` is that of the caches.
inline void storeToBuffer(OpBuilder &builder, Location loc, Value value, Value buffer, Value offset,
                          Value scalarOffset, uint32_t policy = 0) {
  Value aux = arith::ConstantIntOp::create(builder, loc, policy, 32);
  ROCDL::RawPtrBufferStoreOp::create(builder, loc, value, buffer, offset, scalarOffset, aux,
                                     ArrayAttr(), ArrayAttr(), ArrayAttr());
}

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_BUFFERACCESS_H
