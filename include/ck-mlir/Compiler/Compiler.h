//===- Compiler.h - From a problem or IR to a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler as a library: problem or rung-0 IR in, code object and manifest out, in process.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_COMPILER_H
#define CK_MLIR_COMPILER_COMPILER_H

#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/Problem/Problem.h"
#include "ck-mlir/Schedule/Schedule.h"
#include "ck-mlir/Serialize/CodeObject.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class ModuleOp;
template <typename OpTy>
class OwningOpRef;
} // namespace mlir

namespace mlir::ck {

/// One kernel of a code object and how it is launched.
struct KernelInfo : KernelResources {
  std::array<uint32_t, 3> grid = {1, 1, 1};  // workgroups
  std::array<uint32_t, 3> block = {1, 1, 1}; // work-items of a workgroup
  std::vector<std::string> arguments;        // tensor names in order, each a device pointer
};

/// A compiled problem: everything a caller needs to run it.
struct CompiledProgram {
  static constexpr int64_t kWorkspaceAlignment = 128;

  Problem problem;
  std::string chip;
  Schedule schedule;
  std::string codeObject;          // the bytes of the ELF file
  std::string assembly;            // only with CompileOptions::emitAssembly
  std::vector<KernelInfo> kernels; // in launch order
  /// Memory that the caller gives the kernel argument "workspace", see `WorkPlan`; it must be
  /// aligned to `kWorkspaceAlignment`.
  int64_t workspaceBytes = 0;
  int64_t residents = 0;          // that the launch was made for, see CompileOptions
  int64_t workspaceZeroBytes = 0; // at its start, which launches need and leave zeroed
  int64_t slices = 1;             // of the K steps of a tile, at most
  bool zeroFillOutput = false;    // the caller must zero the output before the launch
  // Milliseconds per stage, in order: name, duration.
  std::vector<std::pair<std::string, double>> stages;

  double getCompileMilliseconds() const;
  llvm::json::Value toManifest() const;
};

struct CompileOptions {
  std::string chip = "gfx942";
  std::string schedule; // a schedule string; unset fields are chosen
  /// A file of tuned schedules, see TuningTable.h, which go before the choice of the compiler;
  /// empty for none.
  std::string tuningFile;
  /// Workgroups that can be resident on the device at the same time: its compute units times those
  /// on each. Split-K and StreamK distribute work by it. 0: one on every CU of the chip.
  int64_t residents = 0;
  bool emitAssembly = false;
  /// Verify the IR after every pass, and its form after every rung. Tests of the passes do so; here
  /// it takes up to a fifth of the time of a small problem.
  bool verify = false;
  /// Compile the reference kernel of one work-item per element; the schedule is ignored and has no
  /// meaning in the result.
  bool naive = false;
  /// Passes of the caller's between ours, see `PipelineExtension`. Not called for `naive`.
  PipelineExtension extension = nullptr;

  /// Success if the chip is known, the schedule can be parsed, the number of residents is one, and
  /// the tuning file is one for the chip.
  llvm::Error check() const;
};

/// The rung-0 IR of `problem`: a module with one func.func over its tensors. Its 8-bit floats are
/// those of the Open Compute Project, or FNUZ with `fnuz`. An error names what the compiler does
/// not support yet.
llvm::Expected<OwningOpRef<ModuleOp>> generateProblemIR(MLIRContext &context,
                                                        const Problem &problem, bool fnuz = false);

/// The problem that the only `ck` operation of a rung-0 module describes. Its `epilogue` is
/// "region" if the operation has one, which no problem string can say.
llvm::Expected<Problem> getProblemOfModule(ModuleOp module);

/// Parses a .mlir file into a verified module; errors carry file, line and message.
llvm::Expected<OwningOpRef<ModuleOp>> parseModuleFile(MLIRContext &context, llvm::StringRef path);

/// Registers every dialect of the ladder with its translations and interface implementations.
void registerAllDialects(DialectRegistry &registry);

/// Registers the passes of this project and its pipelines. To be called once a process.
void registerAllPasses();

/// Creates a context with every dialect and translation that the compiler needs.
std::unique_ptr<MLIRContext> createContext();

/// Compiles a problem. Nothing a caller passes aborts the process: what is not supported is an
/// error with the reason, before any code is generated.
llvm::Expected<CompiledProgram> compileProblem(const Problem &problem,
                                               const CompileOptions &options);

/// Compiles a rung-0 module, which stays as it is.
llvm::Expected<CompiledProgram> compileModule(ModuleOp module, const CompileOptions &options);

} // namespace mlir::ck

#endif // CK_MLIR_COMPILER_COMPILER_H
