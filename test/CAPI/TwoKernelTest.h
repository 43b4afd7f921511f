//===- TwoKernelTest.h - A program of two kernels on a device -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_CAPI_TWOKERNELTEST_H
#define CK_MLIR_TEST_CAPI_TWOKERNELTEST_H

#include "Status.h"
#include "ck-mlir-c/Runtime.h"

inline constexpr const char *kProblem = "gemm:i8:M=32,N=32,K=256";

/// The kernel of its slices and that of their sum, which open() compiles and loads on a gfx942.
class TwoKernelTest : public testing::Test {
protected:
  void open(CkMlirDeviceKind kind) {
    ASSERT_EQ(ckMlirDeviceOpen(kind, "gfx942", &device), CkMlirStatusSuccess)
        << ckMlirGetLastMessage();
    CkMlirCompileOptions options;
    ASSERT_EQ(ckMlirCompileOptionsCreate(&options), CkMlirStatusSuccess);
    ckMlirCompileOptionsSetSchedule(options, "partition=split_k:4:two_stage");
    ASSERT_EQ(ckMlirCompileProblem(kProblem, options, &program), CkMlirStatusSuccess)
        << ckMlirGetLastMessage();
    ckMlirCompileOptionsDestroy(options);
    ASSERT_EQ(ckMlirExecutableLoad(device, program, &executable), CkMlirStatusSuccess)
        << ckMlirGetLastMessage();
  }
  void TearDown() override {
    ckMlirExecutableDestroy(executable);
    ckMlirProgramDestroy(program);
    ckMlirDeviceDestroy(device);
  }

  CkMlirDevice device = {nullptr};
  CkMlirProgram program = {nullptr};
  CkMlirExecutable executable = {nullptr};
};

#endif // CK_MLIR_TEST_CAPI_TWOKERNELTEST_H
