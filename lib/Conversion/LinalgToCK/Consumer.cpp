//===- Consumer.cpp - Elementwise consumers as epilogues -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of the consumer follows that of the epilogue, on values of the types that they had in
// between, so that fused and unfused programs compute the same. A consumer that permutes dimensions
// gives the problem another layout.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Access.h"
#include "Conversion/LinalgToCK/Roles.h"
#include "Conversion/LinalgToCK/Shapes.h"
#include "Conversion/LinalgToCK/Tensors.h"
#include "ck-mlir/Conversion/LinalgToCK.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
/// What stands for an element of an operand of the consumer in the epilogue.
struct Element {
  OpOperand *operand;
  TypedAttr constant;      // of every element, or null
  bool perChannel = false; // of a D operand
};

/// Fuses one consumer.
class ConsumerFuser {
public:
  ConsumerFuser(RewriterBase &rewriter, linalg::LinalgOp consumer)
      : rewriter(rewriter), consumer(consumer) {}

  Error match();
  ProblemOpInterface fuse();

private:
  Error findProblem();
  Error checkUses();
  Error matchMaps();
  Error setLayout();
  Error matchOperand(OpOperand &operand);
  Error checkBody();
  Error checkTypes();
  bool isProblemResult(Value value) { return skipReshapes(value) == problem->getResult(0); }
  bool isRead(OpOperand &operand) {
    return !consumer.getMatchingBlockArgument(&operand).use_empty();
  }
  std::optional<SmallVector<int64_t>> getDims(OpOperand &operand);
  std::optional<SmallVector<int64_t>> getChannelDims();
  void buildEpilogue(Region &epilogue, TypeRange dTypes);
  Value buildBody(IRMapping &mapping);

  RewriterBase &rewriter;
  linalg::LinalgOp consumer;
  ProblemOpInterface problem;
  Value result;                                   // of the problem, as the consumer sees it
  std::string layout;                             // of what the problem writes
  char channel = 0;                               // the letter of its channels besides G
  std::string newLayout;                          // after the permutation of the consumer
  SmallVector<int64_t> shape;                     // in `newLayout`
  SmallVector<int64_t> dimOfLoop;                 // the dimension of `result` that a loop runs over
  SmallVector<SmallVector<int64_t>> dimsOfLetter; // dimensions of `result`, in `layout`
  SmallVector<Element> elements;
};
} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getShape(Value tensor) {
  return SmallVector<int64_t>(cast<ShapedType>(tensor.getType()).getShape());
}

/// The problem whose result `consumer` reads; an error without a reason if there is none.
Error ConsumerFuser::findProblem() {
  for (OpOperand &operand : consumer->getOpOperands()) {
    auto found = skipReshapes(operand.get()).getDefiningOp<ProblemOpInterface>();
    bool isElement = consumer.isDpsInput(&operand) || isRead(operand);
    if (found && isElement && (!problem || problem->isBeforeInBlock(found))) {
      problem = found;
      result = operand.get();
    }
    if (problem && found && found->getBlock() != problem->getBlock())
      break;
  }
  return problem ? Error::success() : createStringError("");
}

Error ConsumerFuser::checkUses() {
  if (!consumer.isAllParallelLoops() || consumer.getNumDpsInits() != 1 ||
      !consumer.hasPureTensorSemantics() || consumer->getNumResults() != 1)
    return createStringError("expected an elementwise op of one result on tensors");
  if (consumer->getBlock() != problem->getBlock())
    return createStringError("expected the consumer in the block of the problem");
  if (!llvm::all_of(result.getUsers(), [&](Operation *user) { return user == consumer; }))
    return createStringError("the result of '" + problem->getName().getStringRef() +
                             "' has other uses");
  for (Value value = result; value != problem->getResult(0);) {
    value = value.getDefiningOp()->getOperand(0);
    if (!value.hasOneUse())
      return createStringError("the result of '" + problem->getName().getStringRef() +
                               "' has other uses");
  }
  return Error::success();
}

/// The loops of the consumer run over the dimensions of the result.
Error ConsumerFuser::matchMaps() {
  AffineMap out = consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0));
  std::optional<AffineMap> map;
  for (OpOperand &operand : consumer->getOpOperands()) {
    if (operand.get() != result)
      continue;
    AffineMap other = consumer.getMatchingIndexingMap(&operand);
    if (map.value_or(other) != other)
      return createStringError("the result of the problem is read in two orders");
    map = other;
  }
  if (!map->isPermutation() || !out.isPermutation())
    return createStringError("expected the loops to run over the result of the problem");
  dimOfLoop.resize(map->getNumDims());
  for (unsigned i = 0; i < map->getNumResults(); ++i)
    dimOfLoop[map->getDimPosition(i)] = i;
  return Error::success();
}

