//===- CountingMgpu.cpp - Counts what a program asks of the device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library to be loaded by mlir-runner before the mgpu runtime: the same functions, which count
// their calls and hand them on. At the end of the process the numbers go to stderr.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/MgpuApi.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir::ck;

namespace {
/// The numbers, printed when the library is unloaded.
struct Counts {
  unsigned long launches = 0, copies = 0;
  ~Counts() { std::fprintf(stderr, "mgpu calls: %lu launches, %lu copies\n", launches, copies); }
};
} // namespace

static Counts counts;

/// The function `name` of the runtime.
template <typename Function>
static Function *getNext(const char *name) {
  static void *runtime = dlopen("libck_mgpu_runtime.so", RTLD_NOW);
  void *function = runtime ? dlsym(runtime, name) : nullptr;
  if (!function) {
    std::fprintf(stderr, "counting mgpu calls: %s\n", dlerror());
    std::_Exit(1);
  }
  return reinterpret_cast<Function *>(function);
}

void mgpuLaunchKernel(hip::FunctionHandle function, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                      intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t lds,
                      hip::StreamHandle stream, void **params, void **extra, size_t numParams) {
  ++counts.launches;
  getNext<decltype(mgpuLaunchKernel)>("mgpuLaunchKernel")(
      function, gridX, gridY, gridZ, blockX, blockY, blockZ, lds, stream, params, extra, numParams);
}

void mgpuMemcpy(void *to, void *from, size_t bytes, hip::StreamHandle stream) {
  ++counts.copies;
  getNext<decltype(mgpuMemcpy)>("mgpuMemcpy")(to, from, bytes, stream);
}
