//===- ArithmeticTest.cpp - Compiled kernels against the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenCL C compiled by clang at -O0 to -O3 must compute what the host computes.
//
//===----------------------------------------------------------------------===//

#include "../HipTest.h"
#include <numeric>

using uint = unsigned;

// "unsigned long" and "long" have 64 bits on the device and on the host.
#include "../Device/IntegerMix.h"

/// Read at the first call of HIP.
static const ScopedVariable chip("CK_EMULATOR_CHIP", CK_ARITHMETIC_CHIP);

namespace {
/// The parameter is a code object.
class Arithmetic : public testing::TestWithParam<const char *> {
protected:
  DeviceModule module{GetParam()};
};
} // namespace

static std::vector<uint> makeNumbers(size_t count) {
  std::vector<uint> values(count);
  uint state = 12345;
  for (uint &value : values) {
    state = state * 1664525u + 1013904223u;
    value = state;
  }
  return values;
}

static std::vector<float> makeFloats(size_t count) {
  std::vector<float> values(count);
  std::vector<uint> numbers = makeNumbers(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(int(numbers[i] >> 8)) / 65536.0f - 100.0f;
  return values;
}

TEST_P(Arithmetic, VectorAddHasATail) {
  uint n = 1000;
  std::vector<float> a = makeFloats(n), b = makeFloats(n);
  std::reverse(b.begin(), b.end());
  DeviceArray<float> deviceA(a), deviceB(b), deviceC(n);
  ASSERT_HIP(module.launch("vector_add", 4, 256, deviceA.get(), deviceB.get(), deviceC.get(), n));
  std::vector<float> c = deviceC.read();
  for (uint i = 0; i < n; ++i)
    ASSERT_EQ(c[i], a[i] + b[i]) << "element " << i;
}

TEST_P(Arithmetic, SaxpyStridesOverItsGrid) {
  uint n = 1003, items = 128;
  float s = 1.25f;
  std::vector<float> x = makeFloats(n), y = makeFloats(n);
  std::reverse(y.begin(), y.end());
  DeviceArray<float> deviceX(x), deviceY(y);
  ASSERT_HIP(module.launch("saxpy", 2, 64, s, deviceX.get(), deviceY.get(), n, items));
  std::vector<float> result = deviceY.read();
  for (uint i = 0; i < n; ++i)
    ASSERT_EQ(result[i], __builtin_fmaf(s, x[i], y[i])) << "element " << i;
}

TEST_P(Arithmetic, ReductionThroughLds) {
  std::vector<uint> in = makeNumbers(1024);
  DeviceArray<uint> deviceIn(in), deviceOut(4);
  ASSERT_HIP(module.launch("reduce", 4, 256, deviceIn.get(), deviceOut.get()));
  std::vector<uint> out = deviceOut.read();
  for (uint group = 0; group < 4; ++group)
    EXPECT_EQ(out[group],
              std::accumulate(in.begin() + 256 * group, in.begin() + 256 * (group + 1), 0u));
}

TEST_P(Arithmetic, IntegerMix) {
  uint n = 1000;
  std::vector<uint> in = makeNumbers(n);
  DeviceArray<uint> deviceIn(in), deviceOut(n);
  ASSERT_HIP(module.launch("integer_mix", 8, 128, deviceIn.get(), deviceOut.get(), n));
  std::vector<uint> out = deviceOut.read();
  for (uint i = 0; i < n; ++i)
    ASSERT_EQ(out[i], integerMix(in[i], i)) << "element " << i;
}

TEST_P(Arithmetic, FloatMix) {
  uint n = 1000;
  std::vector<float> in = makeFloats(n);
  DeviceArray<float> deviceIn(in), deviceOut(n);
  ASSERT_HIP(module.launch("float_mix", 8, 128, deviceIn.get(), deviceOut.get(), n));
  std::vector<float> out = deviceOut.read();
  for (uint i = 0; i < n; ++i)
    ASSERT_EQ(out[i], floatMix(in[i], i)) << "element " << i;
}

TEST_P(Arithmetic, HistogramWithAtomics) {
  uint n = 5000;
  std::vector<uint> in = makeNumbers(n);
  DeviceArray<uint> deviceIn(in), deviceBins(std::vector<uint>(16, 0));
  ASSERT_HIP(module.launch("histogram", 20, 256, deviceIn.get(), deviceBins.get(), n));
  std::vector<uint> expected(16);
  for (uint value : in)
    ++expected[value % 16];
  EXPECT_EQ(deviceBins.read(), expected);
}

TEST_P(Arithmetic, ThreeDimensionalGrid) {
  DeviceArray<uint> out(size_t(4 * 3) * (5 * 2) * (2 * 4));
  void *pointer = out.get();
  void *parameters[] = {&pointer};
  ASSERT_HIP(hipModuleLaunchKernel(module.get("grid_coordinates"), 4, 5, 2, 3, 2, 4, 0, nullptr,
                                   parameters, nullptr));
  std::vector<uint> values = out.read();
  for (uint z = 0; z < 8; ++z)
    for (uint y = 0; y < 10; ++y)
      for (uint x = 0; x < 12; ++x)
        ASSERT_EQ(values[(z * 10 + y) * 12 + x], x | y << 10 | z << 20);
}

TEST_P(Arithmetic, AccessesOfEveryWidth) {
  uint n = 499;
  std::vector<uint> numbers = makeNumbers(n * 4);
  const auto *in = reinterpret_cast<const char *>(numbers.data());
  DeviceArray<uint> deviceIn(numbers);
  for (uint size : {1u, 2u, 4u, 8u, 16u}) {
    DeviceArray<char> deviceOut(n * size);
    ASSERT_HIP(module.launch(("permute" + std::to_string(size)).c_str(), 4, 128, deviceIn.get(),
                             deviceOut.get(), n));
    std::vector<char> out = deviceOut.read();
    for (uint i = 0; i < n; ++i)
      ASSERT_EQ(std::string(&out[i * 7 % n * size], size), std::string(&in[i * 5 % n * size], size))
          << size << " bytes, element " << i;
  }
}

TEST_P(Arithmetic, LdsAccessesOfEveryWidth) {
  std::vector<uint> numbers = makeNumbers(256 * 4);
  const auto *in = reinterpret_cast<const char *>(numbers.data());
  DeviceArray<uint> deviceIn(numbers);
  for (uint size : {1u, 2u, 4u, 8u, 16u}) {
    DeviceArray<char> deviceOut(256 * size);
    ASSERT_HIP(module.launch(("permute_lds" + std::to_string(size)).c_str(), 1, 256, deviceIn.get(),
                             deviceOut.get()));
    std::vector<char> out = deviceOut.read();
    std::vector<uint> source(256); // of each element of the LDS
    for (uint i = 0; i < 256; ++i)
      source[i * 7 % 256] = i % 2 == 0 ? i : i * 5 % 256;
    for (uint i = 0; i < 256; ++i) {
      uint from = source[i % 2 == 1 ? i * 3 % 256 : i];
      ASSERT_EQ(std::string(&out[i * size], size), std::string(&in[from * size], size))
          << size << " bytes, element " << i;
    }
  }
}

/// "O1", or "O1wave64": the file is `Arithmetic[.wave64].O<level>.<chip>.hsaco`.
static std::string getLevel(const testing::TestParamInfo<const char *> &info) {
  const std::string path = info.param;
  const std::string suffix = path.find(".wave64.") == std::string::npos ? "" : "wave64";
  return path.substr(path.rfind(".O") + 1, 2) + suffix;
}

INSTANTIATE_TEST_SUITE_P(Levels, Arithmetic, testing::Values(CK_ARITHMETIC_CODE), getLevel);
