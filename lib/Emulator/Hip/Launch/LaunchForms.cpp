//===- LaunchForms.cpp - HIP: the functions that launch -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They differ in how they say what is launched.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/NewerTypes.h"
#include "Emulator/Hip/Version.h"

using namespace ckemu;
using namespace ckemu::hip;

Result hip::setShape(LaunchShape &shape, const dim3 &grid, const dim3 &block, size_t dynamicLds) {
  const dim3 sizes[2] = {grid, block};
  uint32_t *destinations[2] = {shape.groups, shape.groupSize};
  for (unsigned i = 0; i < 2; ++i) {
    destinations[i][0] = sizes[i].x;
    destinations[i][1] = sizes[i].y;
    destinations[i][2] = sizes[i].z;
  }
  if (dynamicLds > UINT32_MAX)
    return invalidValue("dynamic LDS must be below 4 GiB, got " + std::to_string(dynamicLds));
  shape.dynamicLds = uint32_t(dynamicLds);
  return Result();
}

/// A launch of `function`, a handle or what stands for a kernel on the host.
static Result launchSymbol(State &state, const void *function, const dim3 &grid, const dim3 &block,
                           size_t dynamicLds, LaunchRequest request) {
  Result result = resolveFunction(state, function, request.function);
  if (result.code == hipSuccess)
    result = setShape(request.shape, grid, block, dynamicLds);
  return result.code == hipSuccess ? launch(state, request) : result;
}

CK_HIP_EXPORT hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                                         size_t sharedBytes, hipStream_t stream) {
  return call("hipLaunchKernel", [&](State &state) {
    LaunchRequest request;
    request.stream = stream;
    request.kernelParams = args;
    return launchSymbol(state, function, grid, block, sharedBytes, request);
  });
}

CK_HIP_EXPORT hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                                    void **args, unsigned int sharedBytes,
                                                    hipStream_t stream) {
  return call("hipLaunchCooperativeKernel", [&](State &state) {
    LaunchRequest request;
    request.stream = stream;
    request.kernelParams = args;
    request.cooperative = true;
    return launchSymbol(state, function, grid, block, sharedBytes, request);
  });
}

CK_HIP_EXPORT hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX,
                                               unsigned int gridDimY, unsigned int gridDimZ,
                                               unsigned int blockDimX, unsigned int blockDimY,
                                               unsigned int blockDimZ, unsigned int sharedMemBytes,
                                               hipStream_t stream, void **kernelParams,
                                               void **extra) {
  return call("hipModuleLaunchKernel", [&](State &state) {
    LaunchRequest request{f, {}, stream, kernelParams, extra, false};
    Result result = setShape(request.shape, dim3(gridDimX, gridDimY, gridDimZ),
                             dim3(blockDimX, blockDimY, blockDimZ), sharedMemBytes);
    return result.code == hipSuccess ? launch(state, request) : result;
  });
}

CK_HIP_EXPORT hipError_t hipModuleLaunchCooperativeKernel(
    hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
    unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
    unsigned int sharedMemBytes, hipStream_t stream, void **kernelParams) {
  return call("hipModuleLaunchCooperativeKernel", [&](State &state) {
    LaunchRequest request{f, {}, stream, kernelParams, nullptr, true};
    Result result = setShape(request.shape, dim3(gridDimX, gridDimY, gridDimZ),
                             dim3(blockDimX, blockDimY, blockDimZ), sharedMemBytes);
    return result.code == hipSuccess ? launch(state, request) : result;
  });
}

/// Of the settings of a launch only being cooperative changes what it computes; clusters of one
/// workgroup are what a launch has anyway.
static Result readAttributes(const LaunchAttribute *attributes, unsigned count, bool &cooperative) {
  if (count != 0 && !attributes)
    return invalidValue("expected " + std::to_string(count) + " launch attributes, got null");
  for (unsigned i = 0; i < count; ++i) {
    const LaunchAttribute &attribute = attributes[i];
    if (attribute.id == kLaunchAttributeCooperative)
      cooperative = attribute.cooperative != 0;
    if (attribute.id != kLaunchAttributeClusterDimension)
      continue;
    for (unsigned size : attribute.clusterDimension)
      if (size > 1)
        return Result(hipErrorNotSupported, "expected clusters of 1 workgroup, got " +
                                                std::to_string(size) + " in a dimension");
  }
  return Result();
}

