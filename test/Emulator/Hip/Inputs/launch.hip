//===- launch.hip - A program in HIP's kernel language -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and host code in one file: <<< >>>, a device variable, occupancy by kernel name.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <hip/hip_runtime.h>

__device__ int offset = 3;

__global__ void multiply(int *out, int factor) {
  unsigned item = __builtin_amdgcn_workitem_id_x();
  out[item + 128 * __builtin_amdgcn_workgroup_id_x()] = factor * int(item) + offset;
}

static int report(const char *what, hipError_t code) {
  if (code == hipSuccess)
    return 0;
  std::printf("%s: %s\n", what, hipGetErrorName(code));
  return 1;
}

int main() {
  int *memory = nullptr, host[256], value = 0, failures = 0;
  failures += report("malloc", hipMalloc(&memory, sizeof(host)));
  multiply<<<2, 128>>>(memory, 5);
  failures += report("launch", hipGetLastError());
  failures += report("copy", hipMemcpy(host, memory, sizeof(host), hipMemcpyDeviceToHost));
  std::printf("%d %d\n", host[1], host[255]);

  failures += report("read", hipMemcpyFromSymbol(&value, HIP_SYMBOL(offset), sizeof(value)));
  value += 4;
  failures += report("write", hipMemcpyToSymbol(HIP_SYMBOL(offset), &value, sizeof(value)));
  hipLaunchKernelGGL(multiply, dim3(2), dim3(128), 0, nullptr, memory, 6);
  failures += report("copy", hipMemcpy(host, memory, sizeof(host), hipMemcpyDeviceToHost));
  std::printf("%d %d\n", host[1], host[255]);

  int blocks = 0;
  failures +=
      report("occupancy", hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply, 128, 0));
  std::printf("%d blocks\n", blocks);
  failures += report("free", hipFree(memory));
  return failures;
}
