//===- LdsAddresses.h - Addresses beyond the offsets of LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SERIALIZE_LDSADDRESSES_H
#define CK_MLIR_LIB_SERIALIZE_LDSADDRESSES_H

namespace llvm {
class Function;
} // namespace llvm

#pragma GCC visibility push(hidden)

namespace mlir::ck {
/// Gives accesses to LDS whose addresses differ by constants a register in common. An instruction
/// adds at most 65535 bytes to its address. What lies beyond, on a chip with more LDS than that,
/// LLVM adds up in a register for every access, and keeps them all through a loop; here accesses
/// within 65536 bytes share one.
void shareLdsAddresses(llvm::Function &function);
} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SERIALIZE_LDSADDRESSES_H
