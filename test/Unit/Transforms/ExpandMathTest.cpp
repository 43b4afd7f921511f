//===- ExpandMathTest.cpp - Tests of the accuracy of expanded functions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic that ck-expand-math builds, compiled for the host, against the host's functions in
// double, for floats from everywhere; --gtest_also_run_disabled_tests goes through all 2^32.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

using namespace mlir::ck;

namespace {
/// A function and what it should be.
struct Function {
  const char *op;
  double (*reference)(double);
};

struct Worst {
  double ulps = 0;
  float argument = 0, result = 0;

  void include(const Worst &other) {
    if (!(other.ulps <= ulps))
      *this = other;
  }
};
} // namespace

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// |result - expected| in units of f32's last place at `expected`. Infinity counts as 2^128, as the
/// number behind the largest; two NaN are equal.
static double getUlps(float result, double expected) {
  if (std::isnan(result) || std::isnan(expected))
    return std::isnan(result) && std::isnan(expected) ? 0 : std::numeric_limits<double>::infinity();
  auto limit = [](double value) { return std::min(std::max(value, -0x1p128), 0x1p128); };
  double number = limit(expected);
  int exponent = number == 0 ? -126 : std::max(std::ilogb(number), -126);
  return std::abs(limit(result) - number) / std::ldexp(1.0, std::min(exponent, 127) - 23);
}

/// The worst of every `step`-th float from `begin` to `end`, by their bits.
static Worst measure(const HostFunction &function, double (*reference)(double), uint64_t begin,
                     uint64_t end, uint64_t step) {
  Worst worst;
  std::vector<float> x(HostFunction::size), result(HostFunction::size);
  for (uint64_t first = begin; first < end; first += step * HostFunction::size) {
    for (int64_t i = 0; i < HostFunction::size; ++i)
      x[i] = fromBits(uint32_t(std::min(first + i * step, end - 1)));
    function(x.data(), x.data(), result.data());
    for (int64_t i = 0; i < HostFunction::size; ++i)
      worst.include({getUlps(result[i], reference(x[i])), x[i], result[i]});
  }
  return worst;
}

/// All threads of the host, on every `step`-th float.
static Worst measureAll(const Function &function, uint64_t step) {
  HostFunction compiled = llvm::cantFail(HostFunction::create(function.op));
  unsigned count = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst> parts(count);
  std::vector<std::thread> threads;
  uint64_t length = (uint64_t(1) << 32) / count;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      parts[i] = measure(compiled, function.reference, i * length, (i + 1) * length, step);
    });
  Worst worst;
  for (unsigned i = 0; i < count; ++i) {
    threads[i].join();
    worst.include(parts[i]);
  }
  llvm::errs() << llvm::format("%-12s %6.3f ulp at %a (%a)\n", function.op, worst.ulps,
                               double(worst.argument), double(worst.result));
  return worst;
}

static double gelu(double x) {
  return x < -200 ? -0.0 : 0.5 * x * std::erfc(-x * 0.70710678118654752440);
}
static double silu(double x) { return x < -200 ? -0.0 : x / (1 + std::exp(-x)); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double rsqrt(double x) { return 1 / std::sqrt(x); }

static const Function kFunctions[] = {
    {"math.floor", std::floor}, {"math.ceil", std::ceil},   {"math.exp", std::exp},
    {"math.exp2", std::exp2},   {"math.expm1", std::expm1}, {"math.log", std::log},
    {"math.log2", std::log2},   {"math.log10", std::log10}, {"math.log1p", std::log1p},
    {"math.sqrt", std::sqrt},   {"math.rsqrt", rsqrt},      {"math.tanh", std::tanh},
    {"math.erf", std::erf},     {"math.erfc", std::erfc},   {"math.sin", std::sin},
    {"math.cos", std::cos},     {"ck.gelu", gelu},          {"ck.silu", silu},
    {"ck.sigmoid", sigmoid}};

namespace {
class ExpandMathTest : public testing::TestWithParam<Function> {};
} // namespace

TEST_P(ExpandMathTest, FloatsFromEverywhere) { EXPECT_LE(measureAll(GetParam(), 101).ulps, 2); }

TEST_P(ExpandMathTest, DISABLED_EveryFloat) { EXPECT_LE(measureAll(GetParam(), 1).ulps, 2); }

INSTANTIATE_TEST_SUITE_P(Functions, ExpandMathTest, testing::ValuesIn(kFunctions),
                         [](const testing::TestParamInfo<Function> &info) {
                           return llvm::StringRef(info.param.op).split('.').second.str();
                         });

// Pairs: bases and exponents from everywhere, and those whose power is a normal number.
TEST(PowTest, EveryKindOfPair) {
  HostFunction function = llvm::cantFail(HostFunction::create("math.powf", 2));
  std::vector<float> x(HostFunction::size), y(HostFunction::size), result(HostFunction::size);
  uint64_t state = 1;
  auto draw = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return uint32_t(state >> 32);
  };
  Worst worst;
  float worstExponent = 0;
  const float special[] = {0.0f,  -0.0f,    1.0f,      -1.0f, 0.5f,   2.0f,        3.0f,
                           -3.0f, INFINITY, -INFINITY, NAN,   1e-45f, 16777217.0f, 0.99999994f};
  for (unsigned round = 0; round < 400; ++round) {
    for (int64_t i = 0; i < HostFunction::size; ++i) {
      x[i] = fromBits(draw());
      y[i] = fromBits(draw());
      if (round % 4 == 1) // the result is somewhere between the smallest and the largest number
        y[i] = float((double(draw()) / 0x1p32 * 280 - 150) / std::log2(std::abs(double(x[i]))));
      if (round % 4 == 2) // near 1, whose logarithm is small
        x[i] = fromBits(0x3f800000 + int32_t(draw() >> 12) - (1 << 19));
      if (round % 4 == 3) // whole exponents
        y[i] = float(int32_t(draw() % 41) - 20);
      if (round == 0)
        x[i] = special[i % 14], y[i] = special[i / 14 % 14];
    }
    function(x.data(), y.data(), result.data());
    for (int64_t i = 0; i < HostFunction::size; ++i) {
      double ulps = getUlps(result[i], std::pow(double(x[i]), double(y[i])));
      if (!(ulps <= worst.ulps))
        worst = {ulps, x[i], result[i]}, worstExponent = y[i];
    }
  }
  llvm::errs() << llvm::format("%-12s %6.3f ulp\n", "math.powf", worst.ulps);
  EXPECT_LE(worst.ulps, 2) << worst.argument << " ^ " << worstExponent << " = " << worst.result;
}