CK_HIP_EXPORT hipError_t hipLaunchKernelExC(const LaunchConfig *config, const void *function,
                                            void **args) {
  return call("hipLaunchKernelExC", [&](State &state) {
    noteNewerProgram();
    if (!config)
      return invalidValue("config is null");
    LaunchRequest request;
    request.stream = config->stream;
    request.kernelParams = args;
    Result result = readAttributes(config->attributes, config->numAttributes, request.cooperative);
    return result.code == hipSuccess ? launchSymbol(state, function, config->grid, config->block,
                                                    config->dynamicLds, request)
                                     : result;
  });
}

CK_HIP_EXPORT hipError_t hipDrvLaunchKernelEx(const DriverLaunchConfig *config, hipFunction_t f,
                                              void **params, void **extra) {
  return call("hipDrvLaunchKernelEx", [&](State &state) {
    noteNewerProgram();
    if (!config)
      return invalidValue("config is null");
    LaunchRequest request{f, {}, config->stream, params, extra, false};
    Result result = readAttributes(config->attributes, config->numAttributes, request.cooperative);
    if (result.code == hipSuccess)
      result =
          setShape(request.shape, dim3(config->grid[0], config->grid[1], config->grid[2]),
                   dim3(config->block[0], config->block[1], config->block[2]), config->dynamicLds);
    return result.code == hipSuccess ? launch(state, request) : result;
  });
}

/// Runs `body` between the recording of the two events, which may be null.
template <class Body>
static hipError_t betweenEvents(hipEvent_t start, hipEvent_t stop, hipStream_t stream, Body body) {
  if (start)
    if (hipError_t code = hipEventRecord(start, stream); code != hipSuccess)
      return code;
  hipError_t code = body();
  return code == hipSuccess && stop ? hipEventRecord(stop, stream) : code;
}

CK_HIP_EXPORT hipError_t hipExtLaunchKernel(const void *function, dim3 grid, dim3 block,
                                            void **args, size_t sharedBytes, hipStream_t stream,
                                            hipEvent_t startEvent, hipEvent_t stopEvent, int) {
  return betweenEvents(startEvent, stopEvent, stream, [&] {
    return call("hipExtLaunchKernel", [&](State &state) {
      LaunchRequest request;
      request.stream = stream;
      request.kernelParams = args;
      return launchSymbol(state, function, grid, block, sharedBytes, request);
    });
  });
}

/// The grid is given in work-items.
CK_HIP_EXPORT hipError_t hipExtModuleLaunchKernel(
    hipFunction_t f, uint32_t globalX, uint32_t globalY, uint32_t globalZ, uint32_t localX,
    uint32_t localY, uint32_t localZ, size_t sharedMemBytes, hipStream_t stream,
    void **kernelParams, void **extra, hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t) {
  return betweenEvents(startEvent, stopEvent, stream, [&] {
    return call("hipExtModuleLaunchKernel", [&](State &state) {
      const uint32_t global[3] = {globalX, globalY, globalZ}, local[3] = {localX, localY, localZ};
      uint32_t groups[3];
      for (unsigned i = 0; i < 3; ++i) {
        if (local[i] == 0 || global[i] % local[i] != 0)
          return Result(hipErrorInvalidConfiguration,
                        "the number of work-items must be a multiple of " +
                            std::to_string(local[i]) + " in dimension " + std::to_string(i) +
                            ", got " + std::to_string(global[i]));
        groups[i] = global[i] / local[i];
      }
      LaunchRequest request{f, {}, stream, kernelParams, extra, false};
      Result result = setShape(request.shape, dim3(groups[0], groups[1], groups[2]),
                               dim3(localX, localY, localZ), sharedMemBytes);
      return result.code == hipSuccess ? launch(state, request) : result;
    });
  });
}

CK_HIP_EXPORT hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalX,
                                                  uint32_t globalY, uint32_t globalZ,
                                                  uint32_t localX, uint32_t localY, uint32_t localZ,
                                                  size_t sharedMemBytes, hipStream_t stream,
                                                  void **kernelParams, void **extra,
                                                  hipEvent_t startEvent, hipEvent_t stopEvent) {
  return hipExtModuleLaunchKernel(f, globalX, globalY, globalZ, localX, localY, localZ,
                                  sharedMemBytes, stream, kernelParams, extra, startEvent,
                                  stopEvent, 0);
}

/// The same under the name that it has in C++ for the headers of HIP 5.
__attribute__((visibility("default"))) hipError_t hipExtModuleLaunchKernelCxx(
    hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, hipStream_t,
    void **, void **, hipEvent_t, hipEvent_t,
    uint32_t) __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_"
                      "tPPvS4_"
                      "P11ihipEvent_tS6_j") __attribute__((alias("hipExtModuleLaunchKernel")));
