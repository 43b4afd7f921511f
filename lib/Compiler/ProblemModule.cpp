//===- ProblemModule.cpp - Rung-0 modules from files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files come from users and from other programs: everything that is not one verified problem is
// refused with the place and the reason.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "ck-mlir/Support/File.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace cksupport;
using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;

Expected<OwningOpRef<ModuleOp>> mlir::ck::parseModuleFile(MLIRContext &context, StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  DiagnosticCollector diagnostics(&context);
  auto sources = std::make_shared<llvm::SourceMgr>();
  // A buffer of the path's name gives locations their file name.
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(), path),
                              llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return diagnostics.takeError("failed to parse '" + path + "'");
  return module;
}

Expected<Problem> mlir::ck::getProblemOfModule(ModuleOp module) {
  DiagnosticCollector diagnostics(module.getContext());
  if (failed(verifyForm(module, Form::Problem)))
    return diagnostics.takeError("the module is not in form 'problem'");
  SmallVector<ProblemOpInterface> ops;
  module.walk([&](ProblemOpInterface op) { ops.push_back(op); });
  if (ops.size() != 1)
    return createStringError("expected one ck problem operation in the module, got " +
                             llvm::Twine(ops.size()));
  return ops.front().getProblem();
}
