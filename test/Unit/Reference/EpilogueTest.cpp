//===- EpilogueTest.cpp - Tests of epilogues on the reference's sums -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps against numbers worked out by hand, operands found at the right place in every direction,
// and tolerances that cover an f32 evaluation but not much more.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Convolution.h"
#include "ck-mlir/Reference/Tolerance.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::ck;

/// The value of the chain `text`, for an f16 output, of `sum` and `operands`.
static double evaluate(llvm::StringRef text, double sum, llvm::ArrayRef<double> operands = {},
                       bool integerSums = false) {
  auto steps = llvm::cantFail(parseEpilogue(text, DataType::F16));
  return makeEpilogueFunction(steps, integerSums)(sum, operands);
}

TEST(EpilogueTest, Steps) {
  EXPECT_EQ(evaluate("bias", 3, {0.5}), 3.5);
  EXPECT_EQ(evaluate("scale", 3, {0.5}), 1.5);
  EXPECT_EQ(evaluate("bilinear(2,-3)", 5, {7}), -11);
  EXPECT_EQ(evaluate("relu", -2), 0);
  EXPECT_EQ(evaluate("relu", 2), 2);
  EXPECT_EQ(evaluate("clamp(-1,2)", -5), -1);
  EXPECT_EQ(evaluate("clamp", 7), 6);
  EXPECT_EQ(evaluate("leaky_relu(0.25)", -8), -2);
  EXPECT_EQ(evaluate("leaky_relu(0.25)", 8), 8);
  EXPECT_EQ(evaluate("convert", 1 + 0x1p-11 + 0x1p-20), 1 + 0x1p-10);
  EXPECT_EQ(evaluate("convert(i8)", 200.4), 127);
  EXPECT_NEAR(evaluate("sigmoid", 1), 0.7310585786300048793, 2e-16);
  EXPECT_NEAR(evaluate("silu", 1), 0.7310585786300048793, 2e-16);
  EXPECT_NEAR(evaluate("tanh", 0.5), 0.4621171572600097585, 2e-16);
  EXPECT_NEAR(evaluate("gelu", 1), 0.8413447460685429486, 2e-16);
  EXPECT_EQ(evaluate("gelu", -INFINITY), 0);
  EXPECT_EQ(evaluate("silu", -INFINITY), 0);
  // The tail keeps its digits: -10 * Phi(-10).
  EXPECT_NEAR(evaluate("gelu", -10) / -7.619853024160526066e-23, 1, 1e-14);
}

TEST(EpilogueTest, StepsTakeTheirOperandsInOrder) {
  EXPECT_EQ(evaluate("bias+relu+scale+add", 3, {-5, 10, 7}), 7);
  EXPECT_EQ(evaluate("bias+scale", 3, {1, 10}), 40);
}

TEST(EpilogueTest, IntegerSumsStartAsF32) {
  EXPECT_EQ(evaluate("bias", 16777217, {0}, /*integerSums=*/true), 16777216);
  EXPECT_EQ(evaluate("bias", 16777217, {0}), 16777217);
}

/// Every element of the result minus its sum names the elements of the operands that it got.
static void checkPlaces(llvm::StringRef text) {
  Problem plain = llvm::cantFail(parseProblem(text));
  Problem problem = llvm::cantFail(parseProblem((text + ",epilogue=bias+add(f32)").str()));
  std::vector<TensorData> reads;
  for (const TensorDesc &desc : getReads(problem))
    reads.emplace_back(desc).fill(InitKind::Int, 1, 2);
  // Numbers that name their place: group and channel in the thousands, the element below.
  TensorData &bias = reads[2], &add = reads[3];
  for (int64_t i = 0; i < bias.getNumElements(); ++i)
    bias.set(i, 4096.0 * i);
  for (int64_t i = 0; i < add.getNumElements(); ++i)
    add.set(i, double(i));
  TensorData sums =
      llvm::cantFail(computeReference(plain, llvm::ArrayRef<TensorData>(reads).take_front(2)));
  TensorData result = llvm::cantFail(computeReference(problem, reads));
  char channel = bias.getDesc().layout[1];
  const TensorDesc &write = result.getDesc();
  ASSERT_LT(result.getNumElements(), 4096);
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    int64_t g = i / write.getStride('G') % write.getSize('G');
    int64_t c = i / write.getStride(channel) % write.getSize(channel);
    EXPECT_EQ(result.get(i) - sums.get(i), 4096.0 * (g * write.getSize(channel) + c) + i)
        << text.str() << " at " << result.getCoordinates(i);
  }
}

TEST(EpilogueTest, OperandsAreFoundInEveryDirectionAndLayout) {
  checkPlaces("conv_fwd:f32:N=2,G=2,K=3,C=2,in=4x3,filter=2x1");
  checkPlaces("conv_fwd:f32:N=2,G=2,K=3,C=2,in=4x3,filter=2x1,layout=GNCHW_GKCYX_NGKHW");
  checkPlaces("conv_bwd_data:f32:N=2,G=2,K=3,C=4,in=5,filter=2,stride=2");
  checkPlaces("conv_bwd_weight:f32:N=2,G=2,K=3,C=2,in=4x3,filter=2x1,layout=GNCHW_KYXGC_NGKHW");
  checkPlaces("gemm:f32:M=3,N=4,K=5,G=2");
}

