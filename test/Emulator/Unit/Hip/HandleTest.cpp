//===- HandleTest.cpp - HIP: handles, pointers, contexts, errors -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is valid, what was, and what never was.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <cstring>
#include <set>
#include <sys/mman.h>

/// Of hip_ext.h, which needs a HIP compiler.
hipError_t hipExtModuleLaunchKernel(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                                    uint32_t, size_t, hipStream_t, void **, void **, hipEvent_t,
                                    hipEvent_t, uint32_t);

TEST(Handle, DestroyedHandlesAreNotGivenOutAgain) {
  std::set<hipStream_t> seen;
  for (int i = 0; i < 100; ++i) {
    hipStream_t stream = nullptr;
    ASSERT_HIP(hipStreamCreate(&stream));
    EXPECT_TRUE(seen.insert(stream).second);
    ASSERT_HIP(hipStreamDestroy(stream));
    EXPECT_EQ(hipStreamQuery(stream), hipErrorInvalidHandle);
    expectMessage("was destroyed before");
  }
  int other = 0;
  EXPECT_EQ(hipStreamQuery(reinterpret_cast<hipStream_t>(&other)), hipErrorInvalidHandle);
  expectMessage("is no stream");
}

TEST(Handle, FunctionsEndWithTheirModule) {
  hipFunction_t function = nullptr, again = nullptr;
  hipModule_t module = nullptr;
  ASSERT_HIP(hipModuleLoad(&module, CK_PROFILE_CODE));
  ASSERT_HIP(hipModuleGetFunction(&function, module, "store_strided"));
  ASSERT_HIP(hipModuleGetFunction(&again, module, "store_strided"));
  EXPECT_EQ(function, again);
  ASSERT_HIP(hipModuleUnload(module));
  EXPECT_EQ(hipModuleGetFunction(&again, module, "store_strided"), hipErrorInvalidHandle);
  expectMessage("was unloaded before");
  int value = 0;
  EXPECT_EQ(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, function),
            hipErrorInvalidDeviceFunction);
  expectMessage("was unloaded with its module before");
}

TEST(Handle, MemoryThatWasFreed) {
  char *memory = nullptr;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void **>(&memory), 100));
  EXPECT_EQ(hipFree(memory + 1), hipErrorInvalidValue);
  expectMessage("it is at offset 1 of the device allocation");
  ASSERT_HIP(hipFree(memory));
  EXPECT_EQ(hipMemset(memory + 4, 0, 4), hipErrorInvalidValue);
  expectMessage("is at offset 4 of a device allocation of 100 bytes that was freed before");
  // The same addresses in use again are a new allocation.
  std::vector<char *> more;
  for (int i = 0; i < 64; ++i) {
    char *next = nullptr;
    ASSERT_HIP(hipMalloc(reinterpret_cast<void **>(&next), 100));
    EXPECT_HIP(hipMemset(next, 1, 100));
    more.push_back(next);
  }
  for (char *next : more)
    EXPECT_HIP(hipFree(next));
}

TEST(Handle, MemoryOfTheHostWhereMemoryWasFreed) {
  constexpr size_t size = 1 << 16;
  char *memory = nullptr;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void **>(&memory), size));
  ASSERT_HIP(hipFree(memory));
  void *map = mmap(memory, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(map, memory);
  ASSERT_HIP(hipHostRegister(memory, size, 0));
  ASSERT_HIP(hipHostUnregister(memory));
  EXPECT_EQ(hipMemset(memory, 0, 4), hipErrorInvalidValue);
  expectMessage("is not in device memory");
  munmap(map, size);
}

TEST(Handle, RegisteredHostMemory) {
  std::vector<unsigned> host(64 * 2);
  ASSERT_HIP(hipHostRegister(host.data(), 512, 0));
  EXPECT_EQ(hipHostRegister(host.data(), 512, 0), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipFree(host.data()), hipErrorInvalidValue);
  expectMessage("the registered host memory");
  void *device = nullptr;
  ASSERT_HIP(hipHostGetDevicePointer(&device, host.data(), 0));
  DeviceModule module(CK_PROFILE_CODE);
  EXPECT_HIP(module.launch("store_strided", 1, 64, static_cast<unsigned *>(device), 2u));
  EXPECT_EQ(host[126], 63u);
  ASSERT_HIP(hipHostUnregister(host.data()));
  EXPECT_EQ(hipHostUnregister(host.data()), hipErrorHostMemoryNotRegistered);
}

