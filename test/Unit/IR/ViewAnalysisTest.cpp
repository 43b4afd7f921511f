//===- ViewAnalysisTest.cpp - Digits against step-by-step evaluation -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every answer of the analysis is checked at every coordinate of the view against `evaluateMap`,
// which ImplicitGemmTest.cpp checks against the formula.
//
//===----------------------------------------------------------------------===//

#include "MapTest.h"
#include "mlir/AsmParser/AsmParser.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::test;

static int64_t evaluateDigit(const Digit &digit, ArrayRef<int64_t> at) {
  int64_t value = at[digit.dim] / digit.divisor;
  return digit.modulus == 0 ? value : value % digit.modulus;
}

static int64_t evaluateForm(const ViewAnalysis &analysis, const DigitForm &form,
                            ArrayRef<int64_t> at) {
  int64_t sum = form.constant;
  for (auto [digit, coefficient] : llvm::zip_equal(analysis.digits, form.coefficients))
    sum += coefficient * evaluateDigit(digit, at);
  return sum;
}

/// What address code computes from the digits: the offset, or nothing where a check fails.
static std::optional<int64_t> evaluateDigits(const ViewAnalysis &analysis, ArrayRef<int64_t> at) {
  for (const RangeCheck &check : analysis.checks) {
    int64_t value = evaluateForm(analysis, check.form, at);
    if (value < 0 || value >= check.size)
      return std::nullopt;
  }
  return evaluateForm(analysis, analysis.offset, at);
}

/// Steps along a linear dimension move the offset by one stride and never in or out of padding.
static void expectLinear(const ViewAnalysis &analysis, unsigned dim, ArrayRef<int64_t> at) {
  if (at[dim] == 0)
    return;
  SmallVector<int64_t> before(at);
  --before[dim];
  std::optional<int64_t> here = evaluateDigits(analysis, at);
  std::optional<int64_t> there = evaluateDigits(analysis, before);
  ASSERT_EQ(here.has_value(), there.has_value());
  if (here) {
    ASSERT_EQ(*here - *there, analysis.getStride(dim));
  }
}

/// A vector that starts here reads consecutive elements, aligned, all of them valid or none.
static void expectVector(const ViewAnalysis &analysis, TransformMapAttr map, unsigned dim,
                         ArrayRef<int64_t> at) {
  int64_t width = analysis.getMaxVector(dim);
  if (at[dim] % width != 0)
    return;
  std::optional<int64_t> first = evaluateMap(map, at);
  if (first) {
    ASSERT_EQ(*first % width, 0);
  }
  SmallVector<int64_t> element(at);
  for (int64_t i = 1; i < width; ++i) {
    ++element[dim];
    ASSERT_LT(element[dim], map.getViewSizes()[dim]);
    std::optional<int64_t> offset = evaluateMap(map, element);
    ASSERT_EQ(offset.has_value(), first.has_value());
    if (first) {
      ASSERT_EQ(*offset, *first + i);
    }
  }
}

/// Inside a run only the fastest digit of the dimension moves, by one.
static void expectRun(const ViewAnalysis &analysis, unsigned dim, ArrayRef<int64_t> at) {
  int64_t run = analysis.getRun(dim);
  if (at[dim] == 0 || (run != 0 && at[dim] % run == 0))
    return;
  SmallVector<int64_t> before(at);
  --before[dim];
  unsigned fastest = analysis.getDigitsOf(dim).back();
  for (auto [i, digit] : llvm::enumerate(analysis.digits))
    ASSERT_EQ(evaluateDigit(digit, at), evaluateDigit(digit, before) + (i == fastest));
}

/// Elements past the end of a dimension that "ends with the tensor" lie past the tensor.
static void expectPastTheEnd(const ViewAnalysis &analysis, unsigned dim, ArrayRef<int64_t> at) {
  if (!analysis.endsWithTensor(dim) || at[dim] != 0)
    return;
  SmallVector<int64_t> past(at);
  for (int64_t i = 0; i < 70; ++i) {
    past[dim] = analysis.view.getShape()[dim] + i;
    std::optional<int64_t> offset = evaluateDigits(analysis, past);
    if (offset) {
      ASSERT_GE(*offset, analysis.numElements);
    }
  }
}

