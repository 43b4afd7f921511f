//===- FatBinary.cpp - HIP: programs compiled by a HIP compiler -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such a program registers the code object that it carries, and its kernels and variables by the
// address of what stands for them on the host, before main runs. Code is loaded at its first use.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/TransferCheck.h"

using namespace ckemu;
using namespace ckemu::hip;

namespace {
/// What the compiler puts into the section .hipFatBinSegment.
struct FatBinaryWrapper {
  uint32_t magic;
  uint32_t version;
  const void *binary;
  void *unused;
};
constexpr uint32_t kWrapperMagic = 0x48495046; // "HIPF"

/// A registered fat binary.
struct FatBinary {
  const void *binary = nullptr;
  hipModule_t module = nullptr; ///< once loaded
};

/// A kernel or variable of a fat binary.
struct Symbol {
  FatBinary *binary;
  std::string name;
};

/// All that programs have registered.
struct Registry {
  std::mutex mutex;
  std::map<const void *, Symbol> functions, variables; ///< by host address
};

/// The arguments of <<< >>> until the launch.
struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  hipStream_t stream;
};
} // namespace

static Registry &getRegistry() {
  // Never destroyed: registrations come before and go after main.
  static Registry *registry = new Registry();
  return *registry;
}

static std::vector<CallConfiguration> &getConfigurations() {
  static thread_local std::vector<CallConfiguration> configurations;
  return configurations;
}

/// Loads the code of `symbol` unless that has happened.
static Result load(State &state, const Symbol &symbol) {
  if (symbol.binary->module)
    return Result();
  Result result = loadModule(state, &symbol.binary->module, symbol.binary->binary);
  if (result.code == hipErrorNoBinaryForGpu)
    result.message += ": CK_EMULATOR_CHIP chooses the chip";
  return result;
}

Result hip::resolveFunction(State &state, const void *function, hipFunction_t &result) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  auto it = registry.functions.find(function);
  if (it == registry.functions.end()) {
    result = static_cast<hipFunction_t>(const_cast<void *>(function));
    return checkFunction(state, result);
  }
  Result loaded = load(state, it->second);
  return loaded.code == hipSuccess
             ? findKernel(state, &result, it->second.binary->module, it->second.name.c_str())
             : loaded;
}

/// The device memory of the variable that `symbol` stands for.
static Result resolveVariable(State &state, const void *symbol, hipDeviceptr_t &address,
                              size_t &size) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  auto it = registry.variables.find(symbol);
  if (it == registry.variables.end())
    return Result(hipErrorInvalidSymbol, "no variable is registered for the symbol");
  Result loaded = load(state, it->second);
  return loaded.code == hipSuccess ? findVariable(state, &address, &size, it->second.binary->module,
                                                  it->second.name.c_str())
                                   : loaded;
}

CK_HIP_EXPORT void **__hipRegisterFatBinary(const void *data) {
  const auto *wrapper = static_cast<const FatBinaryWrapper *>(data);
  auto *binary = new FatBinary();
  if (wrapper && wrapper->magic == kWrapperMagic)
    binary->binary = wrapper->binary;
  return reinterpret_cast<void **>(binary);
}

CK_HIP_EXPORT void __hipRegisterFunction(void **modules, const void *hostFunction, char *,
                                         const char *deviceName, unsigned int, void *, void *,
                                         dim3 *, dim3 *, int *) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.functions[hostFunction] = {reinterpret_cast<FatBinary *>(modules), deviceName};
}

CK_HIP_EXPORT void __hipRegisterVar(void **modules, void *variable, char *, char *deviceName, int,
                                    size_t, int, int) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.variables[variable] = {reinterpret_cast<FatBinary *>(modules), deviceName};
}

CK_HIP_EXPORT void __hipUnregisterFatBinary(void **modules) {
  auto *binary = reinterpret_cast<FatBinary *>(modules);
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  for (auto *symbols : {&registry.functions, &registry.variables})
    for (auto it = symbols->begin(); it != symbols->end();)
      it = it->second.binary == binary ? symbols->erase(it) : std::next(it);
  if (binary->module)
    (void)hipModuleUnload(binary->module);
  delete binary;
}

CK_HIP_EXPORT hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                                    hipStream_t stream) {
  getConfigurations().push_back({grid, block, sharedBytes, stream});
  return hipSuccess;
}

CK_HIP_EXPORT hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes,
                                                   hipStream_t *stream) {
  return call("__hipPopCallConfiguration", [&](State &) {
    std::vector<CallConfiguration> &configurations = getConfigurations();
    if (configurations.empty())
      return Result(hipErrorMissingConfiguration, "no launch was configured");
    *grid = configurations.back().grid;
    *block = configurations.back().block;
    *sharedBytes = configurations.back().sharedBytes;
    *stream = configurations.back().stream;
    configurations.pop_back();
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipGetSymbolAddress(void **devPtr, const void *symbol) {
  return call("hipGetSymbolAddress", [&](State &state) {
    size_t size = 0;
    return devPtr ? resolveVariable(state, symbol, *devPtr, size) : invalidValue("devPtr is null");
  });
}

CK_HIP_EXPORT hipError_t hipGetSymbolSize(size_t *size, const void *symbol) {
  return call("hipGetSymbolSize", [&](State &state) {
    hipDeviceptr_t address = nullptr;
    return size ? resolveVariable(state, symbol, address, *size) : invalidValue("size is null");
  });
}

/// Copies between `memory` and [offset, offset + count) of a variable.
static Result copySymbol(State &state, const void *symbol, void *memory, size_t count,
                         size_t offset, hipMemcpyKind kind, hipStream_t stream, bool toSymbol) {
  hipDeviceptr_t address = nullptr;
  size_t size = 0;
  if (Result result = resolveVariable(state, symbol, address, size); result.code != hipSuccess)
    return result;
  if (offset > size || count > size - offset)
    return invalidValue("the copy of " + std::to_string(count) + " bytes at offset " +
                        std::to_string(offset) + " exceeds the variable of " +
                        std::to_string(size) + " bytes");
  void *place = static_cast<char *>(address) + offset;
  return toSymbol ? copy(state, place, memory, count, kind, stream)
                  : copy(state, memory, place, count, kind, stream);
}

CK_HIP_EXPORT hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                           size_t offset, hipMemcpyKind kind) {
  return call("hipMemcpyToSymbol", [&](State &state) {
    return copySymbol(state, symbol, const_cast<void *>(src), count, offset, kind, nullptr, true);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                                size_t offset, hipMemcpyKind kind,
                                                hipStream_t stream) {
  return call("hipMemcpyToSymbolAsync", [&](State &state) {
    return copySymbol(state, symbol, const_cast<void *>(src), count, offset, kind, stream, true);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                             size_t offset, hipMemcpyKind kind) {
  return call("hipMemcpyFromSymbol", [&](State &state) {
    return copySymbol(state, symbol, dst, count, offset, kind, nullptr, false);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count,
                                                  size_t offset, hipMemcpyKind kind,
                                                  hipStream_t stream) {
  return call("hipMemcpyFromSymbolAsync", [&](State &state) {
    return copySymbol(state, symbol, dst, count, offset, kind, stream, false);
  });
}
