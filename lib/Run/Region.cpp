//===- Region.cpp - Epilogue regions on the host -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op becomes a function once, because it is called for each element of the result.
//
//===----------------------------------------------------------------------===//

#include "Run/Region.h"
#include "ck-mlir/IR/CK.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::ck;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallVector;

namespace {
/// A value of float type (`real`), or of integer type, sign-extended (`whole`).
struct Number {
  double real = 0;
  int64_t whole = 0;
};

using NumberFunction = std::function<Number(ArrayRef<Number>)>;
using Real = double (*)(double);
using Reals = double (*)(double, double);

/// One op: from the slots of its operands to the slot of its result.
struct Instruction {
  NumberFunction function;
  SmallVector<unsigned, 3> operands;
  unsigned result;
};
} // namespace

/// `value` as an element of `type`; f32 keeps all digits of double.
static double roundTo(double value, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || floatType.getWidth() >= 32)
    return value;
  if (std::optional<DataType> data = getDataType(type)) {
    bool fnuz = isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type);
    Fp8Format format = fnuz ? Fp8Format::FNUZ : Fp8Format::OCP;
    return decode(encode(value, *data, format), *data, format);
  }
  return value;
}

static Number makeReal(double value, Type type) { return {roundTo(value, type), 0}; }

static Number makeWhole(int64_t value, Type type) {
  return {0, llvm::SignExtend64(uint64_t(value), type.getIntOrFloatBitWidth())};
}

/// The bits of `number` without sign extension.
static uint64_t getUnsigned(Number number, Type type) {
  return uint64_t(number.whole) & llvm::maskTrailingOnes<uint64_t>(type.getIntOrFloatBitWidth());
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static double gelu(double x) { // the product of infinity and zero is zero here
  return x < -1e4 ? -0.0 : 0.5 * x * std::erfc(-x * 0.70710678118654752440);
}
static double silu(double x) { return x < -1e4 ? -0.0 : x / (1 + std::exp(-x)); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double rsqrt(double x) { return 1 / std::sqrt(x); }
static double negate(double x) { return -x; }
static double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
}
static double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::min(a, b);
}

/// The function of one float that `op` is, or null.
static Real getReal(Operation *op) {
  return llvm::TypeSwitch<Operation *, Real>(op)
      .Case<math::ExpOp>([](auto) { return Real(std::exp); })
      .Case<math::Exp2Op>([](auto) { return Real(std::exp2); })
      .Case<math::ExpM1Op>([](auto) { return Real(std::expm1); })
      .Case<math::LogOp>([](auto) { return Real(std::log); })
      .Case<math::Log2Op>([](auto) { return Real(std::log2); })
      .Case<math::Log10Op>([](auto) { return Real(std::log10); })
      .Case<math::Log1pOp>([](auto) { return Real(std::log1p); })
      .Case<math::SqrtOp>([](auto) { return Real(std::sqrt); })
      .Case<math::RsqrtOp>([](auto) { return rsqrt; })
      .Case<math::TanhOp>([](auto) { return Real(std::tanh); })
      .Case<math::ErfOp>([](auto) { return Real(std::erf); })
      .Case<math::ErfcOp>([](auto) { return Real(std::erfc); })
      .Case<math::SinOp>([](auto) { return Real(std::sin); })
      .Case<math::CosOp>([](auto) { return Real(std::cos); })
      .Case<math::AbsFOp>([](auto) { return Real(std::fabs); })
      .Case<math::CeilOp>([](auto) { return Real(std::ceil); })
      .Case<math::FloorOp>([](auto) { return Real(std::floor); })
      .Case<math::RoundOp>([](auto) { return Real(std::round); })
      .Case<math::RoundEvenOp>([](auto) { return Real(std::nearbyint); })
      .Case<math::TruncOp>([](auto) { return Real(std::trunc); })
      .Case<arith::NegFOp>([](auto) { return negate; })
      .Case<GeluOp>([](auto) { return gelu; })
      .Case<SiluOp>([](auto) { return silu; })
      .Case<SigmoidOp>([](auto) { return sigmoid; })
      .Default([](Operation *) { return nullptr; });
}

