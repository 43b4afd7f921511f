//===- Convert.cpp - Linalg ops to ck problems -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What linalg adds up in its result becomes an epilogue: the initial elements are a D operand, one
// value for each channel or one for each element, unless they are zero.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Match.h"
#include "Conversion/LinalgToCK/Shapes.h"
#include "Conversion/LinalgToCK/Tensors.h"
#include "ck-mlir/Conversion/LinalgToCK.h"
#include "ck-mlir/IR/ConvBuilder.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::Expected;

namespace {
/// A D operand, and the conversion that its elements pass before they are added, or null.
struct Summand {
  Value tensor;
  Operation *conversion = nullptr;
  bool perChannel = false;
};

/// Builds the problem of a match.
class ProblemBuilder {
public:
  ProblemBuilder(RewriterBase &rewriter, const ProblemMatch &match)
      : rewriter(rewriter), match(match), loc(match.op->getLoc()), linalgOp(match.op) {}

  ProblemOpInterface build();

private:
  SmallVector<int64_t> getShape(Role role, StringRef layout) const;
  std::optional<std::string> getProductLayout() const;
  Value getRead(Role role, StringRef layout);
  Value sumFilter();
  void readInitialElements();
  std::optional<Summand> getChannelSummand(linalg::LinalgOp broadcast);
  Value cutSlice(Value tensor);
  void buildEpilogue(Region &epilogue);
  SmallVector<Value> makeOperands(Value a, Value b, ArrayRef<int64_t> shape);
  ProblemOpInterface buildConv();
  ProblemOpInterface buildProduct(StringRef layout);
  void finish(ProblemOpInterface problem);

  RewriterBase &rewriter;
  const ProblemMatch &match;
  Location loc;
  linalg::LinalgOp linalgOp;
  SmallVector<int64_t> resultShape;
  TypedAttr constant; // added to every element
  std::optional<Summand> summand;
  Value filterSums;
  Value storage; // what the result may be written to
};
} // namespace

/// The sizes of the letters of `layout` in the tensor of `role`.
SmallVector<int64_t> ProblemBuilder::getShape(Role role, StringRef layout) const {
  const ConvProblem &problem = match.problem;
  TensorDesc tensor = role == kInput    ? problem.getInput()
                      : role == kFilter ? problem.getFilter()
                                        : problem.getOutput();
  return llvm::map_to_vector(layout, [&](char letter) { return tensor.getSize(letter); });
}

/// The layout letters of the batched product that `match` is: the batch must be outermost, and the
/// result row major.
std::optional<std::string> ProblemBuilder::getProductLayout() const {
  if (!match.isProduct || match.written != kOutput)
    return std::nullopt;
  std::string order[3];
  for (Role role : {kInput, kFilter, kOutput})
    for (char letter : match.letters[role])
      if (getShape(role, StringRef(&letter, 1))[0] != 1)
        order[role] += letter;
  std::string layout;
  for (auto [role, rowMajor] : {std::make_pair(kInput, "NC"), std::make_pair(kFilter, "CK"),
                                std::make_pair(kOutput, "NK")}) {
    StringRef letters = order[role];
    letters.consume_front("G");
    if (letters.contains('G'))
      return std::nullopt;
    layout += letters.size() < 2 || letters == rowMajor ? 'r' : 'c';
    // A vector as B is read along K whichever way; this is the way in which it is contiguous.
    if (role == kFilter && letters == "C")
      layout.back() = 'c';
  }
  return layout[2] == 'r' ? std::optional(layout) : std::nullopt;
}

/// The tensor of `role` in the shape of `layout`.
Value ProblemBuilder::getRead(Role role, StringRef layout) {
  Value tensor = match.tensors[role].source;
  auto type = cast<RankedTensorType>(tensor.getType());
  bool isInput = role == kInput && match.written != kInput;
  if (isInput && ArrayRef<int64_t>(match.inputSizes) != type.getShape()) {
    auto attributes = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(rewriter.getContext(), values);
    };
    SmallVector<int64_t> zeros(type.getRank(), 0), ones(type.getRank(), 1);
    tensor = tensor::ExtractSliceOp::create(rewriter, loc, tensor, attributes(zeros),
                                            attributes(match.inputSizes), attributes(ones));
  }
  if (role == kFilter && !match.reversedFilterDims.empty())
    tensor = reverseDims(rewriter, loc, tensor, match.reversedFilterDims);
  return reshapeTo(rewriter, loc, tensor, getShape(role, layout));
}

