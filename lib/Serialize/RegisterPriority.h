//===- RegisterPriority.h - Which values get registers first -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SERIALIZE_REGISTERPRIORITY_H
#define CK_MLIR_LIB_SERIALIZE_REGISTERPRIORITY_H

namespace llvm {
class Pass;
} // namespace llvm

#pragma GCC visibility push(hidden)

namespace mlir::ck {
/// Returns the analysis that tells LLVM's greedy register allocator which value is next: all values
/// that live in one basic block are assigned in the order of its instructions, however long they
/// live. It goes before the passes of code generation, which create LLVM's own otherwise. The pass
/// manager owns it.
llvm::Pass *createPriorityInOrder();
} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SERIALIZE_REGISTERPRIORITY_H
