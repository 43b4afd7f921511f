//===- Status.h - What calls of the C API return -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_CAPI_STATUS_H
#define CK_MLIR_TEST_CAPI_STATUS_H

#include "ck-mlir-c/Support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

/// Expects a failing `call` with `status` and a message that matches.
#define EXPECT_FAILURE(call, status, matcher)                                                      \
  do {                                                                                             \
    EXPECT_EQ(call, status);                                                                       \
    EXPECT_THAT(std::string(ckMlirGetLastMessage()), matcher);                                     \
  } while (false)
#define EXPECT_INVALID(call, matcher) EXPECT_FAILURE(call, CkMlirStatusInvalidArgument, matcher)

#endif // CK_MLIR_TEST_CAPI_STATUS_H