/// The dimensions of `to`, more than one element each, that dimensions of `from` consist of;
/// nothing where a dimension of `to` spreads over several.
static std::optional<SmallVector<SmallVector<int64_t>>> splitDims(ArrayRef<int64_t> from,
                                                                  ArrayRef<int64_t> to) {
  SmallVector<SmallVector<int64_t>> split(from.size());
  size_t next = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    for (int64_t size = 1; size != from[i]; ++next) {
      if (next == to.size() || from[i] % (size * to[next]) != 0)
        return std::nullopt;
      size *= to[next];
      if (to[next] != 1)
        split[i].push_back(next);
    }
  }
  return split;
}

/// Reads the layout of the problem and finds the one that the consumer's permutation gives it.
Error ConsumerFuser::setLayout() {
  auto conv = dyn_cast<ConvOpInterface>(problem.getOperation());
  layout = "GMN";
  channel = 'N';
  if (conv) {
    ConvLayoutAttr attribute = conv.getLayout();
    StringRef layouts[] = {attribute.getOutput(), attribute.getInput(), attribute.getFilter()};
    layout = layouts[static_cast<unsigned>(conv.getDirection())].str();
    channel = conv.getDirection() == ConvDirection::BackwardData ? 'C' : 'K';
  }
  SmallVector<int64_t> oldShape = getShape(problem.getWritten()), seen = getShape(result);
  if (auto split = splitDims(oldShape, seen))
    dimsOfLetter = *split;
  AffineMap out = consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0));
  SmallVector<int64_t> order;
  for (unsigned i = 0; i < out.getNumResults(); ++i)
    if (int64_t dim = dimOfLoop[out.getDimPosition(i)]; seen[dim] != 1)
      order.push_back(dim);
  newLayout = layout;
  shape = oldShape;
  if (llvm::is_sorted(order))
    return Error::success();
  auto lettersOfDim = splitDims(seen, oldShape);
  if (!conv || !lettersOfDim)
    return createStringError("cannot store the result of '" + problem->getName().getStringRef() +
                             "' in the order of the consumer");
  for (Value d : problem.getDs())
    if (cast<ShapedType>(d.getType()).getRank() != 2)
      return createStringError("cannot change the order of a D operand");
  newLayout.clear();
  for (int64_t dim : order)
    for (int64_t letter : (*lettersOfDim)[dim])
      newLayout += layout[letter];
  newLayout = completeLayout(newLayout, layout);
  shape.clear();
  for (char letter : newLayout)
    shape.push_back(oldShape[layout.find(letter)]);
  return Error::success();
}

/// The dimensions of the result of more than one element, in the order of `operand`'s.
std::optional<SmallVector<int64_t>> ConsumerFuser::getDims(OpOperand &operand) {
  SmallVector<int64_t> dims;
  auto type = cast<RankedTensorType>(operand.get().getType());
  AffineMap map = consumer.getMatchingIndexingMap(&operand);
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (type.getDimSize(index) == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return std::nullopt;
    dims.push_back(dimOfLoop[loop.getPosition()]);
  }
  return dims;
}

/// The dimensions of the result that its channels, groups first, consist of. They may share one.
std::optional<SmallVector<int64_t>> ConsumerFuser::getChannelDims() {
  SmallVector<int64_t> old = getShape(problem.getWritten()), seen = getShape(result);
  auto isChannel = [&](int64_t letter) {
    return layout[letter] == 'G' || layout[letter] == channel;
  };
  SmallVector<int64_t> dims;
  size_t group = layout.find('G'), other = layout.find(channel);
  if (group > other && old[group] != 1 && old[other] != 1)
    return std::nullopt;
  if (!dimsOfLetter.empty()) {
    for (size_t letter = 0; letter < layout.size(); ++letter)
      if (isChannel(letter))
        llvm::append_range(dims, dimsOfLetter[letter]);
    return dims;
  }
  auto lettersOfDim = splitDims(seen, old);
  if (!lettersOfDim)
    return std::nullopt;
  for (auto [dim, letters] : llvm::enumerate(*lettersOfDim)) {
    if (llvm::any_of(letters, isChannel) && !llvm::all_of(letters, isChannel))
      return std::nullopt;
    if (llvm::any_of(letters, isChannel))
      dims.push_back(dim);
  }
  return dims;
}

