//===- copies.cpp - A HIP program that copies and fills boxes of memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 2D and 3D, with every way to say so, and fills of 1, 2 and 4 bytes.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <cstring>
#include <string>

/// Bytes of `text` as a string.
static std::string show(const std::vector<char> &text) {
  return std::string(text.begin(), text.end());
}

static void copyRows() {
  void *device = nullptr;
  size_t pitch = 0;
  HIP_CHECK(hipMallocPitch(&device, &pitch, 4, 3));
  HIP_CHECK(hipMemset2D(device, pitch, '.', 4, 3));
  // The middle two columns of the lower two rows, from a host array with rows of 5 bytes.
  std::vector<char> from = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'};
  HIP_CHECK(hipMemcpy2D(static_cast<char *>(device) + pitch + 1, pitch, from.data(), 5, 2, 2,
                        hipMemcpyHostToDevice));
  std::vector<char> to(12);
  HIP_CHECK(hipMemcpy2D(to.data(), 4, device, pitch, 4, 3, hipMemcpyDeviceToHost));
  std::printf("rows %s\n", show(to).c_str());

  hip_Memcpy2D params;
  std::memset(&params, 0, sizeof(params));
  params.srcMemoryType = hipMemoryTypeDevice;
  params.srcDevice = device;
  params.srcPitch = pitch;
  params.srcXInBytes = params.srcY = 1;
  params.dstMemoryType = hipMemoryTypeHost;
  params.dstHost = to.data();
  params.dstPitch = 4;
  params.WidthInBytes = params.Height = 2;
  HIP_CHECK(hipMemcpyParam2D(&params));
  std::printf("part %s\n", show(to).c_str());
  HIP_CHECK(hipFree(device));
}

static void copyBoxes() {
  hipPitchedPtr device;
  HIP_CHECK(hipMalloc3D(&device, hipExtent{4, 2, 2}));
  HIP_CHECK(hipMemset3D(device, '-', hipExtent{4, 2, 2}));
  std::vector<char> host = {'0', '1', '2', '3', '4', '5', '6', '7'};
  hipMemcpy3DParms params;
  std::memset(&params, 0, sizeof(params));
  params.srcPtr = {host.data(), 2, 2, 2};
  params.dstPtr = device;
  params.dstPos = {1, 0, 0};
  params.extent = {2, 2, 2};
  params.kind = hipMemcpyHostToDevice;
  HIP_CHECK(hipMemcpy3D(&params));
  std::vector<char> to(16);
  std::memset(&params, 0, sizeof(params));
  params.srcPtr = device;
  params.dstPtr = {to.data(), 4, 4, 2};
  params.extent = {4, 2, 2};
  params.kind = hipMemcpyDeviceToHost;
  HIP_CHECK(hipMemcpy3D(&params));
  std::printf("box %s\n", show(to).c_str());
  HIP_CHECK(hipFree(device.ptr));
}

static void fill() {
  auto *device = allocate<unsigned>(6);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipMemsetD8(device, 0x11, 24));
  HIP_CHECK(hipMemsetD16Async(device + 1, 0x2222, 2, stream));
  HIP_CHECK(hipMemsetD32Async(device + 2, 0x33333333, 2, stream));
  HIP_CHECK(hipMemsetAsync(device + 5, 0x44, 4, stream));
  unsigned *host = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), 24, hipHostMallocDefault));
  HIP_CHECK(hipMemcpyAsync(host, device, 24, hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  for (unsigned i = 0; i < 6; ++i)
    std::printf("%x ", host[i]);
  hipPointerAttribute_t attributes;
  HIP_CHECK(hipPointerGetAttributes(&attributes, host));
  std::printf("%s\n", attributes.memoryType == hipMemoryTypeHost ? "host" : "device");
  HIP_CHECK(hipHostFree(host));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(device));
}

int main() {
  copyRows();
  copyBoxes();
  fill();
}