/// The function of two floats that `op` is, or null.
static Reals getReals(Operation *op) {
  return llvm::TypeSwitch<Operation *, Reals>(op)
      .Case<arith::AddFOp>([](auto) { return [](double a, double b) { return a + b; }; })
      .Case<arith::SubFOp>([](auto) { return [](double a, double b) { return a - b; }; })
      .Case<arith::MulFOp>([](auto) { return [](double a, double b) { return a * b; }; })
      .Case<arith::DivFOp>([](auto) { return [](double a, double b) { return a / b; }; })
      .Case<arith::MaximumFOp>([](auto) { return maximum; })
      .Case<arith::MinimumFOp>([](auto) { return minimum; })
      .Case<arith::MaxNumFOp>([](auto) { return Reals(std::fmax); })
      .Case<arith::MinNumFOp>([](auto) { return Reals(std::fmin); })
      .Case<math::CopySignOp>([](auto) { return Reals(std::copysign); })
      .Case<math::PowFOp>([](auto) { return Reals(std::pow); })
      .Default([](Operation *) { return nullptr; });
}

static NumberFunction makeFloatFunction(Operation *op) {
  Type type = op->getResult(0).getType();
  if (Real function = getReal(op))
    return [=](ArrayRef<Number> in) { return makeReal(function(in[0].real), type); };
  if (Reals function = getReals(op))
    return [=](ArrayRef<Number> in) { return makeReal(function(in[0].real, in[1].real), type); };
  if (isa<math::FmaOp>(op))
    return [=](ArrayRef<Number> in) {
      return makeReal(std::fma(in[0].real, in[1].real, in[2].real), type);
    };
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    arith::CmpFPredicate predicate = cmp.getPredicate();
    return [=](ArrayRef<Number> in) {
      return makeWhole(
          arith::applyCmpPredicate(predicate, llvm::APFloat(in[0].real), llvm::APFloat(in[1].real)),
          type);
    };
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// `op` on two integers of `type`. Undefined results, which a program must not use, are 0.
static std::optional<int64_t> computeWhole(Operation *op, Type type, Number a, Number b) {
  uint64_t ua = getUnsigned(a, type), ub = getUnsigned(b, type);
  bool shifts = ub < type.getIntOrFloatBitWidth();
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::AddIOp>([&](auto) { return uint64_t(a.whole) + uint64_t(b.whole); })
      .Case<arith::SubIOp>([&](auto) { return uint64_t(a.whole) - uint64_t(b.whole); })
      .Case<arith::MulIOp>([&](auto) { return uint64_t(a.whole) * uint64_t(b.whole); })
      .Case<arith::DivSIOp>([&](auto) { return b.whole == 0 ? 0 : a.whole / b.whole; })
      .Case<arith::RemSIOp>([&](auto) { return b.whole == 0 ? 0 : a.whole % b.whole; })
      .Case<arith::DivUIOp>([&](auto) { return ub == 0 ? 0 : ua / ub; })
      .Case<arith::RemUIOp>([&](auto) { return ub == 0 ? 0 : ua % ub; })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(a.whole, b.whole); })
      .Case<arith::MinSIOp>([&](auto) { return std::min(a.whole, b.whole); })
      .Case<arith::MaxUIOp>([&](auto) { return std::max(ua, ub); })
      .Case<arith::MinUIOp>([&](auto) { return std::min(ua, ub); })
      .Case<arith::AndIOp>([&](auto) { return a.whole & b.whole; })
      .Case<arith::OrIOp>([&](auto) { return a.whole | b.whole; })
      .Case<arith::XOrIOp>([&](auto) { return a.whole ^ b.whole; })
      .Case<arith::ShLIOp>([&](auto) { return shifts ? ua << ub : 0; })
      .Case<arith::ShRUIOp>([&](auto) { return shifts ? ua >> ub : 0; })
      .Case<arith::ShRSIOp>([&](auto) { return shifts ? a.whole >> ub : 0; })
      .Default([](Operation *) { return std::nullopt; });
}

