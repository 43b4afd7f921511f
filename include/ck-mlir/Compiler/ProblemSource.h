//===- ProblemSource.h - A problem as a user gives it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What takes problem strings takes IR as well, which says more: regions as epilogues.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_COMPILER_PROBLEMSOURCE_H
#define CK_MLIR_COMPILER_PROBLEMSOURCE_H

#include "ck-mlir/Compiler/Compiler.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::ck {

/// A problem string, or a module of form `problem` with one problem.
class ProblemSource {
public:
  /// Reads `text`, a problem string or the path of a file that ends in ".mlir".
  static llvm::Expected<ProblemSource> open(StringRef text);
  /// Reads `text`, that of a module.
  static llvm::Expected<ProblemSource> parseModule(StringRef text);

  const Problem &getProblem() const { return problem; }
  /// Null for a problem string.
  ModuleOp getModule() const { return module ? *module : ModuleOp(); }

  llvm::Expected<CompiledProgram> compile(const CompileOptions &options) const;

private:
  explicit ProblemSource(Problem &&problem) : problem(std::move(problem)) {}
  static llvm::Expected<ProblemSource> create(std::unique_ptr<MLIRContext> context,
                                              OwningOpRef<ModuleOp> &&module);

  std::unique_ptr<MLIRContext> context; // of `module`
  OwningOpRef<ModuleOp> module;
  Problem problem;
};

/// Compiles `module`, or `problem` where that is null.
llvm::Expected<CompiledProgram> compileSource(const Problem &problem, ModuleOp module,
                                              const CompileOptions &options);

} // namespace mlir::ck

#endif // CK_MLIR_COMPILER_PROBLEMSOURCE_H
