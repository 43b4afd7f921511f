//===- Epilogue.h - Epilogue regions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops that carry an epilogue share: one verifier.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_EPILOGUE_H
#define CK_MLIR_IR_EPILOGUE_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// Verifies that `epilogue` is empty (and there are no D operands), or one block from an
/// accumulator of `accType` and one element each of `dTypes` to a `ck.yield` of one `resultType`,
/// made of scalar ops without side effects. Errors are emitted at `op`.
LogicalResult verifyEpilogue(Operation *op, Region &epilogue, Type accType, TypeRange dTypes,
                             Type resultType);

} // namespace mlir::ck

#endif // CK_MLIR_IR_EPILOGUE_H
