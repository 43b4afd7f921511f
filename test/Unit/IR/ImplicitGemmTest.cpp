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

#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::test;

/// Element offset of dimensions `letters` at `at`.
static int64_t getOffset(const TensorDesc &tensor, StringRef letters, ArrayRef<int64_t> at) {
  int64_t offset = 0;
  for (auto [letter, value] : llvm::zip_equal(letters, at))
    offset += value * tensor.getStride(letter);
  return offset;
}

/// Offsets of a product's place in the result, and of its two factors in the order of the GEMM.
using Product = std::array<int64_t, 3>;

/// The products of the formula in Problem.h, in order.
static std::vector<Product> getProducts(const ConvProblem &problem) {
  unsigned rank = problem.getRank();
  SmallVector<int64_t> sizes = {problem.n, problem.g, problem.k, problem.c};
  llvm::append_range(sizes, problem.getOutputSize());
  llvm::append_range(sizes, problem.filter);
  std::string space = StringRef("DHW").take_back(rank).str();
  std::string taps = StringRef("ZYX").take_back(rank).str();
  std::vector<Product> products;
  forEachCoordinate(sizes, [&](ArrayRef<int64_t> at) {
    ArrayRef<int64_t> o = at.slice(4, rank), f = at.drop_front(4 + rank);
    SmallVector<int64_t> x = {at[0], at[1], at[3]}, w = {at[1], at[2], at[3]},
                         y = {at[0], at[1], at[2]};
    for (unsigned i = 0; i < rank; ++i) {
      x.push_back(o[i] * problem.stride[i] + f[i] * problem.dilation[i] - problem.padLeft[i]);
      if (x.back() < 0 || x.back() >= problem.in[i])
        return;
    }
    llvm::append_range(w, f);
    llvm::append_range(y, o);
    int64_t input = getOffset(problem.getInput(), "NGC" + space, x);
    int64_t filter = getOffset(problem.getFilter(), "GKC" + taps, w);
    int64_t output = getOffset(problem.getOutput(), "NGK" + space, y);
    switch (problem.direction) {
    case ConvDirection::Forward:
      return products.push_back({output, input, filter});
    case ConvDirection::BackwardData:
      return products.push_back({input, output, filter});
    case ConvDirection::BackwardWeight:
      return products.push_back({filter, output, input});
    }
  });
  llvm::sort(products);
  return products;
}

/// Adds what the GEMM of `part` multiplies, and the elements that it writes.
static void addPart(const ImplicitGemmPart &part, std::vector<Product> &products,
                    std::vector<int64_t> &written) {
  forEachCoordinate(part.c.getViewSizes(), [&](ArrayRef<int64_t> at) {
    std::optional<int64_t> c = evaluateMap(part.c, at);
    if (!c)
      return;
    written.push_back(*c);
    for (int64_t k = 0; part.a && k < part.a.getViewSizes()[2]; ++k) {
      std::optional<int64_t> a = evaluateMap(part.a, {at[0], at[1], k});
      std::optional<int64_t> b = evaluateMap(part.b, {at[0], at[2], k});
      if (a && b)
        products.push_back({*c, *a, *b});
    }
  });
}

/// Every product of the formula is made once, and every element of the result written once.
static void expectFormula(MLIRContext *context, const ConvProblem &problem,
                          const GemmColumns &columns) {
  SCOPED_TRACE(toString(problem) + ", merged groups " + std::to_string(columns.mergedGroups) +
               ", folded cycles " +
               llvm::join(llvm::map_range(columns.foldedPositions,
                                          [](int64_t n) { return std::to_string(n); }),
                          "x") +
               (columns.joinsChannels ? ", joined channels" : ""));
  std::vector<Product> products;
  std::vector<int64_t> written, all(problem.getWrite().getNumElements());
  for (const ImplicitGemmPart &part : getImplicitGemm(context, problem, columns).parts)
    addPart(part, products, written);
  llvm::sort(products);
  llvm::sort(written);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(written, all);
  EXPECT_EQ(products, getProducts(problem));
}

