//===- ConvOps.cpp - Rung 0: convolutions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers and interface methods of the convolution ops. The checks of sizes are those of
// ConvProblem, so that an op and a problem string mean the same.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

/// Size of dimension `letter` of a tensor with this layout.
static int64_t getSize(Value tensor, StringRef layout, char letter) {
  return cast<ShapedType>(tensor.getType()).getDimSize(layout.find(letter));
}

/// The problem of an op whose attributes and shapes agree.
static ConvProblem makeProblem(ConvDirection direction, Value input, Value filter, Value output,
                               ConvLayoutAttr layout, ArrayRef<int64_t> strides,
                               ArrayRef<int64_t> dilations, ArrayRef<int64_t> padLow,
                               ArrayRef<int64_t> padHigh) {
  ConvProblem problem;
  problem.direction = direction;
  auto typeOf = [](Value value) {
    return *getDataType(cast<ShapedType>(value.getType()).getElementType());
  };
  Value written = direction == ConvDirection::Forward        ? output
                  : direction == ConvDirection::BackwardData ? input
                                                             : filter;
  problem.dtype = typeOf(written == input ? output : input);
  problem.outDtype = typeOf(written);
  problem.n = getSize(input, layout.getInput(), 'N');
  problem.g = getSize(input, layout.getInput(), 'G');
  problem.k = getSize(filter, layout.getFilter(), 'K');
  problem.c = getSize(filter, layout.getFilter(), 'C');
  size_t rank = strides.size();
  for (char letter : StringRef("DHW").take_back(rank))
    problem.in.push_back(getSize(input, layout.getInput(), letter));
  for (char letter : StringRef("ZYX").take_back(rank))
    problem.filter.push_back(getSize(filter, layout.getFilter(), letter));
  problem.stride.assign(strides.begin(), strides.end());
  problem.dilation.assign(dilations.begin(), dilations.end());
  problem.padLeft.assign(padLow.begin(), padLow.end());
  problem.padRight.assign(padHigh.begin(), padHigh.end());
  problem.inLayout = layout.getInput().str();
  problem.filterLayout = layout.getFilter().str();
  problem.outLayout = layout.getOutput().str();
  return problem;
}

/// Compares a tensor's shape with the one the problem gives it.
static LogicalResult verifyShape(Operation *op, Value tensor, const TensorDesc &expected) {
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  if (shape == ArrayRef<int64_t>(expected.shape))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expected shape ");
  llvm::interleave(expected.shape, diag, "x");
  diag << " of '" << expected.name << "' (" << expected.layout << "), got ";
  llvm::interleave(shape, diag, "x");
  return diag;
}

//===----------------------------------------------------------------------===//
// ConvBwdWeightOp
//===----------------------------------------------------------------------===//

ConvProblem ConvBwdWeightOp::getProblem() {
  return makeProblem(ConvDirection::BackwardWeight, getX(), getDw(), getDy(), getLayout(),
                     getStrides(), getDilations(), getPadLow(), getPadHigh());
}

Value ConvBwdWeightOp::getConvInput() { return getX(); }
Value ConvBwdWeightOp::getConvFilter() { return getDw(); }
Value ConvBwdWeightOp::getConvOutput() { return getDy(); }
Region &ConvBwdWeightOp::getEpilogueRegion() { return getEpilogue(); }

/// Ranks and counts that must hold before sizes can be read.
static LogicalResult verifyRanks(Operation *op, ConvLayoutAttr layout, ArrayRef<Value> tensors,
                                 ArrayRef<std::pair<StringRef, ArrayRef<int64_t>>> lists) {
  size_t rank = layout.getInput().size() - 3;
  for (auto &[name, list] : lists) // C1, C2
    if (list.size() != rank)
      return op->emitOpError("expected ")
             << rank << " entries in '" << name << "', got " << list.size();
  for (Value tensor : tensors) {
    auto type = cast<ShapedType>(tensor.getType());
    if (type.getRank() != int64_t(rank + 3)) // C1
      return op->emitOpError("expected tensors of rank ") << rank + 3 << ", got " << type;
    if (!getDataType(type.getElementType()))
      return op->emitOpError("unsupported element type ") << type.getElementType();
    auto memref = dyn_cast<MemRefType>(tensor.getType());
    if (memref && !memref.getLayout().isIdentity()) // C4
      return op->emitOpError("expected packed memrefs, got ") << memref;
  }
  return success();
}

LogicalResult ConvBwdWeightOp::verify() {
  if (failed(verifyRanks(*this, getLayout(), {getX(), getDy(), getDw()},
                         {{"strides", getStrides()},
                          {"dilations", getDilations()},
                          {"pad_low", getPadLow()},
                          {"pad_high", getPadHigh()}})))
    return failure();
  Type type = cast<ShapedType>(getX().getType()).getElementType();
  if (type != cast<ShapedType>(getDy().getType()).getElementType()) // C4
    return emitOpError("expected 'x' and 'dy' of one element type, got ")
           << getX().getType() << " and " << getDy().getType();
  ConvProblem problem = getProblem();
  if (llvm::Error error = problem.verify()) // C2
    return emitOpError(llvm::toString(std::move(error)));
  if (failed(verifyShape(*this, getX(), problem.getInput())) || // C3
      failed(verifyShape(*this, getDy(), problem.getOutput())) ||
      failed(verifyShape(*this, getDw(), problem.getFilter())))
    return failure();
  bool onTensors = isa<TensorType>(getDw().getType());
  if (getResults().size() != (onTensors ? 1u : 0u)) // C5
    return emitOpError("expected ")
           << (onTensors ? 1 : 0) << " results, got " << getResults().size();
  if (onTensors && getResults()[0].getType() != getDw().getType())
    return emitOpError("expected result type ")
           << getDw().getType() << ", got " << getResults()[0].getType();
  return verifyEpilogue(*this, getEpilogue(), // C6
                        cast<ShapedType>(getDw().getType()).getElementType());
}
