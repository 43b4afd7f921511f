//===- VirtualMemoryTest.cpp - Addresses and memory apart -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that is created and mapped, as allocators with segments that grow use it.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <cstring>

static constexpr size_t kSegment = size_t(2) << 20;

/// What describes memory of the device, in the layout of the header that this is compiled with.
static hipMemAllocationProp getProperties() {
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  return properties;
}

namespace {
/// Reserved addresses for four segments.
class VirtualMemory : public ::testing::Test {
protected:
  void SetUp() override {
    const hipMemAllocationProp properties = getProperties();
    size_t granularity = 0;
    ASSERT_HIP(hipMemGetAllocationGranularity(&granularity, &properties,
                                              hipMemAllocationGranularityMinimum));
    ASSERT_EQ(granularity, kSegment);
    ASSERT_HIP(hipMemAddressReserve(reinterpret_cast<void **>(&base), 4 * kSegment, 0, nullptr, 0));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(base) % kSegment, 0u);
  }
  void TearDown() override { EXPECT_HIP(hipMemAddressFree(base, 4 * kSegment)); }

  hipMemGenericAllocationHandle_t create(size_t segments) {
    const hipMemAllocationProp properties = getProperties();
    hipMemGenericAllocationHandle_t handle = nullptr;
    EXPECT_HIP(hipMemCreate(&handle, segments * kSegment, &properties, 0));
    return handle;
  }
  /// Maps new memory at `segment`; the mapping alone keeps it.
  void mapNew(size_t segment, hipMemAccessFlags access) {
    hipMemGenericAllocationHandle_t handle = create(1);
    char *address = base + segment * kSegment;
    EXPECT_HIP(hipMemMap(address, kSegment, 0, handle, 0));
    EXPECT_HIP(hipMemRelease(handle));
    setAccess(address, kSegment, access);
  }
  void setAccess(char *address, size_t size, hipMemAccessFlags flags) {
    const hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0}, flags};
    EXPECT_HIP(hipMemSetAccess(address, size, &access, 1));
  }

  char *base = nullptr;
};
} // namespace

TEST_F(VirtualMemory, CopiesCrossMappings) {
  mapNew(0, hipMemAccessFlagsProtReadWrite);
  mapNew(1, hipMemAccessFlagsProtReadWrite);
  const char text[] = "across";
  char *middle = base + kSegment - 3;
  EXPECT_HIP(hipMemcpy(middle, text, sizeof(text), hipMemcpyHostToDevice));
  char back[sizeof(text)] = "";
  EXPECT_HIP(hipMemcpy(back, middle, sizeof(text), hipMemcpyDeviceToHost));
  EXPECT_STREQ(back, text);
  EXPECT_EQ(hipMemset(base + 2 * kSegment - 1, 0, 2), hipErrorInvalidValue);
  expectMessage("exceeds the mapped memory");
  EXPECT_HIP(hipMemUnmap(base, 2 * kSegment));
  EXPECT_EQ(hipMemset(base, 0, 1), hipErrorInvalidValue);
  expectMessage("is not in device memory");
}

TEST_F(VirtualMemory, KernelsAccessWhatIsMapped) {
  DeviceModule module(CK_THREADS_CODE);
  mapNew(1, hipMemAccessFlagsProtReadWrite);
  DeviceArray<unsigned> flags(2);
  char *data = base + kSegment;
  EXPECT_HIP(module.launch("store_for_long", 1, 64, data, flags.get(), 3u));
  unsigned value = 0;
  EXPECT_HIP(hipMemcpy(&value, data + 4 * 63, sizeof(value), hipMemcpyDeviceToHost));
  EXPECT_EQ(value, 2u);
  EXPECT_EQ(module.launch("store_for_long", 1, 64, base, flags.get(), 3u), hipErrorIllegalAddress);
  setAccess(data, kSegment, hipMemAccessFlagsProtRead);
  EXPECT_NE(module.launch("store_for_long", 1, 64, data, flags.get(), 3u), hipSuccess);
  EXPECT_HIP(hipMemUnmap(data, kSegment));
}

