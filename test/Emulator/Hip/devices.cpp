//===- devices.cpp - A HIP program that asks for the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Properties, and attributes that must agree with them.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <cstring>

/// Prints when an attribute differs from the property.
static void compare(hipDeviceAttribute_t attribute, long long property, const char *name) {
  int value = -1;
  HIP_CHECK(hipDeviceGetAttribute(&value, attribute, 0));
  if (value != property)
    std::printf("attribute %s is %d, the property %lld\n", name, value, property);
}
#define COMPARE(attribute, property)                                                               \
  compare(hipDeviceAttribute##attribute, (long long)(prop.property), #attribute)

int main() {
  HIP_CHECK(hipInit(0));
  int count = 0, device = -1, driver = 0, runtime = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  HIP_CHECK(hipDeviceGet(&device, 0));
  HIP_CHECK(hipDriverGetVersion(&driver));
  HIP_CHECK(hipRuntimeGetVersion(&runtime));
  std::printf("%d device, number %d, HIP %d\n", count, device, runtime / 10000000);

  hipDeviceProp_t prop;
  HIP_CHECK(hipGetDeviceProperties(&prop, 0));
  std::printf("%s: %s, version %d.%d, number %d\n", prop.gcnArchName, prop.name, prop.major,
              prop.minor, prop.gcnArch);
  std::printf("%d compute units of %d threads, warps of %d, blocks of %d\n",
              prop.multiProcessorCount, prop.maxThreadsPerMultiProcessor, prop.warpSize,
              prop.maxThreadsPerBlock);
  std::printf("%zu B LDS, %zu GiB at %d bits, L2 %d KiB, ECC %d\n", prop.sharedMemPerBlock,
              prop.totalGlobalMem >> 30, prop.memoryBusWidth, prop.l2CacheSize >> 10,
              prop.ECCEnabled);
  COMPARE(WarpSize, warpSize);
  COMPARE(MultiprocessorCount, multiProcessorCount);
  COMPARE(MaxThreadsPerBlock, maxThreadsPerBlock);
  COMPARE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor);
  COMPARE(MaxBlockDimX, maxThreadsDim[0]);
  COMPARE(MaxBlockDimZ, maxThreadsDim[2]);
  COMPARE(MaxGridDimX, maxGridSize[0]);
  COMPARE(MaxGridDimY, maxGridSize[1]);
  COMPARE(MaxSharedMemoryPerBlock, sharedMemPerBlock);
  COMPARE(MaxRegistersPerBlock, regsPerBlock);
  COMPARE(ClockRate, clockRate);
  COMPARE(MemoryClockRate, memoryClockRate);
  COMPARE(MemoryBusWidth, memoryBusWidth);
  COMPARE(L2CacheSize, l2CacheSize);
  COMPARE(ComputeCapabilityMajor, major);
  COMPARE(ComputeCapabilityMinor, minor);
  COMPARE(EccEnabled, ECCEnabled);
  COMPARE(ManagedMemory, managedMemory);

  char name[256], bus[32];
  size_t bytes = 0, free = 0, total = 0;
  int major = 0, minor = 0, peer = -1;
  HIP_CHECK(hipDeviceGetName(name, sizeof(name), device));
  HIP_CHECK(hipDeviceTotalMem(&bytes, device));
  HIP_CHECK(hipMemGetInfo(&free, &total));
  HIP_CHECK(hipDeviceComputeCapability(&major, &minor, device));
  HIP_CHECK(hipDeviceGetPCIBusId(bus, sizeof(bus), device));
  HIP_CHECK(hipDeviceGetByPCIBusId(&device, bus));
  HIP_CHECK(hipDeviceCanAccessPeer(&peer, 0, 0));
  bool agree = std::strcmp(name, prop.name) == 0 && bytes == prop.totalGlobalMem &&
               total == bytes && free == total && major == prop.major && minor == prop.minor;
  std::printf("%s, peer access %d\n", agree ? "calls agree" : "calls DISAGREE", peer);

  hipCtx_t context = nullptr, current = nullptr;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&context, device));
  HIP_CHECK(hipCtxSetCurrent(context));
  HIP_CHECK(hipCtxGetCurrent(&current));
  std::printf("context %s\n", context == current ? "is current" : "is NOT current");
  HIP_CHECK(hipDevicePrimaryCtxRelease(device));
  HIP_CHECK(hipDeviceSynchronize());
}