TEST(Handle, PointerAttributes) {
  DeviceArray<int> memory(10);
  int *inside = memory.get() + 3;
  void *begin = nullptr;
  size_t size = 0;
  bool managed = true;
  int device = -1;
  hipPointer_attribute names[] = {
      HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, HIP_POINTER_ATTRIBUTE_RANGE_SIZE,
      HIP_POINTER_ATTRIBUTE_IS_MANAGED, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *data[] = {&begin, &size, &managed, &device};
  ASSERT_HIP(hipDrvPointerGetAttributes(4, names, data, inside));
  EXPECT_EQ(begin, memory.get());
  EXPECT_EQ(size, 40u);
  EXPECT_FALSE(managed);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(hipPointerGetAttribute(&begin, HIP_POINTER_ATTRIBUTE_P2P_TOKENS, inside),
            hipErrorNotSupported);
  void *unified = nullptr;
  ASSERT_HIP(hipMallocManaged(&unified, 16, hipMemAttachGlobal));
  ASSERT_HIP(hipPointerGetAttribute(&managed, HIP_POINTER_ATTRIBUTE_IS_MANAGED, unified));
  EXPECT_TRUE(managed);
  ASSERT_HIP(hipMemPrefetchAsync(unified, 16, hipCpuDeviceId, nullptr));
  EXPECT_EQ(hipMemPrefetchAsync(unified, 17, 0, nullptr), hipErrorInvalidValue);
  EXPECT_HIP(hipFree(unified));
}

TEST(Handle, ContextsAndPeers) {
  hipCtx_t context = nullptr;
  ASSERT_HIP(hipDevicePrimaryCtxRetain(&context, 0));
  unsigned flags = 7;
  int active = 0, version = 0;
  ASSERT_HIP(hipDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 1);
  EXPECT_HIP(hipRuntimeGetVersion(&version));
  EXPECT_HIP(hipDevicePrimaryCtxRelease(0));
  EXPECT_EQ(hipDevicePrimaryCtxRetain(&context, 1), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidValue);
  size_t limit = 1;
  EXPECT_HIP(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  EXPECT_EQ(hipDeviceGetLimit(&limit, hipLimit_t(77)), hipErrorUnsupportedLimit);
}

TEST(Handle, ResetEndsEverything) {
  void *memory = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  ASSERT_HIP(hipMalloc(&memory, 10));
  ASSERT_HIP(hipStreamCreate(&stream));
  ASSERT_HIP(hipEventCreate(&event));
  testing::internal::CaptureStderr();
  ASSERT_HIP(hipDeviceReset());
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("leaks at the reset of the device: 1 allocation of 10 bytes, 1 stream and 1 "
                      "event never freed"),
            std::string::npos)
      << text;
  EXPECT_EQ(hipFree(memory), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamDestroy(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventDestroy(event), hipErrorInvalidHandle);
  testing::internal::CaptureStderr();
  EXPECT_HIP(hipDeviceReset());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Handle, LaunchByWorkItems) {
  DeviceModule module(CK_PROFILE_CODE);
  DeviceArray<unsigned> out(128);
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_HIP(hipEventCreate(&start));
  ASSERT_HIP(hipEventCreate(&stop));
  unsigned *pointer = out.get(), stride = 1;
  void *params[] = {&pointer, &stride};
  ASSERT_HIP(hipExtModuleLaunchKernel(module.get("store_strided"), 128, 1, 1, 64, 1, 1, 0, nullptr,
                                      params, nullptr, start, stop, 0));
  float milliseconds = -1;
  ASSERT_HIP(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT_GT(milliseconds, 0.0f);
  EXPECT_EQ(out.read()[63], 63u);
  EXPECT_EQ(hipExtModuleLaunchKernel(module.get("store_strided"), 100, 1, 1, 64, 1, 1, 0, nullptr,
                                     params, nullptr, nullptr, nullptr, 0),
            hipErrorInvalidConfiguration);
  expectMessage("the number of work-items must be a multiple of 64 in dimension 0, got 100");
  EXPECT_HIP(hipEventDestroy(start));
  EXPECT_HIP(hipEventDestroy(stop));
}

TEST(Handle, BoxesOutOfBounds) {
  hipPitchedPtr device;
  ASSERT_HIP(hipMalloc3D(&device, hipExtent{16, 4, 2}));
  std::vector<char> host(16 * 4 * 3);
  hipMemcpy3DParms params;
  std::memset(&params, 0, sizeof(params));
  params.srcPtr = hipPitchedPtr{host.data(), 16, 16, 4};
  params.dstPtr = device;
  params.extent = hipExtent{16, 4, 3};
  params.kind = hipMemcpyHostToDevice;
  EXPECT_EQ(hipMemcpy3D(&params), hipErrorInvalidValue);
  expectMessage("hipMemcpy3D: the destination");
  params.extent = hipExtent{17, 1, 1};
  EXPECT_EQ(hipMemcpy3D(&params), hipErrorInvalidPitchValue);
  EXPECT_EQ(hipMemset3D(device, 0, hipExtent{16, 4, 3}), hipErrorInvalidValue);
  EXPECT_HIP(hipMemset3D(device, 0, hipExtent{16, 4, 2}));
  EXPECT_HIP(hipFree(device.ptr));
}

TEST(Handle, EveryErrorHasAName) {
  std::set<std::string> names;
  for (int code :
       {0, 1, 13, 201, 217, 302, 401, 701, 704, 705, 712, 720, 801, 900, 912, 1053, 1054}) {
    std::string name = hipGetErrorName(hipError_t(code));
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(name, "hipErrorUnknown") << code;
    EXPECT_STRNE(hipGetErrorString(hipError_t(code)), "");
  }
  // A program that shows the messages itself is not printed over.
  testing::internal::CaptureStderr();
  EXPECT_EQ(hipSetDevice(1), hipErrorInvalidDevice);
  ckEmulatorSetErrorPrinting(0);
  EXPECT_EQ(hipSetDevice(2), hipErrorInvalidDevice);
  ckEmulatorSetErrorPrinting(1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "ck-mlir emulator: hipSetDevice: device must be in [0, 0], got 1\n");
  expectMessage("device must be in [0, 0], got 2");
  EXPECT_EQ(hipFreeArray(nullptr), hipErrorNotSupported);
  expectMessage("hipFreeArray: is not implemented");
}
