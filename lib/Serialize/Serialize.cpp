//===- Serialize.cpp - From gpu.module to a code object -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu.module -> LLVM IR -> object -> code object, with a check before each step that could abort.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Serialize/Serialize.h"
#include "Serialize/Codegen.h"
#include "Serialize/Link.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <chrono>

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

void mlir::ck::registerSerializationTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
}

Expected<ROCDL::ROCDLTargetAttr> mlir::ck::getRocdlTarget(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets || targets.size() != 1)
    return createStringError("gpu.module @" + module.getName() +
                             " requires one #rocdl.target, got " +
                             llvm::Twine(targets ? targets.size() : 0) + " targets");
  auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]);
  if (!target)
    return createStringError("gpu.module @" + module.getName() + " requires a #rocdl.target");
  return target;
}

/// Success if only dialects that translate to LLVM IR are left.
static Error checkDialects(gpu::GPUModuleOp module) {
  Operation *foreign = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool known = isa<gpu::GPUModuleOp>(op) ||
                 isa_and_present<LLVM::LLVMDialect, ROCDL::ROCDLDialect>(op->getDialect());
    if (known)
      return WalkResult::advance();
    foreign = op;
    return WalkResult::interrupt();
  });
  if (!foreign)
    return Error::success();
  return createStringError("expected only llvm and rocdl operations in gpu.module @" +
                           module.getName() + ", got '" + foreign->getName().getStringRef() + "'");
}

namespace {
/// One serialization: the stages in order, each with its time.
class Serializer {
public:
  Serializer(gpu::GPUModuleOp module, const SerializeOptions &options)
      : module(module), options(options) {}

  Expected<SerializedModule> run();

private:
  /// Runs `stage` and records its duration as `name`.
  template <typename Fn>
  auto time(StringRef name, Fn stage) {
    auto start = std::chrono::steady_clock::now();
    auto result = stage();
    std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    serialized.stages.emplace_back(name.str(), elapsed.count());
    return result;
  }

  Error translate();
  Error optimize();
  Error emitAssembly();
  Error emitObject();
  Error link();

  gpu::GPUModuleOp module;
  const SerializeOptions &options;
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> llvmModule;
  SerializedModule serialized;
};
} // namespace

Error Serializer::translate() {
  Expected<ROCDL::ROCDLTargetAttr> target = getRocdlTarget(module);
  if (!target)
    return target.takeError();
  if (Error error = checkDialects(module))
    return error;
  auto created = createTargetMachine(target->getTriple(), target->getChip(), target->getFeatures());
  if (!created)
    return created.takeError();
  machine = std::move(*created);

  DiagnosticCollector diagnostics(module.getContext());
  llvmModule = translateModuleToLLVMIR(module, llvmContext, module.getName());
  if (!llvmModule)
    return diagnostics.takeError("failed to translate gpu.module @" + module.getName() +
                                 " to LLVM IR");
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  unsigned abiVersion = 0;
  if (!target->getAbi().getAsInteger(10, abiVersion))
    llvmModule->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", abiVersion);
  return checkSelectable(*llvmModule, *machine);
}

Error Serializer::optimize() {
  if (Error error = optimizeModule(*llvmModule, *machine))
    return error;
  // The pipeline may turn generic code into intrinsics of the chip.
  return checkSelectable(*llvmModule, *machine);
}

Error Serializer::emitAssembly() {
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(*llvmModule);
  Expected<std::string> text = emitModule(*clone, *machine, llvm::CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  serialized.assembly = std::move(*text);
  return Error::success();
}

Error Serializer::emitObject() {
  Expected<std::string> bytes =
      emitModule(*llvmModule, *machine, llvm::CodeGenFileType::ObjectFile);
  if (!bytes)
    return bytes.takeError();
  serialized.object = std::move(*bytes);
  return Error::success();
}

Error Serializer::link() {
  Expected<std::string> linked = linkCodeObject(serialized.object);
  if (!linked)
    return linked.takeError();
  auto kernels = readKernelResources(*linked);
  if (!kernels)
    return kernels.takeError();
  serialized.codeObject = std::move(*linked);
  serialized.kernels = std::move(*kernels);
  return Error::success();
}

Expected<SerializedModule> Serializer::run() {
  if (Error error = time("translate", [&] { return translate(); }))
    return std::move(error);
  if (Error error = time("optimize", [&] { return optimize(); }))
    return std::move(error);
  if (options.emitAssembly)
    if (Error error = time("assembly", [&] { return emitAssembly(); }))
      return std::move(error);
  if (options.emitObject || options.emitCodeObject)
    if (Error error = time("codegen", [&] { return emitObject(); }))
      return std::move(error);
  if (options.emitCodeObject)
    if (Error error = time("link", [&] { return link(); }))
      return std::move(error);
  if (!options.emitObject)
    serialized.object.clear();
  return std::move(serialized);
}

Expected<SerializedModule> mlir::ck::serializeGpuModule(gpu::GPUModuleOp module,
                                                        const SerializeOptions &options) {
  return Serializer(module, options).run();
}

gpu::BinaryOp mlir::ck::replaceByBinary(gpu::GPUModuleOp module,
                                        const SerializedModule &serialized) {
  OpBuilder builder(module);
  StringRef bytes = serialized.assembly;
  auto format = gpu::CompilationTarget::Assembly;
  if (!serialized.codeObject.empty()) {
    bytes = serialized.codeObject;
    format = gpu::CompilationTarget::Binary;
  } else if (!serialized.object.empty()) {
    bytes = serialized.object;
    format = gpu::CompilationTarget::Offload;
  }
  Attribute object = builder.getAttr<gpu::ObjectAttr>(module.getTargetsAttr()[0], format,
                                                      builder.getStringAttr(bytes),
                                                      /*properties=*/DictionaryAttr(),
                                                      /*kernels=*/gpu::KernelTableAttr());
  auto binary = gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                                      /*offloadingHandler=*/nullptr, builder.getArrayAttr(object));
  module.erase();
  return binary;
}
