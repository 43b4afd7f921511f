//===- GemmOps.cpp - Rungs 1 and 2: views and the implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the ops on views.
//
//===----------------------------------------------------------------------===//

#include "IR/Notes.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::ck;

/// True if `sizes` are those of a packed tensor of `shape`, or of its neighbouring dimensions
/// joined.
static bool joins(ArrayRef<int64_t> sizes, ArrayRef<int64_t> shape) {
  for (int64_t size : sizes) {
    int64_t joined = 1;
    for (; !shape.empty() && joined < size; shape = shape.drop_front())
      joined *= shape.front();
    if (joined != size)
      return false;
  }
  return llvm::all_of(shape, [](int64_t size) { return size == 1; });
}

LogicalResult TransformOp::verify() {
  MemRefType tensor = getTensor().getType();
  ViewType view = getView().getType();
  if (!tensor.getLayout().isIdentity()) // C1
    return emitOpError("expected a packed memref, got ") << tensor;
  if (!joins(view.getMap().getTensorSizes(), tensor.getShape())) // C1
    return emitOpError("expected a memref with the map's tensor sizes (")
           << view.getMap().getTensorSizes() << ") or some that multiply to them, got " << tensor;
  if (tensor.getElementType() != view.getElementType()) // C2
    return emitOpError("expected a view of ")
           << tensor.getElementType() << ", got one of " << view.getElementType();
  return success();
}

/// Verifies the D operands of an op that writes `c` and its epilogue.
static LogicalResult verifyWrite(Operation *op, TypedValue<ViewType> c, OperandRange ds,
                                 Region &epilogue, Type accType) {
  SmallVector<Type> elements;
  for (Value d : ds) {
    auto type = cast<ViewType>(d.getType());
    if (type.getShape() != c.getType().getShape())
      return noteOrigins(op->emitOpError("expected D operands of shape ")
                             << c.getType().getShape() << ", got " << type.getShape(),
                         {{"the D operand", d}, {"the result", c}});
    elements.push_back(type.getElementType());
  }
  return verifyEpilogue(op, epilogue, accType, elements, c.getType().getElementType());
}

/// Verifies that what was decided about accumulators fits the schedule (C5).
static LogicalResult verifyLayout(GemmOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  AccLayoutAttr layout = op.getLayoutAttr();
  if (layout && !schedule)
    return op.emitOpError("expected a schedule with a layout");
  if (op.getShuffleAttr() && !layout)
    return op.emitOpError("expected a layout with a shuffle");
  if (layout && (layout.getWaves() != schedule.getWaves() || layout.getMma() != schedule.getMma()))
    return op.emitOpError("expected a layout of the waves and the matrix instruction of ")
           << schedule << ", got " << layout;
  return success();
}

LogicalResult GemmOp::verify() {
  ArrayRef<int64_t> a = getA().getType().getShape(), b = getB().getType().getShape(),
                    c = getC().getType().getShape();
  if (a.size() != 3 || b.size() != 3 || c.size() != 3) // C1
    return emitOpError("expected views of rank 3, got ranks ")
           << a.size() << ", " << b.size() << " and " << c.size();
  if (a[0] != b[0] || a[2] != b[2] || c[0] != a[0] || c[1] != a[1] || c[2] != b[1]) // C1
    return noteOrigins(emitOpError("expected shapes GxMxK, GxNxK and GxMxN, got ")
                           << a << ", " << b << " and " << c,
                       {{"a", getA()}, {"b", getB()}, {"c", getC()}});
  if (getA().getType().getElementType() != getB().getType().getElementType()) // C2
    return noteOrigins(emitOpError("expected operands of one element type, got ")
                           << getA().getType().getElementType() << " and "
                           << getB().getType().getElementType(),
                       {{"a", getA()}, {"b", getB()}});
  Type operandType = getA().getType().getElementType();
  if (getSchedule() && getSchedule()->getMma().getOperandType() != operandType) // C4
    return emitOpError("expected a schedule for operands of ")
           << operandType << ", got one for " << getSchedule()->getMma().getOperandType();
  if (failed(verifyLayout(*this))) // C5
    return failure();
  if (getDirect() && (getSchedule() || getOmitPadding())) // C6
    return emitOpError("expected no ")
           << (getSchedule() ? "schedule" : "'omit_padding'") << " beside " << getDirectAttr();
  Type accType = getAccumulatorType(operandType);
  return verifyWrite(*this, getC(), getDs(), getEpilogue(), accType); // C1, C3
}

LogicalResult FillOp::verify() {
  if (getC().getType().getShape().size() != 3) // C1
    return emitOpError("expected a view of rank 3, got ") << getC().getType();
  Type accType = Float32Type::get(getContext());
  if (!getEpilogue().empty() && getEpilogue().getNumArguments() > 0 &&
      getEpilogue().getArgument(0).getType().isInteger(32))
    accType = getEpilogue().getArgument(0).getType();
  return verifyWrite(*this, getC(), getDs(), getEpilogue(), accType); // C1, C2
}

LogicalResult GemmTableOp::verify() {
  GemmOp first;
  for (Operation &op : getBody().front()) {
    if (!isa<GemmOp, FillOp>(op)) // C1
      return emitOpError("expected 'ck.gemm' and 'ck.fill' only, got '") << op.getName() << "'";
    auto gemm = dyn_cast<GemmOp>(op);
    if (!gemm)
      continue;
    first = first ? first : gemm;
    if (gemm.getScheduleAttr() == first.getScheduleAttr() &&
        gemm.getLayoutAttr() == first.getLayoutAttr() &&
        gemm.getDirectAttr() == first.getDirectAttr())
      continue;
    InFlightDiagnostic diag = gemm.emitOpError("expected the schedule and layout of the first GEMM "
                                               "of its table");
    diag.attachNote(first.getLoc()) << "the first GEMM is here";
    return diag;
  }
  if (!first) // C1
    return emitOpError("expected at least one 'ck.gemm'");
  return success();
}

/// One GEMM needs no table.
LogicalResult GemmTableOp::canonicalize(GemmTableOp op, PatternRewriter &rewriter) {
  Block &body = op.getBody().front();
  if (!llvm::hasSingleElement(body))
    return failure();
  rewriter.inlineBlockBefore(&body, op);
  rewriter.eraseOp(op);
  return success();
}
