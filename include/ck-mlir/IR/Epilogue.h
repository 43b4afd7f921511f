//===- Epilogue.h - Epilogue regions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops that carry an epilogue share: one verifier, and the region of a chain of steps.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_EPILOGUE_H
#define CK_MLIR_IR_EPILOGUE_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// Verifies that `epilogue` is empty (and there are no D operands), or one block from an
/// accumulator of `accType` and one element each of `dTypes` to a `ck.yield` of one `resultType`,
/// made of scalar ops that lower to any chip. Errors are emitted at `op` and name the op that does
/// not lower.
LogicalResult verifyEpilogue(Operation *op, Region &epilogue, Type accType, TypeRange dTypes,
                             Type resultType);

/// Why `op` cannot stand in an epilogue; nothing if it can.
std::optional<std::string> whyNotInEpilogue(Operation *op);

/// True for functions that epilogues have, on f32 alone.
bool isFunctionOfF32(Operation *op);

/// True for ops of the dialect that stand inside of epilogues, in whatever form the module is.
bool isEpilogueOp(Operation *op);

/// Builds the region of `steps` in the empty `epilogue`: from an accumulator of `accType` and one
/// element of each of `dTypes`, in f32, to a `ck.yield` of `resultType`. 8-bit floats that
/// `convert` rounds to are FNUZ with `fnuz`.
void buildEpilogue(OpBuilder &builder, Location loc, ArrayRef<EpilogueStep> steps, Type accType,
                   TypeRange dTypes, Type resultType, bool fnuz, Region &epilogue);

/// `value`, a scalar or vector of an element type, in f32.
Value convertToF32(OpBuilder &builder, Location loc, Value value);

/// The f32 scalar or vector `value` rounded to nearest even in `elementType`. Integers saturate,
/// and NaN becomes 0 in them, as in the reference; 8-bit floats saturate in the lowering of
/// `arith.truncf`.
Value convertFromF32(OpBuilder &builder, Location loc, Value value, Type elementType);

/// Accumulators `value` (a scalar or vector of f32 or i32) in `elementType`, rounded as by
/// `convertFromF32`. i32 saturates to i8.
Value convertAccumulator(OpBuilder &builder, Location loc, Value value, Type elementType);

} // namespace mlir::ck

#endif // CK_MLIR_IR_EPILOGUE_H
