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
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::ck;

/// Size of dimension `letter` of a tensor with this layout.
static int64_t getSize(Value tensor, StringRef layout, char letter) {
  return cast<ShapedType>(tensor.getType()).getDimSize(layout.find(letter));
}

/// The size of a dimension that is split into `outer` parts of `inner` elements, or the largest
/// number, which no problem has.
static int64_t getWholeSize(int64_t outer, int64_t inner) {
  int64_t size;
  return llvm::MulOverflow(outer, inner, size) ? std::numeric_limits<int64_t>::max() : size;
}

static Type getElementOf(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

/// Tells `problem` about the epilogue of `op`: that there is one, and what it reads beside the
/// result, which has `layout` and the channels `channelLetter`.
template <typename ProblemTy>
static void addEpilogue(ProblemOpInterface op, StringRef layout, char channelLetter,
                        ProblemTy &problem) {
  if (op.getEpilogue().empty())
    return;
  problem.epilogue = epilogueRegion.str();
  int64_t rank = cast<ShapedType>(op.getWritten().getType()).getRank();
  for (auto [index, d] : llvm::enumerate(op.getDs())) {
    auto type = cast<ShapedType>(d.getType());
    bool perChannel = type.getRank() != rank;
    problem.regionOperands.push_back({"d" + std::to_string(index),
                                      *getDataType(type.getElementType()),
                                      perChannel ? std::string("G") + channelLetter : layout.str(),
                                      SmallVector<int64_t, 6>(type.getShape())});
  }
}

/// The layout of the tensor that `conv` writes.
static StringRef getWrittenLayout(ConvOpInterface conv) {
  switch (conv.getDirection()) {
  case ConvDirection::Forward:
    return conv.getLayout().getOutput();
  case ConvDirection::BackwardData:
    return conv.getLayout().getInput();
  case ConvDirection::BackwardWeight:
    return conv.getLayout().getFilter();
  }
  llvm_unreachable("all directions handled");
}

ConvProblem ck::makeConvProblem(ConvOpInterface conv) {
  Value input = conv.getConvInput(), filter = conv.getConvFilter();
  ConvLayoutAttr layout = conv.getLayout();
  ConvProblem problem;
  problem.direction = conv.getDirection();
  problem.dtype = *getDataType(getElementOf(conv.getFactors()[0]));
  problem.outDtype = *getDataType(getElementOf(conv.getWritten()));
  problem.n = getSize(input, layout.getInput(), 'N');
  problem.g = getSize(input, layout.getInput(), 'G');
  problem.k = getSize(filter, layout.getFilter(), 'K');
  problem.c = getSize(filter, layout.getFilter(), 'C');
  if (auto forward = dyn_cast<ConvFwdOp>(conv.getOperation()))
    problem.preshuffle = forward.getPreshuffle().value_or(0);
  if (problem.preshuffle != 0) {
    problem.k = getWholeSize(problem.k, problem.preshuffle);
    problem.c = getWholeSize(problem.c, getShuffledUnit(problem.dtype));
  }
  size_t rank = conv.getStrides().size();
  for (char letter : StringRef("DHW").take_back(rank))
    problem.in.push_back(getSize(input, layout.getInput(), letter));
  for (char letter : StringRef("ZYX").take_back(rank))
    problem.filter.push_back(getSize(filter, layout.getFilter(), letter));
  problem.stride.assign(conv.getStrides().begin(), conv.getStrides().end());
  problem.dilation.assign(conv.getDilations().begin(), conv.getDilations().end());
  problem.padLeft.assign(conv.getPadLow().begin(), conv.getPadLow().end());
  problem.padRight.assign(conv.getPadHigh().begin(), conv.getPadHigh().end());
  problem.inLayout = layout.getInput().str();
  problem.filterLayout = layout.getFilter().str();
  problem.outLayout = layout.getOutput().str();
  addEpilogue(cast<ProblemOpInterface>(conv.getOperation()), getWrittenLayout(conv),
              problem.direction == ConvDirection::BackwardData ? 'C' : 'K', problem);
  return problem;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

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

/// Ranks and types of the factors and the result that must hold before sizes can be read. The
/// second factor has two dimensions more where it is `shuffled`.
static LogicalResult verifyTensors(ProblemOpInterface op, int64_t rank, bool shuffled,
                                   StringRef aName, StringRef bName) {
  SmallVector<Value> factors = op.getFactors();
  for (Value tensor : {factors[0], factors[1], op.getWritten()}) {
    int64_t expected = shuffled && tensor == factors[1] && tensor != factors[0] ? rank + 2 : rank;
    if (auto type = cast<ShapedType>(tensor.getType()); type.getRank() != expected)
      return op->emitOpError("expected tensors of rank ") << expected << ", got " << type;
  }
  for (Value tensor : op->getOperands()) {
    auto type = cast<ShapedType>(tensor.getType());
    if (!getDataType(type.getElementType()))
      return op->emitOpError("unsupported element type ") << type.getElementType();
    auto memref = dyn_cast<MemRefType>(tensor.getType());
    if (memref && !memref.getLayout().isIdentity())
      return op->emitOpError("expected packed memrefs, got ") << memref;
  }
  if (getElementOf(factors[0]) != getElementOf(factors[1]))
    return op->emitOpError("expected '")
           << aName << "' and '" << bName << "' of one element type, got " << factors[0].getType()
           << " and " << factors[1].getType();
  return success();
}

/// D operands of the result's shape, or groups x `channels`.
static LogicalResult verifyDs(ProblemOpInterface op, int64_t groups, int64_t channels) {
  ArrayRef<int64_t> result = cast<ShapedType>(op.getWritten().getType()).getShape();
  for (Value d : op.getDs()) {
    ArrayRef<int64_t> shape = cast<ShapedType>(d.getType()).getShape();
    if (shape != result && shape != ArrayRef<int64_t>({groups, channels}))
      return op->emitOpError("expected D operands of the result's shape or ")
             << groups << "x" << channels << ", got " << d.getType();
  }
  return success();
}

/// Results and epilogue.
static LogicalResult verifyDestination(ProblemOpInterface op) {
  Type written = op.getWritten().getType();
  bool onTensors = isa<TensorType>(written);
  if (op->getNumResults() != (onTensors ? 1u : 0u))
    return op->emitOpError("expected ")
           << (onTensors ? 1 : 0) << " results, got " << op->getNumResults();
  if (onTensors && op->getResult(0).getType() != written)
    return op->emitOpError("expected result type ")
           << written << ", got " << op->getResult(0).getType();
  SmallVector<Type> dTypes;
  for (Value d : op.getDs())
    dTypes.push_back(getElementOf(d));
  return verifyEpilogue(op, op.getEpilogue(), getAccumulatorType(getElementOf(op.getFactors()[0])),
                        dTypes, getElementOf(op.getWritten()));
}

LogicalResult ck::verifyConv(ConvOpInterface conv) {
  int64_t rank = conv.getLayout().getInput().size() - 3;
  std::pair<StringRef, ArrayRef<int64_t>> lists[] = {{"strides", conv.getStrides()},
                                                     {"dilations", conv.getDilations()},
                                                     {"pad_low", conv.getPadLow()},
                                                     {"pad_high", conv.getPadHigh()}};
  for (auto &[name, list] : lists) // C1, C2
    if (int64_t(list.size()) != rank)
      return conv->emitOpError("expected ")
             << rank << " entries in '" << name << "', got " << list.size();
  constexpr std::pair<StringLiteral, StringLiteral> kNames[] = {
      {"x", "w"}, {"dy", "w"}, {"x", "dy"}};
  auto [a, b] = kNames[static_cast<int>(conv.getDirection())];
  auto forward = dyn_cast<ConvFwdOp>(conv.getOperation());
  bool shuffled = forward && forward.getPreshuffle().value_or(0) != 0;
  if (failed(verifyTensors(conv, rank + 3, shuffled, a, b))) // C1, C4
    return failure();
  ConvProblem problem = makeConvProblem(conv);
  if (llvm::Error error = problem.verify()) // C2, C8
    return conv->emitOpError(llvm::toString(std::move(error)));
  bool toInput = problem.direction == ConvDirection::BackwardData;
  if (failed(verifyShape(conv, conv.getConvInput(), problem.getInput())) || // C3
      failed(verifyShape(conv, conv.getConvOutput(), problem.getOutput())) ||
      failed(verifyShape(conv, conv.getConvFilter(), problem.getFilter())) ||
      failed(verifyDs(conv, problem.g, toInput ? problem.c : problem.k))) // C7
    return failure();
  return verifyDestination(conv); // C5, C6
}

//===----------------------------------------------------------------------===//
// BatchedGemmOp
//===----------------------------------------------------------------------===//

GemmProblem BatchedGemmOp::getGemmProblem() {
  ArrayRef<int64_t> a = cast<ShapedType>(getA().getType()).getShape();
  ArrayRef<int64_t> b = cast<ShapedType>(getB().getType()).getShape();
  GemmProblem problem;
  problem.dtype = *getDataType(getElementOf(getA()));
  problem.outDtype = *getDataType(getElementOf(getC()));
  problem.layout = getLayout().str();
  problem.g = a[0];
  problem.m = a[getLayout()[0] == 'r' ? 1 : 2];
  problem.k = a[getLayout()[0] == 'r' ? 2 : 1];
  problem.n = b[getLayout()[1] == 'r' ? 2 : 1];
  problem.preshuffle = getPreshuffle().value_or(0);
  if (problem.preshuffle != 0)
    problem.n = getWholeSize(problem.n, problem.preshuffle);
  addEpilogue(cast<ProblemOpInterface>(getOperation()), getLayout()[2] == 'r' ? "GMN" : "GNM", 'N',
              problem);
  return problem;
}

Problem BatchedGemmOp::getProblem() { return getGemmProblem(); }

LogicalResult BatchedGemmOp::verify() {
  if (getLayout().size() != 3 || getLayout().find_first_not_of("rc") != StringRef::npos) // C1
    return emitOpError("expected a layout of three letters r or c, got '") << getLayout() << "'";
  auto op = cast<ProblemOpInterface>(getOperation());
  bool shuffled = getPreshuffle().value_or(0) != 0;
  if (failed(verifyTensors(op, 3, shuffled, "a", "b"))) // C2, C3
    return failure();
  GemmProblem problem = getGemmProblem();
  if (llvm::Error error = problem.verify()) // C2, C7
    return emitOpError(llvm::toString(std::move(error)));
  if (failed(verifyShape(*this, getB(), problem.getB())) || // C2
      failed(verifyShape(*this, getC(), problem.getC())) ||
      failed(verifyDs(op, problem.g, problem.n))) // C6
    return failure();
  return verifyDestination(op); // C4, C5
}
