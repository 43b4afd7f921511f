//===- InterleaveProducts.h - The order of a loop, in the IR -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SERIALIZE_INTERLEAVEPRODUCTS_H
#define CK_MLIR_LIB_SERIALIZE_INTERLEAVEPRODUCTS_H

namespace llvm {
class Module;
} // namespace llvm

#pragma GCC visibility push(hidden)

namespace mlir::ck {
/// Whether all matrix instructions of `module` take no longer than four others, so that a wave has
/// little time to issue something else meanwhile.
bool hasShortProducts(const llvm::Module &module);

/// Puts instructions into the order that the scheduling groups behind them ask for, and all others
/// between matrix instructions as evenly as their operands and users permit, and tells schedulers
/// to leave them there. A module with groups that it cannot follow stays as it is.
void interleaveProducts(llvm::Module &module);
} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SERIALIZE_INTERLEAVEPRODUCTS_H
