//===- Pointer.cpp - HIP: questions about memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a pointer belongs to, and hints about its use.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/MemoryType.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

CK_HIP_EXPORT hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  return call("hipMemGetInfo", [&](State &state) {
    if (!free || !total)
      return invalidValue("free or total is null");
    *total = state.getOptions().chip->product->memoryBytes;
    *free = *total - state.memory.getUsedBytes();
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipMemPtrGetInfo(void *ptr, size_t *size) {
  return call("hipMemPtrGetInfo", [&](State &state) {
    Allocation allocation;
    if (!size || !state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation))
      return invalidValue("expected a pointer to device memory");
    *size = allocation.size;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size,
                                               hipDeviceptr_t ptr) {
  return call("hipMemGetAddressRange", [&](State &state) {
    Allocation allocation;
    if (!state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation))
      return invalidValue("expected a pointer to device memory");
    if (base)
      *base = reinterpret_cast<void *>(allocation.begin);
    if (size)
      *size = allocation.size;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes,
                                                 const void *ptr) {
  return call("hipPointerGetAttributes", [&](State &state) {
    if (!attributes)
      return invalidValue("attributes is null");
    Allocation allocation;
    std::memset(attributes, 0, sizeof(*attributes));
    if (!state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation)) {
      if (getHipVersion() < 6)
        return quiet(hipErrorInvalidValue, "expected a pointer to memory known to HIP");
      attributes->memoryType = encode(MemoryType::Unregistered);
      attributes->device = -2; // hipInvalidDeviceId
      return Result();
    }
    attributes->memoryType = encode(getMemoryType(allocation));
    attributes->devicePointer = const_cast<void *>(ptr);
    attributes->hostPointer = isOnHost(allocation) ? const_cast<void *>(ptr) : nullptr;
    attributes->isManaged = allocation.name == kManagedName;
    return Result();
  });
}

/// One attribute of a pointer; false when it is not known.
static bool getAttribute(const Allocation &allocation, hipDeviceptr_t ptr,
                         hipPointer_attribute attribute, void *data) {
  auto set = [&](auto value) {
    std::memcpy(data, &value, sizeof(value));
    return true;
  };
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return set(encode(getMemoryType(allocation)));
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return set(ptr);
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
    return set(isOnHost(allocation) ? ptr : nullptr);
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
    return set(allocation.name == kManagedName);
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return set(0);
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return set(reinterpret_cast<void *>(allocation.begin));
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
    return set(size_t(allocation.size));
  case HIP_POINTER_ATTRIBUTE_MAPPED:
    return set(true);
  default:
    return false;
  }
}

CK_HIP_EXPORT hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                                hipDeviceptr_t ptr) {
  return call("hipPointerGetAttribute", [&](State &state) {
    Allocation allocation;
    if (!data)
      return invalidValue("data is null");
    if (!state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation))
      return quiet(hipErrorInvalidValue, "expected a pointer to memory known to HIP");
    return getAttribute(allocation, ptr, attribute, data)
               ? Result()
               : Result(hipErrorNotSupported, "pointer attribute " +
                                                  std::to_string(int(attribute)) +
                                                  " is not implemented");
  });
}

CK_HIP_EXPORT hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes,
                                                    hipPointer_attribute *attributes, void **data,
                                                    hipDeviceptr_t ptr) {
  return call("hipDrvPointerGetAttributes", [&](State &state) {
    Allocation allocation;
    if (!attributes || !data || !state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation))
      return invalidValue("expected a pointer to memory known to HIP");
    for (unsigned i = 0; i < numAttributes; ++i)
      if (!data[i] || !getAttribute(allocation, ptr, attributes[i], data[i]))
        return Result(hipErrorNotSupported, "pointer attribute " +
                                                std::to_string(int(attributes[i])) +
                                                " is not implemented");
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipHostGetFlags(unsigned int *flags, void *host) {
  return call("hipHostGetFlags", [&](State &state) {
    Allocation allocation;
    if (!flags || !state.memory.find(reinterpret_cast<uint64_t>(host), allocation) ||
        !allocation.host)
      return invalidValue("expected a pointer that hipHostMalloc returned");
    *flags = hipHostMallocDefault;
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipMemAdvise(const void *ptr, size_t count, hipMemoryAdvise, int device) {
  return call("hipMemAdvise", [&](State &state) {
    Result result = device == hipCpuDeviceId ? Result() : checkDevice(device);
    return result.code == hipSuccess ? checkRange(state, ptr, count, "range") : result;
  });
}

CK_HIP_EXPORT hipError_t hipMemPrefetchAsync(const void *ptr, size_t count, int device,
                                             hipStream_t stream) {
  return call("hipMemPrefetchAsync", [&](State &state) {
    Result result = device == hipCpuDeviceId ? Result() : checkDevice(device);
    if (result.code == hipSuccess)
      result = checkStream(state, stream);
    return result.code == hipSuccess ? checkRange(state, ptr, count, "range") : result;
  });
}

CK_HIP_EXPORT hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *ptr, size_t,
                                                 unsigned int) {
  return call("hipStreamAttachMemAsync", [&](State &state) {
    Result result = checkStream(state, stream);
    return result.code == hipSuccess ? checkRange(state, ptr, 1, "range") : result;
  });
}
