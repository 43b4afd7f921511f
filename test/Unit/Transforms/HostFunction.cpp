//===- HostFunction.cpp - Expanded functions, compiled for the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass under test, then upstream's conversions, then LLVM's compiler for the host.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Conversion/Passes.h"
#include "ck-mlir/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;

/// func.func @f(x, y, result) around `op` on vectors of 16.
/// A function that does `lines`, which compute `%r` from `%a` and `%b`, for all elements.
static std::string makeText(StringRef lines) {
  std::string type = "memref<" + std::to_string(HostFunction::size) + "xf32>";
  std::string vector = "vector<16xf32>";
  return "func.func @f(%x: " + type + ", %y: " + type + ", %result: " + type +
         ") {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %c16 = arith.constant 16 : index\n"
         "  %size = arith.constant " +
         std::to_string(HostFunction::size) +
         " : index\n"
         "  scf.for %i = %c0 to %size step %c16 {\n"
         "    %a = vector.load %x[%i] : " +
         type + ", " + vector + "\n    %b = vector.load %y[%i] : " + type + ", " + vector + "\n" +
         lines.str() + "\n    vector.store %r, %result[%i] : " + type + ", " + vector +
         "\n  }\n  return\n}\n";
}

/// Runs the expansion and lowers to the llvm dialect.
static LogicalResult lower(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createExpandMathPass());
  manager.addPass(createExpandFloat8Pass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(options));
  manager.addPass(createReconcileUnrealizedCastsPass());
  return manager.run(module);
}

HostFunction::HostFunction(std::unique_ptr<llvm::orc::LLJIT> jit) : jit(std::move(jit)) {}
HostFunction::HostFunction(HostFunction &&) noexcept = default;
HostFunction::~HostFunction() = default;

Expected<HostFunction> HostFunction::create(StringRef op, unsigned operands) {
  return createFromLines("    %r = " + op.str() + (operands == 2 ? " %a, %b" : " %a") +
                         " : vector<16xf32>");
}

Expected<HostFunction> HostFunction::createFromLines(StringRef lines) {
  std::unique_ptr<MLIRContext> context = createContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(makeText(lines), context.get());
  if (!module || failed(lower(*module)))
    return createStringError("failed to lower '" + lines + "' for the host");

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(*module, *llvmContext);
  if (!llvmModule)
    return createStringError("failed to translate '" + lines + "' to LLVM IR");
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  llvmModule->setDataLayout((*jit)->getDataLayout());
  if (llvm::Error error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(llvmModule), std::move(llvmContext))))
    return std::move(error);
  auto symbol = (*jit)->lookup("f");
  if (!symbol)
    return symbol.takeError();
  HostFunction function(std::move(*jit));
  function.entry = symbol->toPtr<void (*)(float *, float *, float *)>();
  return function;
}
