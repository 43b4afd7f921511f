//===- occupancy.cpp - A HIP program that asks how much fits -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Occupancy of a kernel with LDS, its attributes, and a launch of the size that is recommended.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

int main(int, char **argv) {
  hipModule_t module;
  hipFunction_t sum, add;
  HIP_CHECK(hipModuleLoad(&module, argv[1]));
  HIP_CHECK(hipModuleGetFunction(&sum, module, "sum_256"));
  HIP_CHECK(hipModuleGetFunction(&add, module, "vector_add"));
  int lds = 0, threads = 0, scratch = -1;
  HIP_CHECK(hipFuncGetAttribute(&lds, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, sum));
  HIP_CHECK(hipFuncGetAttribute(&threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, sum));
  HIP_CHECK(hipFuncGetAttribute(&scratch, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, sum));
  std::printf("sum_256: %d B LDS, %d threads, %d B scratch\n", lds, threads, scratch);
  for (size_t dynamic : {size_t(0), size_t(31 * 1024), size_t(63 * 1024), size_t(159 * 1024)}) {
    int blocks = -1;
    HIP_CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 256, dynamic));
    std::printf("with %zu KiB more: %d blocks\n", dynamic / 1024, blocks);
  }
  int grid = 0, block = 0, limited = 0, units = 0;
  HIP_CHECK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
  HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
  std::printf("vector_add: blocks of %d, %d on each unit\n", block, grid / units);
  HIP_CHECK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &limited, add, 0, 128));
  std::printf("at most %d\n", limited);

  std::vector<unsigned> in(1024), out(4);
  for (unsigned i = 0; i < 1024; ++i)
    in[i] = i;
  auto *from = allocate<unsigned>(1024), *to = allocate<unsigned>(4);
  HIP_CHECK(hipMemcpyHtoD(from, in.data(), 4096));
  void *params[] = {&from, &to};
  HIP_CHECK(hipModuleLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr));
  HIP_CHECK(hipMemcpyDtoH(out.data(), to, 16));
  std::printf("sums %u %u %u %u\n", out[0], out[1], out[2], out[3]);
  HIP_CHECK(hipFree(from));
  HIP_CHECK(hipFree(to));
  HIP_CHECK(hipModuleUnload(module));
}
