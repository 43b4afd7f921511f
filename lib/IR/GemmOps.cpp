//===- GemmOps.cpp - Rungs 1 and 2: views and the implicit GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the ops on views, and the one of epilogue regions.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

LogicalResult ck::verifyEpilogue(Operation *op, Region &epilogue, Type resultType) {
  if (epilogue.empty())
    return success();
  if (!epilogue.hasOneBlock())
    return op->emitOpError("expected an epilogue of one block");
  Block &block = epilogue.front();
  if (block.getNumArguments() != 1 || !block.getArgument(0).getType().isF32())
    return op->emitOpError("expected an epilogue on one f32 accumulator");
  auto yield = dyn_cast_or_null<YieldOp>(block.empty() ? nullptr : &block.back());
  if (!yield || yield.getNumOperands() != 1 || yield.getOperand(0).getType() != resultType)
    return op->emitOpError("expected an epilogue that yields one ") << resultType;
  for (Operation &inner : block.without_terminator())
    if (!isPure(&inner) ||
        !(OpTrait::hasElementwiseMappableTraits(&inner) || inner.hasTrait<OpTrait::ConstantLike>()))
      return op->emitOpError("expected scalar ops without side effects in the epilogue, got '")
             << inner.getName() << "'";
  return success();
}

LogicalResult TransformOp::verify() {
  MemRefType tensor = getTensor().getType();
  ViewType view = getView().getType();
  if (!tensor.getLayout().isIdentity()) // C1
    return emitOpError("expected a packed memref, got ") << tensor;
  if (tensor.getShape() != view.getMap().getTensorSizes()) // C1
    return emitOpError("expected a memref with the map's tensor sizes (")
           << view.getMap().getTensorSizes() << "), got " << tensor;
  if (tensor.getElementType() != view.getElementType()) // C2
    return emitOpError("expected a view of ")
           << tensor.getElementType() << ", got one of " << view.getElementType();
  return success();
}

LogicalResult GemmOp::verify() {
  ArrayRef<int64_t> a = getA().getType().getShape(), b = getB().getType().getShape(),
                    c = getC().getType().getShape();
  if (a.size() != 3 || b.size() != 3 || c.size() != 3) // C1
    return emitOpError("expected views of rank 3, got ranks ")
           << a.size() << ", " << b.size() << " and " << c.size();
  if (a[0] != b[0] || a[2] != b[2] || c[0] != a[0] || c[1] != a[1] || c[2] != b[1]) // C1
    return emitOpError("expected shapes GxMxK, GxNxK and GxMxN, got ")
           << a << ", " << b << " and " << c;
  if (getA().getType().getElementType() != getB().getType().getElementType()) // C2
    return emitOpError("expected operands of one element type, got ")
           << getA().getType().getElementType() << " and " << getB().getType().getElementType();
  return verifyEpilogue(*this, getEpilogue(), getC().getType().getElementType()); // C3
}
