//===- FuzzCodeObjects.cpp - Code objects -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a code object or an offload bundle, which is loaded through the HIP API for the chip
// of CK_EMULATOR_CHIP; its kernels (those of Kernels.cl) are launched.
//
//===----------------------------------------------------------------------===//

#define __HIP_PLATFORM_AMD__
#include "Fuzz.h"
#include "Mutate.h"
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ckfuzz;

static constexpr size_t kBufferBytes = 4096, kArgumentBytes = 1024;

namespace {
/// A copy of the input that ends where readable memory does.
class GuardedImage {
public:
  GuardedImage(const uint8_t *data, size_t size) {
    const size_t page = size_t(sysconf(_SC_PAGESIZE)), room = (size + page - 1) / page * page;
    bytes = room + page;
    base = static_cast<uint8_t *>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    require(base != MAP_FAILED && mprotect(base + room, page, PROT_NONE) == 0, "no memory");
    begin = base + room - size;
    std::memcpy(begin, data, size);
  }
  ~GuardedImage() { munmap(base, bytes); }
  GuardedImage(const GuardedImage &) = delete;
  GuardedImage &operator=(const GuardedImage &) = delete;
  const void *get() const { return begin; }

private:
  uint8_t *base = nullptr, *begin = nullptr;
  size_t bytes = 0;
};
} // namespace

/// A launch of two workgroups whose arguments are all the address of `buffer`.
static void launch(hipModule_t module, const char *name, void *buffer) {
  hipFunction_t function = nullptr;
  if (hipModuleGetFunction(&function, module, name) != hipSuccess)
    return;
  void *arguments[kArgumentBytes / sizeof(void *)];
  for (void *&argument : arguments)
    argument = buffer;
  size_t size = sizeof(arguments);
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  int blocks = 0;
  (void)hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 64, 0);
  (void)hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra);
  (void)hipGetLastError();
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  setenv("CK_EMULATOR_HANG_INSTRUCTIONS", "20000", /*overwrite=*/1);
  setenv("CK_EMULATOR_THREADS", "2", /*overwrite=*/1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  GuardedImage image(data, size);
  hipModule_t module = nullptr;
  if (hipModuleLoadData(&module, image.get()) != hipSuccess)
    return 0;
  void *buffer = nullptr;
  require(hipMalloc(&buffer, kBufferBytes) == hipSuccess, "no device memory");
  require(hipMemset(buffer, 0, kBufferBytes) == hipSuccess, "no memset");
  for (const char *name : {"copy", "share", "scratch"})
    launch(module, name, buffer);
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  if (hipModuleGetGlobal(&address, &bytes, module, "table") == hipSuccess && bytes <= kBufferBytes)
    (void)hipMemcpy(buffer, address, bytes, hipMemcpyDeviceToDevice);
  require(hipFree(buffer) == hipSuccess, "memory cannot be freed");
  require(hipModuleUnload(module) == hipSuccess, "the module cannot be unloaded");
  return 0;
}

/// `object` as one of the two entries of an offload bundle.
static std::string makeBundle(const std::string &object, const std::string &chip) {
  const std::string targets[] = {"host-x86_64-unknown-linux--", "hipv4-amdgcn-amd-amdhsa--" + chip};
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__";
  auto append = [&](uint64_t value) {
    bundle.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  append(2);
  for (const std::string &target : targets) {
    append(4096);
    append(target == targets[1] ? object.size() : 0);
    append(target.size());
    bundle += target;
  }
  bundle.resize(4096);
  return bundle + object;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateBuffer(data, size, maxSize, seed, [](std::string &bytes, Random &random) {
    const char *chip = std::getenv("CK_EMULATOR_CHIP");
    if (random.oneIn(16) && bytes.compare(0, 4,
                                          "\x7f"
                                          "ELF") == 0)
      bytes = makeBundle(bytes, chip ? chip : "gfx942");
    mutateBytes(bytes, random);
  });
}
