//===- errors.cpp - A HIP program that does what must fail -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every error has a code, the last one is kept until it is asked for, and the program goes on.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

static void show(const char *what, hipError_t code) {
  std::printf("%s: %s\n", what, hipGetErrorName(code));
}

int main(int, char **argv) {
  show("no error yet", hipGetLastError());
  void *pointer = nullptr;
  show("too much memory", hipMalloc(&pointer, size_t(1) << 50));
  show("seen", hipPeekAtLastError());
  show("taken", hipGetLastError());
  show("gone", hipGetLastError());
  show("device 1", hipSetDevice(1));
  hipModule_t module;
  hipFunction_t function;
  show("no file", hipModuleLoad(&module, "/nonexistent.hsaco"));
  show("no code object", hipModuleLoadData(&module, "this is a text and no code object"));
  HIP_CHECK(hipModuleLoad(&module, argv[1]));
  show("no kernel", hipModuleGetFunction(&function, module, "subtract"));
  HIP_CHECK(hipModuleGetFunction(&function, module, "twice_plus_one"));
  auto *values = allocate<unsigned>(64);
  void *params[] = {&values};
  show("1025 items",
       hipModuleLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 0, nullptr, params, nullptr));
  show("no blocks",
       hipModuleLaunchKernel(function, 0, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
  show("too much LDS",
       hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 1 << 20, nullptr, params, nullptr));
  HIP_CHECK(hipMemset(values, 0, 256));
  show("out of bounds",
       hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
  show("copy too long", hipMemcpy(values, values, 257, hipMemcpyDeviceToDevice));
  show("arrays", hipFreeArray(nullptr));
  // What is right still works.
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipModuleUnload(module));
  show("unloaded", hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
}