Error ConsumerFuser::matchOperand(OpOperand &operand) {
  if (operand.get() == result || (consumer.isDpsInit(&operand) && !isRead(operand)))
    return Error::success();
  std::string name = "operand " + std::to_string(operand.getOperandNumber());
  if (TypedAttr splat = getSplat(operand.get())) {
    elements.push_back({&operand, splat});
    return Error::success();
  }
  RankedTensorType type = getDenseType(operand.get());
  if (!type)
    return createStringError(name + " is neither a constant nor a dense tensor of static shape");
  if (Error error = checkElements(consumer, type.getElementType()))
    return createStringError(llvm::toString(std::move(error)) + " of " + name);
  std::optional<SmallVector<int64_t>> dims = getDims(operand);
  std::optional<SmallVector<int64_t>> all = getDims(*consumer.getDpsInitOperand(0));
  if (dims && dims == getChannelDims()) {
    elements.push_back({&operand, {}, /*perChannel=*/true});
    return Error::success();
  }
  if (dims != all)
    return createStringError(name + " has neither one element for each element of the result, "
                                    "nor one for each channel");
  elements.push_back({&operand, {}});
  return Error::success();
}

/// True for functions of f16 or bf16 that epilogues have in f32 only.
static bool canWiden(Operation *op) {
  auto isNarrow = [](Type type) { return isa<Float16Type, BFloat16Type>(type); };
  return isFunctionOfF32(op) && llvm::all_of(op->getOperandTypes(), isNarrow) &&
         isNarrow(op->getResult(0).getType());
}

Error ConsumerFuser::checkBody() {
  for (Operation &op : consumer.getBlock()->without_terminator()) {
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() != consumer.getBlock()->getParent() && !getSplat(operand))
        return createStringError("'" + op.getName().getStringRef() +
                                 "' reads a value from outside that is no constant");
    for (Type type : op.getResultTypes())
      if (Error error = getDataType(type) ? checkElements(consumer, type) : Error::success())
        return createStringError("'" + op.getName().getStringRef() +
                                 "': " + llvm::toString(std::move(error)));
    std::optional<std::string> reason = whyNotInEpilogue(&op);
    if (reason && !canWiden(&op))
      return createStringError("cannot lower '" + op.getName().getStringRef() +
                               "' in the epilogue: " + *reason);
  }
  return Error::success();
}

/// The result has a type that the problem can have.
Error ConsumerFuser::checkTypes() {
  Type type = getElementTypeOrSelf(consumer->getResult(0).getType());
  if (!getDenseType(consumer->getResult(0)))
    return createStringError("expected a dense tensor of static shape as the result, got " +
                             printType(consumer->getResult(0).getType()));
  if (Error error = checkElements(consumer, type))
    return error;
  Problem changed = problem.getProblem();
  return std::visit(
      [&](auto &value) {
        value.outDtype = *getDataType(type);
        value.epilogue = epilogueRegion.str();
        return value.verify();
      },
      changed);
}

