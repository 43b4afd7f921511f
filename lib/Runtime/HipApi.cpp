//===- HipApi.cpp - HIP as a table of loaded functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading, and errors in words.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/HipApi.h"
#include "ck-mlir/Runtime/Environment.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
#include <vector>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Opens a library; on failure returns null and what the loader says.
static void *openLibrary(const std::string &path, std::string &reason) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    reason = dlerror();
  return library;
}

/// Stores the address of `symbol`, or null, in a function pointer.
template <typename Function>
static bool find(void *library, const char *symbol, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

Error HipApi::resolve(void *library) {
  const char *missing = nullptr;
  auto require = [&](const char *symbol, auto &function) {
    if (!find(library, symbol, function) && !missing)
      missing = symbol;
  };
  require("hipInit", Init);
  require("hipGetDeviceCount", GetDeviceCount);
  require("hipSetDevice", SetDevice);
  require("hipDeviceGetAttribute", DeviceGetAttribute);
  require("hipMalloc", Malloc);
  require("hipFree", Free);
  require("hipMemcpy", Memcpy);
  require("hipMallocManaged", MallocManaged);
  require("hipMemset", Memset);
  require("hipMemcpyAsync", MemcpyAsync);
  require("hipMemsetD16Async", MemsetD16Async);
  require("hipMemsetD32Async", MemsetD32Async);
  require("hipHostRegister", HostRegister);
  require("hipHostUnregister", HostUnregister);
  require("hipHostGetDevicePointer", HostGetDevicePointer);
  require("hipModuleLoadData", ModuleLoadData);
  require("hipModuleUnload", ModuleUnload);
  require("hipModuleGetFunction", ModuleGetFunction);
  require("hipModuleLaunchKernel", ModuleLaunchKernel);
  require("hipStreamCreate", StreamCreate);
  require("hipStreamDestroy", StreamDestroy);
  require("hipStreamSynchronize", StreamSynchronize);
  require("hipStreamWaitEvent", StreamWaitEvent);
  require("hipEventCreate", EventCreate);
  require("hipEventCreateWithFlags", EventCreateWithFlags);
  require("hipEventDestroy", EventDestroy);
  require("hipEventRecord", EventRecord);
  require("hipEventSynchronize", EventSynchronize);
  require("hipEventElapsedTime", EventElapsedTime);
  find(library, "hipGetErrorName", GetErrorName);
  find(library, "hipStreamGetDevice", StreamGetDevice);
  find(library, "hipGetDeviceProperties", GetDeviceProperties);
  find(library, "hipGetDevicePropertiesR0600", GetDevicePropertiesR0600);
  find(library, "ckEmulatorGetLastMessage", EmulatorGetLastMessage);
  find(library, "ckEmulatorGetChips", EmulatorGetChips);
  find(library, "ckEmulatorGetLaunchStatistics", EmulatorGetLaunchStatistics);
  find(library, "ckEmulatorGetLaunchTiming", EmulatorGetLaunchTiming);
  find(library, "ckEmulatorSetProfiling", EmulatorSetProfiling);
  find(library, "ckEmulatorSetVariable", EmulatorSetVariable);
  // The message becomes part of the error that the caller shows.
  void (*setErrorPrinting)(int) = nullptr;
  if (EmulatorGetLastMessage && find(library, "ckEmulatorSetErrorPrinting", setErrorPrinting))
    setErrorPrinting(0);
  if (missing)
    return createStringError("'" + path + "' is no HIP library: it lacks the symbol " + missing);
  return Error::success();
}

Expected<std::shared_ptr<const HipApi>> HipApi::load(const std::string &path, bool emulator) {
  std::string reason;
  void *library = openLibrary(path, reason);
  if (!library)
    return createStringError("cannot load '" + path + "': " + reason);
  std::shared_ptr<HipApi> api(new HipApi());
  api->path = path;
  api->emulator = emulator;
  if (Error error = api->resolve(library))
    return error;
  return std::shared_ptr<const HipApi>(std::move(api));
}

Expected<std::shared_ptr<const HipApi>> HipApi::load(const std::string &path) {
  return load(path, /*emulator=*/false);
}

std::string HipApi::getHipLibrary() { return getVariable("CK_HIP_LIBRARY"); }

Expected<std::shared_ptr<const HipApi>> HipApi::loadHip() {
  if (std::string path = getHipLibrary(); !path.empty()) {
    Expected<std::shared_ptr<const HipApi>> api = load(path);
    if (!api)
      return createStringError("CK_HIP_LIBRARY: " + llvm::toString(api.takeError()));
    return api;
  }
  const char *names[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                         "libamdhip64.so.5"};
  std::string reason, firstReason;
  for (const char *name : names) {
    if (openLibrary(name, reason))
      return load(name);
    if (firstReason.empty())
      firstReason = reason;
  }
  return createStringError("HIP is not installed: " + firstReason +
                           " (set CK_HIP_LIBRARY to the path of libamdhip64.so)");
}

Expected<std::shared_ptr<const HipApi>> HipApi::loadEmulator(StringRef chip) {
  std::vector<std::string> candidates;
  if (std::string path = getVariable("CK_EMULATOR_LIBRARY"); !path.empty()) {
    candidates.push_back(path);
  } else {
    StringRef name = "libck_hip_emulator.so";
    std::string executable = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
    llvm::SmallString<256> besides = llvm::sys::path::parent_path(executable);
    llvm::sys::path::append(besides, "..", "lib", name);
    candidates.push_back(besides.str().str());
    Dl_info self;
    if (dladdr(reinterpret_cast<void *>(&openLibrary), &self) && self.dli_fname)
      candidates.push_back((llvm::sys::path::parent_path(self.dli_fname) + "/" + name).str());
    candidates.push_back(name.str()); // where the loader looks
  }
  std::string reasons;
  for (const std::string &path : candidates) {
    Expected<std::shared_ptr<const HipApi>> api = load(path, /*emulator=*/true);
    if (api) {
      if (Error error = (*api)->setVariable("CK_EMULATOR_CHIP", getEmulatorProduct(chip)))
        return std::move(error);
      return api;
    }
    reasons += (reasons.empty() ? "" : "; ") + llvm::toString(api.takeError());
  }
  return createStringError("the emulator is not available: " + reasons);
}

std::string HipApi::describe(hip::ErrorCode code) const {
  const char *name = GetErrorName ? GetErrorName(code) : nullptr;
  return (Twine(name ? name : "HIP error") + " (" + Twine(code) + ")").str();
}

Error HipApi::check(hip::ErrorCode code, StringRef call) const {
  if (code == hip::success)
    return Error::success();
  StringRef message = EmulatorGetLastMessage ? EmulatorGetLastMessage() : "";
  return createStringError(call + " failed: " + describe(code) + (message.empty() ? "" : ": ") +
                           message);
}

Expected<llvm::json::Value> HipApi::getLaunchStatistics() const {
  if (!EmulatorGetLaunchStatistics)
    return createStringError("'" + path + "' counts no instructions");
  return llvm::json::parse(EmulatorGetLaunchStatistics());
}

Expected<llvm::json::Value> HipApi::getLaunchTiming() const {
  if (!EmulatorGetLaunchTiming)
    return createStringError("'" + path + "' has no model of time: only the emulator has");
  return llvm::json::parse(EmulatorGetLaunchTiming());
}

Error HipApi::setVariable(const char *name, StringRef value) const {
  if (!EmulatorSetVariable)
    return createStringError("'" + path + "' has no variables: it is not the emulator");
  if (!EmulatorSetVariable(name, value.str().c_str()))
    return createStringError("the emulator has no variable " + Twine(name));
  return Error::success();
}

std::vector<std::string> HipApi::getEmulatedChips() const {
  llvm::SmallVector<StringRef> names;
  if (EmulatorGetChips)
    StringRef(EmulatorGetChips()).split(names, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return {names.begin(), names.end()};
}

Error HipApi::setProfiling(bool enabled) const {
  if (!EmulatorSetProfiling)
    return createStringError("'" + path + "' cannot profile kernels: only the emulator can");
  EmulatorSetProfiling(enabled);
  return Error::success();
}
