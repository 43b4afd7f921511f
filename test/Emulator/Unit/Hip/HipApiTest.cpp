//===- HipApiTest.cpp - The HIP API around kernels -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices, memory, streams, events and errors, as a HIP program uses them.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <cstring>

TEST(HipApi, Device) {
  EXPECT_HIP(hipInit(0));
  int count = 0;
  ASSERT_HIP(hipGetDeviceCount(&count));
  EXPECT_EQ(count, 1);
  hipDeviceProp_t properties;
  ASSERT_HIP(hipGetDeviceProperties(&properties, 0));
  EXPECT_STREQ(properties.gcnArchName, "gfx942:sramecc+:xnack-");
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.multiProcessorCount, 304);
  EXPECT_EQ(properties.sharedMemPerBlock, 65536u);
  int value = 0;
  ASSERT_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  EXPECT_EQ(value, 304);
  EXPECT_EQ(hipSetDevice(1), hipErrorInvalidDevice);
  expectMessage("hipSetDevice: device must be in [0, 0], got 1");
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST(HipApi, CopiesAndFills) {
  char *device = nullptr;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void **>(&device), 1000));
  ASSERT_HIP(hipMemset(device, 0x5a, 1000));
  ASSERT_HIP(hipMemsetD16(device + 2, 0x1234, 2));
  ASSERT_HIP(hipMemsetD32(device + 8, int(0xdeadbeef), 1));
  unsigned char host[1000];
  ASSERT_HIP(hipMemcpyDtoH(host, device, 1000));
  const unsigned char expected[] = {0x5a, 0x5a, 0x34, 0x12, 0x34, 0x12,
                                    0x5a, 0x5a, 0xef, 0xbe, 0xad, 0xde};
  EXPECT_EQ(std::memcmp(host, expected, sizeof(expected)), 0);
  EXPECT_EQ(host[999], 0x5a);
  EXPECT_EQ(hipMemcpy(device, host, 1001, hipMemcpyHostToDevice), hipErrorInvalidValue);
  expectMessage("the destination of 1001 bytes at offset 0 exceeds the device allocation");
  EXPECT_EQ(hipMemset(device + 1, 0, 1000), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(host, host, 8, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  expectMessage("is not in device memory");
  ASSERT_HIP(hipFree(device));
  EXPECT_EQ(hipFree(device), hipErrorInvalidValue);
  expectMessage("it is a device allocation of 1000 bytes that was freed before");
  EXPECT_HIP(hipFree(nullptr));
}

TEST(HipApi, RowsOfA2DCopy) {
  std::vector<char> host(5 * 8, 'h');
  char *device = nullptr;
  size_t pitch = 0;
  ASSERT_HIP(hipMallocPitch(reinterpret_cast<void **>(&device), &pitch, 6, 5));
  ASSERT_HIP(hipMemset2D(device, pitch, 'd', 6, 5));
  ASSERT_HIP(hipMemcpy2D(host.data(), 8, device, pitch, 6, 5, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < host.size(); ++i)
    EXPECT_EQ(host[i], i % 8 < 6 ? 'd' : 'h');
  EXPECT_HIP(hipFree(device));
}

TEST(HipApi, OutOfMemory) {
  void *device = nullptr;
  EXPECT_EQ(hipMalloc(&device, size_t(1) << 50), hipErrorOutOfMemory);
  EXPECT_EQ(device, nullptr);
  size_t free = 0, total = 0;
  ASSERT_HIP(hipMemGetInfo(&free, &total));
  EXPECT_EQ(total, size_t(192) << 30);
  ASSERT_HIP(hipMalloc(&device, 1 << 20));
  size_t less = 0;
  ASSERT_HIP(hipMemGetInfo(&less, &total));
  EXPECT_EQ(free - less, size_t(1) << 20);
  hipPointerAttribute_t attributes;
  ASSERT_HIP(hipPointerGetAttributes(&attributes, static_cast<char *>(device) + 100));
  EXPECT_EQ(attributes.memoryType, hipMemoryTypeDevice);
  EXPECT_HIP(hipFree(device));
}

TEST(HipApi, StreamsAndEvents) {
  hipStream_t stream = nullptr;
  ASSERT_HIP(hipStreamCreate(&stream));
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_HIP(hipEventCreate(&start));
  ASSERT_HIP(hipEventCreate(&stop));
  float milliseconds = -1;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipErrorInvalidHandle);
  ASSERT_HIP(hipEventRecord(start, stream));
  ASSERT_HIP(hipStreamWaitEvent(stream, start, 0));
  ASSERT_HIP(hipEventRecord(stop, stream));
  ASSERT_HIP(hipEventSynchronize(stop));
  ASSERT_HIP(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT_GE(milliseconds, 0.0f);
  EXPECT_HIP(hipStreamSynchronize(stream));
  EXPECT_HIP(hipStreamSynchronize(nullptr));
  EXPECT_HIP(hipEventDestroy(start));
  EXPECT_HIP(hipEventDestroy(stop));
  EXPECT_HIP(hipStreamDestroy(stream));
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventRecord(start, nullptr), hipErrorInvalidHandle);
}

TEST(HipApi, ErrorTexts) {
  EXPECT_STREQ(hipGetErrorName(hipErrorIllegalAddress), "hipErrorIllegalAddress");
  EXPECT_STREQ(hipGetErrorString(hipErrorOutOfMemory), "out of memory");
  EXPECT_STREQ(hipGetErrorName(hipError_t(123456)), "hipErrorUnknown");
}
