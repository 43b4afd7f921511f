//===- Epilogue.cpp - Epilogue regions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems, GEMMs and stores of tiles carry the same region; one verifier keeps their rules equal.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Epilogue.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ck;

/// Arithmetic that the backend has instructions or expansions for.
static bool isArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::CmpFOp, arith::CmpIOp, arith::SelectOp, arith::AddIOp, arith::SubIOp,
             arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
}

static bool isConversion(Operation *op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp,
             arith::SIToFPOp, arith::UIToFPOp, arith::BitcastOp>(op);
}

/// Functions that are instructions, on floats of every width.
static bool isRoundingOrSign(Operation *op) {
  return isa<math::AbsFOp, math::CeilOp, math::FloorOp, math::RoundOp, math::RoundEvenOp,
             math::TruncOp, math::CopySignOp, math::FmaOp>(op);
}

// What ck-expand-math expands.
bool ck::isFunctionOfF32(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op, math::Log10Op,
             math::Log1pOp, math::SqrtOp, math::RsqrtOp, math::TanhOp, math::ErfOp, math::ErfcOp,
             math::SinOp, math::CosOp, math::PowFOp, GeluOp, SiluOp, SigmoidOp>(op);
}

/// The first type of the operands and results for which `allowed` does not hold.
static Type findType(Operation *op, function_ref<bool(Type)> allowed) {
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!allowed(type))
        return type;
  return {};
}

std::optional<std::string> ck::whyNotInEpilogue(Operation *op) {
  auto isWideFloat = [](Type type) { return isa<Float16Type, BFloat16Type, Float32Type>(type); };
  auto isInt = [](Type type) { return type.isInteger() && type.getIntOrFloatBitWidth() <= 64; };
  auto isNumber = [&](Type type) { return isWideFloat(type) || isInt(type); };
  auto isAny = [&](Type type) { return isNumber(type) || getDataType(type); };
  Type wrong;
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SelectOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    wrong = findType(op, isAny);
  else if (isArithmetic(op) || isConversion(op))
    wrong = findType(op, isNumber);
  else if (isRoundingOrSign(op))
    wrong = findType(op, isWideFloat);
  else if (isFunctionOfF32(op))
    wrong = findType(op, [](Type type) { return type.isF32(); });
  else
    return "expected scalar arithmetic, conversions or functions of f32";
  if (!wrong)
    return std::nullopt;
  std::string reason;
  llvm::raw_string_ostream(reason) << "not on " << wrong;
  return reason;
}

bool ck::isEpilogueOp(Operation *op) { return isa<YieldOp, GeluOp, SiluOp, SigmoidOp>(op); }

LogicalResult ck::verifyEpilogue(Operation *op, Region &epilogue, Type accType, TypeRange dTypes,
                                 Type resultType) {
  if (epilogue.empty()) {
    if (!dTypes.empty())
      return op->emitOpError("expected an epilogue that takes the ")
             << dTypes.size() << " D operands";
    return success();
  }
  if (!epilogue.hasOneBlock())
    return op->emitOpError("expected an epilogue of one block");
  Block &block = epilogue.front();
  SmallVector<Type> expected = {accType};
  llvm::append_range(expected, dTypes);
  if (block.getArgumentTypes() != TypeRange(expected))
    return op->emitOpError("expected an epilogue on (")
           << expected << "), got (" << block.getArgumentTypes() << ")";
  auto yield = dyn_cast_or_null<YieldOp>(block.empty() ? nullptr : &block.back());
  if (!yield || yield.getNumOperands() != 1 || yield.getOperand(0).getType() != resultType) {
    InFlightDiagnostic diag = op->emitOpError("expected an epilogue that yields one ")
                              << resultType;
    diag.attachNote(yield ? yield.getLoc() : op->getLoc()) << "the epilogue ends here";
    return diag;
  }
  for (Operation &inner : block.without_terminator())
    if (std::optional<std::string> reason = whyNotInEpilogue(&inner)) {
      InFlightDiagnostic diag = op->emitOpError("cannot lower '")
                                << inner.getName() << "' in the epilogue: " << *reason;
      diag.attachNote(inner.getLoc()) << "the operation is here";
      return diag;
    }
  return success();
}
