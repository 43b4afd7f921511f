//===- leaks.cpp - A HIP program that forgets and frees twice -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With an argument it frees everything, and only once.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

static void show(const char *what, hipError_t code) {
  std::printf("%s: %s\n", what, hipGetErrorName(code));
}

static void freeTwice() {
  char *memory = allocate<char>(100);
  hipStream_t stream;
  hipEvent_t event;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&event));
  show("inside", hipFree(memory + 8));
  HIP_CHECK(hipFree(memory));
  show("twice", hipFree(memory));
  char host[4] = {};
  show("used after", hipMemcpy(host, memory, 4, hipMemcpyDeviceToHost));
  show("not ours", hipFree(host));
  HIP_CHECK(hipStreamDestroy(stream));
  show("stream twice", hipStreamDestroy(stream));
  show("stream after", hipMemsetAsync(memory, 0, 4, stream));
  HIP_CHECK(hipEventDestroy(event));
  show("event twice", hipEventDestroy(event));
  show("event after", hipEventRecord(event, nullptr));
}

int main(int argc, char **argv) {
  freeTwice();
  hipModule_t module;
  hipStream_t streams[2];
  hipEvent_t event;
  HIP_CHECK(hipModuleLoad(&module, argv[1]));
  for (hipStream_t &stream : streams)
    HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&event));
  float *small = allocate<float>(10);
  char *large = allocate<char>(5000);
  if (argc == 2)
    return 0;
  HIP_CHECK(hipFree(small));
  HIP_CHECK(hipFree(large));
  for (hipStream_t stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipModuleUnload(module));
  show("module twice", hipModuleUnload(module));
}
