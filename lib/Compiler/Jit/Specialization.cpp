//===- Specialization.cpp - A program for the sizes of a call -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipelines of ck-opt, and upstream's ExecutionEngine. Every compilation has a context of its
// own, so that threads share nothing.
//
//===----------------------------------------------------------------------===//

#include "Compiler/Jit/Specialization.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Compiler/Program.h"
#include "ck-mlir/Transforms/AtCall.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace mlir;
using namespace mlir::ck;
using jit::Specialization;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// One compilation.
class Compilation {
public:
  explicit Compilation(StringRef program);

  /// The module in the llvm dialect.
  LogicalResult lower(ArrayRef<int64_t> sizes);
  ModuleOp getModule() { return *module; }
  std::string getEntry() const { return entry; }
  std::vector<std::string> getKernels();
  std::string takeDiagnostics() { return std::move(diagnostics); }

private:
  LogicalResult readOptions();
  LogicalResult verifySizes();

  MLIRContext context;
  std::string diagnostics, entry;
  llvm::raw_string_ostream os{diagnostics};
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler{sources, &context, os};
  OwningOpRef<ModuleOp> module;
  ProgramOptions options;
};
} // namespace

static DialectRegistry getRegistry() {
  DialectRegistry registry;
  ck::registerAllDialects(registry);
  registerProgramDialects(registry);
  registerAllToLLVMIRTranslations(registry);
  return registry;
}

Compilation::Compilation(StringRef program)
    : context(getRegistry(), MLIRContext::Threading::DISABLED) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(program, "program"), SMLoc());
}

LogicalResult Compilation::readOptions() {
  auto atCall = (*module)->getAttrOfType<DictionaryAttr>(atcall::kAttrName);
  auto read = [&](StringRef name) -> std::string {
    auto value = atCall ? atCall.getAs<StringAttr>(name) : StringAttr();
    return value ? value.getValue().str() : "";
  };
  auto residents = atCall ? atCall.getAs<IntegerAttr>(atcall::kResidents) : IntegerAttr();
  entry = read(atcall::kEntry);
  options.chip = read(atcall::kChip);
  options.schedule = read(atcall::kSchedule);
  std::string host = read(atcall::kHost);
  if (entry.empty() || !residents || (host != "cpu" && host != "gpu"))
    return module->emitError() << "expected entry, chip, schedule, host and residents in "
                               << atcall::kAttrName << " of the module";
  options.host = host == "gpu" ? HostCode::Gpu : HostCode::Cpu;
  options.residents = residents.getInt();
  return success();
}

/// Emits an error for each check of upstream's, or of the program's own, that is known to fail.
LogicalResult Compilation::verifySizes() {
  bool valid = true;
  for (auto function : module->getOps<func::FuncOp>()) {
    if (function.isExternal() || function.getName() != entry)
      continue;
    for (auto check : function.getBody().front().getOps<cf::AssertOp>()) {
      if (!matchPattern(check.getArg(), m_Zero()))
        continue;
      // Upstream's message is the op, the reason behind a '^', and the place.
      StringRef message = check.getMsg();
      if (size_t at = message.find("\n^ "); at != StringRef::npos)
        message = message.drop_front(at + 3).split('\n').first;
      check.emitError("sizes contradict each other: ") << message;
      valid = false;
    }
  }
  return success(valid);
}

LogicalResult Compilation::lower(ArrayRef<int64_t> sizes) {
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(readOptions()))
    return failure();
  PassManager set(&context), compile(&context);
  buildSetSizesPipeline(set, entry, sizes);
  if (failed(set.run(*module)) || failed(verifySizes()))
    return failure();
  buildProgramPipeline(compile, options);
  return compile.run(*module);
}

std::vector<std::string> Compilation::getKernels() {
  std::vector<std::string> kernels;
  module->walk([&](gpu::LaunchFuncOp launch) {
    kernels.push_back(launch.getKernelName().getValue().str());
  });
  return kernels;
}

/// Code for this host, loaded.
static Expected<std::unique_ptr<ExecutionEngine>> createEngine(ModuleOp module) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0, nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  Expected<std::unique_ptr<ExecutionEngine>> engine = ExecutionEngine::create(module, options);
  if (engine)
    (*engine)->initialize();
  return engine;
}

Expected<std::unique_ptr<Specialization>> Specialization::compile(StringRef program,
                                                                  ArrayRef<int64_t> sizes) {
  auto compilation = std::make_unique<Compilation>(program);
  if (failed(compilation->lower(sizes)))
    return createStringError("@" + compilation->getEntry() + "\n" + compilation->takeDiagnostics());
  std::unique_ptr<Specialization> result(new Specialization());
  result->entry = compilation->getEntry();
  result->kernels = compilation->getKernels();
  Expected<std::unique_ptr<ExecutionEngine>> engine = createEngine(compilation->getModule());
  if (!engine)
    return engine.takeError();
  result->engine = std::move(*engine);
  Expected<void (*)(void **)> function =
      result->engine->lookupPacked("_mlir_ciface_" + result->entry);
  if (!function)
    return function.takeError();
  result->function = *function;
  return std::move(result);
}

Specialization::~Specialization() = default;
