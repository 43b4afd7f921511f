//===- Copy.cpp - HIP: copies -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Done when the call returns. All of an access must lie in one allocation.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

Result hip::copy(State &state, void *dst, const void *src, size_t size, hipMemcpyKind kind,
                 hipStream_t stream) {
  if (Result result = checkStream(state, stream); result.code != hipSuccess)
    return result;
  if (Result captured; captureWork(state, stream, CopyWork{dst, src, size, kind}, captured))
    return captured;
  ActiveWork::Scope scope(state.active, stream);
  if (Result result = checkCopy(state, dst, src, size, kind); result.code != hipSuccess)
    return result;
  if (size != 0) {
    std::memmove(dst, src, size);
    state.memory.markInitialized(reinterpret_cast<uint64_t>(dst), size);
  }
  return Result();
}

Result hip::copy2D(State &state, void *dst, size_t dpitch, const void *src, size_t spitch,
                   size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (width == 0 || height == 0)
    return checkStream(state, stream);
  if (isCapturing(state, stream)) {
    hipMemcpy3DParms box = {};
    box.srcPtr = {const_cast<void *>(src), spitch, width, height};
    box.dstPtr = {dst, dpitch, width, height};
    box.extent = {width, height, 1};
    box.kind = kind;
    return copy3D(state, &box, stream);
  }
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

CK_HIP_EXPORT hipError_t hipMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice,
                                       size_t size) {
  return call("hipMemcpyPeer", [&](State &state) {
    for (int device : {dstDevice, srcDevice})
      if (Result result = checkDevice(device); result.code != hipSuccess)
        return result;
    return copy(state, dst, src, size, hipMemcpyDeviceToDevice, nullptr);
  });
}

CK_HIP_EXPORT hipError_t hipMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                            int srcDevice, size_t size, hipStream_t stream) {
  return call("hipMemcpyPeerAsync", [&](State &state) {
    for (int device : {dstDevice, srcDevice})
      if (Result result = checkDevice(device); result.code != hipSuccess)
        return result;
    return copy(state, dst, src, size, hipMemcpyDeviceToDevice, stream);
  });
}
