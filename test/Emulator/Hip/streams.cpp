//===- streams.cpp - A HIP program with streams and events -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order within a stream and across streams that wait for each other's events.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

static void count(void *number) { ++*static_cast<int *>(number); }
static void countCallback(hipStream_t, hipError_t, void *number) { count(number); }

int main(int, char **argv) {
  hipModule_t module;
  hipFunction_t function;
  HIP_CHECK(hipModuleLoad(&module, argv[1]));
  HIP_CHECK(hipModuleGetFunction(&function, module, "twice_plus_one"));
  int least = 0, greatest = 0, calls = 0;
  HIP_CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  hipStream_t first, second;
  HIP_CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithPriority(&second, hipStreamDefault, greatest));
  hipEvent_t start, middle, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreateWithFlags(&middle, hipEventDisableTiming));
  HIP_CHECK(hipEventCreate(&stop));

  auto *values = allocate<unsigned>(64);
  void *params[] = {&values};
  HIP_CHECK(hipEventRecord(start, first));
  HIP_CHECK(hipMemsetAsync(values, 0, 256, first));
  for (int i = 0; i < 3; ++i)
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, first, params, nullptr));
  HIP_CHECK(hipEventRecord(middle, first));
  HIP_CHECK(hipStreamWaitEvent(second, middle, 0));
  for (int i = 0; i < 2; ++i)
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, second, params, nullptr));
  HIP_CHECK(hipStreamAddCallback(second, countCallback, &calls, 0));
  std::vector<unsigned> host(64);
  HIP_CHECK(hipMemcpyAsync(host.data(), values, 256, hipMemcpyDeviceToHost, second));
  HIP_CHECK(hipEventRecord(stop, second));
  HIP_CHECK(hipEventSynchronize(stop));
  HIP_CHECK(hipEventQuery(stop));
  HIP_CHECK(hipStreamQuery(second));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  std::printf("5 launches: %u and %u; %d callback; time %s\n", host[0], host[63], calls,
              milliseconds > 0 ? "passed" : "DID NOT PASS");
  std::printf("an event without timing: %s\n",
              hipGetErrorName(hipEventElapsedTime(&milliseconds, start, middle)));

  unsigned flags = 0;
  int priority = -1;
  HIP_CHECK(hipStreamGetFlags(first, &flags));
  HIP_CHECK(hipStreamGetPriority(second, &priority));
  std::printf("flags %u, priority %s\n", flags, priority == greatest ? "greatest" : "OTHER");
  for (hipEvent_t event : {start, middle, stop})
    HIP_CHECK(hipEventDestroy(event));
  for (hipStream_t stream : {first, second})
    HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipModuleUnload(module));
}
