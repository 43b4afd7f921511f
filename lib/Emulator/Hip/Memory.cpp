//===- Memory.cpp - HIP: allocation and copies -*- C++ -*-===//
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

#include "State.h"
#include "TransferCheck.h"
#include <cstring>

using namespace mlir::ck::emulator;
using namespace mlir::ck::emulator::hip;

static Result allocate(State &state, void **ptr, size_t size, const char *name, bool host) {
  if (!ptr)
    return invalidValue("ptr is null");
  *ptr = nullptr;
  if (size == 0)
    return Result();
  llvm::Expected<uint64_t> address =
      state.memory.allocate(size, name, host, state.getOptions().chip->memoryBytes);
  if (!address)
    return Result(hipErrorOutOfMemory, llvm::toString(address.takeError()));
  *ptr = reinterpret_cast<void *>(*address);
  return Result();
}

static Result release(State &state, void *ptr) {
  if (!ptr)
    return Result();
  if (llvm::Error error = state.memory.free(reinterpret_cast<uint64_t>(ptr)))
    return invalidValue(llvm::toString(std::move(error)));
  return Result();
}

static Result copy(State &state, void *dst, const void *src, size_t size, hipMemcpyKind kind,
                   hipStream_t stream) {
  if (Result result = checkStream(state, stream); result.code != hipSuccess)
    return result;
  if (Result result = checkCopy(state, dst, src, size, kind); result.code != hipSuccess)
    return result;
  if (size != 0)
    std::memmove(dst, src, size);
  return Result();
}

static Result copy2D(State &state, void *dst, size_t dpitch, const void *src, size_t spitch,
                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (width == 0 || height == 0)
    return checkStream(state, stream);
  if (width > dpitch || width > spitch)
    return Result(hipErrorInvalidPitchValue,
                  "width must be at most the pitches, got " + std::to_string(width));
  for (size_t row = 0; row < height; ++row) {
    Result result = copy(state, static_cast<char *>(dst) + row * dpitch,
                         static_cast<const char *>(src) + row * spitch, width, kind, stream);
    if (result.code != hipSuccess)
      return result;
  }
  return Result();
}

CK_HIP_EXPORT hipError_t hipMalloc(void **ptr, size_t size) {
  return call("hipMalloc", [&](State &state) {
    return allocate(state, ptr, size, "device allocation", /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipMallocAsync(void **ptr, size_t size, hipStream_t stream) {
  return call("hipMallocAsync", [&](State &state) {
    Result result = checkStream(state, stream);
    return result.code != hipSuccess
               ? result
               : allocate(state, ptr, size, "device allocation", /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipMallocManaged(void **ptr, size_t size, unsigned int) {
  return call("hipMallocManaged", [&](State &state) {
    return allocate(state, ptr, size, "managed allocation", /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int) {
  return call("hipHostMalloc", [&](State &state) {
    return allocate(state, ptr, size, "host allocation", /*host=*/true);
  });
}

CK_HIP_EXPORT hipError_t hipMallocHost(void **ptr, size_t size) {
  return hipHostMalloc(ptr, size, 0);
}

CK_HIP_EXPORT hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
  return call("hipMallocPitch", [&](State &state) {
    if (!pitch)
      return invalidValue("pitch is null");
    *pitch = (width + 255) / 256 * 256;
    if (height != 0 && *pitch > SIZE_MAX / height)
      return Result(hipErrorOutOfMemory, "the size overflows");
    return allocate(state, ptr, *pitch * height, "device allocation", /*host=*/false);
  });
}

CK_HIP_EXPORT hipError_t hipFree(void *ptr) {
  return call("hipFree", [&](State &state) { return release(state, ptr); });
}

CK_HIP_EXPORT hipError_t hipFreeAsync(void *ptr, hipStream_t stream) {
  return call("hipFreeAsync", [&](State &state) {
    Result result = checkStream(state, stream);
    return result.code != hipSuccess ? result : release(state, ptr);
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
    state.memory.addExternal(reinterpret_cast<uint64_t>(ptr), size, "registered host memory",
                             /*writable=*/true);
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipHostUnregister(void *ptr) {
  return call("hipHostUnregister", [&](State &state) {
    Allocation allocation;
    uint64_t address = reinterpret_cast<uint64_t>(ptr);
    if (!state.memory.find(address, allocation) || allocation.begin != address ||
        allocation.freeable)
      return Result(hipErrorHostMemoryNotRegistered, std::string());
    state.memory.removeExternal(address);
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

CK_HIP_EXPORT hipError_t hipMemcpy(void *dst, const void *src, size_t size, hipMemcpyKind kind) {
  return call("hipMemcpy",
              [&](State &state) { return copy(state, dst, src, size, kind, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemcpyAsync(void *dst, const void *src, size_t size, hipMemcpyKind kind,
                                        hipStream_t stream) {
  return call("hipMemcpyAsync",
              [&](State &state) { return copy(state, dst, src, size, kind, stream); });
}

CK_HIP_EXPORT hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t size,
                                             hipMemcpyKind kind, hipStream_t stream) {
  return call("hipMemcpyWithStream",
              [&](State &state) { return copy(state, dst, src, size, kind, stream); });
}

CK_HIP_EXPORT hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void *src, size_t size) {
  return call("hipMemcpyHtoD", [&](State &state) {
    return copy(state, dst, src, size, hipMemcpyHostToDevice, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t size) {
  return call("hipMemcpyDtoH", [&](State &state) {
    return copy(state, dst, src, size, hipMemcpyDeviceToHost, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size) {
  return call("hipMemcpyDtoD", [&](State &state) {
    return copy(state, dst, src, size, hipMemcpyDeviceToDevice, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void *src, size_t size,
                                            hipStream_t stream) {
  return call("hipMemcpyHtoDAsync", [&](State &state) {
    return copy(state, dst, src, size, hipMemcpyHostToDevice, stream);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t size,
                                            hipStream_t stream) {
  return call("hipMemcpyDtoHAsync", [&](State &state) {
    return copy(state, dst, src, size, hipMemcpyDeviceToHost, stream);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size,
                                            hipStream_t stream) {
  return call("hipMemcpyDtoDAsync", [&](State &state) {
    return copy(state, dst, src, size, hipMemcpyDeviceToDevice, stream);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                                     size_t width, size_t height, hipMemcpyKind kind) {
  return call("hipMemcpy2D", [&](State &state) {
    return copy2D(state, dst, dpitch, src, spitch, width, height, kind, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                          size_t width, size_t height, hipMemcpyKind kind,
                                          hipStream_t stream) {
  return call("hipMemcpy2DAsync", [&](State &state) {
    return copy2D(state, dst, dpitch, src, spitch, width, height, kind, stream);
  });
}

CK_HIP_EXPORT hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  return call("hipMemGetInfo", [&](State &state) {
    if (!free || !total)
      return invalidValue("free or total is null");
    *total = state.getOptions().chip->memoryBytes;
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
    Allocation allocation;
    if (!attributes || !state.memory.find(reinterpret_cast<uint64_t>(ptr), allocation))
      return invalidValue("expected a pointer to memory known to HIP");
    std::memset(attributes, 0, sizeof(*attributes));
    attributes->memoryType = allocation.host ? hipMemoryTypeHost : hipMemoryTypeDevice;
    attributes->devicePointer = const_cast<void *>(ptr);
    attributes->hostPointer = allocation.host ? const_cast<void *>(ptr) : nullptr;
    return Result();
  });
}
