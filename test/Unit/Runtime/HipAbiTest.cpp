//===- HipAbiTest.cpp - Our HIP declarations against HIP's headers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compile-time comparisons; nothing is compared where HIP's headers are not installed.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/HipApi.h"
#include "gtest/gtest.h"

#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>

using namespace mlir::ck;

static_assert(int(hipSuccess) == hip::success);
static_assert(int(hipErrorNoDevice) == hip::errorNoDevice);
static_assert(int(hipMemcpyHostToDevice) == int(hip::hostToDevice));
static_assert(int(hipMemcpyDeviceToHost) == int(hip::deviceToHost));
static_assert(int(hipMemcpyDeviceToDevice) == int(hip::deviceToDevice));
static_assert(int(hipMemcpyDefault) == int(hip::anyToAny));
static_assert(hipMemAttachGlobal == hip::memAttachGlobal);
static_assert(hipEventDisableTiming == hip::eventDisableTiming);
static_assert(int(hipDeviceAttributeMultiprocessorCount) == hip::attributeMultiprocessorCount);
static_assert(int(hipDeviceAttributeWarpSize) == hip::attributeWarpSize);
static_assert(sizeof(hipError_t) == sizeof(hip::ErrorCode));
static_assert(sizeof(hipStream_t) == sizeof(hip::StreamHandle));
static_assert(sizeof(hipDevice_t) == sizeof(int));
static_assert(sizeof(hipDeviceProp_t) <= hip::propertiesBufferSize);
#if HIP_VERSION_MAJOR == 5
static_assert(offsetof(hipDeviceProp_t, gcnArchName) == hip::archNameOffset5);
#elif HIP_VERSION_MAJOR >= 6
static_assert(offsetof(hipDeviceProp_t, gcnArchName) == hip::archNameOffset6);
#endif

/// Number of parameters and, per parameter, its size: what a call passes.
template <typename Result, typename... Parameters>
static constexpr std::array<size_t, sizeof...(Parameters) + 1> getShape(Result (*)(Parameters...)) {
  return {sizeof(Result), sizeof(Parameters)...};
}

/// Our function pointer has the parameters of HIP's function.
#define EXPECT_SAME_CALL(name)                                                                     \
  EXPECT_EQ(getShape(static_cast<decltype(HipApi::name)>(nullptr)),                                \
            getShape(static_cast<decltype(&hip##name)>(nullptr)))
/// The same for functions that HIP's header overloads for C++.
#define EXPECT_SAME_CALL_AS(name, type)                                                            \
  EXPECT_EQ(getShape(static_cast<decltype(HipApi::name)>(nullptr)),                                \
            getShape(static_cast<type>(nullptr)))

TEST(HipAbiTest, CallsMatchTheHeaders) {
  EXPECT_SAME_CALL(Init);
  EXPECT_SAME_CALL(GetDeviceCount);
  EXPECT_SAME_CALL(SetDevice);
  EXPECT_SAME_CALL(DeviceGetAttribute);
  EXPECT_SAME_CALL_AS(Malloc, hipError_t (*)(void **, size_t));
  EXPECT_SAME_CALL(Free);
  EXPECT_SAME_CALL(Memcpy);
  EXPECT_SAME_CALL_AS(MallocManaged, hipError_t (*)(void **, size_t, unsigned));
  EXPECT_SAME_CALL(Memset);
  EXPECT_SAME_CALL(MemcpyAsync);
  EXPECT_SAME_CALL(MemsetD16Async);
  EXPECT_SAME_CALL(MemsetD32Async);
  EXPECT_SAME_CALL(HostRegister);
  EXPECT_SAME_CALL(HostUnregister);
  EXPECT_SAME_CALL(HostGetDevicePointer);
  EXPECT_SAME_CALL(ModuleLoadData);
  EXPECT_SAME_CALL(ModuleUnload);
  EXPECT_SAME_CALL(ModuleGetFunction);
  EXPECT_SAME_CALL(ModuleLaunchKernel);
  EXPECT_SAME_CALL(StreamCreate);
  EXPECT_SAME_CALL(StreamDestroy);
  EXPECT_SAME_CALL(StreamSynchronize);
  EXPECT_SAME_CALL(StreamWaitEvent);
  EXPECT_SAME_CALL(EventCreate);
  EXPECT_SAME_CALL(EventCreateWithFlags);
  EXPECT_SAME_CALL(EventDestroy);
  EXPECT_SAME_CALL(EventRecord);
  EXPECT_SAME_CALL(EventSynchronize);
  EXPECT_SAME_CALL(EventElapsedTime);
  EXPECT_SAME_CALL(GetErrorName);
}
#endif
