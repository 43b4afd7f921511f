//===- ToleranceTest.cpp - Tests of the tolerances -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas at points that can be checked by hand.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Tolerance.h"
#include "gtest/gtest.h"

using namespace mlir::ck;

static Problem parse(const char *text) { return llvm::cantFail(parseProblem(text)); }

TEST(ToleranceTest, LargestOfTheThreeTerms) {
  EXPECT_EQ(getRelativeTolerance(DataType::F16, DataType::F32, DataType::F32, 100), 0x1p-11);
  EXPECT_EQ(getRelativeTolerance(DataType::F32, DataType::BF16, DataType::F32, 100), 0x1p-8);
  EXPECT_EQ(getRelativeTolerance(DataType::F16, DataType::F16, DataType::F32, 1 << 14), 0x1p-10);
  EXPECT_EQ(getRelativeTolerance(DataType::I8, DataType::I32, DataType::I32, 100), 0);
  EXPECT_EQ(getAbsoluteTolerance(DataType::F16, DataType::F32, DataType::F32, -3.0, 100),
            3 * 0x1p-11);
}

TEST(ToleranceTest, OfProblems) {
  // GEMM-K = 2 * 128 * 128 = 2^15.
  Tolerance t =
      getTolerance(parse("conv_bwd_weight:f16:N=2,K=1,C=1,in=128x128,filter=1"), /*maxValue=*/10);
  EXPECT_EQ(t.rtol, 0x1p-9);
  EXPECT_EQ(t.atol, 10 * 0x1p-9);
  t = getTolerance(parse("gemm:i8:M=1,N=1,K=100"), 10);
  EXPECT_EQ(t.rtol, 0);
  EXPECT_EQ(t.atol, 0);
}

TEST(ToleranceTest, SplitKAddsInTheOutputType) {
  Tolerance t = getTolerance(
      parse("conv_bwd_weight:f16:N=2,K=1,C=1,in=128x128,filter=1,out_dtype=f16"), 10, 8);
  EXPECT_EQ(t.rtol, 8 * 0x1p-11); // 8 additions in f16; the parts alone: 2^12 * 2^-24 = 2^-12
  EXPECT_EQ(t.atol, 80 * 0x1p-11);
}
