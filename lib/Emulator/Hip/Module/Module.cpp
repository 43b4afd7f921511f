//===- Module.cpp - HIP: modules and functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading code objects and asking about their kernels.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Module/Image.h"
#include "Emulator/Hip/State.h"
#include "Emulator/Isa/VectorLevel.h"
#include "Emulator/Load/DeviceError.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

static Result toResult(llvm::Error error) {
  Result result(hipErrorInvalidImage, std::string());
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceError &refusal) {
        if (refusal.getKind() == DeviceError::Kind::OtherTarget)
          result.code = hipErrorNoBinaryForGpu;
        result.message = refusal.message();
      },
      [&](const llvm::ErrorInfoBase &other) { result.message = other.message(); });
  return result;
}

static Result load(State &state, hipModule_t *module, llvm::StringRef bytes) {
  const ChipModel &chip = *state.getOptions().chip;
  llvm::Expected<std::string> plain = decompress(bytes);
  if (!plain)
    return toResult(plain.takeError());
  llvm::Expected<llvm::StringRef> elf = unbundle(*plain, chip.name);
  if (!elf)
    return toResult(elf.takeError());
  llvm::Expected<VectorLevel> level = selectVectorLevel();
  if (!level)
    return invalidValue(llvm::toString(level.takeError()));
  auto object = CodeObject::load(*elf, chip, level->getTable(chip.isa), state.memory);
  if (!object)
    return toResult(object.takeError());
  state.log.noteImage(**object, *elf);
  auto created = std::make_unique<ihipModule_t>();
  created->object = std::move(*object);
  std::lock_guard<std::mutex> lock(state.mutex);
  *module = state.modules.add(std::move(created));
  return Result();
}

Result hip::loadModule(State &state, hipModule_t *module, const void *image) {
  if (!module || !image)
    return invalidValue(module ? "image is null" : "module is null");
  llvm::Expected<std::string> bytes = readImage(image);
  return bytes ? load(state, module, *bytes) : toResult(bytes.takeError());
}

Result hip::loadModuleFile(State &state, hipModule_t *module, const char *fname) {
  if (!module || !fname)
    return invalidValue(module ? "fname is null" : "module is null");
  auto file = llvm::MemoryBuffer::getFile(fname, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return Result(hipErrorFileNotFound,
                  "cannot read '" + std::string(fname) + "': " + file.getError().message());
  return load(state, module, (*file)->getBuffer());
}

CK_HIP_EXPORT hipError_t hipModuleLoad(hipModule_t *module, const char *fname) {
  return call("hipModuleLoad", [&](State &state) { return loadModuleFile(state, module, fname); });
}

CK_HIP_EXPORT hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return call("hipModuleLoadData", [&](State &state) { return loadModule(state, module, image); });
}

CK_HIP_EXPORT hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int,
                                             hipJitOption *, void **) {
  return call("hipModuleLoadDataEx",
              [&](State &state) { return loadModule(state, module, image); });
}

Result hip::unload(State &state, ihipModule_t *module) {
  std::unique_ptr<CodeObject> object;
  {
    std::lock_guard<std::mutex> lock(state.mutex);
    if (!state.modules.contains(module))
      return Result(hipErrorInvalidHandle, state.modules.explain(module));
    for (auto &entry : module->functions)
      state.functions.destroy(entry.second);
    object = std::move(module->object);
    state.modules.destroy(module);
  }
  object->hide();
  state.active.wait();
  return Result();
}

CK_HIP_EXPORT hipError_t hipModuleUnload(hipModule_t module) {
  return call("hipModuleUnload", [&](State &state) { return unload(state, module); });
}

Result hip::findKernel(State &state, hipFunction_t *function, hipModule_t module,
                       const char *name) {
  if (!function || !name)
    return invalidValue(function ? "name is null" : "function is null");
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.modules.contains(module))
    return Result(hipErrorInvalidHandle, state.modules.explain(module));
  const Kernel *kernel = module->object->findKernel(name);
  if (!kernel)
    return Result(hipErrorNotFound, "the code object has no kernel '" + std::string(name) + "'");
  ihipModuleSymbol_t *&symbol = module->functions[name];
  if (!symbol) {
    auto created = std::make_unique<ihipModuleSymbol_t>();
    created->object = module->object.get();
    created->kernel = kernel;
    symbol = state.functions.add(std::move(created));
  }
  *function = symbol;
  return Result();
}

