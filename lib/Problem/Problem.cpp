//===- Problem.cpp - Sizes, tensors and work of a problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that follows from the fields of a problem by arithmetic alone.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Problem/Problem.h"
#include "Problem/ProblemDetail.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::ck;
using llvm::SmallVector;
using llvm::StringRef;

StringRef mlir::ck::getName(ConvDirection direction) {
  switch (direction) {
  case ConvDirection::Forward:
    return "conv_fwd";
  case ConvDirection::BackwardData:
    return "conv_bwd_data";
  case ConvDirection::BackwardWeight:
    return "conv_bwd_weight";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// TensorDesc
//===----------------------------------------------------------------------===//

static int64_t getProduct(llvm::ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
}

int64_t TensorDesc::getNumElements() const { return getProduct(shape); }

int64_t TensorDesc::getSizeInBytes() const {
  return getNumElements() * mlir::ck::getSizeInBytes(type);
}

int64_t TensorDesc::getSize(char letter) const {
  size_t position = layout.find(letter);
  assert(position != std::string::npos && "letter is not part of the layout");
  return shape[position];
}

int64_t TensorDesc::getStride(char letter) const {
  size_t position = layout.find(letter);
  assert(position != std::string::npos && "letter is not part of the layout");
  return getProduct(llvm::ArrayRef<int64_t>(shape).drop_front(position + 1));
}

//===----------------------------------------------------------------------===//
// ConvProblem
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 3> ConvProblem::getOutputSize() const {
  SmallVector<int64_t, 3> sizes;
  for (unsigned i = 0; i < getRank(); ++i) {
    int64_t window = dilation[i] * (filter[i] - 1) + 1;
    sizes.push_back(llvm::divideFloorSigned(in[i] + padLeft[i] + padRight[i] - window, stride[i]) +
                    1);
  }
  return sizes;
}

/// A tensor of `layout` where `letters` of the same position as in `sizes` have those sizes.
static TensorDesc makeTensor(StringRef name, DataType type, StringRef layout, StringRef letters,
                             llvm::ArrayRef<int64_t> sizes) {
  TensorDesc tensor{name.str(), type, layout.str(), {}};
  for (char letter : layout)
    tensor.shape.push_back(sizes[letters.find(letter)]);
  return tensor;
}

static SmallVector<int64_t, 6> concat(llvm::ArrayRef<int64_t> head, llvm::ArrayRef<int64_t> tail) {
  SmallVector<int64_t, 6> sizes(head.begin(), head.end());
  sizes.append(tail.begin(), tail.end());
  return sizes;
}

TensorDesc ConvProblem::getInput() const {
  bool written = direction == ConvDirection::BackwardData;
  return makeTensor(written ? "dx" : "x", written ? outDtype : dtype, inLayout,
                    ("NGC" + detail::getSpaceLetters(getRank())).str(), concat({n, g, c}, in));
}

TensorDesc ConvProblem::getFilter() const {
  if (preshuffle != 0) {
    int64_t unit = getShuffledUnit(dtype);
    return makeTensor("w", dtype, filterLayout + "kc",
                      ("GKCkc" + detail::getFilterLetters(getRank())).str(),
                      concat({g, k / preshuffle, c / unit, preshuffle, unit}, filter));
  }
  bool written = direction == ConvDirection::BackwardWeight;
  return makeTensor(written ? "dw" : "w", written ? outDtype : dtype, filterLayout,
                    ("GKC" + detail::getFilterLetters(getRank())).str(), concat({g, k, c}, filter));
}

TensorDesc ConvProblem::getOutput() const {
  bool written = direction == ConvDirection::Forward;
  return makeTensor(written ? "y" : "dy", written ? outDtype : dtype, outLayout,
                    ("NGK" + detail::getSpaceLetters(getRank())).str(),
                    concat({n, g, k}, getOutputSize()));
}

/// The tensors that `steps` read. `channelLetter` is that of the channels of `write`, the tensor
/// that is written.
static SmallVector<TensorDesc, 2> makeOperands(llvm::ArrayRef<EpilogueStep> steps,
                                               const TensorDesc &write, char channelLetter) {
  SmallVector<TensorDesc, 2> operands;
  SmallVector<std::string, 2> names = getOperandNames(steps);
  for (const EpilogueStep &step : steps) {
    OperandKind kind = getOperandKind(step.kind);
    if (kind == OperandKind::None)
      continue;
    TensorDesc operand = write;
    operand.name = names[operands.size()];
    operand.type = step.type;
    if (kind == OperandKind::PerChannel) {
      operand.layout = std::string("G") + channelLetter;
      operand.shape = {write.getSize('G'), write.getSize(channelLetter)};
    }
    operands.push_back(std::move(operand));
  }
  return operands;
}

/// The steps of a verified epilogue.
static SmallVector<EpilogueStep, 4> getSteps(StringRef epilogue, DataType outDtype) {
  if (epilogue == epilogueRegion)
    return {};
  return llvm::cantFail(parseEpilogue(epilogue, outDtype), "the epilogue has not been verified");
}

SmallVector<EpilogueStep, 4> ConvProblem::getEpilogueSteps() const {
  return getSteps(epilogue, outDtype);
}

SmallVector<TensorDesc, 2> ConvProblem::getEpilogueOperands() const {
  if (epilogue == epilogueRegion)
    return regionOperands;
  return makeOperands(getEpilogueSteps(), getWrite(),
                      direction == ConvDirection::BackwardData ? 'C' : 'K');
}

SmallVector<TensorDesc, 2> ConvProblem::getReads() const {
  SmallVector<TensorDesc, 2> reads;
  switch (direction) {
  case ConvDirection::Forward:
    reads = {getInput(), getFilter()};
    break;
  case ConvDirection::BackwardData:
    reads = {getOutput(), getFilter()};
    break;
  case ConvDirection::BackwardWeight:
    reads = {getInput(), getOutput()};
    break;
  }
  llvm::append_range(reads, getEpilogueOperands());
  return reads;
}

TensorDesc ConvProblem::getWrite() const {
  switch (direction) {
  case ConvDirection::Forward:
    return getOutput();
  case ConvDirection::BackwardData:
    return getInput();
  case ConvDirection::BackwardWeight:
    return getFilter();
  }
  return {};
}

/// The largest number of pairs (o, f), 0 <= o < out and 0 <= f < filter, that meet in one input
/// position: o * stride + f * dilation = i + padLeft for some 0 <= i < in.
///
/// The pairs of one position form a chain with steps (dilation / gcd, -stride / gcd). A chain of
/// m pairs that starts at o1 and ends at f1 lies at position lcm * (m - 1) + o1 * stride +
/// f1 * dilation; the longest chain for which some (o1, f1) hits the input is the answer. Where
/// there is one there is a shorter one, too, without its last pair: the length is found by
/// bisection.
static int64_t getMaxTapsPerInput(int64_t in, int64_t out, int64_t filter, int64_t stride,
                                  int64_t dilation, int64_t padLeft) {
  int64_t gcd = std::gcd(stride, dilation);
  int64_t stepO = dilation / gcd, stepF = stride / gcd;
  auto exists = [&](int64_t taps) {
    int64_t base = (taps - 1) * stepO * stride;
    int64_t maxO = out - 1 - (taps - 1) * stepO, maxF = filter - 1 - (taps - 1) * stepF;
    for (int64_t f = 0; f <= maxF; ++f) {
      int64_t position = base + f * dilation;
      if (position >= padLeft + in)
        return false;
      int64_t o = std::max<int64_t>(0, llvm::divideCeilSigned(padLeft - position, stride));
      if (o <= maxO && position + o * stride < padLeft + in)
        return true;
    }
    return false;
  };
  int64_t longest = 0;
  int64_t tooLong = std::min(llvm::divideCeil(filter, stepF), llvm::divideCeil(out, stepO)) + 1;
  while (tooLong - longest > 1) {
    int64_t middle = longest + (tooLong - longest) / 2;
    (exists(middle) ? longest : tooLong) = middle;
  }
  return longest;
}

int64_t ConvProblem::getReductionLength() const {
  SmallVector<int64_t, 3> out = getOutputSize();
  switch (direction) {
  case ConvDirection::Forward:
    return c * getProduct(filter);
  case ConvDirection::BackwardWeight:
    return n * getProduct(out);
  case ConvDirection::BackwardData:
    break;
  }
  int64_t length = k;
  for (unsigned i = 0; i < getRank(); ++i)
    length *= getMaxTapsPerInput(in[i], out[i], filter[i], stride[i], dilation[i], padLeft[i]);
  return length;
}

/// The product in double, which no legal problem overflows.
static double getWork(llvm::ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<double>());
}

double ConvProblem::getFlops() const {
  return 2.0 * getWork({n, g, k, c}) * getWork(getOutputSize()) * getWork(filter);
}

//===----------------------------------------------------------------------===//
// GemmProblem
//===----------------------------------------------------------------------===//

TensorDesc GemmProblem::getA() const {
  return makeTensor("a", dtype, layout[0] == 'r' ? "GMK" : "GKM", "GMK", {g, m, k});
}

TensorDesc GemmProblem::getB() const {
  if (preshuffle != 0) {
    int64_t unit = getShuffledUnit(dtype);
    return makeTensor("b", dtype, "GNKnk", "GNKnk",
                      {g, n / preshuffle, k / unit, preshuffle, unit});
  }
  return makeTensor("b", dtype, layout[1] == 'r' ? "GKN" : "GNK", "GKN", {g, k, n});
}

TensorDesc GemmProblem::getC() const {
  return makeTensor("c", outDtype, layout[2] == 'r' ? "GMN" : "GNM", "GMN", {g, m, n});
}

SmallVector<TensorDesc, 2> GemmProblem::getReads() const {
  SmallVector<TensorDesc, 2> reads = {getA(), getB()};
  llvm::append_range(reads, getEpilogueOperands());
  return reads;
}

SmallVector<EpilogueStep, 4> GemmProblem::getEpilogueSteps() const {
  return getSteps(epilogue, outDtype);
}

SmallVector<TensorDesc, 2> GemmProblem::getEpilogueOperands() const {
  if (epilogue == epilogueRegion)
    return regionOperands;
  return makeOperands(getEpilogueSteps(), getWrite(), 'N');
}

TensorDesc GemmProblem::getWrite() const { return getC(); }

double GemmProblem::getFlops() const { return 2.0 * getWork({g, m, n, k}); }

//===----------------------------------------------------------------------===//
// Problem
//===----------------------------------------------------------------------===//

int64_t mlir::ck::getShuffledUnit(DataType type) { return 16 / getSizeInBytes(type); }

SmallVector<TensorDesc, 2> mlir::ck::getReads(const Problem &problem) {
  return std::visit([](const auto &p) { return p.getReads(); }, problem);
}

TensorDesc mlir::ck::getWrite(const Problem &problem) {
  return std::visit([](const auto &p) { return p.getWrite(); }, problem);
}

int64_t mlir::ck::getReductionLength(const Problem &problem) {
  return std::visit([](const auto &p) { return p.getReductionLength(); }, problem);
}

SmallVector<EpilogueStep, 4> mlir::ck::getEpilogueSteps(const Problem &problem) {
  return std::visit([](const auto &p) { return p.getEpilogueSteps(); }, problem);
}

SmallVector<TensorDesc, 2> mlir::ck::getEpilogueOperands(const Problem &problem) {
  return std::visit([](const auto &p) { return p.getEpilogueOperands(); }, problem);
}

double mlir::ck::getFlops(const Problem &problem) {
  return std::visit([](const auto &p) { return p.getFlops(); }, problem);
}
