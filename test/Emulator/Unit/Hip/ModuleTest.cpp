//===- ModuleTest.cpp - Code objects that are right and that are not -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading, refusing, and asking about kernels.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <fstream>
#include <iterator>

using uint = unsigned;

static std::string readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// The error of loading `bytes` as a file.
static hipError_t loadBytes(const std::string &bytes) {
  std::string path = testing::TempDir() + "ck-emulator-module-test";
  std::ofstream(path, std::ios::binary) << bytes;
  hipModule_t module = nullptr;
  hipError_t code = hipModuleLoad(&module, path.c_str());
  if (code == hipSuccess)
    EXPECT_HIP(hipModuleUnload(module));
  std::remove(path.c_str());
  return code;
}

TEST(Module, HandWrittenKernel) {
  DeviceModule module(CK_REGISTERS_CODE);
  DeviceArray<uint> out(3 * 64);
  ASSERT_HIP(module.launch("store_ids", 3, 64, out.get()));
  std::vector<uint> values = out.read();
  for (uint i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], i / 64 << 16 | i % 64);
}

TEST(Module, ArgumentsInABuffer) {
  DeviceModule module(CK_REGISTERS_CODE);
  DeviceArray<uint> out(64);
  uint *pointer = out.get();
  size_t size = sizeof(pointer);
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &pointer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  ASSERT_HIP(hipModuleLaunchKernel(module.get("store_ids"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr,
                                   extra));
  EXPECT_EQ(out.read()[63], 63u);
  size = 4;
  EXPECT_EQ(
      hipModuleLaunchKernel(module.get("store_ids"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra),
      hipErrorInvalidValue);
  expectMessage("expected at least 8 bytes of arguments, got 4");
}

TEST(Module, LoadFromMemory) {
  std::string bytes = readFile(CK_REGISTERS_CODE);
  hipModule_t module = nullptr;
  ASSERT_HIP(hipModuleLoadData(&module, bytes.data()));
  hipFunction_t function = nullptr;
  EXPECT_HIP(hipModuleGetFunction(&function, module, "store_ids"));
  EXPECT_EQ(hipModuleGetFunction(&function, module, "no_such_kernel"), hipErrorNotFound);
  expectMessage("the code object has no kernel 'no_such_kernel'");
  EXPECT_HIP(hipModuleUnload(module));
  EXPECT_EQ(hipModuleUnload(module), hipErrorInvalidHandle);
}

TEST(Module, RegisterBeyondTheAllocation) {
  DeviceModule module(CK_REGISTERS_CODE);
  EXPECT_EQ(module.launch("beyond_allocation", 1, 64), hipErrorInvalidConfiguration);
  expectMessage("register v20 is beyond the 8 registers");
}

TEST(Module, AccumulatorsAreTheEndOfTheRegisterFile) {
  DeviceModule module(CK_REGISTERS_CODE);
  DeviceArray<unsigned> out(64);
  ASSERT_HIP(module.launch("accumulator_aliases", 1, 64, out.get()));
  const std::vector<unsigned> words = out.read();
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(words[lane], 107 + lane);
  EXPECT_EQ(module.launch("beyond_accumulators", 1, 64, out.get()), hipErrorInvalidConfiguration);
  expectMessage("register v24 is beyond the 24 registers");
}

TEST(Module, RunningPastTheEndOfTheCode) {
  DeviceModule module(CK_REGISTERS_CODE);
  EXPECT_EQ(module.launch("past_the_end", 1, 64), hipErrorLaunchFailure);
  expectMessage("kernel 'past_the_end'");
}

TEST(Module, MissingFile) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoad(&module, "/no/such/file"), hipErrorFileNotFound);
  expectMessage("cannot read '/no/such/file'");
}

TEST(Module, NoElf) {
  EXPECT_EQ(loadBytes(std::string(1000, 'x')), hipErrorInvalidImage);
  expectMessage("expected an AMDGPU code object, got a file that is no ELF");
  EXPECT_EQ(loadBytes(""), hipErrorInvalidImage);
  expectMessage("got a file of 0 bytes");
}

TEST(Module, ElfOfTheHost) {
  EXPECT_EQ(loadBytes(readFile("/proc/self/exe")), hipErrorNoBinaryForGpu);
  expectMessage("expected an AMDGPU code object, got an ELF for x86-64");
}

TEST(Module, OtherChip) {
  EXPECT_EQ(loadBytes(readFile(CK_OTHER_CHIP_CODE)), hipErrorNoBinaryForGpu);
  expectMessage("expected a code object for gfx942, got one for gfx1100");
}

TEST(Module, TruncatedAnywhereIsRefusedOrHarmless) {
  std::string bytes = readFile(CK_REGISTERS_CODE);
  for (size_t size = 0; size < bytes.size(); size += 61) {
    hipError_t code = loadBytes(bytes.substr(0, size));
    EXPECT_EQ(code, hipErrorInvalidImage) << "truncated to " << size << " bytes";
  }
}

TEST(Module, DamagedBytesDoNotCrash) {
  std::string bytes = readFile(CK_REGISTERS_CODE);
  uint state = 1;
  for (unsigned round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (unsigned i = 0; i < 4; ++i) {
      state = state * 1664525u + 1013904223u;
      damaged[(state >> 8) % damaged.size()] = char(state >> 3);
    }
    (void)loadBytes(damaged);
  }
}

TEST(Module, UnreadableMemory) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoadData(&module, reinterpret_cast<void *>(64)), hipErrorInvalidImage);
  expectMessage("not in readable memory");
}

TEST(Module, LaunchChecks) {
  DeviceModule module(CK_REGISTERS_CODE);
  DeviceArray<uint> out(64);
  EXPECT_EQ(module.launch("store_ids", 0, 64, out.get()), hipErrorInvalidConfiguration);
  EXPECT_EQ(module.launch("store_ids", 1, 65, out.get()), hipErrorInvalidConfiguration);
  expectMessage("block size must be in [1, 64], got 65");
  void *pointer = out.get();
  void *parameters[] = {&pointer};
  EXPECT_EQ(hipModuleLaunchKernel(module.get("store_ids"), 1, 1, 1, 64, 1, 1, 65537, nullptr,
                                  parameters, nullptr),
            hipErrorLaunchOutOfResources);
  expectMessage("LDS must be in [0, 65536] bytes, got 65537");
}

TEST(Module, Attributes) {
  DeviceModule module(CK_REGISTERS_CODE);
  int value = 0;
  ASSERT_HIP(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, module.get("store_ids")));
  EXPECT_EQ(value, 8);
  int blocks = 0;
  ASSERT_HIP(
      hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, module.get("store_ids"), 256, 0));
  EXPECT_EQ(blocks, 8);
  ASSERT_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, module.get("store_ids"),
                                                                256, 20000));
  EXPECT_EQ(blocks, 3);
}
