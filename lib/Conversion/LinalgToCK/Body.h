//===- Body.h - Which product a loop nest sums up -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a convolution or matrix product, whichever op carries it.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_LINALGTOCK_BODY_H
#define CK_MLIR_LIB_CONVERSION_LINALGTOCK_BODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// One factor of a product: an element of an operand, converted, minus a zero point.
struct Factor {
  OpOperand *operand = nullptr;
  bool isUnsigned = false; // some conversion reads its bits as an unsigned number
  bool isNarrowed = false; // some conversion loses digits
  int64_t zeroPoint = 0;
};

/// `c += a * b` in `type`.
struct ProductSum {
  Factor a, b;
  Type type;
};

/// The product that `op` sums up, or an error that says what its body does instead.
llvm::Expected<ProductSum> matchProductSum(linalg::LinalgOp op);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_LINALGTOCK_BODY_H
