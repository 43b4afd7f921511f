//===- Context.cpp - HIP: contexts and settings of the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is one device with one context, which is always current. Settings that only change speed
// are accepted.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Leaks.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

struct ihipCtx_t {};

static ihipCtx_t theContext;

/// Success when `context` is the only one.
static Result checkContext(hipCtx_t context) {
  if (context == &theContext)
    return Result();
  return Result(hipErrorInvalidContext, "the context does not exist");
}

/// A function that answers one question.
template <class T>
static hipError_t answer(const char *name, T *destination, T value) {
  return call(name, [&](State &) {
    if (!destination)
      return invalidValue("the destination is null");
    *destination = value;
    return Result();
  });
}

/// A function that has nothing to do.
static hipError_t accept(const char *name) {
  return call(name, [](State &) { return Result(); });
}

/// A function that asks for the other device that there is not.
static hipError_t refusePeer(const char *name, int peer) {
  return call(name, [&](State &) {
    Result result = checkDevice(peer);
    return result.code == hipSuccess
               ? invalidValue("the device cannot be its own peer, and there is no other")
               : result;
  });
}

static hipError_t getContext(const char *name, hipCtx_t *ctx, hipDevice_t device) {
  return call(name, [&](State &) {
    if (!ctx)
      return invalidValue("ctx is null");
    *ctx = &theContext;
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int, hipDevice_t device) {
  return getContext("hipCtxCreate", ctx, device);
}

CK_HIP_EXPORT hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return call("hipCtxDestroy", [&](State &) { return checkContext(ctx); });
}

CK_HIP_EXPORT hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return call("hipCtxPushCurrent", [&](State &) { return checkContext(ctx); });
}

CK_HIP_EXPORT hipError_t hipCtxPopCurrent(hipCtx_t *ctx) {
  return call("hipCtxPopCurrent", [&](State &) {
    if (ctx)
      *ctx = &theContext;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return call("hipCtxSetCurrent", [&](State &) { return ctx ? checkContext(ctx) : Result(); });
}

CK_HIP_EXPORT hipError_t hipCtxGetCurrent(hipCtx_t *ctx) {
  return answer("hipCtxGetCurrent", ctx, hipCtx_t(&theContext));
}

CK_HIP_EXPORT hipError_t hipCtxGetDevice(hipDevice_t *device) {
  return answer("hipCtxGetDevice", device, 0);
}

CK_HIP_EXPORT hipError_t hipCtxGetApiVersion(hipCtx_t, int *apiVersion) {
  return answer("hipCtxGetApiVersion", apiVersion, 4);
}

CK_HIP_EXPORT hipError_t hipCtxGetFlags(unsigned int *flags) {
  return answer("hipCtxGetFlags", flags, unsigned(hipDeviceScheduleAuto));
}

CK_HIP_EXPORT hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }

CK_HIP_EXPORT hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config) {
  return answer("hipCtxGetCacheConfig", config, hipFuncCachePreferNone);
}

CK_HIP_EXPORT hipError_t hipCtxSetCacheConfig(hipFuncCache_t) {
  return accept("hipCtxSetCacheConfig");
}

CK_HIP_EXPORT hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config) {
  return answer("hipCtxGetSharedMemConfig", config, hipSharedMemBankSizeFourByte);
}

CK_HIP_EXPORT hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig) {
  return accept("hipCtxSetSharedMemConfig");
}

CK_HIP_EXPORT hipError_t hipCtxEnablePeerAccess(hipCtx_t, unsigned int) {
  return refusePeer("hipCtxEnablePeerAccess", 0);
}

CK_HIP_EXPORT hipError_t hipCtxDisablePeerAccess(hipCtx_t) {
  return refusePeer("hipCtxDisablePeerAccess", 0);
}

CK_HIP_EXPORT hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *ctx, hipDevice_t device) {
  return getContext("hipDevicePrimaryCtxRetain", ctx, device);
}

CK_HIP_EXPORT hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return call("hipDevicePrimaryCtxRelease", [&](State &) { return checkDevice(device); });
}

CK_HIP_EXPORT hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int) {
  return call("hipDevicePrimaryCtxSetFlags", [&](State &) { return checkDevice(device); });
}