/// No element of a dimension is further from its first one than the span says, valid or not.
static void expectSpan(const ViewAnalysis &analysis, unsigned dim, ArrayRef<int64_t> at) {
  SmallVector<int64_t> first(at);
  first[dim] = 0;
  const int64_t distance =
      evaluateForm(analysis, analysis.offset, at) - evaluateForm(analysis, analysis.offset, first);
  ASSERT_LT(std::abs(distance), analysis.getSpan(dim));
}

/// All of the above at every coordinate of the view.
static void expectAnalysis(TransformMapAttr map, const ViewAnalysis &analysis) {
  SCOPED_TRACE(toText(map));
  forEachCoordinate(map.getViewSizes(), [&](ArrayRef<int64_t> at) {
    ASSERT_EQ(evaluateDigits(analysis, at), evaluateMap(map, at));
    for (unsigned dim = 0; dim < at.size(); ++dim) {
      if (analysis.isLinear(dim))
        expectLinear(analysis, dim, at);
      expectVector(analysis, map, dim, at);
      expectRun(analysis, dim, at);
      expectSpan(analysis, dim, at);
      expectPastTheEnd(analysis, dim, at);
    }
  });
}

static ViewType makeView(TransformMapAttr map) {
  return ViewType::get(Float16Type::get(map.getContext()), map);
}

TEST(ViewAnalysis, ConvolutionsAgreeWithEvaluation) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    ConvProblem problem = drawProblem(random);
    SCOPED_TRACE(toString(problem));
    SmallVector<TransformMapAttr> maps;
    int64_t merged = problem.g % 2 == 0 ? random.draw(1, 2) : 1;
    const GemmColumns columns = drawColumns(random, problem, merged);
    for (const ImplicitGemmPart &part : getImplicitGemm(context.get(), problem, columns).parts)
      for (TransformMapAttr map : {part.a, part.b, part.c, part.channels})
        if (map)
          maps.push_back(map);
    for (TransformMapAttr map : maps) {
      llvm::Expected<ViewAnalysis> analysis = analyzeView(makeView(map));
      ASSERT_TRUE(bool(analysis)) << llvm::toString(analysis.takeError());
      expectAnalysis(map, *analysis);
      if (HasFailure())
        return;
    }
  }
}

namespace {
/// Random maps of every kind of step.
class MapDrawer {
public:
  MapDrawer(MLIRContext *context, Random &random) : context(context), random(random) {}

  TransformMapAttr draw() {
    dims.clear();
    steps.clear();
    SmallVector<StringAttr> tensorDims;
    SmallVector<int64_t> tensorSizes;
    for (int64_t i = random.draw(1, 4); i > 0; --i) {
      dims.push_back({makeName(), random.drawSize(6)});
      tensorDims.push_back(dims.back().first);
      tensorSizes.push_back(dims.back().second);
    }
    for (int64_t i = random.draw(0, 5); i > 0; --i)
      drawStep();
    if (dims.empty())
      add(TransformKind::Broadcast, {}, {{makeName(), 3}}, {3});
    SmallVector<StringAttr> viewDims;
    SmallVector<int64_t> viewSizes;
    while (!dims.empty()) {
      auto [name, size] = take();
      viewDims.push_back(name);
      viewSizes.push_back(size);
    }
    return TransformMapAttr::get(context, tensorDims, tensorSizes, steps, viewDims, viewSizes);
  }

private:
  using Dim = std::pair<StringAttr, int64_t>;

  StringAttr makeName() {
    return StringAttr::get(context, "d" + std::to_string(steps.size() * 10 + dims.size()) + "_" +
                                        std::to_string(counter++));
  }
  Dim take() {
    auto *it = dims.begin() + random.draw(0, dims.size() - 1);
    Dim dim = *it;
    dims.erase(it);
    return dim;
  }
  void add(TransformKind kind, ArrayRef<Dim> from, ArrayRef<Dim> into, ArrayRef<int64_t> values) {
    auto names = [](ArrayRef<Dim> list) {
      SmallVector<StringAttr> result;
      for (const Dim &dim : list)
        result.push_back(dim.first);
      return result;
    };
    steps.push_back(TransformAttr::get(context, kind, names(from), names(into), values));
    dims.append(into.begin(), into.end());
  }

