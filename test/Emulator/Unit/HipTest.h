//===- HipTest.h - A HIP program under test -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests that use the emulator only through the HIP API share. It is written as any HIP
// program is; nothing but EmulatorApi.h is the emulator's own.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_HIPTEST_H
#define CK_MLIR_TEST_UNIT_EMULATOR_HIPTEST_H

#define __HIP_PLATFORM_AMD__
#include "ck-mlir/Emulator/EmulatorApi.h"
#include "gtest/gtest.h"
#include <hip/hip_runtime_api.h>
#include <string>
#include <vector>

/// Fails the test unless `call` succeeds.
#define EXPECT_HIP(call) EXPECT_EQ(call, hipSuccess) << ckEmulatorGetLastMessage()
/// The same, and leaves the function.
#define ASSERT_HIP(call) ASSERT_EQ(call, hipSuccess) << ckEmulatorGetLastMessage()

/// Device memory holding `count` elements of T.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count(count) {
    EXPECT_HIP(hipMalloc(reinterpret_cast<void **>(&pointer), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) {
    EXPECT_HIP(hipMemcpy(pointer, values.data(), count * sizeof(T), hipMemcpyHostToDevice));
  }
  ~DeviceArray() { EXPECT_HIP(hipFree(pointer)); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  std::vector<T> read() const {
    std::vector<T> values(count);
    EXPECT_HIP(hipMemcpy(values.data(), pointer, count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  T *get() const { return pointer; }

private:
  T *pointer = nullptr;
  size_t count;
};

/// A module and launches of its kernels.
class DeviceModule {
public:
  explicit DeviceModule(const std::string &path) {
    EXPECT_HIP(hipModuleLoad(&module, path.c_str()));
  }
  ~DeviceModule() { EXPECT_HIP(hipModuleUnload(module)); }
  DeviceModule(const DeviceModule &) = delete;
  DeviceModule &operator=(const DeviceModule &) = delete;

  hipFunction_t get(const char *name) const {
    hipFunction_t function = nullptr;
    EXPECT_HIP(hipModuleGetFunction(&function, module, name));
    return function;
  }
  /// Launches `groups` workgroups of `items` work-items; the arguments have the kernel's types.
  template <class... Arguments>
  hipError_t launch(const char *name, unsigned groups, unsigned items, Arguments... arguments) {
    void *parameters[] = {&arguments..., nullptr};
    return hipModuleLaunchKernel(get(name), groups, 1, 1, items, 1, 1, 0, nullptr, parameters,
                                 nullptr);
  }
  hipModule_t getModule() const { return module; }

private:
  hipModule_t module = nullptr;
};

/// Sets an environment variable for a scope.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
  ~ScopedVariable() { unsetenv(name); }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;

private:
  const char *name;
};

/// Asserts that the last error message contains `text`.
inline void expectMessage(const std::string &text) {
  std::string message = ckEmulatorGetLastMessage();
  EXPECT_NE(message.find(text), std::string::npos)
      << "expected '" << text << "' in '" << message << "'";
}

#endif // CK_MLIR_TEST_UNIT_EMULATOR_HIPTEST_H