static NumberFunction makeIntegerFunction(Operation *op) {
  Type type = op->getResult(0).getType();
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = cmp.getPredicate();
    unsigned bits = cmp.getLhs().getType().getIntOrFloatBitWidth();
    return [=](ArrayRef<Number> in) {
      return makeWhole(arith::applyCmpPredicate(predicate,
                                                llvm::APInt(bits, in[0].whole, true, true),
                                                llvm::APInt(bits, in[1].whole, true, true)),
                       type);
    };
  }
  if (op->getNumOperands() != 2 || !computeWhole(op, type, {0, 1}, {0, 1}))
    return {};
  return
      [=](ArrayRef<Number> in) { return makeWhole(*computeWhole(op, type, in[0], in[1]), type); };
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// `number` of type `from` with the same bits as `to`.
static Number reinterpret(Number number, Type from, Type to) {
  auto getBits = [&]() -> llvm::APInt {
    if (from.isInteger())
      return llvm::APInt(64, getUnsigned(number, from)).trunc(from.getIntOrFloatBitWidth());
    llvm::APFloat value(number.real);
    bool losesInfo;
    value.convert(cast<FloatType>(from).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.bitcastToAPInt();
  };
  if (to.isInteger())
    return makeWhole(getBits().getSExtValue(), to);
  llvm::APFloat value(cast<FloatType>(to).getFloatSemantics(), getBits());
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return {value.convertToDouble(), 0};
}

static NumberFunction makeConversion(Operation *op) {
  Type type = op->getResult(0).getType();
  if (isa<arith::SelectOp>(op))
    return [](ArrayRef<Number> in) { return in[0].whole != 0 ? in[1] : in[2]; };
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return [=](ArrayRef<Number> in) { return makeReal(in[0].real, type); };
  if (isa<arith::SIToFPOp>(op))
    return [=](ArrayRef<Number> in) {
      double value = double(in[0].whole);
      return makeReal(type.isF32() ? double(float(value)) : value, type);
    };
  if (isa<arith::ExtSIOp, arith::TruncIOp>(op))
    return [=](ArrayRef<Number> in) { return makeWhole(in[0].whole, type); };
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) // beyond 64 bits the result is undefined
    return [=](ArrayRef<Number> in) {
      return makeWhole(std::abs(in[0].real) < 0x1p63 ? int64_t(in[0].real) : 0, type);
    };
  if (op->getNumOperands() != 1)
    return {};
  Type from = op->getOperand(0).getType();
  if (isa<arith::ExtUIOp>(op))
    return [=](ArrayRef<Number> in) { return makeWhole(getUnsigned(in[0], from), type); };
  if (isa<arith::UIToFPOp>(op))
    return [=](ArrayRef<Number> in) { return makeReal(double(getUnsigned(in[0], from)), type); };
  if (isa<arith::BitcastOp>(op))
    return [=](ArrayRef<Number> in) { return reinterpret(in[0], from, type); };
  return {};
}

static NumberFunction makeConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return {};
  Number number;
  if (auto attribute = dyn_cast<FloatAttr>(constant.getValue()))
    number.real = attribute.getValueAsDouble();
  else if (auto attribute = dyn_cast<IntegerAttr>(constant.getValue()))
    number = makeWhole(attribute.getValue().getSExtValue(), constant.getType());
  else
    return {};
  return [number](ArrayRef<Number>) { return number; };
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static Expected<NumberFunction> makeFunction(Operation *op) {
  for (auto make : {makeConstant, makeFloatFunction, makeIntegerFunction, makeConversion})
    if (NumberFunction function = make(op))
      return function;
  return createStringError("cannot compute '" + op->getName().getStringRef() + "' on the host");
}

Expected<EpilogueFunction> mlir::ck::makeRegionFunction(Region &region) {
  Block &block = region.front();
  llvm::DenseMap<Value, unsigned> slots;
  for (Value argument : block.getArguments())
    slots.try_emplace(argument, slots.size());
  std::vector<Instruction> instructions;
  auto addInstruction = [&](Operation *op) -> llvm::Error {
    Expected<NumberFunction> function = makeFunction(op);
    if (!function)
      return function.takeError();
    Instruction instruction{std::move(*function), {}, unsigned(slots.size())};
    for (Value operand : op->getOperands())
      instruction.operands.push_back(slots.lookup(operand));
    slots.try_emplace(op->getResult(0), instruction.result);
    instructions.push_back(std::move(instruction));
    return llvm::Error::success();
  };
  for (Operation &op : block) {
    for (Value operand : op.getOperands())
      if (!slots.contains(operand)) // a constant from outside
        if (llvm::Error error = addInstruction(operand.getDefiningOp()))
          return std::move(error);
    if (!op.hasTrait<OpTrait::IsTerminator>())
      if (llvm::Error error = addInstruction(&op))
        return std::move(error);
  }
  Value yielded = block.getTerminator()->getOperand(0);
  unsigned result = slots.lookup(yielded), numSlots = slots.size();
  bool isWhole = yielded.getType().isInteger();
  return [=](double sum, ArrayRef<double> operands) {
    SmallVector<Number, 32> numbers(numSlots);
    numbers[0] = {sum, int64_t(sum)};
    for (auto [i, operand] : llvm::enumerate(operands))
      numbers[i + 1] = {operand, int64_t(operand)};
    SmallVector<Number, 3> in;
    for (const Instruction &instruction : instructions) {
      in.clear();
      for (unsigned slot : instruction.operands)
        in.push_back(numbers[slot]);
      numbers[instruction.result] = instruction.function(in);
    }
    return isWhole ? double(numbers[result].whole) : numbers[result].real;
  };
}