TEST(EpilogueTest, LargestSumIsOfBeforeTheEpilogue) {
  Problem problem = llvm::cantFail(parseProblem("gemm:f32:M=1,N=2,K=1,epilogue=clamp(0,1)"));
  std::vector<TensorData> reads;
  for (const TensorDesc &desc : getReads(problem))
    reads.emplace_back(desc);
  reads[0].set(0, 5);
  reads[1].set(0, 2);
  reads[1].set(1, -3);
  double maxSum = 0;
  TensorData result = llvm::cantFail(computeReference(problem, reads, {}, &maxSum));
  EXPECT_EQ(maxSum, 15);
  EXPECT_EQ(result.get(0), 1);
  EXPECT_EQ(result.get(1), 0);
}

TEST(EpilogueTest, RegionsNeedAFunction) {
  GemmProblem gemm;
  gemm.m = gemm.n = gemm.k = 1;
  gemm.epilogue = epilogueRegion.str();
  std::vector<TensorData> reads = {TensorData(gemm.getA()), TensorData(gemm.getB())};
  auto none = computeReference(gemm, reads);
  EXPECT_EQ(llvm::toString(none.takeError()), "expected a function of the epilogue region");
  TensorData result = llvm::cantFail(
      computeReference(gemm, reads, [](double sum, llvm::ArrayRef<double>) { return sum + 2; }));
  EXPECT_EQ(result.get(0), 2);
}

TEST(EpilogueTest, WholeNumbersStayExactThroughSomeSteps) {
  auto isExact = [](llvm::StringRef epilogue) {
    return isEpilogueExact(
        llvm::cantFail(parseProblem(("gemm:f16:M=1,N=1,K=1000,epilogue=" + epilogue).str())), 4);
  };
  EXPECT_TRUE(isExact("bias+scale+add+relu+clamp+convert"));
  EXPECT_TRUE(isExact("bilinear(2,-3)"));
  EXPECT_FALSE(isExact("bilinear(0.5,1)"));
  EXPECT_FALSE(isExact("leaky_relu"));
  EXPECT_FALSE(isExact("gelu"));
  EXPECT_FALSE(isExact("scale+scale+scale+scale+scale+scale")); // 16000 * 4^6 > 2^24
}

/// The tolerance of a GEMM with `epilogue`, sums up to `maxSum` and operands up to 1.
static Tolerance getTolerance(llvm::StringRef epilogue, double maxSum, int64_t k,
                              llvm::StringRef out) {
  std::string text = "gemm:f16:M=1,N=1,K=" + std::to_string(k) + ",out_dtype=" + out.str() +
                     ",epilogue=" + epilogue.str();
  Problem problem = llvm::cantFail(parseProblem(text));
  llvm::SmallVector<double> ones(getEpilogueOperands(problem).size(), 1.0);
  return getEpilogueTolerance(problem, maxSum, ones);
}

TEST(EpilogueTest, TolerancesFollowTheErrorThroughTheSteps) {
  double half = 0x1p-24;
  // 63 + 1 roundings of sums up to 8, then one of up to 9.
  EXPECT_NEAR(getTolerance("bias", 8, 63, "f32").atol, (64 * 8 + 9) * half, 1e-9);
  // A flat function hides the error of the sums: at most a quarter of it, and 2 units of up to 1.
  EXPECT_NEAR(getTolerance("sigmoid", 8, 63, "f32").atol, (64 * 8 / 4.0 + 4) * half, 1e-9);
  // Rounding on the way to f16 adds a whole unit of it.
  EXPECT_NEAR(getTolerance("convert(f16)", 8, 63, "f32").atol, 8 * 0x1p-10, 1e-4);
  // The output type: one unit in all, relative.
  EXPECT_EQ(getTolerance("bias", 8, 63, "f16").rtol, 0x1p-10);
  EXPECT_EQ(getTolerance("bias", 8, 63, "f32").rtol, 0x1p-23);
}

TEST(EpilogueTest, IntegerOutputsDifferByOneAtMost) {
  auto getAtol = [](llvm::StringRef epilogue) {
    Problem problem = llvm::cantFail(
        parseProblem(("gemm:i8:M=1,N=1,K=100,out_dtype=i8,epilogue=" + epilogue).str()));
    llvm::SmallVector<double> ones(getEpilogueOperands(problem).size(), 1.0);
    return getEpilogueTolerance(problem, 100, ones);
  };
  EXPECT_EQ(getAtol("relu").atol, 0);
  EXPECT_EQ(getAtol("scale").atol, 1);
  EXPECT_EQ(getAtol("scale").rtol, 0);
}
