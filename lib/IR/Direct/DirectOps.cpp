//===- DirectOps.cpp - Kernels without matrix instructions -*- C++ -*-===//
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
#include "ck-mlir/IR/DirectGeometry.h"
#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

/// Verifies the shapes and types of the operands that are multiplied (C1).
static LogicalResult verifyFactors(DirectGemmOp op) {
  if (!op.getA() != !op.getB())
    return op.emitOpError("expected both operands or none");
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

LogicalResult DirectGemmOp::verify() {
  if (failed(verifyFactors(*this))) // C1
    return failure();
  SmallVector<Type> elements;
  for (Value d : getDs()) {
    auto type = cast<ViewType>(d.getType());
    if (type.getShape() != getC().getType().getShape()) // C2
      return noteOrigins(emitOpError("expected D operands of shape ")
                             << getC().getType().getShape() << ", got " << type.getShape(),
                         {{"the D operand", d}, {"the result", getC()}});
    elements.push_back(type.getElementType());
  }
  Type accType = Float32Type::get(getContext());
  if (getA())
    accType = getAccumulatorType(getA().getType().getElementType());
  else if (!getEpilogue().empty() && getEpilogue().getNumArguments() > 0 &&
           getEpilogue().getArgument(0).getType().isInteger(32))
    accType = getEpilogue().getArgument(0).getType();
  if (failed(verifyEpilogue(*this, getEpilogue(), accType, elements,
                            getC().getType().getElementType()))) // C2
    return failure();
  llvm::Expected<DirectWork> work = getDirectWork(*this, getDirect().getValue()); // C3
  if (!work)
    return emitOpError(llvm::toString(work.takeError()));
  return success();
}