Error ConsumerFuser::match() {
  if (Error error = findProblem())
    return error;
  for (auto check :
       {&ConsumerFuser::checkUses, &ConsumerFuser::matchMaps, &ConsumerFuser::setLayout,
        &ConsumerFuser::checkBody, &ConsumerFuser::checkTypes})
    if (Error error = (this->*check)())
      return error;
  for (OpOperand &operand : consumer->getOpOperands())
    if (Error error = matchOperand(operand))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// Clones the body of the consumer and returns what it yields.
Value ConsumerFuser::buildBody(IRMapping &mapping) {
  Location loc = consumer.getLoc();
  Block *body = consumer.getBlock();
  for (Operation &op : body->without_terminator()) {
    for (Value operand : op.getOperands())
      if (!mapping.contains(operand) && operand.getParentRegion() != body->getParent())
        mapping.map(operand, arith::ConstantOp::create(rewriter, loc, getSplat(operand)));
    if (!whyNotInEpilogue(&op)) {
      rewriter.clone(op, mapping);
      continue;
    }
    Operation *wide = op.clone();
    wide->getResult(0).setType(rewriter.getF32Type());
    for (OpOperand &operand : wide->getOpOperands())
      operand.set(
          convertToF32(rewriter, loc, mapping.lookup(op.getOperand(operand.getOperandNumber()))));
    rewriter.insert(wide);
    mapping.map(op.getResult(0),
                convertFromF32(rewriter, loc, wide->getResult(0), op.getResult(0).getType()));
  }
  Value yielded = body->getTerminator()->getOperand(0);
  if (!mapping.contains(yielded)) // a constant from outside
    return arith::ConstantOp::create(rewriter, loc, getSplat(yielded));
  return mapping.lookup(yielded);
}

void ConsumerFuser::buildEpilogue(Region &epilogue, TypeRange dTypes) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = consumer.getLoc();
  Block *block = rewriter.createBlock(&epilogue);
  Type accType = getAccumulatorType(getElementTypeOrSelf(problem.getFactors()[0].getType()));
  Value value = block->addArgument(accType, loc);
  for (Type type : dTypes)
    block->addArgument(type, loc);
  if (problem.getEpilogue().empty()) {
    value = convertAccumulator(rewriter, loc, value,
                               getElementTypeOrSelf(problem.getWritten().getType()));
  } else {
    Block &old = problem.getEpilogue().front();
    IRMapping mapping;
    for (BlockArgument argument : old.getArguments())
      mapping.map(argument, block->getArgument(argument.getArgNumber()));
    for (Operation &op : old.without_terminator())
      rewriter.clone(op, mapping);
    value = mapping.lookup(old.getTerminator()->getOperand(0));
  }
  IRMapping mapping;
  for (OpOperand &operand : consumer->getOpOperands())
    if (operand.get() == result)
      mapping.map(consumer.getMatchingBlockArgument(&operand), value);
  unsigned next = 1 + problem.getDs().size();
  for (const Element &element : elements)
    mapping.map(consumer.getMatchingBlockArgument(element.operand),
                element.constant ? Value(arith::ConstantOp::create(rewriter, loc, element.constant))
                                 : Value(block->getArgument(next++)));
  YieldOp::create(rewriter, loc, buildBody(mapping));
}

ProblemOpInterface ConsumerFuser::fuse() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(consumer);
  Location loc = problem->getLoc();
  Type type = getElementTypeOrSelf(consumer->getResult(0).getType());
  Value init = consumer.getDpsInits()[0];
  SmallVector<Value> operands = problem.getFactors();
  operands.push_back(
      makeDestination(rewriter, loc, isProblemResult(init) ? Value() : init, shape, type));
  llvm::append_range(operands, problem.getDs());
  int64_t groups = getShape(problem.getWritten())[layout.find('G')];
  int64_t channels = getShape(problem.getWritten())[layout.find(channel)];
  for (const Element &element : elements)
    if (!element.constant)
      operands.push_back(
          reshapeTo(rewriter, loc, element.operand->get(),
                    element.perChannel ? SmallVector<int64_t>{groups, channels} : shape));
  OperationState state(loc, problem->getName(), operands, TypeRange(operands[2].getType()),
                       problem->getAttrs());
  state.addRegion();
  auto fused = cast<ProblemOpInterface>(rewriter.create(state));
  if (auto conv = dyn_cast<ConvOpInterface>(fused.getOperation())) {
    ConvLayoutAttr old = conv.getLayout();
    StringRef layouts[] = {old.getOutput(), old.getInput(), old.getFilter()};
    layouts[static_cast<unsigned>(conv.getDirection())] = newLayout;
    fused->setAttr("layout",
                   ConvLayoutAttr::get(rewriter.getContext(), layouts[1], layouts[2], layouts[0]));
  }
  buildEpilogue(fused.getEpilogue(), TypeRange(llvm::map_to_vector(fused.getDs(), [](Value d) {
                  return getElementTypeOrSelf(d.getType());
                })));
  Value chain = result;
  rewriter.replaceOp(
      consumer, reshapeTo(rewriter, loc, fused->getResult(0), getShape(consumer->getResult(0))));
  while (Operation *op = chain.getDefiningOp()) {
    chain = op->getOperand(0);
    bool isLast = op == problem.getOperation();
    rewriter.eraseOp(op);
    if (isLast)
      break;
  }
  return fused;
}

Expected<ProblemOpInterface> ck::fuseConsumerIntoCK(RewriterBase &rewriter,
                                                    linalg::LinalgOp consumer) {
  ConsumerFuser fuser(rewriter, consumer);
  if (Error error = fuser.match())
    return std::move(error);
  return fuser.fuse();
}
