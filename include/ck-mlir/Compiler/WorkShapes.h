//===- WorkShapes.h - The tiles of a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work plans need the tile counts and K steps of a problem; only the ladder knows them. So the
// problem goes up to the rung where tiles are distributed, and no further.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_WORKSHAPES_H
#define CK_MLIR_COMPILER_WORKSHAPES_H

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Schedule/WorkPartition.h"
#include "mlir/IR/Value.h"

namespace mlir::ck {

/// The schedule of a problem and the GEMMs that its launch distributes.
struct ScheduledWork {
  Problem problem;
  Schedule schedule;
  std::vector<GemmShape> shapes; // that the schedule was chosen for
  std::vector<WorkShape> gemms;  // their tiles
  int64_t workspaceBytes = 0;    // that the caller of the kernels must provide
};

/// Schedules a problem; no code is generated. Errors are those of `compileProblem`.
llvm::Expected<ScheduledWork> scheduleProblem(const Problem &problem,
                                              const CompileOptions &options);

/// Schedules a rung-0 module, which stays as it is.
llvm::Expected<ScheduledWork> scheduleModule(ModuleOp module, const CompileOptions &options);

/// The argument of a host function of `module` that is the workspace, and its bytes; null and 0 if
/// there is none.
BlockArgument findWorkspace(ModuleOp module, int64_t &bytes);

} // namespace mlir::ck

#endif // CK_MLIR_COMPILER_WORKSHAPES_H
