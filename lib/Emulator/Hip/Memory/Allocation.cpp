//===- Allocation.cpp - HIP: allocation -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is host memory; a copy is a memmove whose device side is checked against the
// allocations.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Memory/Pool.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

Result hip::allocate(State &state, void **ptr, size_t size, const char *name, bool host) {
  if (!ptr)
    return invalidValue("ptr is null");
  *ptr = nullptr;
  if (size == 0)
    return Result();
  llvm::Expected<uint64_t> address =
      state.memory.allocate(size, name, host, state.getOptions().chip->product->memoryBytes);
  if (!address)
    return Result(hipErrorOutOfMemory, llvm::toString(address.takeError()));
  if (!host && llvm::StringRef(name) != kManagedName && state.getOptions().checks.uninitialized)
    state.memory.trackInitialized(*address);
  state.freed.noteAllocation(*address, size);
  *ptr = reinterpret_cast<void *>(*address);
  return Result();
}

/// What `address`, which is not the begin of an allocation that may be freed, is.
static std::string explainFree(State &state, uint64_t address) {
  Allocation allocation;
  if (state.memory.find(address, allocation)) {
    std::string place = describeAddress(*state.memory.getSnapshot(), address);
    return allocation.freeable ? "it is " + place + ", expected its begin"
                               : "it is " + place + ", which no hipMalloc returned";
  }
  std::string before = state.freed.describe(address);
  return before.empty() ? "expected the begin of a live allocation, got an address " +
                              describeAddress(*state.memory.getSnapshot(), address)
                        : "it " + before;
}

Result hip::release(State &state, void *ptr) {
  if (!ptr)
    return Result();
  uint64_t address = reinterpret_cast<uint64_t>(ptr);
  llvm::Expected<Allocation> removed = state.memory.remove(address);
  if (!removed) {
    llvm::consumeError(removed.takeError());
    return Result(hipErrorInvalidValue,
                  llvm::formatv("cannot free {0:x}: {1}", address, explainFree(state, address)));
  }
  state.freed.noteFree(*removed);
  noteFreeInPool(ptr);
  state.active.wait();
  MemoryTable::unmap(*removed);
  return Result();
}

/// Rows that begin at multiples of 256 bytes.
static Result allocatePitched(State &state, void **ptr, size_t &pitch, size_t width,
                              size_t height) {
  pitch = (width + 255) / 256 * 256;
  if (height != 0 && pitch > SIZE_MAX / height)
    return Result(hipErrorOutOfMemory, "the size overflows");
  return allocate(state, ptr, pitch * height, "device allocation", /*host=*/false);
}

