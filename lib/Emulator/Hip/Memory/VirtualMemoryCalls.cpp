//===- VirtualMemoryCalls.cpp - HIP: virtual memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is one device, so a list of access descriptors says the same of it for all ranges. Memory
// is not shared with other processes.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/VirtualMemory.h"
#include "Emulator/Hip/NewerTypes.h"
#include "Emulator/Hip/Version.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

static uint64_t toAddress(const void *ptr) { return reinterpret_cast<uint64_t>(ptr); }

/// Success when `flags`, which HIP has none of, is 0.
static Result checkFlags(unsigned long long flags) {
  return flags == 0 ? Result() : invalidValue("flags must be 0, got " + std::to_string(flags));
}

static Result checkLocation(hipMemLocation location) {
  if (location.type != hipMemLocationTypeDevice)
    return invalidValue("location.type must be hipMemLocationTypeDevice (1), got " +
                        std::to_string(int(location.type)));
  return checkDevice(location.id);
}

/// Success when `given`, in the layout of the program's HIP, describes memory of the device that
/// stays in this process.
static Result checkProperties(const hipMemAllocationProp *given) {
  if (!given)
    return invalidValue("prop is null");
  MemoryProperties properties = {given->type,
                                 given->requestedHandleType,
                                 given->location,
                                 nullptr,
                                 {given->compressionType, 0, 0}};
  if (getHipVersion() >= 6)
    std::memcpy(&properties, given, sizeof(properties));
  if (properties.type != hipMemAllocationTypePinned)
    return invalidValue("prop.type must be hipMemAllocationTypePinned (1), got " +
                        std::to_string(int(properties.type)));
  if (properties.handleType != hipMemHandleTypeNone)
    return Result(hipErrorNotSupported,
                  "memory cannot be shared with other processes: prop.requestedHandleType must be "
                  "0, got " +
                      std::to_string(int(properties.handleType)));
  return checkLocation(properties.location);
}

CK_HIP_EXPORT hipError_t hipMemGetAllocationGranularity(size_t *granularity,
                                                        const hipMemAllocationProp *prop,
                                                        hipMemAllocationGranularity_flags option) {
  return call("hipMemGetAllocationGranularity", [&](State &) {
    if (!granularity)
      return invalidValue("granularity is null");
    if (unsigned(option) > hipMemAllocationGranularityRecommended)
      return invalidValue("option must be in [0, 1], got " + std::to_string(unsigned(option)));
    *granularity = kGranularity;
    return checkProperties(prop);
  });
}

CK_HIP_EXPORT hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                              unsigned long long flags) {
  return call("hipMemAddressReserve", [&](State &state) {
    if (!ptr)
      return invalidValue("ptr is null");
    if (Result result = checkFlags(flags); result.code != hipSuccess)
      return result;
    Result result = VirtualMemory::get().reserve(size, alignment, toAddress(addr), ptr);
    if (result.code == hipSuccess)
      state.freed.noteAllocation(toAddress(*ptr), size);
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipMemAddressFree(void *devPtr, size_t size) {
  return call("hipMemAddressFree",
              [&](State &) { return VirtualMemory::get().free(toAddress(devPtr), size); });
}

CK_HIP_EXPORT hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                                      const hipMemAllocationProp *prop, unsigned long long flags) {
  return call("hipMemCreate", [&](State &state) {
    if (!handle)
      return invalidValue("handle is null");
    if (Result result = checkFlags(flags); result.code != hipSuccess)
      return result;
    if (Result result = checkProperties(prop); result.code != hipSuccess)
      return result;
    return VirtualMemory::get().create(state, size, handle);
  });
}

CK_HIP_EXPORT hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return call("hipMemRelease",
              [&](State &state) { return VirtualMemory::get().release(state, handle); });
}

CK_HIP_EXPORT hipError_t hipMemMap(void *ptr, size_t size, size_t offset,
                                   hipMemGenericAllocationHandle_t handle,
                                   unsigned long long flags) {
  return call("hipMemMap", [&](State &) {
    if (Result result = checkFlags(flags); result.code != hipSuccess)
      return result;
    return VirtualMemory::get().map(toAddress(ptr), size, offset, handle);
  });
}

CK_HIP_EXPORT hipError_t hipMemUnmap(void *ptr, size_t size) {
  return call("hipMemUnmap", [&](State &state) {
    return VirtualMemory::get().unmap(state, toAddress(ptr), size);
  });
}

CK_HIP_EXPORT hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc,
                                         size_t count) {
  return call("hipMemSetAccess", [&](State &state) {
    if (!desc || count != 1)
      return invalidValue("expected one access descriptor, for the only device, got " +
                          (desc ? std::to_string(count) : std::string("null")));
    if (Result result = checkLocation(desc->location); result.code != hipSuccess)
      return result;
    const unsigned access = desc->flags;
    if (access != hipMemAccessFlagsProtNone && access != hipMemAccessFlagsProtRead &&
        access != hipMemAccessFlagsProtReadWrite)
      return invalidValue("desc.flags must be 0, 1 or 3, got " + std::to_string(access));
    return VirtualMemory::get().setAccess(state, toAddress(ptr), size, access);
  });
}

CK_HIP_EXPORT hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                                         void *ptr) {
  return call("hipMemGetAccess", [&](State &) {
    if (!flags || !location)
      return invalidValue("flags or location is null");
    if (Result result = checkLocation(*location); result.code != hipSuccess)
      return result;
    return VirtualMemory::get().getAccess(toAddress(ptr), flags);
  });
}

CK_HIP_EXPORT hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle,
                                                      void *addr) {
  return call("hipMemRetainAllocationHandle", [&](State &) {
    if (!handle)
      return invalidValue("handle is null");
    return VirtualMemory::get().retain(toAddress(addr), handle);
  });
}

CK_HIP_EXPORT hipError_t hipMemGetAllocationPropertiesFromHandle(
    hipMemAllocationProp *prop, hipMemGenericAllocationHandle_t handle) {
  return call("hipMemGetAllocationPropertiesFromHandle", [&](State &) {
    if (!prop)
      return invalidValue("prop is null");
    Result result = VirtualMemory::get().checkHandle(handle);
    if (result.code != hipSuccess)
      return result;
    std::memset(prop, 0, sizeof(*prop));
    const MemoryProperties properties = {hipMemAllocationTypePinned,
                                         hipMemHandleTypeNone,
                                         {hipMemLocationTypeDevice, 0},
                                         nullptr,
                                         {}};
    if (getHipVersion() >= 6) {
      std::memcpy(static_cast<void *>(prop), &properties, sizeof(properties));
    } else {
      prop->type = properties.type;
      prop->location = properties.location;
    }
    return result;
  });
}
