//===- LaneMath.h - What lanes compute by themselves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by all code that computes results one at a time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_LANEMATH_H
#define CK_MLIR_LIB_TRANSFORMS_LANEMATH_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// `a * b + sum`, where `sum` is f32 or i32.
Value multiplyAdd(OpBuilder &builder, Location loc, Value a, Value b, Value sum);

/// `a[0] * b[0] + a[1] * b[1] + sum` of halves. All chips can.
Value multiplyPair(OpBuilder &builder, Location loc, Value a, Value b, Value sum);

/// `sum` and the products of blocks of `rows` rows and columns, 4 or 16, by a matrix instruction.
/// Lane i of as many has row i of `a` and column i of `b`, vectors of four along K, and four rows
/// of column i of `sum`; with 16, four such lanes follow each other along K and along the rows of
/// `sum`. Chips with MFMA can; all lanes must be active.
Value multiplyBlock(OpBuilder &builder, Location loc, int64_t rows, Value a, Value b, Value sum);

/// A vector of the type of `vector`, of whole words, of what `change` makes of each of them, an
/// i32.
Value changeWords(OpBuilder &builder, Location loc, Value vector,
                  llvm::function_ref<Value(Value)> change);

/// The result, of `type`, of `sum` and the elements of the D operands, `others`.
Value buildResult(OpBuilder &builder, Location loc, Region &epilogue, Value sum, ValueRange others,
                  Type type);

/// Waits until all waves of the workgroup have written to LDS what they have written before.
void buildLdsBarrier(OpBuilder &builder, Location loc, const ChipInfo &chip);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_LANEMATH_H
