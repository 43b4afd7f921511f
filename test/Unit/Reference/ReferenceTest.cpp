//===- ReferenceTest.cpp - Tests of the reference by the formula itself -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops against the sums of the formulas written element by element, in layouts other than the
// default, for every type; and one result worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Convolution.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::ck;

static std::vector<TensorData> makeReads(const Problem &problem, InitKind kind, uint64_t seed) {
  std::vector<TensorData> reads;
  for (const TensorDesc &desc : getReads(problem))
    reads.emplace_back(desc).fill(kind, seed);
  return reads;
}

static Problem parse(llvm::StringRef text) { return llvm::cantFail(parseProblem(text)); }

TEST(ReferenceTest, ByHand) {
  // x = [1 2 3 4], w = [10 1]: y[o] = 10 x[o - 1] + x[o] with one zero in front.
  Problem problem = parse("conv_fwd:f32:N=1,K=1,C=1,in=4,filter=2,pad=1:0");
  std::vector<TensorData> reads = makeReads(problem, InitKind::Int, 1);
  for (int i = 0; i < 4; ++i)
    reads[0].set(i, i + 1);
  reads[1].set(0, 10);
  reads[1].set(1, 1);
  TensorData y = llvm::cantFail(computeReference(problem, reads));
  EXPECT_EQ(y.toFloats("NWGK"), (std::vector<float>{1, 12, 23, 34}));
}

namespace {
/// A 2D problem computed product by product.
struct Formula {
  ConvProblem p;

  using At = std::initializer_list<std::pair<char, int64_t>>;

  static int64_t getIndex(const TensorDesc &desc, At at) {
    int64_t index = 0;
    for (auto [letter, coordinate] : at)
      index += coordinate * desc.getStride(letter);
    return index;
  }

  /// Calls visit(coordinates of x, of w, of y) for every product of the convolution.
  template <typename Visit>
  void forEachProduct(const Visit &visit) const {
    auto out = p.getOutputSize();
    for (int64_t n = 0; n < p.n; ++n)
      for (int64_t g = 0; g < p.g; ++g)
        for (int64_t k = 0; k < p.k; ++k)
          for (int64_t c = 0; c < p.c; ++c)
            for (int64_t oh = 0; oh < out[0]; ++oh)
              for (int64_t ow = 0; ow < out[1]; ++ow)
                for (int64_t y = 0; y < p.filter[0]; ++y)
                  for (int64_t x = 0; x < p.filter[1]; ++x) {
                    int64_t h = oh * p.stride[0] + y * p.dilation[0] - p.padLeft[0];
                    int64_t w = ow * p.stride[1] + x * p.dilation[1] - p.padLeft[1];
                    if (h >= 0 && h < p.in[0] && w >= 0 && w < p.in[1])
                      visit({{'N', n}, {'G', g}, {'C', c}, {'H', h}, {'W', w}},
                            {{'G', g}, {'K', k}, {'C', c}, {'Y', y}, {'X', x}},
                            {{'N', n}, {'G', g}, {'K', k}, {'H', oh}, {'W', ow}});
                  }
  }

  /// Every element of the written tensor as a sum of products.
  std::vector<double> compute(llvm::ArrayRef<TensorData> reads) const {
    TensorDesc x = p.getInput(), w = p.getFilter(), y = p.getOutput();
    std::vector<double> sums(p.getWrite().getNumElements());
    forEachProduct([&](At atX, At atW, At atY) {
      switch (p.direction) {
      case ConvDirection::Forward:
        sums[getIndex(y, atY)] += reads[0].get(getIndex(x, atX)) * reads[1].get(getIndex(w, atW));
        break;
      case ConvDirection::BackwardData:
        sums[getIndex(x, atX)] += reads[0].get(getIndex(y, atY)) * reads[1].get(getIndex(w, atW));
        break;
      case ConvDirection::BackwardWeight:
        sums[getIndex(w, atW)] += reads[0].get(getIndex(x, atX)) * reads[1].get(getIndex(y, atY));
        break;
      }
    });
    return sums;
  }
};
class FormulaTest : public testing::TestWithParam<std::tuple<const char *, const char *>> {};
} // namespace

