//===- CompileRequest.cpp - Requests become kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CompileRequest.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::ck;
using llvm::Expected;

Expected<KernelImage> mlir::ck::makeImage(const CompiledProgram &program) {
  return KernelImage::parse(llvm::formatv("{0:2}\n", program.toManifest()).str(),
                            program.codeObject);
}

KernelRequest mlir::ck::makeKernelRequest(llvm::StringRef problem, const CompileOptions &options) {
  return {problem.str(), options.chip, options.schedule, options.residents};
}

/// Compiles the text of a module.
static Expected<CompiledProgram> compileText(llvm::StringRef text, const CompileOptions &options) {
  std::unique_ptr<mlir::MLIRContext> context = createContext();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    DiagnosticCollector diagnostics(context.get());
    module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    if (!module)
      return diagnostics.takeError("failed to parse the module");
  }
  return compileModule(*module, options);
}

static Expected<CompiledProgram> compile(const KernelRequest &request) {
  CompileOptions options;
  options.chip = request.chip;
  options.schedule = request.schedule;
  options.residents = request.residents;
  if (request.isModule())
    return compileText(request.problem, options);
  Expected<Problem> problem = parseProblem(request.problem);
  if (!problem)
    return problem.takeError();
  return compileProblem(*problem, options);
}

Expected<KernelImage> mlir::ck::compileRequest(const KernelRequest &request) {
  Expected<CompiledProgram> program = compile(request);
  if (!program)
    return program.takeError();
  return makeImage(*program);
}
