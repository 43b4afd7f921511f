//===- ElementwiseTest.cpp - GPU code against host code, element by element -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Integers.cl and Floats.cl, compiled for gfx942 at several optimization levels and
// executed by the emulator, must give the bits that the same source gives on the host; NaNs of any
// payload are equal. Random programs for all chips: test/Emulator/Differential.
//
//===----------------------------------------------------------------------===//

#include "../IsaTest.h"
#include "DeviceRun.h"
#include "HostKernels.h"

using namespace ckemu;
using namespace ckemu::test;

static constexpr unsigned kItems = 1000, kGroupSize = 128;

static size_t sizeOf(const ValueKind &kind) { return size_t(kind.bytes) * kind.elements; }

static void fill(std::vector<uint8_t> &buffer, const ValueKind &kind, OperandSource &source) {
  for (size_t at = 0; at < buffer.size(); at += kind.bytes) {
    uint64_t bits;
    if (kind.isFloat)
      bits = kind.bytes == 2   ? source.float16()
             : kind.bytes == 4 ? source.float32()
                               : source.float64();
    else
      bits = source.bits64();
    std::memcpy(&buffer[at], &bits, kind.bytes);
  }
}

static bool isNanElement(const uint8_t *bytes, const ValueKind &kind) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, kind.bytes);
  if (!kind.isFloat)
    return false;
  if (kind.bytes == 2)
    return (bits & 0x7fff) > 0x7c00;
  return kind.bytes == 4 ? std::isnan(asFloat(uint32_t(bits))) : std::isnan(asDouble(bits));
}

namespace {
struct Case {
  const HostKernel *kernel;
  const char *level;
};
} // namespace

static std::vector<Case> getCases() {
  std::vector<Case> cases;
  for (const HostKernel *kernel : HostKernel::list())
    for (const char *level : {"O0", "O1", "O3"})
      cases.push_back({kernel, level});
  return cases;
}

namespace {
class ElementwiseTest : public testing::TestWithParam<Case> {};
} // namespace

TEST_P(ElementwiseTest, MatchesHost) {
  const HostKernel &kernel = *GetParam().kernel;
  static std::map<std::string, std::unique_ptr<DeviceRun>> devices;
  std::string file = std::string(kernel.file) + "." + GetParam().level;
  std::unique_ptr<DeviceRun> &device = devices[file];
  if (!device)
    device = std::make_unique<DeviceRun>(file);
  OperandSource source(1);
  std::vector<uint8_t> a(kItems * sizeOf(kernel.operand)), b(a.size());
  std::vector<uint8_t> expected(kItems * sizeOf(kernel.result), 0xee);
  fill(a, kernel.operand, source);
  fill(b, kernel.operand, source);
  const std::vector<uint8_t> untouched = expected;
  uint8_t *out = device->allocate(untouched);
  const uint8_t *deviceA = device->allocate(a), *deviceB = device->allocate(b);
  device->launch(kernel.name, (kItems + kGroupSize - 1) / kGroupSize, kGroupSize,
                 {uint64_t(out), uint64_t(deviceA), uint64_t(deviceB)});
  kernel.run(kItems, expected.data(), a.data(), b.data());
  unsigned differences = 0;
  for (size_t at = 0; at < expected.size() && differences < 5; at += kernel.result.bytes) {
    if (std::memcmp(out + at, &expected[at], kernel.result.bytes) == 0 ||
        (isNanElement(out + at, kernel.result) && isNanElement(&expected[at], kernel.result)))
      continue;
    ++differences;
    const size_t item = at / sizeOf(kernel.result);
    auto hex = [&](const uint8_t *p, size_t n) {
      std::string text;
      for (size_t i = n; i-- > 0;)
        text += "0123456789abcdef"[p[i] >> 4], text += "0123456789abcdef"[p[i] & 15];
      return text;
    };
    ADD_FAILURE() << file << " " << kernel.name << " item " << item
                  << ": a = " << hex(&a[item * sizeOf(kernel.operand)], sizeOf(kernel.operand))
                  << ", b = " << hex(&b[item * sizeOf(kernel.operand)], sizeOf(kernel.operand))
                  << ", expected " << hex(&expected[at], kernel.result.bytes) << ", got "
                  << hex(out + at, kernel.result.bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ElementwiseTest, testing::ValuesIn(getCases()),
                         [](const auto &info) {
                           return std::string(info.param.kernel->name) + "_" + info.param.level;
                         });
