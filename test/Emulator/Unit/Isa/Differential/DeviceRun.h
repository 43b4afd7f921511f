//===- DeviceRun.h - Runs kernels of a code object on the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads a code object that the build made with clang and launches its kernels with buffers of the
// test.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_DEVICERUN_H
#define CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_DEVICERUN_H

#include "Emulator/Launch/Dispatcher.h"
#include "Emulator/Load/CodeObject.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstring>
#include <string>
#include <vector>

namespace ckemu::test {

/// A code object on an emulated gfx942.
class DeviceRun {
public:
  /// Loads `<folder of code objects>/<name>.co`; fails the test when it cannot.
  explicit DeviceRun(const std::string &name);
  /// Allocates a device buffer with a copy of `data`; freed with the device.
  template <typename T>
  T *allocate(const std::vector<T> &data) {
    return static_cast<T *>(allocateBytes(data.data(), data.size() * sizeof(T)));
  }
  void *allocateBytes(const void *data, size_t bytes);
  /// Launches kernel `name` with pointers and 4-byte integers as arguments.
  void launch(const std::string &name, unsigned groups, unsigned groupSize,
              std::vector<uint64_t> arguments, unsigned lastInteger = 0, bool hasInteger = false);

private:
  Options options;
  MemoryTable memory;
  std::unique_ptr<CodeObject> object;
};

} // namespace ckemu::test

#endif // CK_MLIR_TEST_UNIT_EMULATOR_ISA_DIFFERENTIAL_DEVICERUN_H
