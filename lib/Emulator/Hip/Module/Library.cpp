//===- Library.cpp - HIP: libraries -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library (HIP 7) is a module that belongs to no context; its kernels are functions. It is loaded
// at once, as modules are.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/State.h"
#include "Emulator/Hip/Version.h"
#include <algorithm>

using namespace ckemu;
using namespace ckemu::hip;

/// In Module.cpp.
CK_HIP_EXPORT hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t module);

/// A library is known by the handle of its module.
using Library = ihipModule_t *;

static Result checkOptions(unsigned numJitOptions) {
  noteNewerProgram();
  return numJitOptions == 0 ? Result()
                            : invalidValue("expected no options for a compiler, got " +
                                           std::to_string(numJitOptions));
}

CK_HIP_EXPORT hipError_t hipLibraryLoadData(Library *library, const void *code, hipJitOption *,
                                            void **, unsigned int numJitOptions, void *, void **,
                                            unsigned int) {
  return call("hipLibraryLoadData", [&](State &state) {
    Result result = checkOptions(numJitOptions);
    return result.code == hipSuccess ? loadModule(state, library, code) : result;
  });
}

CK_HIP_EXPORT hipError_t hipLibraryLoadFromFile(Library *library, const char *fileName,
                                                hipJitOption *, void **, unsigned int numJitOptions,
                                                void *, void **, unsigned int) {
  return call("hipLibraryLoadFromFile", [&](State &state) {
    Result result = checkOptions(numJitOptions);
    return result.code == hipSuccess ? loadModuleFile(state, library, fileName) : result;
  });
}

CK_HIP_EXPORT hipError_t hipLibraryUnload(Library library) {
  return call("hipLibraryUnload", [&](State &state) { return unload(state, library); });
}

CK_HIP_EXPORT hipError_t hipLibraryGetKernel(hipFunction_t *kernel, Library library,
                                             const char *name) {
  return call("hipLibraryGetKernel",
              [&](State &state) { return findKernel(state, kernel, library, name); });
}

CK_HIP_EXPORT hipError_t hipLibraryGetKernelCount(unsigned int *count, Library library) {
  return hipModuleGetFunctionCount(count, library);
}

CK_HIP_EXPORT hipError_t hipLibraryEnumerateKernels(hipFunction_t *kernels, unsigned int count,
                                                    Library library) {
  return call("hipLibraryEnumerateKernels", [&](State &state) {
    if (!kernels && count != 0)
      return invalidValue("kernels is null");
    std::vector<std::string> names;
    {
      std::lock_guard<std::mutex> lock(state.mutex);
      if (!state.modules.contains(library))
        return Result(hipErrorInvalidHandle, state.modules.explain(library));
      for (const auto &entry : library->object->getKernels())
        names.push_back(entry.getKey().str());
    }
    std::sort(names.begin(), names.end());
    for (size_t i = 0; i < names.size() && i < count; ++i)
      if (Result result = findKernel(state, &kernels[i], library, names[i].c_str());
          result.code != hipSuccess)
        return result;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipLibraryGetGlobal(void **address, size_t *bytes, Library library,
                                             const char *name) {
  return call("hipLibraryGetGlobal",
              [&](State &state) { return findVariable(state, address, bytes, library, name); });
}

CK_HIP_EXPORT hipError_t hipKernelGetFunction(hipFunction_t *function, hipFunction_t kernel) {
  return call("hipKernelGetFunction", [&](State &state) {
    if (!function)
      return invalidValue("pFunc is null");
    *function = kernel;
    return checkFunction(state, kernel);
  });
}

CK_HIP_EXPORT hipError_t hipKernelGetName(const char **name, hipFunction_t kernel) {
  return call("hipKernelGetName", [&](State &state) {
    if (!name)
      return invalidValue("name is null");
    return withFunction(state, kernel, [&] {
      *name = kernel->kernel->metadata.name.c_str();
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipKernelGetLibrary(Library *library, hipFunction_t kernel) {
  return call("hipKernelGetLibrary", [&](State &state) {
    if (!library)
      return invalidValue("library is null");
    return withFunction(state, kernel, [&] {
      for (ihipModule_t *module : state.modules.getLive())
        if (module->object.get() == kernel->object)
          *library = module;
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipKernelGetAttribute(int *value, hipFunction_attribute attribute,
                                               hipFunction_t kernel, hipDevice_t device) {
  if (device != 0)
    return call("hipKernelGetAttribute", [&](State &) { return checkDevice(device); });
  return hipFuncGetAttribute(value, attribute, kernel);
}

CK_HIP_EXPORT hipError_t hipKernelGetParamInfo(hipFunction_t kernel, size_t index, size_t *offset,
                                               size_t *size) {
  return call("hipKernelGetParamInfo", [&](State &state) {
    if (!offset)
      return invalidValue("paramOffset is null");
    return withFunction(state, kernel, [&] {
      size_t position = 0;
      for (const KernelArgument &argument : kernel->kernel->metadata.arguments) {
        if (argument.isHidden() || position++ != index)
          continue;
        *offset = argument.offset;
        if (size)
          *size = argument.size;
        return Result();
      }
      return quiet(hipErrorInvalidValue, "the parameter must be in [0, " +
                                             std::to_string(position) + "), got " +
                                             std::to_string(index));
    });
  });
}
