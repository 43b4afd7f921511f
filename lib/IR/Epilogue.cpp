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

using namespace mlir;
using namespace mlir::ck;

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
  if (!yield || yield.getNumOperands() != 1 || yield.getOperand(0).getType() != resultType)
    return op->emitOpError("expected an epilogue that yields one ") << resultType;
  for (Operation &inner : block.without_terminator())
    if (!isPure(&inner) ||
        !(OpTrait::hasElementwiseMappableTraits(&inner) || inner.hasTrait<OpTrait::ConstantLike>()))
      return op->emitOpError("expected scalar ops without side effects in the epilogue, got '")
             << inner.getName() << "'";
  return success();
}
