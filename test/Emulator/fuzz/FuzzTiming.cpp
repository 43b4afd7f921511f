//===- FuzzTiming.cpp - Parameters of the model of time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CK_EMULATOR_TIMING_PARAMETERS is refused, or a launch under it has times that are numbers.
//
//===----------------------------------------------------------------------===//

#define __HIP_PLATFORM_AMD__
#include "Fuzz.h"
#include "Mutate.h"
#include "ck-mlir/Emulator/EmulatorApi.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <cstdlib>
#include <hip/hip_runtime_api.h>

using namespace ckfuzz;

static constexpr unsigned kGroups = 4, kLanes = 64;

static hipFunction_t getKernel() {
  static hipFunction_t kernel = [] {
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    require(hipModuleLoad(&module, CK_TIMED_CODE) == hipSuccess &&
                hipModuleGetFunction(&function, module, "share") == hipSuccess,
            "no kernel");
    return function;
  }();
  return kernel;
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  setenv("CK_EMULATOR_TIMING", "on", /*overwrite=*/1);
  setenv("CK_EMULATOR_THREADS", "2", /*overwrite=*/1);
  ckEmulatorSetErrorPrinting(0);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  (void)ckEmulatorSetVariable("CK_EMULATOR_TIMING_PARAMETERS", nullptr);
  static void *const buffer = [] {
    void *made = nullptr;
    require(hipMalloc(&made, kGroups * kLanes * sizeof(int)) == hipSuccess, "no device memory");
    return made;
  }();
  hipFunction_t kernel = getKernel();
  if (ckEmulatorSetVariable("CK_EMULATOR_TIMING_PARAMETERS", text.c_str()) == 0)
    return 0;
  void *argument = buffer;
  void *arguments[] = {&argument};
  if (hipModuleLaunchKernel(kernel, kGroups, 1, 1, kLanes, 1, 1, 0, nullptr, arguments, nullptr) !=
      hipSuccess) {
    const std::string message = ckEmulatorGetLastMessage();
    require(message.find("CK_EMULATOR_TIMING_PARAMETERS: ") != std::string::npos,
            "another error: " + message);
    return 0;
  }
  require(hipDeviceSynchronize() == hipSuccess, "the kernel fails");
  const char *timing = ckEmulatorGetLaunchTiming();
  require(timing != nullptr, "no time");
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(timing);
  require(bool(json) && json->getAsObject(), std::string("no JSON: ") + timing);
  const std::optional<double> time = json->getAsObject()->getNumber("modelled_us");
  require(time && std::isfinite(*time) && *time >= 0, std::string("no time: ") + timing);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, mutateText);
}
