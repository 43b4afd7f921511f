//===- GridOps.cpp - Rung 3: work distribution over workgroups -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of the ops that speak of output tiles.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

/// Verifies the block arguments `types` of a region.
static LogicalResult verifyArguments(Operation *op, StringRef region, Block &block,
                                     TypeRange types) {
  if (block.getArgumentTypes() == types)
    return success();
  return op->emitOpError("expected arguments (")
         << types << ") of the " << region << ", got (" << block.getArgumentTypes() << ")";
}

llvm::Expected<WorkPlan> DistributeOp::getPlan() {
  SmallVector<WorkShape> shapes;
  for (WorkOp work : getBody().getOps<WorkOp>()) {
    ArrayRef<int64_t> tiles = work.getTiles();
    shapes.push_back({tiles[0], tiles[1], tiles[2], static_cast<int64_t>(work.getKSteps())});
  }
  return WorkPlan::create(shapes, getPartition().getValue(), getResidents());
}

LogicalResult DistributeOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.empty()) // C1
    return emitOpError("expected at least one 'ck.work'");
  for (Operation &op : block)
    if (!isa<WorkOp>(op)) // C1
      return emitOpError("expected 'ck.work' only, got '") << op.getName() << "'";
  llvm::Expected<WorkPlan> plan = getPlan();
  if (!plan) // C2
    return emitOpError(llvm::toString(plan.takeError()));
  if (plan->getPartialTiles() == 0)
    return success();
  if (!getWorkspace()) // C3
    return emitOpError("partition '") << getPartition().getText() << "' needs a workspace";
  auto yield = cast<YieldOp>(cast<WorkOp>(block.front()).getBody().front().getTerminator());
  int64_t elements =
      ShapedType::getNumElements(cast<AccType>(yield.getOperand(0).getType()).getShape());
  auto type = cast<MemRefType>(getWorkspace().getType());
  int64_t needed = llvm::divideCeil(plan->getWorkspaceBytes(elements), 4);
  if (!type.getElementType().isInteger(32) || type.getRank() != 1 ||
      type.getNumElements() < needed) // C3
    return emitOpError("expected a workspace of at least ") << needed << " i32, got " << type;
  return success();
}

LogicalResult WorkOp::verify() {
  if (getTiles().size() != 3 || llvm::any_of(getTiles(), [](int64_t n) { return n < 1; })) // C1
    return emitOpError("expected 3 positive entries in 'tiles', got ") << getTiles();
  if (static_cast<int64_t>(getKSteps()) < 0) // C1
    return emitOpError("'k_steps' must not be negative, got ") << static_cast<int64_t>(getKSteps());
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield || yield.getNumOperands() != 1 || !isa<AccType>(yield.getOperand(0).getType())) // C2
    return emitOpError("expected a body that yields one accumulator");
  Type index = IndexType::get(getContext()), acc = yield.getOperand(0).getType();
  if (failed(verifyArguments(*this, "body", getBody().front(),
                             {index, index, index, index, index}))) // C2
    return failure();
  return verifyArguments(*this, "epilogue", getEpilogue().front(),
                         {index, index, index, acc}); // C3
}

LogicalResult BlockGemmOp::verify() {
  Schedule schedule = getScheduleAttr().getValue();
  AccType acc = getAcc().getType();
  ViewType a = getA().getType(), b = getB().getType();
  Type accType = getAccumulatorType(a.getElementType());
  if (acc.getShape() != ArrayRef<int64_t>({schedule.tile[0], schedule.tile[1]}) ||
      acc.getElementType() != accType) // C1
    return emitOpError("expected an accumulator of ")
           << schedule.tile[0] << "x" << schedule.tile[1] << "x"
           << (accType.isF32() ? "f32" : "i32") << ", got " << acc;
  if (a.getShape().size() != 3 || b.getShape().size() != 3 ||
      a.getElementType() != b.getElementType()) // C2
    return emitOpError("expected views of rank 3 and one element type, got ") << a << " and " << b;
  return success();
}

LogicalResult StoreTileOp::verify() {
  ViewType c = getC().getType();
  if (getAcc().getType().getShape().size() != 2 || c.getShape().size() != 3) // C1
    return emitOpError("expected an accumulator of rank 2 and a view of rank 3, got ")
           << getAcc().getType() << " and " << c;
  SmallVector<Type> elements;
  for (Value d : getDs()) {
    auto type = cast<ViewType>(d.getType());
    if (type.getShape() != c.getShape()) // C1
      return emitOpError("expected D operands of shape ")
             << c.getShape() << ", got " << type.getShape();
    elements.push_back(type.getElementType());
  }
  return verifyEpilogue(*this, getEpilogue(), getAcc().getType().getElementType(), elements,
                        c.getElementType()); // C2
}
