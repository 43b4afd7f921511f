//===- ThreadTest.cpp - Tests of the C API from several threads -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads compile, load and launch at the same time, and each sees its own messages.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/Runtime.h"
#include "gtest/gtest.h"
#include <thread>
#include <vector>

static constexpr int64_t kSize = 32, kDepth = 64;
static constexpr int kThreads = 4;

/// The number that thread `thread` multiplies ones by.
static int8_t getFactor(int thread) { return int8_t(thread + 2); }

/// Compiles a product of a matrix of ones and one of `getFactor`, runs it on `device` and counts
/// the wrong elements; all of them where a call fails.
static int64_t countWrong(CkMlirDevice device, int thread) {
  std::vector<int8_t> ones(kSize * kDepth, 1), factors(kSize * kDepth, getFactor(thread));
  std::vector<int32_t> result(kSize * kSize, -1);
  CkMlirProgram program;
  CkMlirExecutable executable;
  CkMlirStream stream;
  CkMlirBuffer buffers[4]; // the last one is the workspace
  if (ckMlirCompileProblem("gemm:i8:M=32,N=32,K=64", {nullptr}, &program) ||
      ckMlirExecutableLoad(device, program, &executable) || ckMlirStreamCreate(device, &stream))
    return kSize * kSize;
  void *pointers[3];
  for (size_t i = 0; i < 3; ++i) {
    if (ckMlirBufferCreate(device, ckMlirProgramGetTensor(program, i).bytes, &buffers[i]))
      return kSize * kSize;
    pointers[i] = ckMlirBufferGetPointer(buffers[i]);
  }
  size_t workspaceBytes = size_t(ckMlirProgramGetWorkspaceBytes(program));
  if (ckMlirBufferCreate(device, workspaceBytes, &buffers[3]))
    return kSize * kSize;
  if (ckMlirBufferCopyFromHost(buffers[0], ones.data(), ones.size()) ||
      ckMlirBufferCopyFromHost(buffers[1], factors.data(), factors.size()) ||
      ckMlirExecutableLaunch(executable, ckMlirStreamGetHandle(stream), pointers, 3,
                             ckMlirBufferGetPointer(buffers[3]), workspaceBytes) ||
      ckMlirStreamSynchronize(stream) ||
      ckMlirBufferCopyToHost(buffers[2], result.data(), result.size() * 4))
    return kSize * kSize;
  int64_t wrong = 0;
  for (int32_t value : result)
    wrong += value != kDepth * getFactor(thread);
  for (CkMlirBuffer buffer : buffers)
    ckMlirBufferDestroy(buffer);
  ckMlirExecutableDestroy(executable);
  ckMlirProgramDestroy(program);
  ckMlirStreamDestroy(stream);
  return wrong;
}

TEST(ThreadTest, ProgramsOnOneDevice) {
  CkMlirDevice device;
  ASSERT_EQ(ckMlirDeviceOpen(CkMlirDeviceKindEmulator, "gfx942", &device), CkMlirStatusSuccess)
      << ckMlirGetLastMessage();
  std::vector<int64_t> wrong(kThreads, -1);
  std::vector<std::string> messages(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      wrong[i] = countWrong(device, i);
      messages[i] = ckMlirGetLastMessage();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(wrong[i], 0) << messages[i];
  ckMlirDeviceDestroy(device);
}

TEST(ThreadTest, EachHasItsOwnMessage) {
  CkMlirText text = {nullptr};
  ASSERT_NE(ckMlirCreateCanonicalProblem("one", &text), CkMlirStatusSuccess);
  std::string mine = ckMlirGetLastMessage();
  std::string before = "not read", after;
  std::thread([&] {
    before = ckMlirGetLastMessage();
    ckMlirCreateCanonicalProblem("gemm:f17:M=1", &text);
    after = ckMlirGetLastMessage();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_NE(after, mine);
  EXPECT_EQ(ckMlirGetLastMessage(), mine);
}
