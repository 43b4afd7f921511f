//===- Shapes.h - Tensors of other shapes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes cost nothing after bufferization: they leave the order of elements as it is.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_LINALGTOCK_SHAPES_H
#define CK_MLIR_LIB_CONVERSION_LINALGTOCK_SHAPES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// `tensor`, of static shape, with its elements in the same order in `shape`: the tensor itself, or
/// what tensor.collapse_shape and tensor.expand_shape make of it.
Value reshapeTo(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> shape);

/// The value that `tensor` is a reshape of.
Value skipReshapes(Value tensor);

/// A tensor for a result of `shape` and `type`: the elements of `wanted` where that is storage, a
/// new tensor where it is null or empty.
Value makeDestination(OpBuilder &builder, Location loc, Value wanted, ArrayRef<int64_t> shape,
                      Type type);

/// `tensor` with dimensions `dims` from their end.
Value reverseDims(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> dims);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_LINALGTOCK_SHAPES_H
