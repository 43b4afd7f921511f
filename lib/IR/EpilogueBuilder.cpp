//===- EpilogueBuilder.cpp - The region of a chain of steps -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a user would write by hand for the steps of a problem string; from here on there is only the
// region.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

/// `type` with the shape of `value`.
static Type shapedAs(Value value, Type type) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(vector.clone(type)) : type;
}

/// The constant `number` of `type`, a float type or vector of one.
static Value makeFloat(OpBuilder &builder, Location loc, Type type, double number) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), number);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, cast<FloatAttr>(attribute).getValue());
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value ck::convertToF32(OpBuilder &builder, Location loc, Value value) {
  Type f32 = shapedAs(value, builder.getF32Type());
  if (value.getType() == f32)
    return value;
  if (getElementTypeOrSelf(value.getType()).isInteger())
    return arith::SIToFPOp::create(builder, loc, f32, value);
  return arith::ExtFOp::create(builder, loc, f32, value);
}

/// `value` limited to [low, high]; NaN stays.
static Value clamp(OpBuilder &builder, Location loc, Value value, double low, double high) {
  auto constant = [&](double number) { return makeFloat(builder, loc, value.getType(), number); };
  Value raised = arith::MaximumFOp::create(builder, loc, value, constant(low));
  return arith::MinimumFOp::create(builder, loc, raised, constant(high));
}

/// `value` rounded to a whole number in [low, high], NaN to 0.
static Value roundToWhole(OpBuilder &builder, Location loc, Value value, double low, double high) {
  Value isNumber = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, value, value);
  Value zero = makeFloat(builder, loc, value.getType(), 0);
  Value number = arith::SelectOp::create(builder, loc, isNumber, value, zero);
  Value rounded = math::RoundEvenOp::create(builder, loc, number);
  return clamp(builder, loc, rounded, low, high);
}

/// Rounds, saturates and turns NaN into 0. Only f32 numbers below 2^31 can be converted, so what is
/// larger is replaced behind the conversion.
static Value convertToInteger(OpBuilder &builder, Location loc, Value value, IntegerType type) {
  unsigned bits = type.getWidth();
  double low = -std::ldexp(1.0, bits - 1), high = -low - (bits < 24 ? 1 : 128);
  Type integers = shapedAs(value, type);
  Value inside = roundToWhole(builder, loc, value, low, high);
  Value converted = arith::FPToSIOp::create(builder, loc, integers, inside);
  if (bits < 24)
    return converted;
  Value tooLarge = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, value,
                                         makeFloat(builder, loc, value.getType(), high));
  TypedAttr maximum = builder.getIntegerAttr(type, APInt::getSignedMaxValue(bits));
  if (auto vector = dyn_cast<VectorType>(integers))
    maximum = DenseElementsAttr::get(vector, APInt::getSignedMaxValue(bits));
  return arith::SelectOp::create(builder, loc, tooLarge,
                                 arith::ConstantOp::create(builder, loc, maximum), converted);
}

Value ck::convertFromF32(OpBuilder &builder, Location loc, Value value, Type elementType) {
  Type type = shapedAs(value, elementType);
  if (value.getType() == type)
    return value;
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return convertToInteger(builder, loc, value, integer);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value ck::convertAccumulator(OpBuilder &builder, Location loc, Value value, Type elementType) {
  auto type = dyn_cast<IntegerType>(elementType);
  if (!getElementTypeOrSelf(value.getType()).isInteger() || !type)
    return convertFromF32(builder, loc, convertToF32(builder, loc, value), elementType);
  if (type.getWidth() == 32)
    return value;
  auto constant = [&](const APInt &number) -> Value {
    TypedAttr attribute = builder.getIntegerAttr(builder.getI32Type(), number.sext(32));
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      attribute = DenseElementsAttr::get(vector, number.sext(32));
    return arith::ConstantOp::create(builder, loc, attribute);
  };
  unsigned bits = type.getWidth();
  Value raised =
      arith::MaxSIOp::create(builder, loc, value, constant(APInt::getSignedMinValue(bits)));
  Value inside =
      arith::MinSIOp::create(builder, loc, raised, constant(APInt::getSignedMaxValue(bits)));
  return arith::TruncIOp::create(builder, loc, shapedAs(value, type), inside);
}

namespace {
/// Builds the steps on f32 scalars.
struct StepBuilder {
  OpBuilder &builder;
  Location loc;
  bool fnuz;

  Value constant(double number) const {
    return makeFloat(builder, loc, builder.getF32Type(), number);
  }
  Value add(Value a, Value b) const { return arith::AddFOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) const { return arith::MulFOp::create(builder, loc, a, b); }
  /// factor * value, without the product for 1.
  Value scale(float factor, Value value) const {
    return factor == 1 ? value : mul(constant(factor), value);
  }
  Value build(const EpilogueStep &step, Value value, Value d) const;
};
} // namespace

/// `value` after `step`, whose operand's element is `d`, if it has one.
Value StepBuilder::build(const EpilogueStep &step, Value value, Value d) const {
  switch (step.kind) {
  case EpilogueKind::Bias:
  case EpilogueKind::Add:
    return add(value, d);
  case EpilogueKind::Scale:
    return mul(value, d);
  case EpilogueKind::Bilinear:
    return add(scale(step.constants[0], value), scale(step.constants[1], d));
  case EpilogueKind::Relu:
    return arith::MaximumFOp::create(builder, loc, value, constant(0));
  case EpilogueKind::Clamp:
    return clamp(builder, loc, value, step.constants[0], step.constants[1]);
  case EpilogueKind::Gelu:
    return GeluOp::create(builder, loc, value);
  case EpilogueKind::Silu:
    return SiluOp::create(builder, loc, value);
  case EpilogueKind::Sigmoid:
    return SigmoidOp::create(builder, loc, value);
  case EpilogueKind::Tanh:
    return math::TanhOp::create(builder, loc, value);
  case EpilogueKind::LeakyRelu: {
    Value negative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, value, constant(0));
    return arith::SelectOp::create(builder, loc, negative, scale(step.constants[0], value), value);
  }
  case EpilogueKind::Convert: {
    // Whole numbers stay in f32, where 2^31 - 1 rounds to 2^31.
    if (step.type == DataType::I8)
      return roundToWhole(builder, loc, value, -128, 127);
    if (step.type == DataType::I32)
      return roundToWhole(builder, loc, value, -0x1p31, 0x1p31);
    Type type = getElementType(builder.getContext(), step.type, fnuz);
    return convertToF32(builder, loc, convertFromF32(builder, loc, value, type));
  }
  }
  llvm_unreachable("all steps handled");
}

void ck::buildEpilogue(OpBuilder &builder, Location loc, ArrayRef<EpilogueStep> steps, Type accType,
                       TypeRange dTypes, Type resultType, bool fnuz, Region &epilogue) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&epilogue);
  block->addArgument(accType, loc);
  for (Type type : dTypes)
    block->addArgument(type, loc);
  StepBuilder stepBuilder{builder, loc, fnuz};
  Value value = convertToF32(builder, loc, block->getArgument(0));
  unsigned next = 1;
  for (const EpilogueStep &step : steps) {
    Value d;
    if (getOperandKind(step.kind) != OperandKind::None)
      d = convertToF32(builder, loc, block->getArgument(next++));
    value = stepBuilder.build(step, value, d);
  }
  YieldOp::create(builder, loc, convertFromF32(builder, loc, value, resultType));
}