TEST(ImplicitGemm, MapsFollowTheFormula) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Random random(1);
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    ConvProblem problem = drawProblem(random);
    problem.n = std::min<int64_t>(problem.n, 2);
    problem.c = std::min<int64_t>(problem.c, 3);
    expectFormula(context.get(), problem, drawColumns(random, problem, 1));
    if (problem.g > 1)
      expectFormula(context.get(), problem, drawColumns(random, problem, problem.g));
  }
}

/// Without folded positions, and with one and two steps of them where that is possible.
static void expectEveryFold(MLIRContext *context, const ConvProblem &problem) {
  const int64_t stride = problem.stride[0], dilation = problem.dilation[0];
  const int64_t step = stride / std::gcd(stride, dilation);
  expectFormula(context, problem, {1, {}});
  for (int64_t steps = 1; steps <= (stride % dilation == 0 ? 2 : 1); ++steps)
    expectFormula(context, problem, {1, {steps * step}});
}

/// Strides and dilations with every kind of common divisor, in one dimension.
TEST(ImplicitGemm, BackwardDataCoversEveryResidue) {
  std::unique_ptr<MLIRContext> context = makeContext();
  ConvProblem problem;
  problem.direction = ConvDirection::BackwardData;
  problem.inLayout = "NWGC";
  problem.filterLayout = "GKXC";
  problem.outLayout = "NWGK";
  forEachCoordinate({6, 6, 5, 4, 3, 9}, [&](ArrayRef<int64_t> at) {
    problem.stride = {at[0] + 1};
    problem.dilation = {at[1] + 1};
    problem.filter = {at[2] + 1};
    problem.padLeft = {at[3]};
    problem.padRight = {at[4]};
    problem.in = {at[5] + 1};
    if (llvm::Error error = problem.verify())
      llvm::consumeError(std::move(error));
    else if (!HasFailure())
      expectEveryFold(context.get(), problem);
  });
}

/// Channels of one group that are part of the last spatial dimension.
TEST(ImplicitGemm, JoinedChannelsFollowTheFormula) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Random random(2);
  int joined = 0, padded = 0;
  for (int i = 0; i < 8000 && !HasFailure(); ++i) {
    ConvProblem problem = drawProblem(random);
    problem.n = std::min<int64_t>(problem.n, 2);
    problem.g = 1;
    problem.c = 2 + i % 4;
    if (llvm::Error error = problem.verify()) {
      llvm::consumeError(std::move(error));
      continue;
    }
    if (!canJoinChannels(problem))
      continue;
    ++joined;
    padded += getRowPadding(problem) != std::pair<int64_t, int64_t>(0, 0);
    expectFormula(context.get(), problem, {1, {}, /*joinsChannels=*/true});
  }
  EXPECT_GT(joined, 40);
  EXPECT_GT(padded, 10);
}

