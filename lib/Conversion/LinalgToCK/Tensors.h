//===- Tensors.h - Which tensors problems can have -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense tensors of static shape, whose elements the chip of the module takes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_LINALGTOCK_TENSORS_H
#define CK_MLIR_LIB_CONVERSION_LINALGTOCK_TENSORS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// The type of `tensor` if it has a static shape and no encoding; null otherwise.
RankedTensorType getDenseType(Value tensor);

/// Success if problems in the place of `op` can have elements of `type`. Without a `ck.target`
/// around it any chip may have to take them.
llvm::Error checkElements(Operation *op, Type type);

/// `type` as IR writes it.
std::string printType(Type type);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_LINALGTOCK_TENSORS_H