CK_HIP_EXPORT hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags,
                                                     int *active) {
  return call("hipDevicePrimaryCtxGetState", [&](State &) {
    if (flags)
      *flags = hipDeviceScheduleAuto;
    if (active)
      *active = 1;
    return checkDevice(device);
  });
}

/// Ends everything that the program has not, after saying so.
static Result reset(State &state) {
  reportLeaks(state, "at the reset of the device");
  auto snapshot = state.memory.getSnapshot();
  std::unique_lock<std::mutex> lock(state.mutex);
  const std::set<ihipModule_t *> modules = state.modules.getLive();
  while (state.streams.size() != 0)
    state.streams.destroy(*state.streams.getLive().begin());
  while (state.events.size() != 0)
    state.events.destroy(*state.events.getLive().begin());
  lock.unlock();
  for (ihipModule_t *module : modules)
    unload(state, module);
  for (const Allocation &allocation : *snapshot)
    if (allocation.freeable)
      if (Result result = release(state, reinterpret_cast<void *>(allocation.begin));
          result.code != hipSuccess)
        return result;
  return Result();
}

CK_HIP_EXPORT hipError_t hipDeviceReset() { return call("hipDeviceReset", reset); }

CK_HIP_EXPORT hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return call("hipDevicePrimaryCtxReset", [&](State &state) {
    Result result = checkDevice(device);
    return result.code == hipSuccess ? reset(state) : result;
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config) {
  return answer("hipDeviceGetCacheConfig", config, hipFuncCachePreferNone);
}

CK_HIP_EXPORT hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) {
  return accept("hipDeviceSetCacheConfig");
}

CK_HIP_EXPORT hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config) {
  return answer("hipDeviceGetSharedMemConfig", config, hipSharedMemBankSizeFourByte);
}

CK_HIP_EXPORT hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) {
  return accept("hipDeviceSetSharedMemConfig");
}

CK_HIP_EXPORT hipError_t hipDeviceGetLimit(size_t *value, hipLimit_t limit) {
  return call("hipDeviceGetLimit", [&](State &) {
    if (!value)
      return invalidValue("pValue is null");
    // Kernels neither allocate nor print.
    *value = 0;
    return limit == hipLimitMallocHeapSize || limit == hipLimitPrintfFifoSize
               ? Result()
               : Result(hipErrorUnsupportedLimit,
                        "limit " + std::to_string(int(limit)) + " is not known");
  });
}

CK_HIP_EXPORT hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int) {
  return refusePeer("hipDeviceEnablePeerAccess", peer);
}

CK_HIP_EXPORT hipError_t hipDeviceDisablePeerAccess(int peer) {
  return refusePeer("hipDeviceDisablePeerAccess", peer);
}

CK_HIP_EXPORT hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr, int src, int dst) {
  return call("hipDeviceGetP2PAttribute", [&](State &) {
    if (!value)
      return invalidValue("value is null");
    for (int device : {src, dst})
      if (Result result = checkDevice(device); result.code != hipSuccess)
        return result;
    return invalidValue("the devices must differ, and there is one only");
  });
}

CK_HIP_EXPORT hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attribute,
                                             int value) {
  return call("hipFuncSetAttribute", [&](State &state) {
    hipFunction_t function = nullptr;
    Result result = resolveFunction(state, func, function);
    if (result.code != hipSuccess || attribute != hipFuncAttributeMaxDynamicSharedMemorySize)
      return result;
    return withFunction(state, function, [&] {
      int limit = int(function->object->getChip().ldsBytes - function->kernel->descriptor.ldsBytes);
      return value >= 0 && value <= limit
                 ? Result()
                 : invalidValue("dynamic LDS must be in [0, " + std::to_string(limit) + "], got " +
                                std::to_string(value));
    });
  });
}

CK_HIP_EXPORT hipError_t hipFuncSetCacheConfig(const void *, hipFuncCache_t) {
  return accept("hipFuncSetCacheConfig");
}

CK_HIP_EXPORT hipError_t hipFuncSetSharedMemConfig(const void *, hipSharedMemConfig) {
  return accept("hipFuncSetSharedMemConfig");
}

CK_HIP_EXPORT hipError_t hipProfilerStart() { return accept("hipProfilerStart"); }

CK_HIP_EXPORT hipError_t hipProfilerStop() { return accept("hipProfilerStop"); }
