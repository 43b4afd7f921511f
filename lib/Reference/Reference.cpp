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

#include "ck-mlir/Reference/Convolution.h"
#include "ck-mlir/Reference/Gemm.h"

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

static TensorData compute(const ConvProblem &problem, llvm::ArrayRef<TensorData> reads) {
  switch (problem.direction) {
  case ConvDirection::Forward:
    return convolveForward(problem, reads[0], reads[1]);
  case ConvDirection::BackwardData:
    return convolveBackwardData(problem, reads[0], reads[1]);
  case ConvDirection::BackwardWeight:
    break;
  }
  return convolveBackwardWeight(problem, reads[0], reads[1]);
}

static TensorData compute(const GemmProblem &problem, llvm::ArrayRef<TensorData> reads) {
  return multiply(problem, reads[0], reads[1]);
}

Expected<TensorData> mlir::ck::computeReference(const Problem &problem,
                                                llvm::ArrayRef<TensorData> reads) {
  llvm::SmallVector<TensorDesc, 2> expected = getReads(problem);
  if (reads.size() != expected.size())
    return createStringError("expected " + Twine(expected.size()) + " tensors, got " +
                             Twine(reads.size()));
  for (size_t i = 0; i < reads.size(); ++i)
    if (Error error = checkOperand(reads[i], expected[i]))
      return error;
  if (std::visit([](const auto &p) { return !p.epilogue.empty(); }, problem))
    return createStringError("the reference does not compute epilogues");
  return std::visit([&](const auto &p) { return compute(p, reads); }, problem);
}
