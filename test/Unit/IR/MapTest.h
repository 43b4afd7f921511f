//===- MapTest.h - What the tests of transform maps share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random convolutions small enough to visit every coordinate of their views.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TEST_UNIT_IR_MAPTEST_H
#define CK_MLIR_TEST_UNIT_IR_MAPTEST_H

#include "ck-mlir/IR/ImplicitGemm.h"
#include "ck-mlir/IR/ViewAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace mlir::ck::test {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  /// Uniform in [low, high].
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  /// 1 in half of the cases, else uniform in [1, high].
  int64_t drawSize(int64_t high) { return draw(0, 1) ? draw(1, high) : 1; }

private:
  std::mt19937_64 engine;
};

/// A legal problem of rank 1 to 3 in any direction.
inline ConvProblem drawProblem(Random &random) {
  static constexpr const char *kLayouts[3][3] = {
      {"NWGC", "GKXC", "NWGK"}, {"NHWGC", "GKYXC", "NHWGK"}, {"NDHWGC", "GKZYXC", "NDHWGK"}};
  for (;;) {
    int64_t rank = random.draw(1, 3);
    ConvProblem problem;
    problem.direction = static_cast<ConvDirection>(random.draw(0, 2));
    problem.n = random.drawSize(3);
    problem.g = random.drawSize(2);
    problem.k = random.drawSize(4);
    problem.c = random.draw(0, 2) ? random.drawSize(5) : 8;
    for (int64_t i = 0; i < rank; ++i) {
      problem.in.push_back(random.drawSize(rank == 3 ? 5 : 9));
      problem.filter.push_back(random.drawSize(rank == 3 ? 2 : 4));
      problem.stride.push_back(random.drawSize(3));
      problem.dilation.push_back(random.drawSize(3));
      problem.padLeft.push_back(random.draw(0, 1) * random.draw(0, 4));
      problem.padRight.push_back(random.draw(0, 1) * random.draw(0, 4));
    }
    problem.inLayout = kLayouts[rank - 1][0];
    problem.filterLayout = kLayouts[rank - 1][1];
    problem.outLayout = kLayouts[rank - 1][2];
    if (llvm::Error error = problem.verify())
      llvm::consumeError(std::move(error));
    else
      return problem;
  }
}

/// `merged` groups in a GEMM, and positions folded into columns or not.
inline GemmColumns drawColumns(Random &random, const ConvProblem &problem, int64_t merged) {
  GemmColumns columns{merged, {}};
  if (problem.direction == ConvDirection::BackwardWeight || random.draw(0, 1) == 0)
    return columns;
  for (auto [stride, dilation] : llvm::zip_equal(problem.stride, problem.dilation)) {
    int64_t step =
        problem.direction == ConvDirection::Forward ? 1 : stride / std::gcd(stride, dilation);
    columns.foldedPositions.push_back(step * (stride % dilation == 0 ? random.drawSize(3) : 1));
  }
  return columns;
}

/// Calls `visit` with every coordinate of `shape`.
inline void forEachCoordinate(ArrayRef<int64_t> shape,
                              llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> at(shape.size(), 0);
  for (;;) {
    visit(at);
    int dim = shape.size() - 1;
    while (dim >= 0 && ++at[dim] == shape[dim])
      at[dim--] = 0;
    if (dim < 0)
      return;
  }
}

inline std::string toText(Attribute map) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  map.print(stream);
  return text;
}

/// A context with the dialect.
inline std::unique_ptr<MLIRContext> makeContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->loadDialect<CKDialect>();
  return context;
}

} // namespace mlir::ck::test

#endif // CK_MLIR_TEST_UNIT_IR_MAPTEST_H
