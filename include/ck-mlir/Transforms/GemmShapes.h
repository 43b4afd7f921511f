//===- GemmShapes.h - GEMMs as schedules see them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules are chosen for what a launch computes; reports about the choice need the same.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TRANSFORMS_GEMMSHAPES_H
#define CK_MLIR_TRANSFORMS_GEMMSHAPES_H

#include "ck-mlir/IR/CK.h"

namespace mlir::ck {

/// `op`, a `ck.gemm` or `ck.gemm_table`, as schedules see it: its GEMMs, and its fills as GEMMs
/// without K. Emits an error for views that cannot be addressed.
FailureOr<SmallVector<GemmShape>> getGemmShapes(Operation *op);

} // namespace mlir::ck

#endif // CK_MLIR_TRANSFORMS_GEMMSHAPES_H
