//===- Match.cpp - Linalg ops that are ck problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operand has windows decides the direction: an input, or the result for backward-data. The
// same loop nest is tried with all producers that could be looked through, then with fewer.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Match.h"
#include "Conversion/LinalgToCK/Tensors.h"
#include "ck-mlir/IR/CK.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <limits>

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
/// Matches with one choice of producers to look through.
class Matcher {
public:
  Matcher(linalg::LinalgOp op, const ProductSum &body, const LookThrough &options, bool slice)
      : options(options), loopSizes(op.getStaticLoopRanges()), withSlice(slice) {
    match.op = op;
    match.body = body;
  }

  Expected<ProblemMatch> run();

private:
  Error readAccesses();
  Error matchRoles(Factor input, Factor filter, OperandAccess x, OperandAccess w, OperandAccess y);
  Error matchWindowed();
  Error matchProduct();
  Error setTypes();
  bool isWeightGradient(const OperandAccess &input);
  void findSlice();
  Error setSlice();
  Error setSizes(LoopRoles &roles);
  Error setDimension(LoopRoles &roles, unsigned i);
  Error transpose(LoopRoles &roles);
  void setLayouts(const LoopRoles &roles);
  Error checkSums() const;

  LookThrough options;
  SmallVector<int64_t> loopSizes;
  bool withSlice;
  OperandAccess a, b, c;
  ProblemMatch match;
};
} // namespace

/// Reads the accesses and looks through producers: padding is part of a convolution's input alone.
Error Matcher::readAccesses() {
  for (auto [access, operand] :
       {std::make_pair(&a, match.body.a.operand), std::make_pair(&b, match.body.b.operand),
        std::make_pair(&c, match.op.getDpsInitOperand(0))}) {
    Expected<OperandAccess> read = getAccess(match.op, *operand);
    if (!read)
      return read.takeError();
    *access = std::move(*read);
  }
  if (Error error = countUpwards({&a, &b, &c}, loopSizes))
    return error;
  bool inResult = hasWindows(c, loopSizes);
  for (OperandAccess *access : {&a, &b}) {
    bool isInput = hasWindows(*access, loopSizes);
    LookThrough chosen = options;
    chosen.padding &= isInput;
    chosen.spreading &= isInput;
    chosen.reversal &= !isInput && !inResult;
    lookThrough(*access, chosen);
  }
  return Error::success();
}

/// True if the windows of `input` move further over the loops of the reduction than over those of
/// the result, as they do over the output in the gradient of a filter.
bool Matcher::isWeightGradient(const OperandAccess &input) {
  if (!isa<linalg::GenericOp, linalg::ContractOp>(match.op.getOperation()))
    return false;
  SmallVector<utils::IteratorType> iterators = match.op.getIteratorTypesArray();
  double reduced = 1, kept = 1;
  for (const DimAccess &dim : input.dims)
    if (dim.terms.size() > 1)
      for (auto [loop, coefficient] : dim.terms)
        (iterators[loop] == utils::IteratorType::reduction ? reduced : kept) *= loopSizes[loop];
  return reduced > kept;
}

Error Matcher::setTypes() {
  Type type = a.getElementType(), other = b.getElementType(), result = match.body.type;
  if (type != other)
    return createStringError("expected operands of one element type, got " + printType(type) +
                             " and " + printType(other));
  for (Type each : {type, result})
    if (Error error = checkElements(match.op, each))
      return error;
  match.problem.dtype = *getDataType(type);
  match.problem.outDtype = *getDataType(result);
  return Error::success();
}