Result hip::findVariable(State &state, hipDeviceptr_t *address, size_t *bytes, hipModule_t module,
                         const char *name) {
  if (!name)
    return invalidValue("name is null");
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.modules.contains(module))
    return Result(hipErrorInvalidHandle, state.modules.explain(module));
  const GlobalSymbol *global = module->object->findGlobal(name);
  if (!global)
    return Result(hipErrorNotFound, "the code object has no variable '" + std::string(name) + "'");
  if (address)
    *address = reinterpret_cast<void *>(global->address);
  if (bytes)
    *bytes = global->size;
  return Result();
}

CK_HIP_EXPORT hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin) {
  return call("hipModuleLoadFatBinary",
              [&](State &state) { return loadModule(state, module, fatbin); });
}

CK_HIP_EXPORT hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t module) {
  return call("hipModuleGetFunctionCount", [&](State &state) {
    if (!count)
      return invalidValue("count is null");
    std::lock_guard<std::mutex> lock(state.mutex);
    if (!state.modules.contains(module))
      return Result(hipErrorInvalidHandle, state.modules.explain(module));
    *count = unsigned(module->object->getKernels().size());
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *symbol) {
  return call("hipGetFuncBySymbol", [&](State &state) {
    return function ? resolveFunction(state, symbol, *function)
                    : invalidValue("functionPtr is null");
  });
}

CK_HIP_EXPORT hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                              const char *kname) {
  return call("hipModuleGetFunction",
              [&](State &state) { return findKernel(state, function, module, kname); });
}

CK_HIP_EXPORT hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t module,
                                            const char *name) {
  return call("hipModuleGetGlobal",
              [&](State &state) { return findVariable(state, dptr, bytes, module, name); });
}

/// Runs `body` with the kernel of a function handle that exists.
template <class Body>
static Result withKernel(State &state, const ihipModuleSymbol_t *function, Body body) {
  return withFunction(state, function, [&] { return body(*function->object, *function->kernel); });
}

CK_HIP_EXPORT hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib,
                                             hipFunction_t hfunc) {
  return call("hipFuncGetAttribute", [&](State &state) {
    if (!value)
      return invalidValue("value is null");
    return withKernel(state, hfunc, [&](const CodeObject &object, const Kernel &kernel) {
      switch (attrib) {
      case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = int(kernel.metadata.maxGroupSize);
        return Result();
      case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = int(kernel.descriptor.ldsBytes);
        return Result();
      case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = int(kernel.descriptor.privateBytes);
        return Result();
      case HIP_FUNC_ATTRIBUTE_NUM_REGS:
        *value = int(kernel.metadata.vgprs);
        return Result();
      case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = int(object.getChip().ldsBytes - kernel.descriptor.ldsBytes);
        return Result();
      case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
      case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = 0;
        return Result();
      default:
        return invalidValue("function attribute " + std::to_string(int(attrib)) + " is not known");
      }
    });
  });
}

CK_HIP_EXPORT hipError_t hipFuncGetAttributes(hipFuncAttributes *attr, const void *func) {
  return call("hipFuncGetAttributes", [&](State &state) {
    if (!attr)
      return invalidValue("attr is null");
    hipFunction_t function = nullptr;
    if (Result result = resolveFunction(state, func, function); result.code != hipSuccess)
      return result;
    return withKernel(state, function, [&](const CodeObject &object, const Kernel &kernel) {
      std::memset(attr, 0, sizeof(*attr));
      attr->maxThreadsPerBlock = int(kernel.metadata.maxGroupSize);
      attr->sharedSizeBytes = kernel.descriptor.ldsBytes;
      attr->localSizeBytes = kernel.descriptor.privateBytes;
      attr->numRegs = int(kernel.metadata.vgprs);
      attr->maxDynamicSharedSizeBytes = int(object.getChip().ldsBytes - kernel.descriptor.ldsBytes);
      return Result();
    });
  });
}