TEST_F(VirtualMemory, MemoryAtTwoPlaces) {
  hipMemGenericAllocationHandle_t handle = create(2), same = nullptr;
  EXPECT_HIP(hipMemMap(base, 2 * kSegment, 0, handle, 0));
  EXPECT_HIP(hipMemMap(base + 2 * kSegment, kSegment, kSegment, handle, 0));
  setAccess(base, 3 * kSegment, hipMemAccessFlagsProtReadWrite);
  EXPECT_HIP(hipMemset(base + kSegment, 7, 16));
  char seen = 0;
  EXPECT_HIP(hipMemcpy(&seen, base + 2 * kSegment, 1, hipMemcpyDeviceToHost));
  EXPECT_EQ(seen, 7);
  EXPECT_HIP(hipMemRetainAllocationHandle(&same, base + kSegment));
  EXPECT_EQ(same, handle);
  hipMemAllocationProp properties = {};
  EXPECT_HIP(hipMemGetAllocationPropertiesFromHandle(&properties, handle));
  EXPECT_EQ(properties.type, hipMemAllocationTypePinned);
  unsigned long long access = 0;
  const hipMemLocation device = {hipMemLocationTypeDevice, 0};
  EXPECT_HIP(hipMemGetAccess(&access, &device, base));
  EXPECT_EQ(access, unsigned(hipMemAccessFlagsProtReadWrite));
  EXPECT_HIP(hipMemUnmap(base, 3 * kSegment));
  EXPECT_HIP(hipMemRelease(handle));
  EXPECT_HIP(hipMemRelease(handle));
  EXPECT_EQ(hipMemRelease(handle), hipErrorInvalidValue);
  expectMessage("was released before");
}

TEST_F(VirtualMemory, TakesThePlaceOfFreedMemory) {
  char *freed = nullptr;
  ASSERT_HIP(hipMalloc(reinterpret_cast<void **>(&freed), 4 * kSegment));
  ASSERT_HIP(hipFree(freed));
  char *wanted = freed + (kSegment - reinterpret_cast<uintptr_t>(freed) % kSegment),
       *place = nullptr;
  ASSERT_HIP(hipMemAddressReserve(reinterpret_cast<void **>(&place), kSegment, 0, wanted, 0));
  ASSERT_EQ(place, wanted);
  EXPECT_EQ(hipMemset(place, 0, 1), hipErrorInvalidValue);
  expectMessage("is not in device memory");
  EXPECT_HIP(hipMemAddressFree(place, kSegment));
}

TEST_F(VirtualMemory, CountsWhatLives) {
  size_t before = 0, during = 0, total = 0;
  ASSERT_HIP(hipMemGetInfo(&before, &total));
  mapNew(0, hipMemAccessFlagsProtReadWrite);
  ASSERT_HIP(hipMemGetInfo(&during, &total));
  EXPECT_EQ(before - during, kSegment);
  EXPECT_HIP(hipMemUnmap(base, kSegment));
  ASSERT_HIP(hipMemGetInfo(&during, &total));
  EXPECT_EQ(before, during);
  const hipMemAllocationProp properties = getProperties();
  hipMemGenericAllocationHandle_t handle = nullptr;
  EXPECT_EQ(hipMemCreate(&handle, size_t(1) << 50, &properties, 0), hipErrorOutOfMemory);
}

TEST_F(VirtualMemory, Refuses) {
  hipMemGenericAllocationHandle_t handle = create(1);
  EXPECT_EQ(hipMemMap(base, 1000, 0, handle, 0), hipErrorInvalidValue);
  expectMessage("size must be a positive multiple of 2097152 bytes, got 1000");
  EXPECT_EQ(hipMemMap(base, 2 * kSegment, 0, handle, 0), hipErrorInvalidValue);
  expectMessage("exceed the memory of 2097152 bytes");
  EXPECT_EQ(hipMemMap(base + 4 * kSegment, kSegment, 0, handle, 0), hipErrorInvalidValue);
  expectMessage("is in no range of hipMemAddressReserve");
  EXPECT_HIP(hipMemMap(base, kSegment, 0, handle, 0));
  EXPECT_EQ(hipMemMap(base, kSegment, 0, handle, 0), hipErrorInvalidValue);
  expectMessage("there is a mapping in");
  EXPECT_EQ(hipMemUnmap(base, 2 * kSegment), hipErrorInvalidValue);
  expectMessage("does not consist of whole mappings");
  EXPECT_EQ(hipMemset(base, 0, 1), hipErrorInvalidValue) << "there is no access yet";
  EXPECT_EQ(hipMemAddressFree(base, 4 * kSegment), hipErrorInvalidValue);
  expectMessage("1 mappings");
  EXPECT_HIP(hipMemUnmap(base, kSegment));
  EXPECT_HIP(hipMemRelease(handle));
  hipMemAllocationProp shared = getProperties();
  shared.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  EXPECT_EQ(hipMemCreate(&handle, kSegment, &shared, 0), hipErrorNotSupported);
  expectMessage("memory cannot be shared with other processes");
}
