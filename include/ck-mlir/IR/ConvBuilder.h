//===- ConvBuilder.h - The op of a convolution -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other way of `makeConvProblem`, for the generator and for conversions from other dialects.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_IR_CONVBUILDER_H
#define CK_MLIR_IR_CONVBUILDER_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// Creates the op of `problem`'s direction, without an epilogue. It reads the two `factors`, in the
/// order of the op, and `ds`, and writes `written`; `results` is empty on memrefs and the type of
/// `written` on tensors.
ProblemOpInterface createConvOp(OpBuilder &builder, Location loc, const ConvProblem &problem,
                                TypeRange results, ValueRange factors, Value written,
                                ValueRange ds);

} // namespace mlir::ck

#endif // CK_MLIR_IR_CONVBUILDER_H