/// The sums of the filter's elements over everything but the output channels, in i32.
Value ProblemBuilder::sumFilter() {
  const OperandAccess &filter = match.tensors[kFilter];
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> shape;
  SmallVector<utils::IteratorType> iterators(filter.dims.size(), utils::IteratorType::reduction);
  for (char letter : StringRef("GK"))
    for (unsigned loop : match.loops.lookup(letter))
      for (auto [index, dim] : llvm::enumerate(filter.dims))
        if (!dim.terms.empty() && dim.terms[0].first == loop) {
          kept.push_back(rewriter.getAffineDimExpr(index));
          shape.push_back(dim.size);
          iterators[index] = utils::IteratorType::parallel;
        }
  AffineMap maps[] = {rewriter.getMultiDimIdentityMap(filter.dims.size()),
                      AffineMap::get(filter.dims.size(), 0, kept, rewriter.getContext())};
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getI32Type());
  Value zeros =
      linalg::FillOp::create(rewriter, loc, ValueRange(zero), ValueRange(empty)).getResult(0);
  Value sums =
      linalg::GenericOp::create(rewriter, loc, TypeRange(zeros.getType()),
                                ValueRange(filter.source), ValueRange(zeros), maps, iterators,
                                [](OpBuilder &body, Location loc, ValueRange arguments) {
                                  Value wide = arith::ExtSIOp::create(body, loc, body.getI32Type(),
                                                                      arguments[0]);
                                  Value sum = arith::AddIOp::create(body, loc, arguments[1], wide);
                                  linalg::YieldOp::create(body, loc, sum);
                                })
          .getResult(0);
  return reshapeTo(rewriter, loc, sums, {match.problem.g, match.problem.k});
}

Value ProblemBuilder::cutSlice(Value tensor) {
  if (!match.slice.op)
    return tensor;
  SmallVector<OpFoldResult> ones(match.slice.sizes.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, tensor, match.slice.offsets,
                                        match.slice.sizes, ones);
}

/// What `broadcast` spreads over the result, if that is one value for each channel.
std::optional<Summand> ProblemBuilder::getChannelSummand(linalg::LinalgOp broadcast) {
  std::optional<Operation *> conversion = getMovedConversion(broadcast);
  if (!conversion || match.written == kFilter)
    return std::nullopt;
  AffineMap from = broadcast.getMatchingIndexingMap(broadcast.getDpsInputOperand(0));
  AffineMap to = broadcast.getMatchingIndexingMap(broadcast.getDpsInitOperand(0));
  AffineMap result = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  Value tensor = broadcast.getDpsInputOperand(0)->get();
  RankedTensorType type = getDenseType(tensor);
  if (!type || !to.isPermutation() || errorToBool(checkElements(linalgOp, type.getElementType())))
    return std::nullopt;
  SmallVector<unsigned> loops; // of the channels, as the elements of `tensor` follow each other
  for (auto [index, expr] : llvm::enumerate(from.getResults())) {
    if (type.getDimSize(index) == 1)
      continue;
    auto position = to.getResultPosition(expr);
    if (!position || !isa<AffineDimExpr>(result.getResult(*position)))
      return std::nullopt;
    loops.push_back(result.getDimPosition(*position));
  }
  SmallVector<int64_t> sizes = linalgOp.getStaticLoopRanges();
  SmallVector<unsigned> expected;
  for (char letter : {'G', match.written == kInput ? 'C' : 'K'})
    for (unsigned loop : match.loops.lookup(letter))
      if (sizes[loop] != 1)
        expected.push_back(loop);
  if (loops != expected)
    return std::nullopt;
  int64_t channels = match.written == kInput ? match.problem.c : match.problem.k;
  return Summand{reshapeTo(rewriter, loc, tensor, {match.problem.g, channels}), *conversion,
                 /*perChannel=*/true};
}

/// Finds out what the sums begin with.
void ProblemBuilder::readInitialElements() {
  Value init = linalgOp.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  resultShape.assign(type.getShape().begin(), type.getShape().end());
  if (match.slice.op) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(match.slice.op->getResult(0).getType()).getShape();
    resultShape.assign(shape.begin(), shape.end());
  }
  auto producer = init.getDefiningOp<linalg::LinalgOp>();
  bool isStored = producer && producer.getNumDpsInits() == 1 && !match.slice.op;
  Value producerStorage = isStored ? producer.getDpsInits()[0] : Value();
  if (TypedAttr splat = getSplat(init)) {
    storage = producerStorage;
    if (!isZero(init))
      constant = splat;
    return;
  }
  if (producer)
    summand = getChannelSummand(producer);
  if (summand) {
    storage = producerStorage;
    return;
  }
  summand = Summand{cutSlice(init)};
  storage = match.slice.op ? Value() : init;
}