  void drawStep() {
    if (dims.empty())
      return;
    Dim dim = take();
    switch (random.draw(0, 7)) {
    case 0:
      return add(TransformKind::Pass, {dim}, {{makeName(), dim.second}}, {});
    case 1: {
      int64_t low = random.draw(0, 3), high = random.draw(0, 3);
      return add(TransformKind::Pad, {dim}, {{dim.first, dim.second + low + high}}, {low, high});
    }
    case 2: {
      int64_t begin = random.draw(0, dim.second - 1), end = random.draw(begin + 1, dim.second);
      return add(TransformKind::Slice, {dim}, {{dim.first, end - begin}}, {begin, end});
    }
    case 3:
      return drawEmbed(dim);
    case 4: {
      int64_t slow = dim.second % 2 == 0 ? 2 : dim.second, fast = dim.second / slow;
      return add(TransformKind::Unmerge, {dim}, {{makeName(), slow}, {makeName(), fast}},
                 {slow, fast});
    }
    case 5: {
      if (dims.empty())
        return dims.push_back(dim);
      Dim other = take();
      return add(TransformKind::Merge, {dim, other}, {{makeName(), dim.second * other.second}}, {});
    }
    case 6: {
      dims.push_back(dim);
      int64_t size = random.drawSize(3);
      return add(TransformKind::Broadcast, {}, {{makeName(), size}}, {size});
    }
    default:
      return add(TransformKind::Freeze, {dim}, {}, {random.draw(0, dim.second - 1)});
    }
  }

  void drawEmbed(Dim dim) {
    int64_t first = random.draw(0, 2), second = random.draw(0, 2);
    int64_t size = random.draw(1, first == 0 ? 3 : (dim.second - 1) / first + 1);
    int64_t rest = dim.second - 1 - (size - 1) * first;
    int64_t other = random.draw(1, second == 0 ? 3 : rest / second + 1);
    add(TransformKind::Embed, {dim}, {{makeName(), size}, {makeName(), other}},
        {size, other, first, second, /*offset=*/0});
  }

  MLIRContext *context;
  Random &random;
  int64_t counter = 0;
  SmallVector<Dim> dims;
  SmallVector<TransformAttr> steps;
};
} // namespace

TEST(ViewAnalysis, EveryTransformAgreesWithEvaluation) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Random random(4);
  MapDrawer drawer(context.get(), random);
  int analyzed = 0;
  for (int i = 0; i < 3000; ++i) {
    TransformMapAttr map = drawer.draw();
    SCOPED_TRACE(toText(map));
    int64_t elements = 1;
    for (int64_t size : map.getViewSizes())
      elements *= size;
    if (elements > 20000)
      continue;
    llvm::Expected<ViewAnalysis> analysis = analyzeView(makeView(map));
    if (!analysis) {
      std::string reason = llvm::toString(analysis.takeError());
      ASSERT_EQ(reason.rfind("cannot split merged dimension", 0), 0u) << reason;
      continue;
    }
    ++analyzed;
    expectAnalysis(map, *analysis);
    if (HasFailure())
      return;
  }
  EXPECT_GT(analyzed, 1500);
}

static ViewAnalysis analyze(MLIRContext *context, StringRef text) {
  auto map = cast<TransformMapAttr>(parseAttribute(text, context));
  return llvm::cantFail(analyzeView(makeView(map)));
}

// What schedules and address code rely on, for shapes where the answer is known.
TEST(ViewAnalysis, PackedSpaceIsOneLinearDigit) {
  std::unique_ptr<MLIRContext> context = makeContext();
  ViewAnalysis dy =
      analyze(context.get(), "#ck.transform_map<(n: 8, h: 14, w: 14, g: 2, k: 64) by [pass G = g, "
                             "pass M = k, merge K = (n, h, w)] to (G: 2, M: 64, K: 1568)>");
  EXPECT_TRUE(dy.checks.empty());
  EXPECT_TRUE(dy.isLinear(0) && dy.isLinear(1) && dy.isLinear(2));
  EXPECT_EQ(dy.getDigitsOf(2).size(), 1u);
  EXPECT_EQ(dy.getStride(2), 128);
  EXPECT_EQ(dy.getRun(2), 0);
  EXPECT_TRUE(dy.endsWithTensor(2));
  EXPECT_FALSE(dy.endsWithTensor(1));
  EXPECT_EQ(dy.getMaxVector(1), 8); // 16 bytes
  EXPECT_EQ(dy.getMaxVector(2), 1);
  EXPECT_EQ(dy.getAlignedRun(1), 64);
  EXPECT_EQ(dy.getAlignedRun(2), 1);
  EXPECT_EQ(dy.getAddressOps(2), 0);
  EXPECT_EQ(dy.getRegularRun(1), 64);
  EXPECT_EQ(dy.getRegularRun(2), 1568);
}

