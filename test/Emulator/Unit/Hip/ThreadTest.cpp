//===- ThreadTest.cpp - HIP calls during a launch of another thread -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch uses stays until it has ended: calls that take it away wait.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <atomic>
#include <functional>
#include <thread>

namespace {
constexpr unsigned kItems = 64, kRounds = 20000;

/// A launch in another thread, and the flags by which it says where it is.
class LongLaunch {
public:
  LongLaunch(void *data, hipModule_t module, hipStream_t stream = nullptr) {
    EXPECT_HIP(hipHostRegister(const_cast<unsigned *>(flags), sizeof(flags), 0));
    hipFunction_t function = nullptr;
    EXPECT_HIP(hipModuleGetFunction(&function, module, "store_for_long"));
    thread = std::thread([=] {
      volatile unsigned *flagPointer = flags;
      void *dataPointer = data;
      unsigned rounds = kRounds;
      void *params[] = {&dataPointer, &flagPointer, &rounds};
      code.store(
          hipModuleLaunchKernel(function, 1, 1, 1, kItems, 1, 1, 0, stream, params, nullptr));
    });
    while (!__atomic_load_n(&flags[0], __ATOMIC_ACQUIRE) && code.load() == hipErrorUnknown)
      std::this_thread::yield();
  }
  ~LongLaunch() {
    thread.join();
    EXPECT_EQ(code.load(), hipSuccess);
    EXPECT_HIP(hipHostUnregister(const_cast<unsigned *>(flags)));
  }
  bool isAtItsEnd() const { return __atomic_load_n(&flags[1], __ATOMIC_ACQUIRE) != 0; }

private:
  alignas(64) volatile unsigned flags[2] = {0, 0};
  std::atomic<hipError_t> code{hipErrorUnknown};
  std::thread thread;
};

} // namespace

/// Makes `call` during a launch that stores to `data`, and demands that it returns after its end.
static void expectWaits(void *data, hipModule_t module, hipStream_t stream,
                        const std::function<hipError_t()> &call) {
  LongLaunch launch(data, module, stream);
  EXPECT_FALSE(launch.isAtItsEnd()) << "the launch is too short to test anything";
  EXPECT_HIP(call());
  EXPECT_TRUE(launch.isAtItsEnd());
}

static hipModule_t loadModule() {
  hipModule_t module = nullptr;
  EXPECT_HIP(hipModuleLoad(&module, CK_THREADS_CODE));
  return module;
}

static void *allocate() {
  void *data = nullptr;
  EXPECT_HIP(hipMalloc(&data, kItems * sizeof(unsigned)));
  return data;
}

TEST(Threads, FreeWaits) {
  hipModule_t module = loadModule();
  void *data = allocate();
  expectWaits(data, module, nullptr, [&] { return hipFree(data); });
  data = allocate();
  expectWaits(data, module, nullptr, [&] { return hipFreeAsync(data, nullptr); });
  EXPECT_HIP(hipHostMalloc(&data, kItems * sizeof(unsigned), 0));
  expectWaits(data, module, nullptr, [&] { return hipHostFree(data); });
  EXPECT_HIP(hipModuleUnload(module));
}

TEST(Threads, UnregisterWaits) {
  hipModule_t module = loadModule();
  std::vector<unsigned> data(kItems);
  EXPECT_HIP(hipHostRegister(data.data(), kItems * sizeof(unsigned), 0));
  expectWaits(data.data(), module, nullptr, [&] { return hipHostUnregister(data.data()); });
  EXPECT_HIP(hipModuleUnload(module));
}

TEST(Threads, UnloadWaits) {
  hipModule_t module = loadModule();
  void *data = allocate();
  expectWaits(data, module, nullptr, [&] { return hipModuleUnload(module); });
  EXPECT_HIP(hipFree(data));
}

TEST(Threads, ResetWaits) {
  hipModule_t module = loadModule();
  void *data = allocate();
  expectWaits(data, module, nullptr, [&] { return hipDeviceReset(); });
}

TEST(Threads, SynchronizationWaits) {
  hipModule_t module = loadModule();
  void *data = allocate();
  hipStream_t stream = nullptr, other = nullptr;
  EXPECT_HIP(hipStreamCreate(&stream));
  EXPECT_HIP(hipStreamCreate(&other));
  expectWaits(data, module, stream, [&] { return hipDeviceSynchronize(); });
  expectWaits(data, module, stream, [&] {
    EXPECT_EQ(hipStreamQuery(stream), hipErrorNotReady);
    EXPECT_HIP(hipStreamQuery(other));
    return hipStreamSynchronize(stream);
  });
  expectWaits(data, module, stream, [&] { return hipMemsetAsync(data, 0, 4, stream); });
  expectWaits(data, module, stream, [&] { return hipStreamDestroy(stream); });
  EXPECT_HIP(hipStreamDestroy(other));
  EXPECT_HIP(hipFree(data));
  EXPECT_HIP(hipModuleUnload(module));
}
