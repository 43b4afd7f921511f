//===- DeviceTest.cpp - Tests of opening devices -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every way in which there can be no device has its message.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir::ck;
using testing::AnyOf;
using testing::StartsWith;

namespace {
/// Sets an environment variable for the time of a test.
class ScopedEnvironment {
public:
  ScopedEnvironment(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
  ~ScopedEnvironment() { unsetenv(name); }

private:
  const char *name;
};
} // namespace

TEST(DeviceTest, MissingHipLibrary) {
  ScopedEnvironment path("CK_HIP_LIBRARY", "/nonexistent/libamdhip64.so");
  llvm::Expected<Device> device = Device::openHip();
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_THAT(llvm::toString(device.takeError()),
              StartsWith("CK_HIP_LIBRARY: cannot load '/nonexistent/libamdhip64.so': "));
}

TEST(DeviceTest, AWrongLibraryIsNoMissingGpu) {
  ScopedEnvironment path("CK_HIP_LIBRARY", "/nonexistent/libamdhip64.so");
  std::string whyNone;
  llvm::Expected<std::optional<Device>> device = Device::findHip(whyNone);
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_THAT(llvm::toString(device.takeError()), StartsWith("CK_HIP_LIBRARY: cannot load"));
}

TEST(DeviceTest, LibraryThatIsNotHip) {
  ScopedEnvironment path("CK_HIP_LIBRARY", "libm.so.6");
  llvm::Expected<Device> device = Device::openHip();
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_EQ(llvm::toString(device.takeError()),
            "CK_HIP_LIBRARY: 'libm.so.6' is no HIP library: it lacks the symbol hipInit");
}

TEST(DeviceTest, MissingEmulator) {
  ScopedEnvironment path("CK_EMULATOR_LIBRARY", "/nonexistent/libck_hip_emulator.so");
  llvm::Expected<Device> device = Device::openEmulator("gfx942");
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_THAT(llvm::toString(device.takeError()),
              StartsWith("the emulator is not available: cannot load "
                         "'/nonexistent/libck_hip_emulator.so': "));
}

TEST(DeviceTest, MachineWithoutGpu) {
  llvm::Expected<Device> device = Device::openHip();
  if (device)
    GTEST_SKIP() << "this machine has the GPU " << device->getName().str();
  EXPECT_THAT(llvm::toString(device.takeError()),
              AnyOf(StartsWith("HIP is not installed: "),
                    StartsWith("no AMD GPU found: hipGetDeviceCount returned ")));
}
