//===- Lower.cpp - IR as text in the C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/Lower.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Lower.h"
#include "CAPI/Calls.h"
#include "ck-mlir-c/IR.h"
#include "ck-mlir/Compiler/Pipelines.h"
#include "ck-mlir/Compiler/Program.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <mutex>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

size_t ckMlirGetNumForms(void) { return getFormNames().size(); }

const char *ckMlirGetFormName(size_t index) {
  SmallVector<StringRef> names = getFormNames();
  return index < names.size() ? names[index].data() : nullptr;
}

/// Gives `form` the form of that name.
static Outcome getForm(const char *name, Form &form) {
  if (!name)
    return missing("the name of a form");
  std::optional<Form> parsed = parseForm(name);
  if (!parsed)
    return invalid("expected a form (" + llvm::join(getFormNames(), ", ") + "), got '" + name +
                   "'");
  form = *parsed;
  return {};
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// A context that knows what ck-opt knows.
static std::unique_ptr<MLIRContext> createTextContext() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::registerAllPasses();
    ckMlirRegisterAllPasses();
  });
  std::unique_ptr<MLIRContext> context = createContext();
  DialectRegistry registry;
  registerProgramDialects(registry);
  context->appendDialectRegistry(registry);
  return context;
}

/// Parses and verifies `ir`.
static Outcome parse(MLIRContext &context, const char *ir, OwningOpRef<ModuleOp> &module) {
  DiagnosticCollector diagnostics(&context);
  module = parseSourceString<ModuleOp>(ir, ParserConfig(&context), "ir");
  if (!module)
    return invalid(diagnostics.takeError("the text is not a module"));
  return {};
}

/// Runs the passes of `manager`; what they emit is the message.
static Outcome run(PassManager &manager, ModuleOp module) {
  DiagnosticCollector diagnostics(module.getContext());
  if (failed(manager.run(module)))
    return unsupported(diagnostics.takeError("a pass failed without a diagnostic"));
  return {};
}

static CkMlirText createText(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return createText(std::move(text));
}

CkMlirStatus ckMlirCreateProblemIR(const char *problem, CkMlirCompileOptions options,
                                   CkMlirText *ir) {
  return guard([&] {
    return withProblem(problem, ir, "text", [&](const Problem &parsed) -> Outcome {
      CompileOptions compile = getOptions(options);
      if (Outcome outcome = checkOptions(compile); outcome.status != CkMlirStatusSuccess)
        return outcome;
      bool fnuz = llvm::cantFail(getChip(compile.chip))->fp8 == Fp8Kind::Fnuz;
      std::unique_ptr<MLIRContext> context = createContext();
      Expected<OwningOpRef<ModuleOp>> module = generateProblemIR(*context, parsed, fnuz);
      if (!module)
        return unsupported(module.takeError());
      *ir = createText(module->get());
      return {};
    });
  });
}

/// Takes a module from one form to another.
static Outcome lower(ModuleOp module, Form from, Form to, const CompileOptions &options) {
  {
    DiagnosticCollector diagnostics(module.getContext());
    if (failed(verifyForm(module, from)))
      return invalid(diagnostics.takeError("the module is not of the form that it should be"));
  }
  LoweringOptions lowering;
  lowering.chip = options.chip;
  lowering.schedule = options.schedule;
  lowering.residents = options.residents;
  lowering.tuningFile = options.tuningFile;
  lowering.verifyForms = options.verify;
  PassManager manager(module.getContext());
  if (from < to)
    buildLoweringPipeline(manager, from, to, lowering);
  return run(manager, module);
}

CkMlirStatus ckMlirCreateLoweredIR(const char *ir, const char *from, const char *to,
                                   CkMlirCompileOptions options, CkMlirText *lowered) {
  return guard([&]() -> Outcome {
    if (!ir || !lowered)
      return missing(ir ? "a place for the text" : "the text of a module");
    Form source, target;
    CompileOptions compile = getOptions(options);
    for (Outcome outcome : {getForm(from, source), getForm(to, target), checkOptions(compile)})
      if (outcome.status != CkMlirStatusSuccess)
        return outcome;
    if (target < source)
      return invalid(llvm::Twine("expected a form at or below '") + from + "', got '" + to + "'");
    std::unique_ptr<MLIRContext> context = createTextContext();
    OwningOpRef<ModuleOp> module;
    if (Outcome outcome = parse(*context, ir, module); outcome.status != CkMlirStatusSuccess)
      return outcome;
    Outcome outcome = lower(*module, source, target, compile);
    if (outcome.status == CkMlirStatusSuccess)
      *lowered = createText(*module);
    return outcome;
  });
}

CkMlirStatus ckMlirCreateIRBehindPasses(const char *ir, const char *pipeline, CkMlirText *changed) {
  return guard([&]() -> Outcome {
    if (!ir || !pipeline || !changed)
      return missing(!ir         ? "the text of a module"
                     : !pipeline ? "a pass pipeline"
                                 : "a place for the text");
    std::unique_ptr<MLIRContext> context = createTextContext();
    std::string errors;
    llvm::raw_string_ostream os(errors);
    FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, os);
    if (failed(parsed))
      return invalid("cannot parse the pass pipeline: " + llvm::StringRef(errors).trim());
    if (parsed->getOpAnchorName() != ModuleOp::getOperationName())
      return invalid("expected a pipeline of builtin.module, got one of " +
                     parsed->getOpAnchorName());
    OwningOpRef<ModuleOp> module;
    if (Outcome outcome = parse(*context, ir, module); outcome.status != CkMlirStatusSuccess)
      return outcome;
    PassManager manager(context.get());
    static_cast<OpPassManager &>(manager) = std::move(*parsed);
    Outcome outcome = run(manager, *module);
    if (outcome.status == CkMlirStatusSuccess)
      *changed = createText(*module);
    return outcome;
  });
}

CkMlirStatus ckMlirCompileIR(const char *ir, CkMlirCompileOptions options, CkMlirProgram *program) {
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  CkMlirStatus status = guard([&]() -> Outcome {
    if (!ir || !program)
      return missing(ir ? "a place for the program" : "the text of a module");
    context = createTextContext();
    return parse(*context, ir, module);
  });
  if (status != CkMlirStatusSuccess)
    return status;
  return ckMlirCompileModule(wrap(*module), options, program);
}
