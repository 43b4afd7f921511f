//===- ImplicitGemmTest.cpp - Maps against the convolution's formula -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps are checked against offsets computed from the formula and the strides of the tensors,
// which know nothing of transforms.
//
//===----------------------------------------------------------------------===//

#include "MapTest.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::test;

/// Digits of `value` for the sizes `sizes`, last one fastest.
static SmallVector<int64_t> split(int64_t value, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> digits(sizes.size());
  for (int i = sizes.size() - 1; i >= 0; --i) {
    digits[i] = value % sizes[i];
    value /= sizes[i];
  }
  return digits;
}

static SmallVector<int64_t> concatenate(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> result(a);
  result.append(b.begin(), b.end());
  return result;
}

/// x[n, o * stride + f * dilation - pad, g, c] or nothing outside, for GEMM coordinates (G, N, K).
static std::optional<int64_t> getInputOffset(const ConvProblem &problem, ArrayRef<int64_t> at) {
  SmallVector<int64_t> f = split(at[1], concatenate(problem.filter, {problem.c}));
  SmallVector<int64_t> o = split(at[2], concatenate({problem.n}, problem.getOutputSize()));
  TensorDesc x = problem.getInput();
  int64_t offset = o[0] * x.getStride('N') + at[0] * x.getStride('G') + f.back() * x.getStride('C');
  StringRef letters = StringRef("DHW").take_back(problem.getRank());
  for (unsigned i = 0; i < problem.getRank(); ++i) {
    int64_t h = o[i + 1] * problem.stride[i] + f[i] * problem.dilation[i] - problem.padLeft[i];
    if (h < 0 || h >= problem.in[i])
      return std::nullopt;
    offset += h * x.getStride(letters[i]);
  }
  return offset;
}

/// dy[n, o, g, k] for GEMM coordinates (G, M, K).
static int64_t getOutputOffset(const ConvProblem &problem, ArrayRef<int64_t> at) {
  SmallVector<int64_t> o = split(at[2], concatenate({problem.n}, problem.getOutputSize()));
  TensorDesc dy = problem.getOutput();
  int64_t offset = o[0] * dy.getStride('N') + at[0] * dy.getStride('G') + at[1] * dy.getStride('K');
  StringRef letters = StringRef("DHW").take_back(problem.getRank());
  for (unsigned i = 0; i < problem.getRank(); ++i)
    offset += o[i + 1] * dy.getStride(letters[i]);
  return offset;
}

/// dw[g, k, f, c] for GEMM coordinates (G, M, N).
static int64_t getFilterOffset(const ConvProblem &problem, ArrayRef<int64_t> at) {
  SmallVector<int64_t> f = split(at[2], concatenate(problem.filter, {problem.c}));
  TensorDesc dw = problem.getFilter();
  int64_t offset =
      at[0] * dw.getStride('G') + at[1] * dw.getStride('K') + f.back() * dw.getStride('C');
  StringRef letters = StringRef("ZYX").take_back(problem.getRank());
  for (unsigned i = 0; i < problem.getRank(); ++i)
    offset += f[i] * dw.getStride(letters[i]);
  return offset;
}

TEST(ImplicitGemm, MapsFollowTheFormula) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Random random(1);
  for (int i = 0; i < 150; ++i) {
    ConvProblem problem = drawProblem(random);
    SCOPED_TRACE(toString(problem));
    llvm::Expected<ImplicitGemmMaps> maps = getImplicitGemmMaps(context.get(), problem);
    ASSERT_TRUE(bool(maps)) << llvm::toString(maps.takeError());
    forEachCoordinate(maps->input.getViewSizes(), [&](ArrayRef<int64_t> at) {
      ASSERT_EQ(evaluateMap(maps->input, at), getInputOffset(problem, at));
    });
    forEachCoordinate(maps->output.getViewSizes(), [&](ArrayRef<int64_t> at) {
      ASSERT_EQ(evaluateMap(maps->output, at), getOutputOffset(problem, at));
    });
    forEachCoordinate(maps->filter.getViewSizes(), [&](ArrayRef<int64_t> at) {
      ASSERT_EQ(evaluateMap(maps->filter, at), getFilterOffset(problem, at));
    });
  }
}

TEST(ImplicitGemm, SizesAreThoseOfTheGemm) {
  std::unique_ptr<MLIRContext> context = makeContext();
  llvm::Expected<Problem> parsed =
      parseProblem("conv_bwd_weight:f16:N=3,G=2,K=5,C=7,in=9x8,filter=3x2,stride=2x1,pad=1:0x0:2");
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  llvm::Expected<ImplicitGemmMaps> maps =
      getImplicitGemmMaps(context.get(), std::get<ConvProblem>(*parsed));
  ASSERT_TRUE(bool(maps)) << llvm::toString(maps.takeError());
  // Output space: (9 + 1 - 3) / 2 + 1 = 4 by (8 + 2 - 2) + 1 = 9.
  EXPECT_EQ(maps->output.getViewSizes(), ArrayRef<int64_t>({2, 5, 3 * 4 * 9}));
  EXPECT_EQ(maps->input.getViewSizes(), ArrayRef<int64_t>({2, 3 * 2 * 7, 3 * 4 * 9}));
  EXPECT_EQ(maps->filter.getViewSizes(), ArrayRef<int64_t>({2, 5, 3 * 2 * 7}));
}

TEST(ImplicitGemm, OtherDirectionsAreRefused) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Random random(2);
  for (ConvDirection direction : {ConvDirection::Forward, ConvDirection::BackwardData}) {
    ConvProblem problem = drawProblem(random);
    problem.direction = direction;
    llvm::Expected<ImplicitGemmMaps> maps = getImplicitGemmMaps(context.get(), problem);
    ASSERT_FALSE(bool(maps));
    std::string expected = getName(direction).str();
    expected += " is not supported yet: only conv_bwd_weight is lowered";
    EXPECT_EQ(llvm::toString(maps.takeError()), expected);
  }
}