TEST(ImplicitGemm, JoinsFewChannelsOfRowsOfTaps) {
  auto read = [](StringRef text) {
    return std::get<ConvProblem>(llvm::cantFail(parseProblem(text)));
  };
  auto canJoin = [&](StringRef text) { return canJoinChannels(read(text)); };
  EXPECT_TRUE(canJoin("conv_fwd:f16:N=2,K=64,C=3,in=224x224,filter=7x7,stride=2,pad=3"));
  EXPECT_TRUE(canJoin("conv_bwd_weight:f32:N=2,K=64,C=3,in=8,filter=3"));
  // Channels that fill loads, rows of one tap, and taps that are not side by side.
  EXPECT_FALSE(canJoin("conv_fwd:f16:N=2,K=64,C=8,in=224x224,filter=7x7"));
  EXPECT_FALSE(canJoin("conv_fwd:f16:N=2,K=64,C=3,in=224x224,filter=7x1"));
  EXPECT_FALSE(canJoin("conv_fwd:f16:N=2,K=64,C=3,in=224x224,filter=7x7,dilation=1x2"));
  EXPECT_FALSE(canJoin("conv_fwd:f16:N=2,G=2,K=64,C=3,in=224x224,filter=7x7"));
  EXPECT_FALSE(canJoin("conv_bwd_data:f16:N=2,K=64,C=3,in=224x224,filter=7x7"));
  // Pixels begin at multiples of six elements, those of the padding at nine before the first.
  using Padding = std::pair<int64_t, int64_t>;
  EXPECT_EQ(getRowPadding(read("conv_fwd:f16:N=2,K=64,C=3,in=224x224,filter=7x7,stride=2,pad=3")),
            Padding(1, 2));
  // Eight elements of f16 would be more than a quarter longer.
  EXPECT_EQ(getRowPadding(read("conv_fwd:f16:N=2,K=64,C=3,in=224x224,filter=3x3,stride=2,pad=1")),
            Padding(1, 0));
  EXPECT_EQ(getRowPadding(read("conv_fwd:f16:N=2,K=64,C=3,in=224x224,filter=3x3,pad=1")),
            Padding(0, 0));
}

TEST(ImplicitGemm, SizesAreThoseOfTheGemm) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto getParts = [&](StringRef text) {
    return getImplicitGemm(context.get(), std::get<ConvProblem>(llvm::cantFail(parseProblem(text))))
        .parts;
  };
  // Output space: (9 + 1 - 3) / 2 + 1 = 4 by (8 + 2 - 2) + 1 = 9.
  ImplicitGemmPart weight =
      getParts("conv_bwd_weight:f16:N=3,G=2,K=5,C=7,in=9x8,filter=3x2,stride=2x1,pad=1:0x0:2")[0];
  EXPECT_EQ(weight.a.getViewSizes(), ArrayRef<int64_t>({2, 5, 3 * 4 * 9}));
  EXPECT_EQ(weight.b.getViewSizes(), ArrayRef<int64_t>({2, 3 * 2 * 7, 3 * 4 * 9}));
  EXPECT_EQ(weight.c.getViewSizes(), ArrayRef<int64_t>({2, 5, 3 * 2 * 7}));
  ImplicitGemmPart forward =
      getParts("conv_fwd:f16:N=3,G=2,K=5,C=7,in=9x8,filter=3x2,stride=2x1,pad=1:0x0:2")[0];
  EXPECT_EQ(forward.a.getViewSizes(), ArrayRef<int64_t>({2, 3 * 4 * 9, 3 * 2 * 7}));
  EXPECT_EQ(forward.b.getViewSizes(), ArrayRef<int64_t>({2, 5, 3 * 2 * 7}));
  EXPECT_EQ(forward.c.getViewSizes(), ArrayRef<int64_t>({2, 3 * 4 * 9, 5}));
}

TEST(ImplicitGemm, BackwardDataHasAPartForEachNumberOfTaps) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto countTaps = [&](StringRef text) {
    std::vector<std::pair<int64_t, int64_t>> batchAndTaps;
    auto problem = std::get<ConvProblem>(llvm::cantFail(parseProblem(text)));
    for (const ImplicitGemmPart &part : getImplicitGemm(context.get(), problem).parts)
      batchAndTaps.emplace_back(part.c.getViewSizes()[0],
                                part.a ? part.a.getViewSizes()[2] / problem.k : 0);
    return batchAndTaps;
  };
  using List = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(countTaps("conv_bwd_data:f16:N=1,K=8,C=8,in=14x14,filter=3x3,pad=1"), List({{1, 9}}));
  EXPECT_EQ(countTaps("conv_bwd_data:f16:N=1,K=8,C=8,in=14x14,filter=3x3,pad=1,stride=2"),
            List({{1, 4}, {1, 2}, {1, 2}, {1, 1}}));
  // Four residues of one tap each are one GEMM of four batches.
  EXPECT_EQ(countTaps("conv_bwd_data:f16:N=1,K=8,C=8,in=14x14,filter=2x2,stride=2"),
            List({{4, 1}}));
  // A stride longer than the filter leaves positions without taps.
  EXPECT_EQ(countTaps("conv_bwd_data:f16:N=1,K=8,C=8,in=14x14,filter=1x1,stride=2"),
            List({{1, 1}, {1, 0}, {1, 0}}));
  EXPECT_EQ(countTaps("conv_bwd_data:f16:N=1,K=8,C=8,in=14,filter=3,stride=2,dilation=2,pad=2"),
            List({{1, 3}, {1, 0}}));
}

