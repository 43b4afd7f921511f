//===- AssignResults.h - The way of results to memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to ck-assign-schedule, which decides once what all later passes follow.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_ASSIGNRESULTS_H
#define CK_MLIR_LIB_TRANSFORMS_ASSIGNRESULTS_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Decides for `schedule` of `op`, a `ck.gemm` or `ck.gemm_table`, how lanes hold the accumulators
/// and which of the results take a way through LDS, and sets all of it on the GEMMs. `shapes` are
/// those of `parts`, the GEMMs and fills of `op`. Emits an error for a partition that the results,
/// the chip or the function around `op` do not allow with `residents` resident workgroups.
LogicalResult assignResults(Operation *op, ArrayRef<Operation *> parts, ArrayRef<GemmShape> shapes,
                            const Schedule &schedule, const ChipInfo &chip, int64_t residents,
                            bool allocWorkspace);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_ASSIGNRESULTS_H
