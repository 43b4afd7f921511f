//===- Program.h - Whole programs -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a module of linalg or TOSA on tensors to one that a stock mlir-runner executes: what is a
// problem becomes a kernel, everything else takes upstream's path.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_PROGRAM_H
#define CK_MLIR_COMPILER_PROGRAM_H

#include "ck-mlir/Compiler/Pipelines.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ck {

/// Where code runs that is no problem.
enum class HostCode {
  Cpu, ///< on the host, as loops
  Gpu  ///< parallel loops as kernels of upstream's, the rest on the host
};

struct ProgramOptions {
  std::string chip = "gfx942";
  std::string schedule = "";     // of every problem; unset fields are chosen
  std::string format = "binary"; // what a gpu.binary holds: isa, object or binary
  HostCode host = HostCode::Cpu;
  int64_t residents = 0;
  bool atCall = true; // functions of a batch of unknown size wait for it: ck-specialize-at-call
  std::string tuningFile = ""; // of tuned schedules, for functions that do not wait
};

/// As options write it: cpu or gpu.
StringRef stringifyHostCode(HostCode host);

/// Adds the passes that set the `?` of the arguments of `entry` in a module of linalg or TOSA on
/// tensors, and what they are checked with: a `cf.assert` of a constant that is false stands where
/// sizes contradict each other. `buildProgramPipeline` is next.
void buildSetSizesPipeline(OpPassManager &manager, StringRef entry, ArrayRef<int64_t> sizes);

/// Adds the passes that take a module on tensors to one on memrefs, where problems are `ck` ops:
/// TOSA to linalg, linalg to problems, bufferization with identity layouts at the functions'
/// boundaries, deallocation.
void buildBufferizationPipeline(OpPassManager &manager);

/// Adds the passes that take a module of linalg, TOSA or problems on tensors or memrefs to the
/// llvm dialect and a `gpu.binary`.
void buildProgramPipeline(OpPassManager &manager, const ProgramOptions &options);

/// Registers --ck-bufferize-program and --ck-compile-program, and the passes of
/// ck-mlir/Transforms/AtCall.h. Called by `registerAllPasses`.
void registerProgramPipelines();

/// Registers the dialects of whole programs and their interfaces: all of upstream's.
void registerProgramDialects(DialectRegistry &registry);

} // namespace mlir::ck

#endif // CK_MLIR_COMPILER_PROGRAM_H
