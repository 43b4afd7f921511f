//===- Gemm.cpp - The batched matrix product, from its formula -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same shape of loops as in the convolutions: rows of B are contiguous, a block of rows of C is
// summed together.
//
//===----------------------------------------------------------------------===//

#include "Reference/Gemm.h"
#include "Reference/Accumulate.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"

using namespace mlir::ck;

template <typename Numbers>
static TensorData multiplyAs(const GemmProblem &p, const TensorData &a, const TensorData &b,
                             FinishFunction finish) {
  TensorDesc desc = p.getC();
  TensorData c(desc, a.getFp8Format());
  auto as = Numbers::load(a, "GMK"), bs = Numbers::load(b, "GKkNn");
  int64_t blocks = llvm::divideCeil(p.m, blockRows);

  llvm::parallelFor(0, p.g * blocks, [&](int64_t task) {
    int64_t begin = task % blocks * blockRows, g = task / blocks;
    int64_t rows = std::min(blockRows, p.m - begin);
    std::vector<typename Numbers::Sum> sums(rows * p.n);
    for (int64_t k = 0; k < p.k; ++k)
      for (int64_t row = 0; row < rows; ++row)
        addScaledRow(&sums[row * p.n], as[(g * p.m + begin + row) * p.k + k],
                     &bs[(g * p.k + k) * p.n], p.n);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t n = 0; n < p.n; ++n) {
        int64_t index =
            g * desc.getStride('G') + (begin + row) * desc.getStride('M') + n * desc.getStride('N');
        double sum = static_cast<double>(sums[row * p.n + n]);
        c.set(index, finish ? finish(sum, index) : sum);
      }
  });
  return c;
}

TensorData mlir::ck::multiply(const GemmProblem &problem, const TensorData &a, const TensorData &b,
                              FinishFunction finish) {
  return withNumbers(problem.dtype, [&](auto numbers) {
    return multiplyAs<decltype(numbers)>(problem, a, b, finish);
  });
}