CK_HIP_EXPORT hipError_t hipMalloc(void **ptr, size_t size) {
  return call("hipMalloc", [&](State &state) {
    return allocate(state, ptr, size, "device allocation", /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipMallocAsync(void **ptr, size_t size, hipStream_t stream) {
  return call("hipMallocAsync", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code != hipSuccess || refuseInCapture(state, stream, "allocation", result))
      return result;
    result = allocate(state, ptr, size, "device allocation", /*host=*/false);
    return result.code == hipSuccess && *ptr ? noteInPool(nullptr, *ptr, size) : result;
  });
}

CK_HIP_EXPORT hipError_t hipMallocManaged(void **ptr, size_t size, unsigned int) {
  return call("hipMallocManaged", [&](State &state) {
    return allocate(state, ptr, size, kManagedName, /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int) {
  return call("hipHostMalloc", [&](State &state) {
    return allocate(state, ptr, size, "host allocation", /*host=*/true);
  });
}

CK_HIP_EXPORT hipError_t hipExtHostAlloc(void **ptr, size_t size, unsigned int flags) {
  return hipHostMalloc(ptr, size, flags);
}

CK_HIP_EXPORT hipError_t hipMallocHost(void **ptr, size_t size) {
  return hipHostMalloc(ptr, size, 0);
}

CK_HIP_EXPORT hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
  return call("hipMallocPitch", [&](State &state) {
    if (!pitch)
      return invalidValue("pitch is null");
    return allocatePitched(state, ptr, *pitch, width, height);
  });
}

CK_HIP_EXPORT hipError_t hipMemAllocPitch(hipDeviceptr_t *ptr, size_t *pitch, size_t width,
                                          size_t height, unsigned int elementSize) {
  return call("hipMemAllocPitch", [&](State &state) {
    if (!pitch)
      return invalidValue("pitch is null");
    if (elementSize != 4 && elementSize != 8 && elementSize != 16)
      return invalidValue("elementSizeBytes must be 4, 8 or 16, got " +
                          std::to_string(elementSize));
    return allocatePitched(state, ptr, *pitch, width, height);
  });
}

CK_HIP_EXPORT hipError_t hipMalloc3D(hipPitchedPtr *pitched, hipExtent extent) {
  return call("hipMalloc3D", [&](State &state) {
    if (!pitched)
      return invalidValue("pitchedDevPtr is null");
    if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth)
      return Result(hipErrorOutOfMemory, "the size overflows");
    Result result = allocatePitched(state, &pitched->ptr, pitched->pitch, extent.width,
                                    extent.height * extent.depth);
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return result;
  });
}

CK_HIP_EXPORT hipError_t hipExtMallocWithFlags(void **ptr, size_t size, unsigned int flags) {
  return call("hipExtMallocWithFlags", [&](State &state) {
    if (flags > hipDeviceMallocFinegrained)
      return Result(hipErrorNotSupported, "flags must be in [0, 1], got " + std::to_string(flags));
    return allocate(state, ptr, size, "device allocation", /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipMemAllocHost(void **ptr, size_t size) {
  return hipHostMalloc(ptr, size, 0);
}

CK_HIP_EXPORT hipError_t hipHostAlloc(void **ptr, size_t size, unsigned int flags) {
  return hipHostMalloc(ptr, size, flags);
}

CK_HIP_EXPORT hipError_t hipFree(void *ptr) {
  return call("hipFree", [&](State &state) { return release(state, ptr); });
}

CK_HIP_EXPORT hipError_t hipFreeAsync(void *ptr, hipStream_t stream) {
  return call("hipFreeAsync", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code != hipSuccess || refuseInCapture(state, stream, "freeing", result))
      return result;
    return release(state, ptr);
  });
}

CK_HIP_EXPORT hipError_t hipHostFree(void *ptr) {
  return call("hipHostFree", [&](State &state) { return release(state, ptr); });
}

CK_HIP_EXPORT hipError_t hipFreeHost(void *ptr) { return hipHostFree(ptr); }

CK_HIP_EXPORT hipError_t hipHostRegister(void *ptr, size_t size, unsigned int) {
  return call("hipHostRegister", [&](State &state) {
    if (!ptr || size == 0)
      return invalidValue("expected a non-empty range of host memory");
    Allocation allocation;
    if (state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation))
      return Result(hipErrorHostMemoryAlreadyRegistered,
                    llvm::formatv("{0} is in the {1} {2:x} of {3} bytes", ptr, allocation.name,
                                  allocation.begin, allocation.size));
    state.memory.addExternal(reinterpret_cast<uint64_t>(ptr), size, kRegisteredName,
                             /*writable=*/true);
    state.freed.noteAllocation(reinterpret_cast<uint64_t>(ptr), size);
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipHostUnregister(void *ptr) {
  return call("hipHostUnregister", [&](State &state) {
    Allocation allocation;
    uint64_t address = reinterpret_cast<uint64_t>(ptr);
    if (!state.memory.find(address, allocation) || allocation.begin != address ||
        allocation.name != kRegisteredName)
      return Result(hipErrorHostMemoryNotRegistered,
                    llvm::formatv("{0} is not the begin of registered host memory", ptr));
    state.memory.removeExternal(address);
    state.active.wait();
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned int) {
  return call("hipHostGetDevicePointer", [&](State &state) {
    Allocation allocation;
    if (!device || !state.memory.find(reinterpret_cast<uint64_t>(host), allocation))
      return invalidValue("expected a pointer into host memory known to HIP");
    *device = host;
    return Result();
  });
}
