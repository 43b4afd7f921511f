//===- DirectOps.cpp - Kernels whose lanes compute by themselves -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers.
//
//===----------------------------------------------------------------------===//

#include "IR/Notes.h"
#include "ck-mlir/IR/DirectSums.h"
#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

/// Verifies the shapes and types of the operands that are multiplied (C1).
template <typename Op>
static LogicalResult verifyFactors(Op op) {
  ArrayRef<int64_t> c = op.getC().getType().getShape();
  if (c.size() != 3)
    return op.emitOpError("expected a view of rank 3, got ") << op.getC().getType();
  if (!op.getA())
    return success();
  ViewType a = op.getA().getType(), b = op.getB().getType();
  if (a.getElementType() != b.getElementType())
    return op.emitOpError("expected operands of one element type, got ")
           << a.getElementType() << " and " << b.getElementType();
  const SmallVector<int64_t> rows = {c[0], c[1], a.getShape().back()},
                             columns = {c[0], c[2], a.getShape().back()};
  if (a.getShape() != ArrayRef<int64_t>(rows) || b.getShape() != ArrayRef<int64_t>(columns))
    return noteOrigins(op.emitOpError("expected shapes GxMxK, GxNxK and GxMxN, got ")
                           << a.getShape() << ", " << b.getShape() << " and " << c,
                       {{"a", op.getA()}, {"b", op.getB()}, {"c", op.getC()}});
  return success();
}

/// Verifies the D operands and the epilogue, which gets accumulators of `accType` (C2).
template <typename Op>
static LogicalResult verifyResults(Op op, Type accType) {
  SmallVector<Type> elements;
  for (Value d : op.getDs()) {
    auto type = cast<ViewType>(d.getType());
    if (type.getShape() != op.getC().getType().getShape())
      return noteOrigins(op.emitOpError("expected D operands of shape ")
                             << op.getC().getType().getShape() << ", got " << type.getShape(),
                         {{"the D operand", d}, {"the result", op.getC()}});
    elements.push_back(type.getElementType());
  }
  return verifyEpilogue(op, op.getEpilogue(), accType, elements,
                        op.getC().getType().getElementType());
}

LogicalResult DirectGemmOp::verify() {
  if (!getA() != !getB()) // C1
    return emitOpError("expected both operands or none");
  if (failed(verifyFactors(*this))) // C1
    return failure();
  Type accType = Float32Type::get(getContext());
  if (getA())
    accType = getAccumulatorType(getA().getType().getElementType());
  else if (!getEpilogue().empty() && getEpilogue().getNumArguments() > 0 &&
           getEpilogue().getArgument(0).getType().isInteger(32))
    accType = getEpilogue().getArgument(0).getType();
  if (failed(verifyResults(*this, accType))) // C2
    return failure();
  if (getDirect().getValue().isSum()) // C3
    return emitOpError("expected no slices, got ") << getDirect().getSlices();
  llvm::Expected<DirectWork> work = getDirectWork(*this, getDirect().getValue()); // C3
  if (!work)
    return emitOpError(llvm::toString(work.takeError()));
  return success();
}

LogicalResult DirectSumOp::verify() {
  if (failed(verifyFactors(*this)) ||                                                      // C1
      failed(verifyResults(*this, getAccumulatorType(getA().getType().getElementType())))) // C2
    return failure();
  const int64_t slices = getDirect().getSlices();
  if (slices == 0) // C3
    return emitOpError("expected slices");
  llvm::Expected<DirectWork> work = getSumWork(*this, getDirect().getValue()); // C3
  if (!work)
    return emitOpError(llvm::toString(work.takeError()));
  if ((slices > 1) != bool(getWorkspace())) // C4
    return emitOpError(slices > 1 ? "requires a workspace for " : "expected no workspace for ")
           << slices << (slices == 1 ? " slice" : " slices");
  return success();
}
