//===- Fill.cpp - HIP: memset -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills with 1-, 2- and 4-byte values.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include <algorithm>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

/// Writes `count` values of type T.
template <class T>
static Result fill(State &state, void *dst, T value, size_t count, hipStream_t stream) {
  if (Result result = checkStream(state, stream); result.code != hipSuccess)
    return result;
  hipMemsetParams row = {};
  row.dst = dst;
  row.elementSize = sizeof(T);
  row.value = value;
  row.width = count;
  row.height = 1;
  if (Result captured; captureWork(state, stream, row, captured))
    return captured;
  ActiveWork::Scope scope(state.active, stream);
  if (count > SIZE_MAX / sizeof(T))
    return invalidValue("the number of elements overflows");
  Result result = checkRange(state, dst, count * sizeof(T), "destination");
  if (result.code != hipSuccess)
    return result;
  if (reinterpret_cast<uintptr_t>(dst) % sizeof(T) != 0)
    return invalidValue("the destination must be aligned to the element size");
  std::fill_n(static_cast<T *>(dst), count, value);
  state.memory.markInitialized(reinterpret_cast<uint64_t>(dst), count * sizeof(T));
  return Result();
}

static Result fill2D(State &state, void *dst, size_t pitch, int value, size_t width, size_t height,
                     hipStream_t stream) {
  if (width > pitch)
    return Result(hipErrorInvalidPitchValue,
                  "width must be at most the pitch, got " + std::to_string(width));
  hipMemsetParams params = {};
  params.dst = dst;
  params.elementSize = 1;
  params.value = uint8_t(value);
  params.pitch = pitch;
  params.width = width;
  params.height = height;
  if (Result captured; captureWork(state, stream, params, captured))
    return captured;
  Result result = checkStream(state, stream);
  ActiveWork::Scope scope(state.active, stream);
  return result.code == hipSuccess ? fillRows(state, params) : result;
}

Result hip::fillRows(State &state, const hipMemsetParams &params) {
  Result result;
  for (size_t row = 0; row < params.height && result.code == hipSuccess; ++row) {
    void *begin = static_cast<char *>(params.dst) + row * params.pitch;
    if (params.elementSize == 1)
      result = fill<uint8_t>(state, begin, uint8_t(params.value), params.width, nullptr);
    else if (params.elementSize == 2)
      result = fill<uint16_t>(state, begin, uint16_t(params.value), params.width, nullptr);
    else if (params.elementSize == 4)
      result = fill<uint32_t>(state, begin, params.value, params.width, nullptr);
    else
      return invalidValue("elementSize must be 1, 2 or 4, got " +
                          std::to_string(params.elementSize));
  }
  return result;
}

CK_HIP_EXPORT hipError_t hipMemset(void *dst, int value, size_t size) {
  return call("hipMemset", [&](State &state) {
    return fill<uint8_t>(state, dst, uint8_t(value), size, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemsetAsync(void *dst, int value, size_t size, hipStream_t stream) {
  return call("hipMemsetAsync", [&](State &state) {
    return fill<uint8_t>(state, dst, uint8_t(value), size, stream);
  });
}

CK_HIP_EXPORT hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return call("hipMemsetD8",
              [&](State &state) { return fill<uint8_t>(state, dst, value, count, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                                          hipStream_t stream) {
  return call("hipMemsetD8Async",
              [&](State &state) { return fill<uint8_t>(state, dst, value, count, stream); });
}

CK_HIP_EXPORT hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return call("hipMemsetD16",
              [&](State &state) { return fill<uint16_t>(state, dst, value, count, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                                           hipStream_t stream) {
  return call("hipMemsetD16Async",
              [&](State &state) { return fill<uint16_t>(state, dst, value, count, stream); });
}

CK_HIP_EXPORT hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return call("hipMemsetD32", [&](State &state) {
    return fill<uint32_t>(state, dst, uint32_t(value), count, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                                           hipStream_t stream) {
  return call("hipMemsetD32Async", [&](State &state) {
    return fill<uint32_t>(state, dst, uint32_t(value), count, stream);
  });
}

CK_HIP_EXPORT hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width,
                                     size_t height) {
  return call("hipMemset2D", [&](State &state) {
    return fill2D(state, dst, pitch, value, width, height, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width,
                                          size_t height, hipStream_t stream) {
  return call("hipMemset2DAsync", [&](State &state) {
    return fill2D(state, dst, pitch, value, width, height, stream);
  });
}