Error Matcher::matchRoles(Factor input, Factor filter, OperandAccess x, OperandAccess w,
                          OperandAccess y) {
  if (filter.zeroPoint != 0 || (input.zeroPoint != 0 && match.written != kOutput))
    return createStringError("cannot subtract zero point " +
                             Twine(filter.zeroPoint ? filter.zeroPoint : input.zeroPoint) +
                             (filter.zeroPoint ? " of the filter" : " in a gradient"));
  match.zeroPoint = input.zeroPoint;
  match.tensors[kInput] = std::move(x);
  match.tensors[kFilter] = std::move(w);
  match.tensors[kOutput] = std::move(y);
  match.inputSizes.clear();
  for (const DimAccess &dim : match.tensors[kInput].dims)
    match.inputSizes.push_back(dim.size);
  Expected<LoopRoles> roles = sortLoops(match.tensors, loopSizes);
  if (!roles)
    return roles.takeError();
  match.isProduct = roles->isProduct;
  if (Error error = setSizes(*roles))
    return error;
  setLayouts(*roles);
  if (Error error = match.problem.verify())
    return error;
  return checkSums();
}

/// The result's only use, if it takes a slice that the padding of backward-data can stand for.
void Matcher::findSlice() {
  Value result = match.op->getResult(0);
  auto slice = result.hasOneUse() ? dyn_cast<tensor::ExtractSliceOp>(*result.user_begin())
                                  : tensor::ExtractSliceOp();
  if (!slice || !withSlice || !llvm::all_of(slice.getMixedStrides(), isOneInteger) ||
      slice.getType().getRank() != slice.getSourceType().getRank() || slice.getType().getEncoding())
    return;
  match.slice = {slice, slice.getMixedOffsets(), slice.getMixedSizes()};
}

/// Takes the slice of the result into the dimensions of the input, which is written.
Error Matcher::setSlice() {
  findSlice();
  if (!match.slice.op)
    return Error::success();
  for (auto [index, dim] : llvm::enumerate(c.dims)) {
    std::optional<int64_t> offset = getConstantIntValue(match.slice.offsets[index]);
    std::optional<int64_t> size = getConstantIntValue(match.slice.sizes[index]);
    if (!offset || !size)
      return createStringError("expected a slice of static place");
    if (*offset == 0 && *size == dim.size)
      continue;
    dim.padLow = *offset;
    dim.size = *size;
    dim.padded = true;
  }
  return Error::success();
}

Error Matcher::matchWindowed() {
  const ProductSum &body = match.body;
  if (hasWindows(c, loopSizes)) {
    match.written = kInput;
    if (Error error = setSlice())
      return error;
    // Either factor could be the filter: it is the smaller one.
    auto extent = [&](const OperandAccess &access) {
      double extent = 1;
      for (const DimAccess &dim : access.dims)
        for (const DimAccess &window : c.dims)
          for (auto [loop, coefficient] : window.terms)
            if (window.terms.size() > 1 && dim.terms.size() == 1 && dim.terms[0].first == loop)
              extent *= dim.size;
      return extent;
    };
    bool swapped = extent(a) < extent(b);
    return matchRoles(swapped ? body.b : body.a, swapped ? body.a : body.b, c, swapped ? a : b,
                      swapped ? b : a);
  }
  bool swapped = hasWindows(b, loopSizes);
  const OperandAccess &input = swapped ? b : a, &other = swapped ? a : b;
  if (hasWindows(other, loopSizes))
    return createStringError("expected windows in one operand, got them in two");
  match.written = isWeightGradient(input) ? kFilter : kOutput;
  return matchRoles(swapped ? body.b : body.a, swapped ? body.a : body.b, input,
                    match.written == kFilter ? c : other, match.written == kFilter ? other : c);
}

/// A product: its result is the output of a convolution with a filter of one element, which either
/// operand may be; better the one whose loops are innermost in the result.
Error Matcher::matchProduct() {
  Error error = matchRoles(match.body.a, match.body.b, a, b, c);
  size_t row = match.letters[kOutput].find('N'), column = match.letters[kOutput].find('K');
  if (!error && (row == std::string::npos || column == std::string::npos || row < column))
    return Error::success();
  std::optional<ProblemMatch> first;
  if (!error)
    first = match;
  if (Error second = matchRoles(match.body.b, match.body.a, b, a, c)) {
    llvm::consumeError(std::move(second));
    if (first)
      match = *first;
    return error;
  }
  llvm::consumeError(std::move(error));
  return Error::success();
}

