//===- IdleHip.cpp - A HIP library whose kernels do nothing -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device for tests of what follows a wrong result or a failing call. Memory is the host's. The
// variable CK_IDLE_HIP_FAIL names a function that fails.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/HipAbi.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace mlir::ck::hip;

#define EXPORT extern "C" __attribute__((visibility("default")))

/// 719 is hipErrorLaunchFailure.
static ErrorCode result(const char *function) {
  const char *failing = std::getenv("CK_IDLE_HIP_FAIL");
  return failing && std::strcmp(failing, function) == 0 ? 719 : success;
}

/// Any address that is not null serves as a handle.
template <typename Handle>
static void makeHandle(Handle *handle) {
  static char target;
  *handle = reinterpret_cast<Handle>(&target);
}

EXPORT ErrorCode hipInit(unsigned) { return result("hipInit"); }
EXPORT ErrorCode hipGetDeviceCount(int *count) {
  *count = std::getenv("CK_IDLE_HIP_NONE") ? 0 : 1;
  return result("hipGetDeviceCount");
}
EXPORT ErrorCode hipSetDevice(int) { return result("hipSetDevice"); }
EXPORT ErrorCode hipDeviceGetAttribute(int *value, int, int) {
  *value = 304;
  return result("hipDeviceGetAttribute");
}
EXPORT ErrorCode hipGetDeviceProperties(void *properties, int) {
  char *bytes = static_cast<char *>(properties);
  std::strcpy(bytes, "Idle GPU");
  std::strcpy(bytes + archNameOffset5, "gfx942:sramecc+:xnack-");
  return result("hipGetDeviceProperties");
}
EXPORT ErrorCode hipMalloc(void **pointer, size_t size) {
  *pointer = std::malloc(size);
  return result("hipMalloc");
}
EXPORT ErrorCode hipFree(void *pointer) {
  std::free(pointer);
  return result("hipFree");
}
EXPORT ErrorCode hipMemcpy(void *to, const void *from, size_t size, int) {
  std::memcpy(to, from, size);
  return result("hipMemcpy");
}
EXPORT ErrorCode hipMemset(void *pointer, int value, size_t size) {
  std::memset(pointer, value, size);
  return result("hipMemset");
}
EXPORT ErrorCode hipMallocManaged(void **pointer, size_t size, unsigned) {
  return hipMalloc(pointer, size);
}
EXPORT ErrorCode hipMemcpyAsync(void *to, const void *from, size_t size, int kind, StreamHandle) {
  return hipMemcpy(to, from, size, kind);
}
EXPORT ErrorCode hipMemsetD16Async(void *pointer, unsigned short value, size_t count,
                                   StreamHandle) {
  std::fill_n(static_cast<unsigned short *>(pointer), count, value);
  return result("hipMemsetD16Async");
}
EXPORT ErrorCode hipMemsetD32Async(void *pointer, int value, size_t count, StreamHandle) {
  std::fill_n(static_cast<int *>(pointer), count, value);
  return result("hipMemsetD32Async");
}
EXPORT ErrorCode hipHostRegister(void *, size_t, unsigned) { return result("hipHostRegister"); }
EXPORT ErrorCode hipHostUnregister(void *) { return result("hipHostUnregister"); }
EXPORT ErrorCode hipHostGetDevicePointer(void **device, void *host, unsigned) {
  *device = host;
  return result("hipHostGetDevicePointer");
}
EXPORT ErrorCode hipModuleLoadData(ModuleHandle *module, const void *) {
  makeHandle(module);
  return result("hipModuleLoadData");
}
EXPORT ErrorCode hipModuleUnload(ModuleHandle) { return success; }
EXPORT ErrorCode hipModuleGetFunction(FunctionHandle *function, ModuleHandle, const char *) {
  makeHandle(function);
  return result("hipModuleGetFunction");
}
EXPORT ErrorCode hipModuleLaunchKernel(FunctionHandle, unsigned, unsigned, unsigned, unsigned,
                                       unsigned, unsigned, unsigned, StreamHandle, void **,
                                       void **) {
  return result("hipModuleLaunchKernel");
}
EXPORT ErrorCode hipStreamCreate(StreamHandle *stream) {
  makeHandle(stream);
  return result("hipStreamCreate");
}
EXPORT ErrorCode hipStreamDestroy(StreamHandle) { return success; }
EXPORT ErrorCode hipStreamGetDevice(StreamHandle, int *device) {
  *device = 0;
  return result("hipStreamGetDevice");
}
EXPORT ErrorCode hipStreamSynchronize(StreamHandle) { return result("hipStreamSynchronize"); }
EXPORT ErrorCode hipEventCreate(EventHandle *event) {
  makeHandle(event);
  return result("hipEventCreate");
}
EXPORT ErrorCode hipEventCreateWithFlags(EventHandle *event, unsigned) {
  return hipEventCreate(event);
}
EXPORT ErrorCode hipStreamWaitEvent(StreamHandle, EventHandle, unsigned) {
  return result("hipStreamWaitEvent");
}
EXPORT ErrorCode hipEventDestroy(EventHandle) { return success; }
EXPORT ErrorCode hipEventRecord(EventHandle, StreamHandle) { return result("hipEventRecord"); }
EXPORT ErrorCode hipEventSynchronize(EventHandle) { return result("hipEventSynchronize"); }
EXPORT ErrorCode hipEventElapsedTime(float *milliseconds, EventHandle, EventHandle) {
  *milliseconds = 1.5f;
  return result("hipEventElapsedTime");
}
