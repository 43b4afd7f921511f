//===- CopyScopes.h - What tells reads of LDS from copies to it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_COPYSCOPES_H
#define CK_MLIR_LIB_CONVERSION_COPYSCOPES_H

#include "mlir/IR/Operation.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Gives accesses to LDS under `root`, which is of the llvm dialect, alias scopes by which they
/// meet no load that writes to LDS itself. Without them LLVM waits for all such loads before every
/// read. Kernels wait for their copies explicitly, and meet at a barrier, before they read them.
void addCopyScopes(Operation *root);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_COPYSCOPES_H
