//===- ScheduleLegality.h - Schedules in the IR -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ck-assign-schedule assigns is legal; the forms check it again for IR that comes from
// elsewhere, so that no later pass has to.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_VERIFY_SCHEDULELEGALITY_H
#define CK_MLIR_LIB_IR_VERIFY_SCHEDULELEGALITY_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Emits an error at `op`, a `ck.gemm` that is in no table or a `ck.gemm_table`, unless its GEMMs
/// have schedules that its target chip can run, with work that can be shared out.
LogicalResult verifyScheduled(Operation *op);

/// Emits an error at `gemm` unless its target chip can run its schedule.
LogicalResult verifyScheduled(BlockGemmOp gemm);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_VERIFY_SCHEDULELEGALITY_H
