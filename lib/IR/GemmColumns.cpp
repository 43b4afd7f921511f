//===- GemmColumns.cpp - What fills the columns of a problem's implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups and positions that make a GEMM of few channels wider, and when they are worth it.
//
//===----------------------------------------------------------------------===//

#include "IR/PositionClass.h"
#include "ck-mlir/IR/ImplicitGemm.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using ck::detail::PositionClass;

/// Neighbouring positions that are folded together or not at all.
static int64_t getFoldedStep(const ConvProblem &problem, unsigned dim) {
  return problem.direction == ConvDirection::Forward ? 1
                                                     : ck::detail::getResidueCycle(problem, dim);
}

/// Limits of what is folded, so that products of both are 64-bit numbers.
static constexpr int64_t kMaxFolded = int64_t(1) << 16, kMaxFoldedStride = int64_t(1) << 32;

/// True if more than one step of positions can be folded: they meet the taps of the first ones.
static bool canFoldSteps(const ConvProblem &problem, unsigned dim) {
  return problem.stride[dim] % problem.dilation[dim] == 0 &&
         problem.stride[dim] <= kMaxFoldedStride;
}

static llvm::Error verifyFolded(const ConvProblem &problem, unsigned dim, int64_t positions) {
  const int64_t step = getFoldedStep(problem, dim);
  if (positions < 1 || positions % step != 0 || (positions > kMaxFolded && positions > step))
    return llvm::createStringError("cannot fold " + llvm::Twine(positions) +
                                   " positions: expected a positive multiple of " +
                                   llvm::Twine(step) + ", at most " + llvm::Twine(kMaxFolded));
  if (positions > step && !canFoldSteps(problem, dim))
    return llvm::createStringError(
        "cannot fold " + llvm::Twine(positions) + " positions with a stride of " +
        llvm::Twine(problem.stride[dim]) + " and a dilation of " +
        llvm::Twine(problem.dilation[dim]) + ": expected " + llvm::Twine(step) +
        ", or a dilation that divides a stride of at most " + llvm::Twine(kMaxFoldedStride));
  return llvm::Error::success();
}

bool ck::canFoldPositions(const ConvProblem &problem) {
  return problem.direction != ConvDirection::BackwardWeight && problem.preshuffle == 0;
}

bool ck::canJoinChannels(const ConvProblem &problem) {
  constexpr int64_t kLoadBytes = 16;
  const TensorDesc input = problem.getInput(), filter = problem.getFilter();
  // One group has no dimension of its own.
  auto endsWith = [](const TensorDesc &tensor, char space) {
    return tensor.getStride('C') == 1 && tensor.getStride(space) == tensor.getSize('C');
  };
  return problem.direction != ConvDirection::BackwardData && problem.preshuffle == 0 &&
         problem.g == 1 && problem.dilation.back() == 1 && problem.filter.back() > 1 &&
         problem.c > 1 && problem.c * getSizeInBytes(problem.dtype) < kLoadBytes &&
         endsWith(input, 'W') && endsWith(filter, 'X');
}

std::pair<int64_t, int64_t> ck::getRowPadding(const ConvProblem &problem) {
  const int64_t loaded = 16 / getSizeInBytes(problem.dtype), c = problem.c;
  const int64_t row = problem.filter.back() * c, step = problem.stride.back() * c;
  const int64_t aligned = std::gcd(std::gcd(step, problem.in.back() * c), loaded);
  if (aligned == 1)
    return {0, 0};
  const int64_t front =
      llvm::alignTo(problem.padLeft.back() * c, aligned) - problem.padLeft.back() * c;
  // Rows of whole units of LDS have one address for each of them; that pays up to a quarter more.
  const int64_t units = llvm::alignTo(front + row, loaded);
  const int64_t length = 4 * units <= 5 * row ? units : llvm::alignTo(front + row, aligned);
  return {front, length - front - row};
}

