//===- MalformedTest.cpp - Code objects with wrong numbers -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test changes a few bytes of a code object that is right. What comes out is an error that
// names the number, never a crash, memory of the host in a kernel, or all memory of the machine.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include "llvm/Object/ELF.h"
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <sys/resource.h>

using llvm::object::ELF64LE;

namespace {
/// Offsets in a kernel descriptor.
constexpr size_t kPrivateBytes = 4, kKernargBytes = 8, kPreload = 58;

/// The bytes of a code object, to be changed.
class Object {
public:
  explicit Object(const char *path) {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  template <class T>
  Object &set(size_t offset, T value) {
    std::memcpy(&bytes[offset], &value, sizeof(value));
    return *this;
  }
  /// The offset of a kernel's descriptor in the file.
  size_t findDescriptor(const std::string &kernel) const {
    auto elf = llvm::cantFail(llvm::object::ELFFile<ELF64LE>::create(bytes));
    for (const auto &section : llvm::cantFail(elf.sections())) {
      if (section.sh_type != llvm::ELF::SHT_DYNSYM)
        continue;
      auto names = llvm::cantFail(elf.getStringTableForSymtab(section));
      for (const auto &symbol : llvm::cantFail(elf.symbols(&section)))
        if (llvm::cantFail(symbol.getName(names)) == kernel + ".kd")
          return size_t(llvm::cantFail(elf.toMappedAddr(symbol.st_value)) - elf.base());
    }
    ADD_FAILURE() << "no kernel " << kernel;
    return 0;
  }
  hipError_t load() const {
    hipModule_t module = nullptr;
    hipError_t code = hipModuleLoadData(&module, bytes.data());
    if (code == hipSuccess)
      EXPECT_HIP(hipModuleUnload(module));
    return code;
  }

  std::string bytes;
};

/// A page that nobody may read.
class UnreadablePage {
public:
  UnreadablePage() : page(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~UnreadablePage() { munmap(page, 4096); }
  void *get() const { return page; }

private:
  void *page;
};
} // namespace

TEST(Malformed, EveryProcessorNumber) {
  Object object(CK_REGISTERS_CODE);
  const size_t flags = offsetof(llvm::ELF::Elf64_Ehdr, e_flags);
  const uint8_t own = uint8_t(object.bytes[flags]);
  for (unsigned machine = 0; machine < 256; ++machine)
    EXPECT_EQ(object.set(flags, uint8_t(machine)).load(),
              machine == own ? hipSuccess : hipErrorNoBinaryForGpu)
        << machine;
  EXPECT_EQ(object.set(flags, uint8_t(0xee)).load(), hipErrorNoBinaryForGpu);
  expectMessage(
      "expected a code object for gfx942, got one for an unknown processor (number 0xee)");
}

TEST(Malformed, PrivateMemoryThatNoHardwareHas) {
  Object object(CK_REGISTERS_CODE);
  const size_t descriptor = object.findDescriptor("store_ids");
  EXPECT_EQ(object.set(descriptor + kPrivateBytes, 131056u).load(), hipSuccess);
  EXPECT_EQ(object.set(descriptor + kPrivateBytes, 131057u).load(), hipErrorInvalidImage);
  expectMessage("private memory of a work-item must be in [0, 131056] bytes, got 131057, in kernel "
                "'store_ids'");
}

TEST(Malformed, ArgumentSegmentOfFourGigabytes) {
  Object object(CK_REGISTERS_CODE);
  const size_t descriptor = object.findDescriptor("store_ids");
  EXPECT_EQ(object.set(descriptor + kKernargBytes, 0xfffffff0u).load(), hipErrorInvalidImage);
  expectMessage("argument bytes must be in [0, 1048576], got 4294967280, in kernel 'store_ids'");
}

TEST(Malformed, PreloadedArgumentsBeyondTheSegment) {
  Object object(CK_REGISTERS_CODE);
  const size_t descriptor = object.findDescriptor("store_ids");
  // 4 dwords from dword 100 of a segment with one pointer.
  EXPECT_EQ(object.set(descriptor + kPreload, uint16_t(4 | 100 << 7)).load(), hipErrorInvalidImage);
  expectMessage(
      "preloaded arguments must end within the 8 bytes of the argument segment, got an end at 416, "
      "in kernel 'store_ids'");
}

TEST(Malformed, WavesOfSevenLanes) {
  Object object(CK_REGISTERS_CODE);
  const std::string key = ".wavefront_size";
  const size_t at = object.bytes.find(key);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(object.set(at + key.size(), uint8_t(7)).load(), hipErrorInvalidImage);
  expectMessage("waves must have 32 or 64 lanes, got 7");
}

TEST(Malformed, HeadersOfAGiantFile) {
  Object object(CK_REGISTERS_CODE);
  object.set(offsetof(llvm::ELF::Elf64_Ehdr, e_phnum), uint16_t(0));
  object.set(offsetof(llvm::ELF::Elf64_Ehdr, e_shoff), uint64_t(6) << 30);
  EXPECT_EQ(object.load(), hipErrorInvalidImage);
  expectMessage("its headers lead out of readable memory");
}

TEST(Malformed, ArgumentsThatAreNotThere) {
  DeviceModule module(CK_REGISTERS_CODE);
  hipFunction_t function = module.get("store_ids");
  UnreadablePage page;
  void *bad[] = {page.get()};
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, bad, nullptr),
            hipErrorInvalidValue);
  expectMessage("the 8 bytes of argument 0 are not readable, in a launch of kernel 'store_ids'");
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr,
                                  static_cast<void **>(page.get()), nullptr),
            hipErrorInvalidValue);
  expectMessage("expected the addresses of 1 arguments, got a list that ends before");
}

TEST(Malformed, GridsThatOverflow) {
  DeviceModule module(CK_REGISTERS_CODE);
  DeviceArray<unsigned> out(64);
  unsigned *pointer = out.get();
  void *params[] = {&pointer};
  hipFunction_t function = module.get("store_ids");
  EXPECT_EQ(hipModuleLaunchKernel(function, 1u << 31, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr),
            hipErrorInvalidConfiguration);
  expectMessage("the work-items of a dimension must be in [1, 4294967295], got 137438953472");
  EXPECT_EQ(
      hipModuleLaunchKernel(function, 1, 1, 1, 1u << 31, 1u << 31, 4, 0, nullptr, params, nullptr),
      hipErrorInvalidConfiguration);
  expectMessage("block size must be in [1, ");
}

/// Private memory that fits the hardware may still be more than the host gives.
TEST(Malformed, HostOutOfMemoryInAThread) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve more address space than the limit";
#endif
  Object object(CK_FAULTS_CODE);
  object.set(object.findDescriptor("store_at") + kPrivateBytes, 131056u);
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  ASSERT_HIP(hipModuleLoadData(&module, object.bytes.data()));
  ASSERT_HIP(hipModuleGetFunction(&function, module, "store_at"));
  DeviceArray<unsigned> out(64);
  void *pointer = out.get();
  uint64_t more[4] = {};
  void *params[] = {&pointer, &more[0], &more[1], &more[2], &more[3]};
  ScopedVariable threads("CK_EMULATOR_THREADS", "2");
  rlimit before, tight;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  tight = before;
  tight.rlim_cur = pages * 4096 + (24 << 20); // 4 waves take 32 MiB
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  const hipError_t code =
      hipModuleLaunchKernel(function, 64, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(code, hipErrorLaunchFailure);
  expectMessage("the host failed: out of memory for workgroups, in kernel 'store_at'");
  EXPECT_HIP(hipModuleUnload(module));
}