/// Pads, stride and size of the input along dimension `i`, of which the loop nest gives the sizes
/// of output and filter.
Error Matcher::setDimension(LoopRoles &roles, unsigned i) {
  ConvProblem &problem = roles.problem;
  int64_t &in = problem.in[i], &stride = problem.stride[i];
  int64_t needed = (roles.out[i] - 1) * stride + (problem.filter[i] - 1) * problem.dilation[i] + 1;
  int64_t behind = std::max<int64_t>(0, needed - in - problem.padLeft[i]);
  problem.padRight.push_back(behind);
  int64_t excess = in + problem.padLeft[i] + behind - needed;
  if (excess < stride)
    return Error::success();
  if (roles.out[i] == 1) { // no second position tells the stride
    stride = excess + 1;
    return Error::success();
  }
  int64_t used = needed - problem.padLeft[i];
  if (match.written == kInput || used < 1)
    return createStringError("the windows leave " + Twine(excess) +
                             " elements out, at most stride - 1 = " + Twine(stride - 1) +
                             " are expected");
  in = used;
  match.inputSizes[roles.inputDims[i]] = used;
  return Error::success();
}

/// Turns a forward convolution whose input has zeros between its elements, or whose filter is
/// reversed, into the gradient with respect to the input that it is.
Error Matcher::transpose(LoopRoles &roles) {
  ConvProblem &problem = roles.problem;
  if (match.written != kOutput || match.zeroPoint != 0)
    return createStringError("expected zeros between elements, or a reversed filter, in a forward "
                             "convolution without zero points only");
  std::optional<bool> reversed;
  for (unsigned i = 0; i < problem.getRank(); ++i) {
    int64_t filter = problem.filter[i], dilation = problem.dilation[i], in = problem.in[i];
    int64_t low = (filter - 1) * dilation - problem.padLeft[i];
    if ((problem.stride[i] != 1 && roles.out[i] != 1) || low < 0)
      return createStringError("expected stride 1 and less padding than the filter reaches where "
                               "the input has zeros between its elements");
    if (filter > 1) {
      if (reversed.value_or(roles.flipped[i]) != roles.flipped[i] || roles.filterDims[i] < 0)
        return createStringError("expected the filter to be reversed in all dimensions or none");
      reversed = roles.flipped[i];
      if (!roles.flipped[i])
        match.reversedFilterDims.push_back(roles.filterDims[i]);
    }
    int64_t &stride = problem.stride[i] = roles.spacing[i];
    int64_t needed = (in - 1) * stride + (filter - 1) * dilation + 1;
    int64_t high = std::max<int64_t>(0, needed - roles.out[i] - low);
    int64_t excess = roles.out[i] + low + high - needed;
    if (excess >= stride && in > 1)
      return createStringError("the result has " + Twine(excess) + " elements that no input meets");
    stride = std::max(stride, excess + 1);
    problem.padLeft[i] = low;
    problem.padRight.push_back(high);
    problem.in[i] = roles.out[i];
  }
  std::swap(problem.inLayout, problem.outLayout);
  std::swap(problem.k, problem.c);
  for (std::string *layout : {&problem.inLayout, &problem.filterLayout, &problem.outLayout})
    for (char &letter : *layout)
      letter = letter == 'K' ? 'C' : letter == 'C' ? 'K' : letter;
  auto channels = roles.loops.lookup('K');
  roles.loops['K'] = roles.loops.lookup('C');
  roles.loops['C'] = channels;
  std::swap(match.tensors[kInput], match.tensors[kOutput]);
  match.written = kInput;
  return Error::success();
}

