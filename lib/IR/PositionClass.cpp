//===- PositionClass.cpp - Input positions by the taps that reach them -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: input position + pad = output position * stride + tap * dilation. With g = gcd(stride,
// dilation) taps r, r + stride / g, r + 2 * stride / g ... reach the same residue r * dilation.
//
//===----------------------------------------------------------------------===//

#include "IR/PositionClass.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::ck;
using namespace mlir::ck::detail;
using llvm::divideCeilSigned;
using llvm::divideFloorSigned;

namespace {
/// Cuts one dimension into classes.
class Classifier {
public:
  Classifier(const ConvProblem &problem, unsigned dim)
      : in(problem.in[dim]), filter(problem.filter[dim]), stride(problem.stride[dim]),
        dilation(problem.dilation[dim]), pad(problem.padLeft[dim]),
        common(std::gcd(stride, dilation)), cycle(getResidueCycle(problem, dim)) {}

  DimPositions run(int64_t folded) const;

private:
  /// The classes that taps reach, and residues that none reaches.
  void addByTaps(DimPositions &dims) const;
  PositionClass makeFolded(int64_t cycles) const;
  /// Positions whose first tap is in [begin, end), of which each has `taps`.
  PositionClass makeClass(int64_t begin, int64_t end, int64_t taps) const;
  /// Positions that no multiple of `common` meets.
  PositionClass makeOffGrid() const;

  int64_t in, filter, stride, dilation, pad;
  int64_t common; // divides every reached position + pad
  int64_t cycle;  // taps after which a residue is met again
};
} // namespace

PositionClass Classifier::makeClass(int64_t begin, int64_t end, int64_t taps) const {
  PositionClass result;
  result.taps = taps;
  result.residues = end - begin;
  result.residueStep = dilation;
  result.positionStep = stride;
  result.firstOutput = divideCeilSigned(pad - dilation * (end - 1), stride);
  result.positions =
      divideFloorSigned(pad + in - 1 - dilation * begin, stride) + 1 - result.firstOutput;
  result.first = begin * dilation + result.firstOutput * stride - pad;
  result.firstTap = begin;
  result.tapStep = cycle;
  result.tapOutputStep = dilation / common;
  return result;
}

PositionClass Classifier::makeOffGrid() const {
  PositionClass result;
  result.residues = common - 1;
  result.positionStep = common;
  int64_t begin = divideCeilSigned(pad - (common - 1), common);
  result.positions = divideFloorSigned(pad + in - 2, common) + 1 - begin;
  result.first = 1 + begin * common - pad;
  return result;
}

PositionClass Classifier::makeFolded(int64_t cycles) const {
  const int64_t taps = llvm::divideCeil(filter, cycle);
  // Without dilation the residues begin at a multiple of the stride, so that those of one position
  // lie in whole vectors of memory, unless that takes another tap.
  int64_t begin = dilation == 1 && pad % stride > 0 ? pad % stride - stride : 0;
  if (int64_t(llvm::divideCeil(filter - begin, cycle)) > taps)
    begin = 0;
  PositionClass result = makeClass(begin, begin + cycle, taps);
  // Another cycle is what comes from the next output position.
  const int64_t more = cycles - 1;
  result.taps += more;
  result.residues *= cycles;
  result.firstTap -= more * cycle;
  result.firstOutput += more;
  result.outputStep = cycles;
  result.positionStep *= cycles;
  result.positions = divideCeilSigned(result.positions, cycles);
  return result;
}

void Classifier::addByTaps(DimPositions &dims) const {
  int64_t taps = filter / cycle, longer = filter % cycle;
  if (longer > 0)
    dims.reached.push_back(makeClass(0, longer, taps + 1));
  if (taps > 0)
    dims.reached.push_back(makeClass(longer, cycle, taps));
  else
    dims.unreached.push_back(makeClass(longer, cycle, 0));
}

DimPositions Classifier::run(int64_t folded) const {
  DimPositions dims;
  dims.all.positions = in;
  if (folded > 0)
    dims.reached.push_back(makeFolded(folded / cycle));
  else
    addByTaps(dims);
  if (common > 1)
    dims.unreached.push_back(makeOffGrid());

  auto isEmpty = [](const PositionClass &c) { return c.positions <= 0; };
  PositionClass kept = dims.reached.front();
  llvm::erase_if(dims.reached, isEmpty);
  llvm::erase_if(dims.unreached, isEmpty);
  if (dims.reached.empty()) {
    kept.positions = 1;
    dims.reached.push_back(kept);
  }
  return dims;
}

int64_t detail::getResidueCycle(const ConvProblem &problem, unsigned dim) {
  return problem.stride[dim] / std::gcd(problem.stride[dim], problem.dilation[dim]);
}

DimPositions detail::getDimPositions(const ConvProblem &problem, unsigned dim, int64_t folded) {
  return Classifier(problem, dim).run(folded);
}

using Part = std::vector<PositionClass>;

/// Every part with every class of `classes` behind it.
static std::vector<Part> extend(llvm::ArrayRef<Part> parts, llvm::ArrayRef<PositionClass> classes) {
  std::vector<Part> extended;
  for (const Part &part : parts)
    for (const PositionClass &positionClass : classes) {
      extended.push_back(part);
      extended.back().push_back(positionClass);
    }
  return extended;
}

std::vector<Part> detail::getPositionParts(llvm::ArrayRef<DimPositions> dims) {
  std::vector<Part> reached = {Part()}, unreached;
  for (const DimPositions &dim : dims) {
    std::vector<Part> rest = extend(unreached, dim.all);
    llvm::append_range(rest, extend(reached, dim.unreached));
    unreached = std::move(rest);
    reached = extend(reached, dim.reached);
  }
  llvm::append_range(reached, unreached);
  return reached;
}