llvm::Error ck::verifyColumns(const ConvProblem &problem, const GemmColumns &columns) {
  if (columns.mergedGroups < 1 || problem.g % columns.mergedGroups != 0)
    return llvm::createStringError("cannot merge " + llvm::Twine(columns.mergedGroups) + " of " +
                                   llvm::Twine(problem.g) +
                                   " groups: expected a divisor of the number of groups");
  ArrayRef<int64_t> folded = columns.foldedPositions;
  if (columns.joinsChannels && !canJoinChannels(problem))
    return llvm::createStringError("cannot join channels with the last spatial dimension: expected "
                                   "forward or backward-weight of "
                                   "one group, with fewer than 16 bytes of channels, side by side "
                                   "for a row of several taps that "
                                   "are not dilated");
  if (columns.joinsChannels && !folded.empty())
    return llvm::createStringError("cannot join channels and fold positions of one problem");
  if (folded.empty())
    return llvm::Error::success();
  if (!canFoldPositions(problem))
    return llvm::createStringError("cannot fold positions into columns of channels: expected "
                                   "backward-data, or forward with weights that are not shuffled");
  if (folded.size() != problem.getRank())
    return llvm::createStringError(
        "cannot fold positions of " + llvm::Twine(folded.size()) +
        " spatial dimensions: expected as many as the convolution has, " +
        llvm::Twine(problem.getRank()));
  for (unsigned i = 0; i < folded.size(); ++i)
    if (llvm::Error error = verifyFolded(problem, i, folded[i]))
      return error;
  return llvm::Error::success();
}

/// Rows or columns of a tile that is worth filling with several groups.
static constexpr int64_t kSmallTile = 16;

int64_t ck::selectMergedGroups(const ConvProblem &problem) {
  int64_t taps = 1;
  for (int64_t size : problem.filter)
    taps *= size;
  // What M and N have of one group. Positions are many; only channels can be too few.
  bool toWeight = problem.direction == ConvDirection::BackwardWeight;
  int64_t m = toWeight ? problem.k : kSmallTile;
  int64_t n = toWeight                                      ? taps * problem.c
              : problem.direction == ConvDirection::Forward ? problem.k
                                                            : problem.c;
  int64_t merged = 1;
  while (problem.g % (2 * merged) == 0 && std::min(m, n) * 2 * merged <= kSmallTile)
    merged *= 2;
  return merged;
}

/// Work of a GEMM for each group, image and channel of the reduction: rows are loaded, and
/// multiplied by the columns of whole small tiles.
static double getWork(double rows, double columns) {
  // What it takes to bring a row to the matrix instructions, in columns.
  constexpr double kColumnsOfLoad = 32;
  return rows * (kColumnsOfLoad + std::ceil(columns / double(kSmallTile)) * double(kSmallTile));
}

static double getWorkForward(const ConvProblem &problem, ArrayRef<int64_t> folded) {
  const SmallVector<int64_t, 3> outputs = problem.getOutputSize();
  double rows = 1, columns = double(problem.k);
  for (unsigned i = 0; i < problem.getRank(); ++i) {
    const int64_t count = folded.empty() ? 1 : folded[i];
    const int64_t step = count == 1 ? 1 : problem.stride[i] / problem.dilation[i];
    rows *= double(llvm::divideCeil(outputs[i], count)) *
            double(problem.filter[i] + (count - 1) * step);
    columns *= double(count);
  }
  return getWork(rows, columns);
}

static double getWorkBackwardData(const ConvProblem &problem, ArrayRef<int64_t> folded) {
  SmallVector<ck::detail::DimPositions, 3> dims;
  for (unsigned i = 0; i < problem.getRank(); ++i)
    dims.push_back(ck::detail::getDimPositions(problem, i, folded.empty() ? 0 : folded[i]));
  double work = 0;
  for (const std::vector<PositionClass> &classes : ck::detail::getPositionParts(dims)) {
    double rows = 1, residues = 1;
    for (const PositionClass &c : classes) {
      rows *= double(c.positions) * double(c.taps);
      residues *= double(c.residues);
    }
    const double columns = double(problem.c);
    work += folded.empty() ? residues * getWork(rows, columns) : getWork(rows, residues * columns);
  }
  return work;
}

SmallVector<int64_t, 3> ck::selectFoldedPositions(const ConvProblem &problem) {
  if (!canFoldPositions(problem) || selectMergedGroups(problem) > 1)
    return {};
  auto getWorkOf =
      problem.direction == ConvDirection::Forward ? getWorkForward : getWorkBackwardData;
  constexpr int64_t kMaxSteps = 4;
  SmallVector<int64_t, 3> best, steps;
  for (unsigned i = 0; i < problem.getRank(); ++i)
    steps.push_back(getFoldedStep(problem, i));
  SmallVector<int64_t, 3> tried = steps;
  double least = getWorkOf(problem, best);
  for (;;) {
    if (double work = getWorkOf(problem, tried); work < least)
      std::tie(least, best) = std::tuple(work, tried);
    unsigned dim = problem.getRank();
    while (dim > 0 &&
           (tried[dim - 1] == kMaxSteps * steps[dim - 1] || !canFoldSteps(problem, dim - 1))) {
      --dim;
      tried[dim] = steps[dim];
    }
    if (dim == 0)
      return best;
    tried[dim - 1] *= 2;
  }
}