void ProblemBuilder::buildEpilogue(Region &epilogue) {
  Type operandType = match.tensors[match.written == kOutput ? kInput : kOutput].getElementType();
  Type accType = getAccumulatorType(operandType), type = match.body.type;
  bool isInteger = type.isInteger();
  bool isConverted = accType.isInteger() && type != accType;
  if (!constant && !summand && !filterSums && !isConverted)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  Block *block = rewriter.createBlock(&epilogue);
  Value value = block->addArgument(accType, loc);
  if (filterSums) {
    Value sum = block->addArgument(accType, loc);
    Value zeroPoint = arith::ConstantOp::create(
        rewriter, loc, rewriter.getI32IntegerAttr(static_cast<int32_t>(match.zeroPoint)));
    Value shift = arith::MulIOp::create(rewriter, loc, sum, zeroPoint);
    value = arith::SubIOp::create(rewriter, loc, value, shift);
  }
  if (accType.isInteger() && !isInteger)
    value = arith::SIToFPOp::create(rewriter, loc, rewriter.getF32Type(), value);
  Value added;
  if (summand) {
    added = block->addArgument(getElementTypeOrSelf(summand->tensor.getType()), loc);
    if (summand->conversion) {
      IRMapping mapping;
      mapping.map(summand->conversion->getOperand(0), added);
      added = rewriter.clone(*summand->conversion, mapping)->getResult(0);
    }
    if (isInteger && added.getType() != accType)
      added = arith::ExtSIOp::create(rewriter, loc, accType, added);
    else if (!isInteger)
      added = convertToF32(rewriter, loc, added);
  } else if (auto number = dyn_cast_or_null<FloatAttr>(constant)) {
    added = arith::ConstantOp::create(rewriter, loc,
                                      rewriter.getF32FloatAttr(number.getValueAsDouble()));
  } else if (auto number = dyn_cast_or_null<IntegerAttr>(constant)) {
    added = arith::ConstantOp::create(rewriter, loc,
                                      rewriter.getIntegerAttr(accType, number.getValue().sext(32)));
  }
  if (added && isInteger)
    value = arith::AddIOp::create(rewriter, loc, value, added);
  else if (added)
    value = arith::AddFOp::create(rewriter, loc, value, added);
  // Linalg's sums in narrow integers wrap around.
  if (isInteger && isConverted)
    value = arith::TruncIOp::create(rewriter, loc, type, value);
  else if (!isInteger)
    value = convertFromF32(rewriter, loc, value, type);
  YieldOp::create(rewriter, loc, value);
}

/// The operands of the op that reads `a` and `b` and writes a tensor of `shape`. Where the initial
/// elements are added, they may be overwritten.
SmallVector<Value> ProblemBuilder::makeOperands(Value a, Value b, ArrayRef<int64_t> shape) {
  Value dest = makeDestination(rewriter, loc, storage, shape, match.body.type);
  SmallVector<Value> operands = {a, b, dest};
  if (filterSums)
    operands.push_back(filterSums);
  if (!summand)
    return operands;
  bool isDest = storage == summand->tensor && !dest.getDefiningOp<tensor::EmptyOp>();
  operands.push_back(summand->perChannel ? summand->tensor
                     : isDest            ? dest
                                         : reshapeTo(rewriter, loc, summand->tensor, shape));
  return operands;
}

ProblemOpInterface ProblemBuilder::buildConv() {
  const ConvProblem &problem = match.problem;
  std::string layouts[] = {problem.inLayout, problem.filterLayout, problem.outLayout};
  constexpr Role kReads[][2] = {{kOutput, kFilter}, {kInput, kOutput}, {kInput, kFilter}};
  auto [first, second] = std::make_pair(kReads[match.written][0], kReads[match.written][1]);
  Value a = getRead(first, layouts[first]), b = getRead(second, layouts[second]);
  SmallVector<Value> operands = makeOperands(a, b, getShape(match.written, layouts[match.written]));
  ValueRange values(operands);
  return createConvOp(rewriter, loc, problem, operands[2].getType(), values.take_front(2),
                      operands[2], values.drop_front(3));
}

ProblemOpInterface ProblemBuilder::buildProduct(StringRef layout) {
  Value a = getRead(kInput, layout[0] == 'r' ? "GNC" : "GCN");
  Value b = getRead(kFilter, layout[1] == 'r' ? "GCK" : "GKC");
  SmallVector<Value> operands = makeOperands(a, b, getShape(kOutput, "GNK"));
  return BatchedGemmOp::create(rewriter, loc, TypeRange(operands[2].getType()), operands[0],
                               operands[1], operands[2], layout, ValueRange(operands).drop_front(3),
                               /*preshuffle=*/IntegerAttr());
}

/// Puts the result of `problem` in the place of the op's.
void ProblemBuilder::finish(ProblemOpInterface problem) {
  Operation *replaced = match.slice.op ? match.slice.op : linalgOp.getOperation();
  Value result = reshapeTo(rewriter, loc, problem->getResult(0), resultShape);
  rewriter.replaceOp(replaced, result);
  if (match.slice.op)
    rewriter.eraseOp(linalgOp);
}

ProblemOpInterface ProblemBuilder::build() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(linalgOp);
  if (match.zeroPoint != 0)
    filterSums = sumFilter();
  readInitialElements();
  std::optional<std::string> layout = getProductLayout();
  ProblemOpInterface problem = layout ? buildProduct(*layout) : buildConv();
  buildEpilogue(problem.getEpilogue());
  finish(problem);
  return problem;
}

Expected<ProblemOpInterface> ck::convertLinalgToCK(RewriterBase &rewriter, linalg::LinalgOp op) {
  Expected<ProblemMatch> match = matchProblem(op);
  if (!match)
    return match.takeError();
  return ProblemBuilder(rewriter, *match).build();
}
