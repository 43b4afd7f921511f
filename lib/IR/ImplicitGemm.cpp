//===- ImplicitGemm.cpp - Transform maps of a convolution's implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the formula of the problem (Problem.h) with input coordinate
// in = out * stride + filter * dilation - pad per spatial dimension.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ImplicitGemm.h"

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Builds the maps of one problem. Tensor dimensions carry their layout letters in lower case, GEMM
/// dimensions are G, M, N and K.
class MapBuilder {
public:
  MapBuilder(MLIRContext *context, const ConvProblem &problem)
      : context(context), problem(problem), outputSize(problem.getOutputSize()) {}

  /// GEMM dimensions of the backward-weight direction.
  ImplicitGemmMaps buildBackwardWeight() {
    int64_t taps = 1, positions = problem.n;
    for (unsigned i = 0; i < problem.getRank(); ++i) {
      taps *= problem.filter[i];
      positions *= outputSize[i];
    }
    int64_t m = problem.k, n = taps * problem.c;
    ImplicitGemmMaps maps;
    maps.output = build(problem.getOutput(),
                        {pass("g", "G"), pass("k", "M"), merge(outputDims({"n"}, space()), "K")},
                        {"G", "M", "K"}, {problem.g, m, positions});
    SmallVector<TransformAttr> steps = embedSpace();
    steps.push_back(pass("g", "G"));
    steps.push_back(merge(outputDims(tapNames(), {"c"}), "N"));
    steps.push_back(merge(outputDims({"n"}, outputNames()), "K"));
    maps.input = build(problem.getInput(), steps, {"G", "N", "K"}, {problem.g, n, positions});
    maps.filter = build(problem.getFilter(),
                        {pass("g", "G"), pass("k", "M"), merge(outputDims(tapNames(), {"c"}), "N")},
                        {"G", "M", "N"}, {problem.g, m, n});
    return maps;
  }

private:
  using Names = SmallVector<std::string>;

  static Names lastOf(ArrayRef<StringRef> names, unsigned rank) {
    Names result;
    for (StringRef name : names.take_back(rank))
      result.push_back(name.str());
    return result;
  }
  Names space() const { return lastOf({"d", "h", "w"}, problem.getRank()); }
  Names tapNames() const { return lastOf({"z", "y", "x"}, problem.getRank()); }
  Names outputNames() const { return lastOf({"do", "ho", "wo"}, problem.getRank()); }

  static Names outputDims(Names head, const Names &tail) {
    head.append(tail.begin(), tail.end());
    return head;
  }

  StringAttr name(StringRef text) const { return StringAttr::get(context, text); }
  SmallVector<StringAttr> names(const Names &list) const {
    SmallVector<StringAttr> result;
    for (StringRef text : list)
      result.push_back(name(text));
    return result;
  }
  TransformAttr step(TransformKind kind, const Names &from, const Names &into,
                     ArrayRef<int64_t> values = {}) const {
    return TransformAttr::get(context, kind, names(from), names(into), values);
  }
  TransformAttr pass(StringRef from, StringRef into) const {
    return step(TransformKind::Pass, {from.str()}, {into.str()});
  }
  TransformAttr merge(const Names &from, StringRef into) const {
    return step(TransformKind::Merge, from, {into.str()});
  }

  /// Input space to (filter tap, output position) per dimension.
  SmallVector<TransformAttr> embedSpace() const {
    SmallVector<TransformAttr> steps;
    for (auto [i, dim] : llvm::enumerate(space()))
      steps.push_back(
          step(TransformKind::Pad, {dim}, {dim}, {problem.padLeft[i], problem.padRight[i]}));
    for (auto [i, dim] : llvm::enumerate(space()))
      steps.push_back(
          step(TransformKind::Embed, {dim}, {tapNames()[i], outputNames()[i]},
               {problem.filter[i], outputSize[i], problem.dilation[i], problem.stride[i]}));
    return steps;
  }

  TransformMapAttr build(const TensorDesc &tensor, ArrayRef<TransformAttr> steps,
                         const Names &viewDims, ArrayRef<int64_t> viewSizes) const {
    SmallVector<StringAttr> dims;
    for (char letter : tensor.layout)
      dims.push_back(name(std::string(1, llvm::toLower(letter))));
    return TransformMapAttr::get(context, dims, tensor.shape, steps, names(viewDims), viewSizes);
  }

  MLIRContext *context;
  const ConvProblem &problem;
  SmallVector<int64_t, 3> outputSize;
};
} // namespace

llvm::Expected<ImplicitGemmMaps> ck::getImplicitGemmMaps(MLIRContext *context,
                                                         const ConvProblem &problem) {
  if (problem.direction != ConvDirection::BackwardWeight)
    return llvm::createStringError(getName(problem.direction) +
                                   " is not supported yet: only conv_bwd_weight is lowered");
  return MapBuilder(context, problem).buildBackwardWeight();
}
