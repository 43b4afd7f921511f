//===- JitApiTest.cpp - Tests of calls that compile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that ask for the same sizes at the same time, and what ends the process. The calls are
// those that compiled programs make; results are compared with loops.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Compiler/JitApi.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

namespace {
constexpr int64_t kRows = 16, kColumns = 4; // of the matrix

const std::string kProgram = R"mlir(
module attributes {ck.at_call = {chip = "gfx942", entry = "forward", host = "cpu",
                                 residents = 0 : i64, schedule = ""}} {
  func.func @forward(%x: tensor<?x16xf32> {bufferization.writable = false},
                     %w: tensor<16x4xf32> {bufferization.writable = false}) -> tensor<?x4xf32>
      attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %x, %c0 : tensor<?x16xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    %y = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x4xf32>)
      outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
    return %y : tensor<?x4xf32>
  }
}
)mlir";

/// As upstream lays out a memref of two dimensions.
struct Descriptor {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};
} // namespace

static Descriptor describe(std::vector<float> &values, int64_t rows, int64_t columns) {
  return {values.data(), values.data(), 0, {rows, columns}, {columns, 1}};
}

static void call(const std::string &program, const char *digest, int64_t batch, Descriptor &result,
                 Descriptor &x, Descriptor &w) {
  Descriptor *addresses[] = {&result, &x, &w};
  void *arguments[] = {&addresses[0], &addresses[1], &addresses[2]};
  ckMlirCallSpecialized(program.data(), static_cast<int64_t>(program.size()), digest, &batch, 1,
                        arguments);
}

/// How many elements of a product of small integers are wrong.
static int64_t countWrong(int64_t batch, int64_t seed) {
  std::vector<float> x(batch * kRows), w(kRows * kColumns);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>((static_cast<int64_t>(i) * 7 + seed) % 5 - 2);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = static_cast<float>((static_cast<int64_t>(i) * 3 + seed) % 7 - 3);
  Descriptor result = {}, xs = describe(x, batch, kRows), ws = describe(w, kRows, kColumns);
  call(kProgram, "first", batch, result, xs, ws);
  if (result.sizes[0] != batch || result.sizes[1] != kColumns)
    return -1;
  int64_t wrong = 0;
  for (int64_t row = 0; row < batch; ++row)
    for (int64_t column = 0; column < kColumns; ++column) {
      float sum = 0;
      for (int64_t i = 0; i < kRows; ++i)
        sum += x[row * kRows + i] * w[i * kColumns + column];
      wrong += result.aligned[row * kColumns + column] != sum;
    }
  std::free(result.allocated);
  return wrong;
}

namespace {
class JitApi : public testing::Test {
protected:
  static void SetUpTestSuite() {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    setenv("CK_RUNTIME_DEVICE", "emulator", 1);
    for (const char *library : {"libck_mgpu_runtime.so", CK_RUNNER_UTILS})
      ASSERT_NE(dlopen(library, RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  }
};
} // namespace

TEST_F(JitApi, ThreadsShareWhatIsCompiled) {
  constexpr int64_t kThreads = 8, kSizes = 3;
  std::vector<int64_t> wrong(kThreads, -1);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int64_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&wrong, i] {
      wrong[i] = 0;
      for (int64_t turn = 0; turn < 2 * kSizes; ++turn)
        wrong[i] += countWrong((i + turn) % kSizes + 1, 100 * i + turn) != 0;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int64_t>(kThreads, 0));
  EXPECT_EQ(ckMlirCountSpecializations(), kSizes);
}

TEST_F(JitApi, WhatCannotBeCompiledEndsTheProcess) {
  Descriptor none = {};
  EXPECT_EXIT(call("module {}", "second", 1, none, none, none), testing::ExitedWithCode(1),
              "cannot compile for sizes \\[1\\].*expected entry, chip, schedule, host");
  EXPECT_EXIT(call("module {", "third", 1, none, none, none), testing::ExitedWithCode(1),
              "cannot compile for sizes \\[1\\]");
  EXPECT_EXIT(call(kProgram, "fourth", -1, none, none, none), testing::ExitedWithCode(1),
              "sizes must be in \\[0, 9223372036854775807\\], got -1");
  std::string other = kProgram;
  other.replace(other.find("gfx942"), 6, "gfx000");
  EXPECT_EXIT(call(other, "fifth", 1, none, none, none), testing::ExitedWithCode(1),
              "unknown chip 'gfx000'");
}
