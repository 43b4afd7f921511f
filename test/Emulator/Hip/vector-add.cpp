//===- vector-add.cpp - A HIP program with kernelParams -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first program of everybody: a module from a file, argument pointers.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

int main(int, char **argv) {
  const unsigned count = 1000;
  std::vector<float> a(count), b(count), c(count);
  for (unsigned i = 0; i < count; ++i) {
    a[i] = float(i);
    b[i] = 0.5f * float(i);
  }
  hipModule_t module;
  hipFunction_t function;
  HIP_CHECK(hipModuleLoad(&module, argv[1]));
  HIP_CHECK(hipModuleGetFunction(&function, module, "vector_add"));
  auto *da = allocate<float>(count), *db = allocate<float>(count), *dc = allocate<float>(count);
  HIP_CHECK(hipMemcpyHtoD(da, a.data(), count * sizeof(float)));
  HIP_CHECK(hipMemcpy(db, b.data(), count * sizeof(float), hipMemcpyHostToDevice));
  unsigned length = count;
  void *params[] = {&da, &db, &dc, &length};
  HIP_CHECK(hipModuleLaunchKernel(function, (count + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr,
                                  params, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemcpyDtoH(c.data(), dc, count * sizeof(float)));
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i)
    wrong += c[i] != 1.5f * float(i);
  std::printf("vector add: %u of %u wrong, last %g\n", wrong, count, double(c[count - 1]));
  for (float *pointer : {da, db, dc})
    HIP_CHECK(hipFree(pointer));
  HIP_CHECK(hipModuleUnload(module));
  return wrong != 0;
}