/// Merging pays where a group's channels do not fill a tile.
TEST(ImplicitGemm, MergesGroupsOfFewChannels) {
  auto select = [](StringRef text) {
    return selectMergedGroups(std::get<ConvProblem>(llvm::cantFail(parseProblem(text))));
  };
  EXPECT_EQ(select("conv_fwd:f16:N=1,G=64,K=1,C=1,in=14x14,filter=3x3"), 16);
  EXPECT_EQ(select("conv_fwd:f16:N=1,G=12,K=1,C=1,in=14x14,filter=3x3"), 4);
  EXPECT_EQ(select("conv_bwd_data:f16:N=1,G=32,K=64,C=4,in=14x14,filter=3x3"), 4);
  EXPECT_EQ(select("conv_bwd_weight:f16:N=1,G=32,K=4,C=4,in=14x14,filter=3x3"), 4);
  EXPECT_EQ(select("conv_fwd:f16:N=1,G=32,K=16,C=16,in=14x14,filter=3x3"), 1);
}

/// Positions fill columns that channels leave empty, as far as the taps of all of them are worth
/// it.
TEST(ImplicitGemm, FoldsPositionsOfFewChannels) {
  auto select = [](StringRef text) {
    return selectFoldedPositions(std::get<ConvProblem>(llvm::cantFail(parseProblem(text))));
  };
  using Positions = SmallVector<int64_t, 3>;
  // Residues of a stride, in multiples of it.
  EXPECT_EQ(select("conv_bwd_data:f16:N=2,K=64,C=3,in=224x224,filter=7x7,stride=2,pad=3"),
            Positions({4, 4}));
  EXPECT_EQ(select("conv_bwd_data:f16:N=2,K=128,C=64,in=64x64,filter=2x2,stride=2"),
            Positions({2, 2}));
  EXPECT_EQ(select("conv_fwd:f16:N=2,K=3,C=64,in=64x64,filter=3x3,pad=1"), Positions({4, 4}));
  EXPECT_EQ(select("conv_fwd:f16:N=2,K=16,C=64,in=64x64,filter=3x3,pad=1"), Positions({1, 2}));
  // Taps that no two positions share, channels that fill tiles, and dilations.
  EXPECT_EQ(select("conv_fwd:f16:N=2,K=3,C=64,in=64x64,filter=1x1"), Positions());
  EXPECT_EQ(select("conv_fwd:f16:N=2,K=64,C=64,in=64x64,filter=3x3,pad=1"), Positions());
  EXPECT_EQ(select("conv_bwd_data:f16:N=2,K=64,C=64,in=64x64,filter=3x3,pad=1,stride=2"),
            Positions());
  EXPECT_EQ(select("conv_fwd:f16:N=2,K=3,C=64,in=64x64,filter=3x3,pad=2,dilation=2"), Positions());
  // Groups that are merged, and results that are not of positions.
  EXPECT_EQ(select("conv_fwd:f16:N=2,G=8,K=2,C=2,in=64x64,filter=3x3,pad=1"), Positions());
  EXPECT_EQ(select("conv_bwd_weight:f16:N=2,K=3,C=64,in=64x64,filter=3x3,pad=1"), Positions());
}
