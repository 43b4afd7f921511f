//===- Memory.cpp - mgpu functions: device and registered host memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is one HIP call and its check.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Mgpu/Context.h"
#include "ck-mlir/Runtime/MgpuApi.h"
#include <algorithm>

using namespace mlir::ck;
using namespace mlir::ck::mgpu;
using llvm::StringRef;
using llvm::Twine;

void *mgpuMemAlloc(uint64_t bytes, hip::StreamHandle, bool hostShared) {
  const HipApi &api = getApi(__func__);
  void *pointer = nullptr;
  if (bytes == 0)
    return pointer;
  if (hostShared)
    check(__func__, api.MallocManaged(&pointer, bytes, hip::memAttachGlobal),
          ("hipMallocManaged of " + Twine(bytes) + " bytes").str());
  else
    check(__func__, api.Malloc(&pointer, bytes), ("hipMalloc of " + Twine(bytes) + " bytes").str());
  return pointer;
}

void mgpuMemFree(void *pointer, hip::StreamHandle) {
  check(__func__, getApi(__func__).Free(pointer), "hipFree");
}

void mgpuMemcpy(void *to, void *from, size_t bytes, hip::StreamHandle stream) {
  if (bytes != 0)
    check(__func__, getApi(__func__).MemcpyAsync(to, from, bytes, hip::anyToAny, stream),
          "hipMemcpyAsync");
}

void mgpuMemset32(void *pointer, int32_t value, size_t count, hip::StreamHandle stream) {
  if (count != 0)
    check(__func__, getApi(__func__).MemsetD32Async(pointer, value, count, stream),
          "hipMemsetD32Async");
}

void mgpuMemset16(void *pointer, uint16_t value, size_t count, hip::StreamHandle stream) {
  if (count != 0)
    check(__func__, getApi(__func__).MemsetD16Async(pointer, value, count, stream),
          "hipMemsetD16Async");
}

void mgpuMemHostRegister(void *pointer, uint64_t bytes) {
  check(__func__, getApi(__func__).HostRegister(pointer, bytes, 0),
        ("hipHostRegister of " + Twine(bytes) + " bytes").str());
}

void mgpuMemHostUnregister(void *pointer) {
  check(__func__, getApi(__func__).HostUnregister(pointer), "hipHostUnregister");
}

namespace {
struct Span {
  char *begin = nullptr;
  int64_t bytes = 0;
};
} // namespace

/// The bytes from the first to the last element of a memref.
static Span getSpan(int64_t rank, const MemRefDescriptor &memref, int64_t elementBytes) {
  const int64_t *sizes = memref.sizesAndStrides, *strides = sizes + rank;
  int64_t first = memref.offset, last = memref.offset;
  for (int64_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0)
      return {};
    int64_t extent = (sizes[i] - 1) * strides[i];
    first += std::min<int64_t>(extent, 0);
    last += std::max<int64_t>(extent, 0);
  }
  return {memref.aligned + first * elementBytes, (last - first + 1) * elementBytes};
}

void mgpuMemHostRegisterMemRef(int64_t rank, MemRefDescriptor *memref, int64_t elementBytes) {
  Span span = getSpan(rank, *memref, elementBytes);
  if (span.bytes != 0)
    mgpuMemHostRegister(span.begin, uint64_t(span.bytes));
}

void mgpuMemHostUnregisterMemRef(int64_t rank, MemRefDescriptor *memref, int64_t elementBytes) {
  Span span = getSpan(rank, *memref, elementBytes);
  if (span.bytes != 0)
    mgpuMemHostUnregister(span.begin);
}

/// A memref with the device's address of `aligned`.
static MemRefDescriptor1D getDeviceMemRef(StringRef function, void *aligned, int64_t offset,
                                          int64_t size, int64_t stride) {
  void *device = nullptr;
  check(function, getApi(function).HostGetDevicePointer(&device, aligned, 0),
        "hipHostGetDevicePointer");
  return {device, device, offset, size, stride};
}

MemRefDescriptor1D mgpuMemGetDeviceMemRef1dFloat(void *, void *aligned, int64_t offset,
                                                 int64_t size, int64_t stride) {
  return getDeviceMemRef(__func__, aligned, offset, size, stride);
}

MemRefDescriptor1D mgpuMemGetDeviceMemRef1dInt32(void *, void *aligned, int64_t offset,
                                                 int64_t size, int64_t stride) {
  return getDeviceMemRef(__func__, aligned, offset, size, stride);
}
