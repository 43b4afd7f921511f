//===- ProblemTest.cpp - Tests of what follows from a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors, strides, output sizes and reduction lengths, the latter against counting.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Problem.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir::ck;

static ConvProblem parseConv(llvm::StringRef text) {
  return std::get<ConvProblem>(llvm::cantFail(parseProblem(text)));
}

TEST(ProblemTest, TensorsOfEachDirection) {
  const char *body = ":f16:N=2,G=3,K=4,C=5,in=14x15,filter=2x3,stride=2x1,pad=1x0:2";
  ConvProblem fwd = parseConv(std::string("conv_fwd") + body);
  EXPECT_EQ(fwd.getOutputSize(), (llvm::SmallVector<int64_t, 3>{8, 15}));
  EXPECT_EQ(fwd.getInput().shape, (llvm::SmallVector<int64_t, 6>{2, 14, 15, 3, 5}));
  EXPECT_EQ(fwd.getFilter().shape, (llvm::SmallVector<int64_t, 6>{3, 4, 2, 3, 5}));
  EXPECT_EQ(fwd.getOutput().shape, (llvm::SmallVector<int64_t, 6>{2, 8, 15, 3, 4}));
  EXPECT_EQ(fwd.getReads()[0].name, "x");
  EXPECT_EQ(fwd.getReads()[1].name, "w");
  EXPECT_EQ(fwd.getWrite().name, "y");
  EXPECT_EQ(fwd.getReductionLength(), 5 * 6);
  EXPECT_EQ(fwd.getFlops(), 2.0 * 2 * 3 * 4 * 5 * 8 * 15 * 6);

  ConvProblem weight = parseConv(std::string("conv_bwd_weight") + body);
  EXPECT_EQ(weight.getReads()[0].name, "x");
  EXPECT_EQ(weight.getReads()[1].name, "dy");
  EXPECT_EQ(weight.getWrite().name, "dw");
  EXPECT_EQ(weight.getWrite().type, DataType::F32);
  EXPECT_EQ(weight.getReads()[1].type, DataType::F16);
  EXPECT_EQ(weight.getReductionLength(), 2 * 8 * 15);

  ConvProblem data = parseConv(std::string("conv_bwd_data") + body);
  EXPECT_EQ(data.getReads()[0].name, "dy");
  EXPECT_EQ(data.getReads()[1].name, "w");
  EXPECT_EQ(data.getWrite().name, "dx");
}

TEST(ProblemTest, StridesFollowTheLayout) {
  TensorDesc x = parseConv("conv_fwd:f16:N=2,G=3,K=1,C=5,in=7x11,filter=1,"
                           "layout=GNCHW_GKYXC_NHWGK")
                     .getInput();
  EXPECT_EQ(x.shape, (llvm::SmallVector<int64_t, 6>{3, 2, 5, 7, 11}));
  EXPECT_EQ(x.getStride('W'), 1);
  EXPECT_EQ(x.getStride('H'), 11);
  EXPECT_EQ(x.getStride('G'), 2 * 5 * 7 * 11);
  EXPECT_EQ(x.getSize('C'), 5);
  EXPECT_EQ(x.getNumElements(), 2310);
  EXPECT_EQ(x.getSizeInBytes(), 4620);
}

TEST(ProblemTest, GemmLayouts) {
  auto gemm =
      std::get<GemmProblem>(llvm::cantFail(parseProblem("gemm:f16:M=2,N=3,K=5,G=7,layout=ccr")));
  EXPECT_EQ(gemm.getA().layout, "GKM");
  EXPECT_EQ(gemm.getB().layout, "GNK");
  EXPECT_EQ(gemm.getC().layout, "GMN");
  EXPECT_EQ(gemm.getB().shape, (llvm::SmallVector<int64_t, 6>{7, 3, 5}));
  EXPECT_EQ(gemm.getFlops(), 2.0 * 2 * 3 * 5 * 7);
}

/// Counts the products of backward-data for the busiest position of a 1D problem.
static int64_t countTaps(const ConvProblem &p) {
  int64_t best = 0;
  for (int64_t i = 0; i < p.in[0]; ++i) {
    int64_t taps = 0;
    for (int64_t o = 0; o < p.getOutputSize()[0]; ++o)
      for (int64_t f = 0; f < p.filter[0]; ++f)
        taps += o * p.stride[0] + f * p.dilation[0] - p.padLeft[0] == i;
    best = std::max(best, taps);
  }
  return best;
}

TEST(ProblemTest, BackwardDataReductionLengthIsFoundForLongFilters) {
  auto getLength = [](const char *text) {
    return getReductionLength(llvm::cantFail(parseProblem(text)));
  };
  // Of ten million taps one reaches the only position, or none: they reach even ones.
  EXPECT_EQ(getLength("conv_bwd_data:f16:N=1,K=1,C=1,in=1,filter=10000000,pad=0:20000000"), 1);
  EXPECT_EQ(getLength("conv_bwd_data:f16:N=1,K=1,C=1,in=1,filter=10000000,stride=2,dilation=2,"
                      "pad=10000001:30000000"),
            0);
}

TEST(ProblemTest, BackwardDataReductionLengthIsTheCount) {
  ConvProblem p = parseConv("conv_bwd_data:f16:N=1,K=1,C=1,in=1,filter=1");
  unsigned checked = 0;
  for (int64_t in : {1, 2, 5, 9})
    for (int64_t filter : {1, 2, 3, 6})
      for (int64_t stride : {1, 2, 3, 4})
        for (int64_t dilation : {1, 2, 3, 6})
          for (int64_t left : {0, 1, 4, 7})
            for (int64_t right : {0, 3, 8}) {
              p.in = {in}, p.filter = {filter}, p.stride = {stride}, p.dilation = {dilation};
              p.padLeft = {left}, p.padRight = {right};
              if (p.getOutputSize()[0] < 1)
                continue;
              ASSERT_EQ(p.getReductionLength(), countTaps(p)) << toString(p);
              ++checked;
            }
  EXPECT_GT(checked, 1000u);
}