TEST_P(FormulaTest, EveryTypeAndLayout) {
  auto [direction, body] = GetParam();
  for (const char *dtype : {"f16", "bf16", "f32", "i8", "fp8", "bf8"}) {
    Problem problem = parse((llvm::Twine(direction) + ":" + dtype + ":" + body).str());
    std::vector<TensorData> reads = makeReads(problem, InitKind::Normal, 3);
    TensorData result = llvm::cantFail(computeReference(problem, reads));
    std::vector<double> sums = Formula{std::get<ConvProblem>(problem)}.compute(reads);
    for (int64_t i = 0; i < result.getNumElements(); ++i) {
      // The order of summation differs, so that a value may round to the neighbour.
      double unit =
          std::abs(sums[i]) * std::ldexp(1.0, -int(getMantissaBits(getWrite(problem).type)));
      double bound = isInteger(getWrite(problem).type) ? 0 : unit + 1e-12;
      ASSERT_NEAR(result.get(i), sums[i], bound) << toString(problem) << " at " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Grid, FormulaTest,
    testing::Combine(
        testing::Values("conv_fwd", "conv_bwd_data", "conv_bwd_weight"),
        testing::Values("N=2,G=2,K=9,C=3,in=6x7,filter=3x2,pad=1x0:1",
                        "N=1,K=18,C=37,in=3x4,filter=3x2,pad=1",
                        "N=2,G=3,K=2,C=4,in=6x9,filter=3,stride=2x3,dilation=1x2,pad=2:1,"
                        "layout=GNCHW_KYXGC_NGKHW",
                        "N=1,K=1,C=1,in=5x4,filter=2x4,stride=3,pad=4,"
                        "layout=WHCGN_XYCKG_GKWHN")));

/// The result of a 1D problem of one channel in f32, its tensors given number by number.
static std::vector<float> run(llvm::StringRef text, llvm::ArrayRef<float> first,
                              llvm::ArrayRef<float> second) {
  Problem problem = parse(text);
  std::vector<TensorData> reads = makeReads(problem, InitKind::Int, 1);
  for (auto [i, value] : llvm::enumerate(first))
    reads[0].set(i, value);
  for (auto [i, value] : llvm::enumerate(second))
    reads[1].set(i, value);
  TensorData result = llvm::cantFail(computeReference(problem, reads));
  std::vector<float> values;
  for (int64_t i = 0; i < result.getNumElements(); ++i)
    values.push_back(result.get(i));
  return values;
}

// The padding is zeros that are multiplied; see docs/decisions/0012-padding-is-zeros.md.
TEST(ReferenceTest, PaddingMeetsInfinities) {
  using testing::ElementsAre;
  using testing::IsNan;
  // y[o] = w[0] x[o - 1] + w[1] x[o]
  EXPECT_THAT(run("conv_fwd:f32:N=1,K=1,C=1,in=3,filter=2,pad=1:0", {1, 2, -3}, {INFINITY, 1}),
              ElementsAre(IsNan(), INFINITY, INFINITY));
  // dx[i] = w[0] dy[i + 1] + w[1] dy[i], where dy[3] is outside
  EXPECT_THAT(run("conv_bwd_data:f32:N=1,K=1,C=1,in=3,filter=2,pad=1:0", {1, 2, -3}, {INFINITY, 1}),
              ElementsAre(INFINITY, -INFINITY, IsNan()));
  // dw[f] = sum over o of dy[o] x[o + f - 1]
  EXPECT_THAT(
      run("conv_bwd_weight:f32:N=1,K=1,C=1,in=3,filter=2,pad=1:0", {1, 2, 3}, {INFINITY, 1, 1}),
      ElementsAre(IsNan(), INFINITY));
  // Outputs are 3 apart: no tap meets dx[2]; dx[3] would meet dy[1], which is outside.
  EXPECT_THAT(run("conv_bwd_data:f32:N=1,K=1,C=1,in=4,filter=2,stride=3", {1}, {INFINITY, 2}),
              ElementsAre(INFINITY, 2, 0, IsNan()));
}

TEST(ReferenceTest, SaturatesI8) {
  Problem problem = parse("gemm:i8:M=1,N=2,K=3,out_dtype=i8");
  std::vector<TensorData> reads = makeReads(problem, InitKind::Int, 1);
  for (int k = 0; k < 3; ++k) {
    reads[0].set(k, 100);
    reads[1].set(k, 100);      // n = 0
    reads[1].set(3 + k, -100); // n = 1
  }
  TensorData c = llvm::cantFail(computeReference(problem, reads));
  EXPECT_EQ(c.toInts("GMN"), (std::vector<int32_t>{127, -128}));
}

TEST(ReferenceTest, RefusesWrongOperands) {
  Problem problem = parse("gemm:f16:M=2,N=2,K=3");
  std::vector<TensorData> reads = makeReads(problem, InitKind::Int, 1);
  auto getError = [&](const Problem &other) {
    llvm::Expected<TensorData> result = computeReference(other, reads);
    return result ? "" : llvm::toString(result.takeError());
  };
  EXPECT_EQ(getError(problem), "");
  EXPECT_EQ(getError(parse("gemm:bf16:M=2,N=2,K=3")), "expected type bf16 for tensor 'a', got f16");
  EXPECT_EQ(getError(parse("gemm:f16:M=3,N=2,K=3")),
            "tensor 'a' has another layout or shape than its problem");
  EXPECT_EQ(getError(parse("gemm:f16:M=2,N=2,K=3,epilogue=bias")), "expected 3 tensors, got 2");
  reads.pop_back();
  EXPECT_EQ(getError(problem), "expected 2 tensors, got 1");
}