Error Matcher::setSizes(LoopRoles &roles) {
  bool spread = llvm::any_of(roles.spacing, [](int64_t spacing) { return spacing > 1; });
  if (spread || llvm::is_contained(roles.flipped, true))
    return transpose(roles);
  for (unsigned i = 0; i < roles.problem.getRank(); ++i)
    if (Error error = setDimension(roles, i))
      return error;
  return Error::success();
}

void Matcher::setLayouts(const LoopRoles &roles) {
  DataType dtype = match.problem.dtype, outDtype = match.problem.outDtype;
  match.problem = roles.problem;
  ConvProblem &problem = match.problem;
  problem.dtype = dtype;
  problem.outDtype = outDtype;
  problem.direction = match.written == kOutput  ? ConvDirection::Forward
                      : match.written == kInput ? ConvDirection::BackwardData
                                                : ConvDirection::BackwardWeight;
  match.letters[kInput] = problem.inLayout;
  match.letters[kFilter] = problem.filterLayout;
  match.letters[kOutput] = problem.outLayout;
  match.loops = roles.loops;
  std::string space = StringRef("DHW").take_back(problem.getRank()).str();
  problem.inLayout = completeLayout(problem.inLayout, "N" + space + "GC");
  problem.outLayout = completeLayout(problem.outLayout, "N" + space + "GK");
  std::string filterSpace = StringRef("ZYX").take_back(problem.getRank()).str();
  problem.filterLayout = completeLayout(problem.filterLayout, "GK" + filterSpace + "C");
  if (isInteger(dtype) != isInteger(outDtype))
    problem.epilogue = epilogueRegion.str(); // which converts the sums
}

/// Sums of i8 that linalg keeps in floats must not overflow i32.
Error Matcher::checkSums() const {
  if (!isInteger(match.problem.dtype) || isInteger(match.problem.outDtype))
    return Error::success();
  int64_t largest = int64_t(128) * (128 + std::abs(match.zeroPoint));
  int64_t length = match.problem.getReductionLength();
  if (length <= std::numeric_limits<int32_t>::max() / largest)
    return Error::success();
  return createStringError("sums of " + Twine(length) + " products of i8 may overflow i32");
}

Expected<ProblemMatch> Matcher::run() {
  if (Error error = readAccesses())
    return std::move(error);
  if (Error error = setTypes())
    return std::move(error);
  bool windowed = llvm::any_of(ArrayRef{&a, &b, &c}, [&](const OperandAccess *access) {
    return hasWindows(*access, loopSizes);
  });
  if (Error error = windowed ? matchWindowed() : matchProduct())
    return std::move(error);
  return std::move(match);
}

/// Reasons that do not depend on producers.
static Error checkOp(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return createStringError("expected tensors, not memrefs");
  if (op->getNumResults() != 1)
    return createStringError("expected one result");
  if (llvm::any_of(op->getOperandTypes(), [](Type type) {
        auto shaped = dyn_cast<ShapedType>(type);
        return shaped && !shaped.hasStaticShape();
      }))
    return createStringError("expected static shapes");
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && !getDenseType(operand))
      return createStringError("expected tensors without an encoding, got " +
                               printType(operand.getType()));
  return Error::success();
}

Expected<ProblemMatch> ck::matchProblem(linalg::LinalgOp op) {
  if (Error error = checkOp(op))
    return std::move(error);
  Expected<ProductSum> body = matchProductSum(op);
  if (!body)
    return body.takeError();
  std::string reason;
  // From everything that can be looked through to nothing; a slice counts as one of these.
  for (int left = 15; left >= 0; --left) {
    LookThrough options;
    options.casts = left & 8;
    options.padding = left & 4;
    options.spreading = options.reversal = left & 2;
    Expected<ProblemMatch> match = Matcher(op, *body, options, left & 1).run();
    if (match)
      return match;
    reason = llvm::toString(match.takeError());
  }
  return createStringError(reason);
}
