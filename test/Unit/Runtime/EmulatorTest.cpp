//===- EmulatorTest.cpp - The runtime on the emulator -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, streams and events work, and what goes wrong names the call and the reason.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Runtime/Buffer.h"
#include "ck-mlir/Runtime/Event.h"
#include "ck-mlir/Runtime/Module.h"
#include "llvm/BinaryFormat/ELF.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>
#include <numeric>

using namespace mlir::ck;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
class EmulatorTest : public testing::Test {
protected:
  EmulatorTest() : device(llvm::cantFail(Device::openEmulator("gfx942"))) {}
  Device device;
};
} // namespace

TEST_F(EmulatorTest, OpensTheChip) {
  EXPECT_TRUE(device.isEmulated());
  EXPECT_EQ(device.getArchitecture(), "gfx942");
  EXPECT_FALSE(device.getName().empty());
  EXPECT_GT(device.getNumCus(), 0);
}

TEST_F(EmulatorTest, ListsTheChipsThatItExecutes) {
  auto api = llvm::cantFail(HipApi::loadEmulator("gfx942"));
  EXPECT_THAT(api->getEmulatedChips(),
              testing::ElementsAre("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1201"));
}

TEST_F(EmulatorTest, CannotSwitchTheChip) {
  llvm::Expected<Device> other = Device::openEmulator("gfx90a");
  ASSERT_FALSE(static_cast<bool>(other));
  EXPECT_EQ(llvm::toString(other.takeError()),
            "the emulator already runs as gfx942, cannot switch to gfx90a");
}

TEST_F(EmulatorTest, BuffersKeepTheirBytes) {
  std::vector<uint8_t> data(1001), back(1001);
  std::iota(data.begin(), data.end(), 0);
  Buffer buffer = llvm::cantFail(Buffer::allocate(device, data.size()));
  EXPECT_EQ(buffer.getSize(), 1001u);
  ASSERT_FALSE(buffer.copyFromHost(data));
  Buffer moved = std::move(buffer);
  ASSERT_FALSE(moved.copyToHost(back));
  EXPECT_EQ(data, back);
  ASSERT_FALSE(moved.fill(7));
  ASSERT_FALSE(moved.copyToHost(back));
  EXPECT_EQ(back, std::vector<uint8_t>(1001, 7));
  back.pop_back();
  EXPECT_EQ(llvm::toString(moved.copyToHost(back)), "expected 1001 bytes, got 1000");
}

TEST_F(EmulatorTest, VariablesAreThoseOfTheEmulator) {
  EXPECT_FALSE(device.getApi().setVariable("CK_EMULATOR_THREADS", "2"));
  EXPECT_EQ(llvm::toString(device.getApi().setVariable("CK_EMULATOR_CHIPS", "2")),
            "the emulator has no variable CK_EMULATOR_CHIPS");
}

TEST_F(EmulatorTest, EmptyBuffers) {
  Buffer buffer = llvm::cantFail(Buffer::allocate(device, 0));
  EXPECT_EQ(buffer.getPointer(), nullptr);
  EXPECT_FALSE(buffer.fill(1));
  EXPECT_FALSE(buffer.copyFromHost({}));
}

TEST_F(EmulatorTest, ExhaustedMemoryIsAnError) {
  llvm::Expected<Buffer> buffer = Buffer::allocate(device, size_t(1) << 60);
  ASSERT_FALSE(static_cast<bool>(buffer));
  EXPECT_THAT(llvm::toString(buffer.takeError()),
              StartsWith("hipMalloc of 1152921504606846976 bytes failed: hipErrorOutOfMemory (2)"));
}

TEST_F(EmulatorTest, EventsMeasureForward) {
  Stream stream = llvm::cantFail(Stream::create(device));
  Event start = llvm::cantFail(Event::create(device)), end = llvm::cantFail(Event::create(device));
  ASSERT_FALSE(start.record(stream));
  ASSERT_FALSE(end.record(stream));
  ASSERT_FALSE(end.synchronize());
  EXPECT_GE(llvm::cantFail(end.getMillisecondsSince(start)), 0.0f);
}

TEST_F(EmulatorTest, CodeObjectsWithoutAKernelDescriptor) {
  llvm::ELF::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  header.e_machine = llvm::ELF::EM_AMDGPU;
  llvm::Expected<Module> module = Module::load(
      device, llvm::StringRef(reinterpret_cast<const char *>(&header), sizeof(header)));
  ASSERT_FALSE(static_cast<bool>(module));
  EXPECT_THAT(llvm::toString(module.takeError()), StartsWith("hipModuleLoadData failed: hipError"));
  module = Module::load(device, "garbage");
  ASSERT_FALSE(static_cast<bool>(module));
  EXPECT_THAT(llvm::toString(module.takeError()), HasSubstr("not a code object"));
}
