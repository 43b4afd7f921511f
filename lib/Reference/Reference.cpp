//===- Reference.cpp - The reference of any problem -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the operands once, then calls the function of the operation.
//
//===----------------------------------------------------------------------===//

#include "Reference/Gemm.h"
#include "ck-mlir/Reference/Convolution.h"
#include <atomic>
#include <cmath>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error checkOperand(const TensorData &tensor, const TensorDesc &expected) {
  const TensorDesc &desc = tensor.getDesc();
  if (desc.type != expected.type)
    return createStringError("expected type " + getName(expected.type) + " for tensor '" +
                             expected.name + "', got " + getName(desc.type));
  if (desc.layout != expected.layout || desc.shape != expected.shape)
    return createStringError("tensor '" + expected.name +
                             "' has another layout or shape than its problem");
  return Error::success();
}

static TensorData compute(const ConvProblem &problem, llvm::ArrayRef<TensorData> reads,
                          FinishFunction finish) {
  switch (problem.direction) {
  case ConvDirection::Forward:
    return convolveForward(problem, reads[0], reads[1], finish);
  case ConvDirection::BackwardData:
    return convolveBackwardData(problem, reads[0], reads[1], finish);
  case ConvDirection::BackwardWeight:
    break;
  }
  return convolveBackwardWeight(problem, reads[0], reads[1], finish);
}

static TensorData compute(const GemmProblem &problem, llvm::ArrayRef<TensorData> reads,
                          FinishFunction finish) {
  return multiply(problem, reads[0], reads[1], finish);
}

/// Raises `maximum` to `value`, from any thread.
static void raise(std::atomic<double> &maximum, double value) {
  double current = maximum.load(std::memory_order_relaxed);
  while (current < value &&
         !maximum.compare_exchange_weak(current, value, std::memory_order_relaxed))
    ;
}

/// The function of the epilogue; none for no epilogue.
static Expected<EpilogueFunction> makeFunction(const Problem &problem, const TensorData &read,
                                               const EpilogueFunction &region) {
  const std::string &epilogue =
      std::visit([](const auto &p) -> const std::string & { return p.epilogue; }, problem);
  if (epilogue.empty())
    return EpilogueFunction();
  if (epilogue != epilogueRegion)
    return makeEpilogueFunction(getEpilogueSteps(problem), isInteger(read.getDesc().type),
                                read.getFp8Format());
  if (!region)
    return createStringError("expected a function of the epilogue region");
  return region;
}

Expected<TensorData> mlir::ck::computeReference(const Problem &problem,
                                                llvm::ArrayRef<TensorData> reads,
                                                const EpilogueFunction &region, double *maxSum) {
  llvm::SmallVector<TensorDesc, 2> expected = getReads(problem);
  if (reads.size() != expected.size())
    return createStringError("expected " + Twine(expected.size()) + " tensors, got " +
                             Twine(reads.size()));
  for (size_t i = 0; i < reads.size(); ++i)
    if (Error error = checkOperand(reads[i], expected[i]))
      return error;
  Expected<EpilogueFunction> function = makeFunction(problem, reads[0], region);
  if (!function)
    return function.takeError();
  ElementEpilogue epilogue(getWrite(problem), reads.drop_front(2), *function);
  std::atomic<double> maximum = 0;
  auto finish = [&](double sum, int64_t index) {
    if (std::isfinite(sum))
      raise(maximum, std::abs(sum));
    return *function ? epilogue.apply(sum, index) : sum;
  };
  TensorData result = std::visit([&](const auto &p) { return compute(p, reads, finish); }, problem);
  if (maxSum)
    *maxSum = maximum;
  return result;
}
