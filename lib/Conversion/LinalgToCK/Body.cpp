//===- Body.cpp - Which product a loop nest sums up -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the body from its end.
//
//===----------------------------------------------------------------------===//

#include "Conversion/LinalgToCK/Body.h"
#include "Conversion/LinalgToCK/Access.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// The operand that `value`, an argument of the body, is an element of; null for other values.
static OpOperand *getOperand(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock() ? op.getMatchingOpOperand(argument)
                                                          : nullptr;
}

/// Takes conversions off `value` and notes them in `factor`.
static Value skipConversions(Value value, Factor &factor) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::TruncFOp, arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp>(op))
      break;
    value = op->getOperand(0);
    factor.isUnsigned |= isa<arith::ExtUIOp, arith::UIToFPOp, arith::FPToUIOp>(op);
    factor.isNarrowed |=
        isa<arith::TruncFOp, arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp>(op) ||
        (isa<arith::SIToFPOp>(op) && !value.getType().isInteger(8));
  }
  return value;
}

/// The constant that `value` is: one of the body, from outside of it, or a constant operand.
static std::optional<int64_t> getZeroPoint(linalg::LinalgOp op, Value value) {
  Factor conversions;
  value = skipConversions(value, conversions);
  OpOperand *operand = getOperand(op, value);
  auto splat = dyn_cast_or_null<IntegerAttr>(getSplat(operand ? operand->get() : value));
  if (!splat)
    return std::nullopt;
  return conversions.isUnsigned ? int64_t(splat.getValue().getZExtValue())
                                : splat.getValue().getSExtValue();
}

static Expected<Factor> matchFactor(linalg::LinalgOp op, Value value) {
  Factor factor;
  value = skipConversions(value, factor);
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<int64_t> zeroPoint = getZeroPoint(op, difference.getRhs());
    if (!zeroPoint)
      return createStringError("expected constant zero points");
    if (!difference.getType().isInteger(32))
      return createStringError("expected zero points to be subtracted in i32");
    factor.zeroPoint = *zeroPoint;
    value = skipConversions(difference.getLhs(), factor);
  }
  factor.operand = getOperand(op, value);
  if (!factor.operand || !op.isDpsInput(factor.operand))
    return createStringError("expected a product of elements of two operands");
  return factor;
}

/// The two sides of `value` if it is an op of one of `Ops`.
template <typename... Ops>
static std::optional<std::pair<Value, Value>> matchBinary(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<Ops...>(op))
    return std::nullopt;
  return std::make_pair(op->getOperand(0), op->getOperand(1));
}

static Error checkFactor(linalg::LinalgOp op, const Factor &factor) {
  std::string name = "operand " + std::to_string(factor.operand->getOperandNumber());
  if (factor.isUnsigned)
    return createStringError("the elements of " + name + " are unsigned, expected signed ones");
  if (factor.isNarrowed)
    return createStringError("the elements of " + name + " lose digits before the product");
  return Error::success();
}

Expected<ProductSum> ck::matchProductSum(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return createStringError("expected one result");
  BlockArgument out = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  auto wrong = [] {
    return createStringError("expected a body that adds a product of two operands to its result");
  };
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto sum = matchBinary<arith::AddFOp, arith::AddIOp>(yielded);
  if (!sum || (sum->first != out && sum->second != out))
    return wrong();
  auto product =
      matchBinary<arith::MulFOp, arith::MulIOp>(sum->first == out ? sum->second : sum->first);
  if (!product)
    return wrong();
  Expected<Factor> a = matchFactor(op, product->first);
  if (!a)
    return a.takeError();
  Expected<Factor> b = matchFactor(op, product->second);
  if (!b)
    return b.takeError();
  if (a->operand == b->operand)
    return wrong();
  for (const Factor &factor : {*a, *b})
    if (Error error = checkFactor(op, factor))
      return std::move(error);
  return ProductSum{*a, *b, out.getType()};
}
