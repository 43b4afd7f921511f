//===- saxpy.cpp - A HIP program with extra, a global and data -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module from memory, arguments as one buffer with the kernel's layout, a variable of the module.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

namespace {
/// As the kernel declares them.
struct Arguments {
  unsigned char unused;
  float alpha;
  float *x, *y;
  unsigned count;
};
} // namespace

int main(int, char **argv) {
  const unsigned count = 300;
  std::vector<char> image = readFile(argv[1]);
  hipModule_t module;
  hipFunction_t function;
  HIP_CHECK(hipModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr));
  HIP_CHECK(hipModuleGetFunction(&function, module, "saxpy"));
  hipDeviceptr_t variable = nullptr;
  size_t bytes = 0;
  HIP_CHECK(hipModuleGetGlobal(&variable, &bytes, module, "scale_by"));
  float old = 0, scale = 4;
  HIP_CHECK(hipMemcpyDtoH(&old, variable, sizeof(old)));
  HIP_CHECK(hipMemcpyHtoD(variable, &scale, sizeof(scale)));
  std::printf("variable of %zu bytes was %g\n", bytes, double(old));

  std::vector<float> x(count), y(count, 1.0f);
  for (unsigned i = 0; i < count; ++i)
    x[i] = float(i);
  auto *dx = allocate<float>(count), *dy = allocate<float>(count), *dz = allocate<float>(count);
  HIP_CHECK(hipMemcpyHtoD(dx, x.data(), count * sizeof(float)));
  HIP_CHECK(hipMemcpyHtoD(dz, y.data(), count * sizeof(float)));
  HIP_CHECK(hipMemcpyDtoD(dy, dz, count * sizeof(float)));
  Arguments arguments = {7, 0.5f, dx, dy, count};
  size_t size = sizeof(arguments);
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  HIP_CHECK(hipModuleLaunchKernel(function, 5, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  HIP_CHECK(hipMemcpyDtoH(y.data(), dy, count * sizeof(float)));
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i)
    wrong += y[i] != 1.0f + 0.5f * 4 * float(i);
  std::printf("saxpy: %u of %u wrong, last %g\n", wrong, count, double(y[count - 1]));
  for (float *pointer : {dx, dy, dz})
    HIP_CHECK(hipFree(pointer));
  HIP_CHECK(hipModuleUnload(module));
  return wrong != 0;
}
