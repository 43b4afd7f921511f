//===- ProblemSource.cpp - A problem as a user gives it -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/ProblemSource.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::Expected;

Expected<ProblemSource> ProblemSource::create(std::unique_ptr<MLIRContext> context,
                                              OwningOpRef<ModuleOp> &&module) {
  // From here on the module goes before its context, whatever is wrong with it.
  ProblemSource source({});
  source.context = std::move(context);
  source.module = std::move(module);
  Expected<Problem> problem = getProblemOfModule(*source.module);
  if (!problem)
    return problem.takeError();
  source.problem = std::move(*problem);
  return source;
}

Expected<ProblemSource> ProblemSource::open(StringRef text) {
  if (!text.ends_with(".mlir")) {
    Expected<Problem> problem = parseProblem(text);
    if (!problem)
      return problem.takeError();
    return ProblemSource(std::move(*problem));
  }
  std::unique_ptr<MLIRContext> context = createContext();
  Expected<OwningOpRef<ModuleOp>> module = parseModuleFile(*context, text);
  if (!module)
    return module.takeError();
  return create(std::move(context), std::move(*module));
}

Expected<ProblemSource> ProblemSource::parseModule(StringRef text) {
  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> module;
  {
    DiagnosticCollector diagnostics(context.get());
    module = parseSourceString<ModuleOp>(text, context.get());
    if (!module)
      return diagnostics.takeError("failed to parse the module");
  }
  return create(std::move(context), std::move(module));
}

Expected<CompiledProgram> ProblemSource::compile(const CompileOptions &options) const {
  return compileSource(problem, getModule(), options);
}

Expected<CompiledProgram> mlir::ck::compileSource(const Problem &problem, ModuleOp module,
                                                  const CompileOptions &options) {
  return module ? compileModule(module, options) : compileProblem(problem, options);
}