TEST(ViewAnalysis, PaddedSpaceKeepsDigitsAndChecks) {
  std::unique_ptr<MLIRContext> context = makeContext();
  ViewAnalysis x = analyze(
      context.get(), "#ck.transform_map<(n: 8, h: 14, w: 14, g: 1, c: 12) by [pad h 1 : 1, pad w 0 "
                     ": 0, embed h = (y: 3 * 1, ho: 14 * 1), embed w = (x: 1 * 1, wo: 14 * 1), "
                     "pass G = g, merge N = (y, x, c), merge K = (n, ho, wo)] to (G: 1, N: 36, K: "
                     "1568)>");
  EXPECT_EQ(x.checks.size(), 1u); // of h: the columns are not padded
  EXPECT_FALSE(x.isLinear(1));
  EXPECT_FALSE(x.isLinear(2));
  EXPECT_EQ(x.offset.constant, -14 * 12);
  EXPECT_TRUE(x.endsWithTensor(2));
  EXPECT_EQ(x.getMaxVector(1), 4); // of 12 channels
  EXPECT_EQ(x.getAlignedRun(1), 4);
  EXPECT_EQ(x.getAddressOps(2), 8);  // two carries and a check
  EXPECT_EQ(x.getRegularRun(1), 12); // the next row of the filter is a row of the image away
}

// A check that all elements of a vector pass or fail leaves it whole.
TEST(ViewAnalysis, VectorsLieInsideOrOutsideOfPadding) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto getWidth = [&](StringRef pad, StringRef size) {
    std::string text =
        ("#ck.transform_map<(w: " + size + ") by [pad w " + pad +
         " : 6, embed w = (x: 24 * 1, wo: 8 * 6), broadcast G : 1, pass M = wo, pass "
         "K = x] to (G: 1, M: 8, K: 24)>")
            .str();
    return analyze(context.get(), text).getMaxVector(2);
  };
  EXPECT_EQ(getWidth("10", "60"), 2); // of pixels at multiples of six
  EXPECT_EQ(getWidth("9", "60"), 1);
  EXPECT_EQ(getWidth("10", "61"), 1);
}

TEST(ViewAnalysis, IdlePaddingIsDropped) {
  std::unique_ptr<MLIRContext> context = makeContext();
  // The filter never reaches into the padding on the right.
  ViewAnalysis x =
      analyze(context.get(), "#ck.transform_map<(w: 8, c: 4) by [pad w 0 : 1, embed w = (x: 2 * 1, "
                             "wo: 4 * 2), pass N = c, merge K = (x, wo)] to (N: 4, K: 8)>");
  EXPECT_TRUE(x.checks.empty());
}

TEST(ViewAnalysis, RefusesWhatCannotBeAddressed) {
  std::unique_ptr<MLIRContext> context = makeContext();
  // The tensor; a coefficient that no coordinate is multiplied by, times the stride; padding.
  for (StringRef text :
       {"#ck.transform_map<(m: 4294967296, k: 4294967296) by [] to (m: 4294967296, k: 4294967296)>",
        "#ck.transform_map<(h: 3, c: 64) by [embed h = (y: 1 * 9223372036854775807, ho: 3 * 1)] to "
        "(y: 1, ho: 3, c: 64)>",
        "#ck.transform_map<(h: 3, c: 64) by [pad h 4611686018427387904 : 0] to "
        "(h: 4611686018427387907, c: 64)>"}) {
    auto map = cast<TransformMapAttr>(parseAttribute(text, context.get()));
    llvm::Expected<ViewAnalysis> analysis = analyzeView(makeView(map));
    ASSERT_FALSE(bool(analysis)) << text.str();
    EXPECT_EQ(llvm::toString(analysis.takeError()),
              "cannot address a view that reaches more than 288230376151711744 elements of its "
              "tensor");
  }
}
