//===- ExpandFloat8.h - 8-bit floats without instructions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lowers conversions of 8-bit floats to instructions of the chips that have them; the
// others compute on bits.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_CONVERSION_EXPANDFLOAT8_H
#define CK_MLIR_LIB_CONVERSION_EXPANDFLOAT8_H

#include "mlir/IR/PatternMatch.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Adds patterns that replace `arith.extf` from, and `arith.truncf` to, the 8-bit floats of OCP and
/// FNUZ by arithmetic on i32 and f32, of scalars and vectors. Extensions are exact. Truncations
/// round to the nearest, ties to even; finite values beyond the largest become the largest,
/// infinities stay (NaN where there are none).
void populateExpandFloat8Patterns(RewritePatternSet &patterns);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_CONVERSION_EXPANDFLOAT8_H
