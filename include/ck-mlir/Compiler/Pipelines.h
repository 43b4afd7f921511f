//===- Pipelines.h - The ladder as pass pipelines -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One list of passes for ck-opt, the driver and other compilers.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_PIPELINES_H
#define CK_MLIR_COMPILER_PIPELINES_H

#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <string>

namespace mlir::ck {

/// Adds passes of the caller's to those that bring a module to a form. They must leave it in that
/// form.
using PipelineExtension = std::function<void(Form, OpPassManager &)>;

/// What the lowering depends on.
struct LoweringOptions {
  std::string chip = "gfx942";
  std::string schedule = ""; // a schedule string; unset fields are chosen
  bool verifyForms = false;  // check the form between the rungs
  int64_t relief = 0;        // of registers in chosen schedules, see ScheduleRequest
  int64_t residents = 0;     // workgroups that can be resident; 0: one on every CU of the chip
  PipelineExtension extension = nullptr; // called for each form that is reached
  bool allocWorkspace = false;           // in the function, instead of an argument for it
  std::string tuningFile = "";           // of tuned schedules, see TuningTable.h
};

/// Adds the passes that take a module of form `from` to form `to`; none if `from` is not below
/// `to`. A module of form `problem` gets its target attached first.
void buildLoweringPipeline(OpPassManager &manager, Form from, Form to,
                           const LoweringOptions &options);

/// Adds the passes that take a module of problems to `to`, `Lane` or `Rocdl`, by the reference
/// kernel of one work-item per element. Of the options the schedule is ignored.
void buildNaivePipeline(OpPassManager &manager, Form to, const LoweringOptions &options);

/// Registers --ck-lower-to-FORM for every form, --ck-lower-to-naive and --ck-compile-pipeline.
/// Called by `registerAllPasses`.
void registerPipelines();

} // namespace mlir::ck

#endif // CK_MLIR_COMPILER_PIPELINES_H
