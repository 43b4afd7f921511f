//===- pools.cpp - A HIP program with memory pools -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is in use is counted for each pool.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <cstdint>

static void show(const char *what, hipMemPool_t pool) {
  uint64_t used = 0, high = 0;
  HIP_CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
  HIP_CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemHigh, &high));
  std::printf("%s: %llu, at most %llu\n", what, (unsigned long long)used, (unsigned long long)high);
}

int main() {
  hipMemPool_t standard, current, own;
  HIP_CHECK(hipDeviceGetDefaultMemPool(&standard, 0));
  hipMemPoolProps props = {};
  props.allocType = hipMemAllocationTypePinned;
  props.location.type = hipMemLocationTypeDevice;
  HIP_CHECK(hipMemPoolCreate(&own, &props));
  uint64_t threshold = 1 << 20;
  HIP_CHECK(hipMemPoolSetAttribute(own, hipMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  HIP_CHECK(hipMemPoolGetAttribute(own, hipMemPoolAttrReleaseThreshold, &threshold));
  std::printf("threshold %llu\n", (unsigned long long)threshold);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  void *first, *second, *third;
  HIP_CHECK(hipMallocFromPoolAsync(&first, 1000, own, stream));
  HIP_CHECK(hipMallocFromPoolAsync(&second, 24, own, stream));
  HIP_CHECK(hipMallocAsync(&third, 100, stream));
  show("own", own);
  show("default", standard);
  HIP_CHECK(hipMemsetAsync(first, 1, 1000, stream));
  HIP_CHECK(hipFreeAsync(first, stream));
  show("own", own);
  HIP_CHECK(hipDeviceSetMemPool(0, own));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  HIP_CHECK(hipMallocAsync(&first, 7, stream));
  std::printf("current is %s\n", current == own ? "own" : "OTHER");
  show("own", own);
  HIP_CHECK(hipMemPoolTrimTo(own, 0));
  HIP_CHECK(hipMemPoolDestroy(own));
  show("default", standard);
  for (void *pointer : {first, second, third})
    HIP_CHECK(hipFree(pointer));
  show("default", standard);
  std::printf("destroyed: %s\n", hipGetErrorName(hipMallocFromPoolAsync(&first, 8, own, stream)));
  HIP_CHECK(hipStreamDestroy(stream));
}
