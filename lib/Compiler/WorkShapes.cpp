//===- WorkShapes.cpp - The tiles of a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the work ops of form `grid`: whatever made them, a report and a kernel agree.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/Schedule/WorkEstimate.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// Takes a module of form `from` to form `to`.
static Error lower(ModuleOp module, Form from, Form to, const CompileOptions &options) {
  PassManager manager(module.getContext());
  LoweringOptions lowering{options.chip, options.schedule};
  lowering.residents = options.residents;
  lowering.tuningFile = options.tuningFile;
  buildLoweringPipeline(manager, from, to, lowering);
  DiagnosticCollector diagnostics(module.getContext());
  if (failed(manager.run(module)))
    return diagnostics.takeError("failed to schedule the problem");
  return Error::success();
}

BlockArgument mlir::ck::findWorkspace(ModuleOp module, int64_t &bytes) {
  BlockArgument workspace;
  module.walk([&](func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), CKDialect::kWorkspaceAttrName))
        workspace = argument;
  });
  auto type = workspace ? cast<MemRefType>(workspace.getType()) : MemRefType();
  bytes = type ? type.getNumElements() * type.getElementTypeBitWidth() / 8 : 0;
  return workspace;
}

/// Schedules `module` in place.
static Expected<ScheduledWork> schedule(ModuleOp module, const CompileOptions &options,
                                        const Problem &problem) {
  ScheduledWork work;
  work.problem = problem;
  if (Error error = lower(module, Form::Problem, Form::Scheduled, options))
    return std::move(error);
  module.walk([&](GemmOp gemm) { work.schedule = getAssignedSchedule(gemm); });
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<GemmOp, GemmTableOp>(op))
      return WalkResult::advance();
    // These are the shapes that the schedule was assigned for.
    SmallVector<GemmShape> shapes = *getGemmShapes(op);
    work.shapes.assign(shapes.begin(), shapes.end());
    return WalkResult::skip();
  });
  if (Error error = lower(module, Form::Scheduled, Form::Grid, options))
    return std::move(error);
  auto first = *module.getOps<gpu::GPUModuleOp>().begin();
  (*first.getOps<gpu::GPUFuncOp>().begin()).walk([&](WorkOp op) {
    ArrayRef<int64_t> tiles = op.getTiles();
    work.gemms.push_back({tiles[0], tiles[1], tiles[2], static_cast<int64_t>(op.getKSteps())});
  });
  // Direct kernels have no tiles to distribute: what a workgroup computes counts as one.
  if (work.schedule.direct) {
    const auto blocks = getWorkShapes(work.schedule.tile, work.shapes);
    work.gemms.assign(blocks.begin(), blocks.end());
  }
  findWorkspace(module, work.workspaceBytes);
  return work;
}

Expected<ScheduledWork> mlir::ck::scheduleModule(ModuleOp module, const CompileOptions &options) {
  Expected<Problem> problem = getProblemOfModule(module);
  if (!problem)
    return problem.takeError();
  OwningOpRef<ModuleOp> copy = module.clone();
  return schedule(*copy, options, *problem);
}

Expected<ScheduledWork> mlir::ck::scheduleProblem(const Problem &problem,
                                                  const CompileOptions &options) {
  Expected<const ChipInfo *> chip = getChip(options.chip);
  if (!chip)
    return chip.takeError();
  std::unique_ptr<MLIRContext> context = createContext();
  Expected<OwningOpRef<ModuleOp>> module =
      generateProblemIR(*context, problem, (*chip)->fp8 == Fp8Kind::Fnuz);
  if (!module)
    return module.takeError();
  return schedule(**module, options, problem);
}
