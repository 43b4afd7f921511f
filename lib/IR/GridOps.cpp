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

#include "IR/Notes.h"
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
  WorkgroupMappingAttr mapping = getMappingAttr();
  if (!mapping)
    return WorkPlan::create(shapes, getPartition().getValue(), getResidents(), /*xcds=*/1);
  return WorkPlan::create(shapes, getPartition().getValue(), getResidents(), mapping.getXcds(),
                          {mapping.getWindow(), mapping.getChunk()});
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
    return emitOpError("partition ") << getPartitionAttr() << " needs a workspace";
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
  ScheduleAttr schedule = getScheduleAttr();
  AccType acc = getAcc().getType();
  ViewType a = getA().getType(), b = getB().getType();
  if (acc.getShape() != schedule.getTile().take_front(2) ||
      acc.getLayout().getWaves() != schedule.getWaves() ||
      acc.getLayout().getMma() != schedule.getMma()) // C1
    return emitOpError("expected an accumulator of the tile, the waves and the matrix instruction "
                       "of ")
           << schedule << ", got " << acc;
  if (a.getShape().size() != 3 || b.getShape().size() != 3 ||
      a.getElementType() != b.getElementType()) // C2
    return noteOrigins(emitOpError("expected views of rank 3 and one element type, got ")
                           << a << " and " << b,
                       {{"a", getA()}, {"b", getB()}});
  if (getSchedule().getMma().getOperandType() != a.getElementType()) // C3
    return emitOpError("expected a schedule for operands of ")
           << a.getElementType() << ", got one for " << getSchedule().getMma().getOperandType();
  return success();
}

/// Verifies the way of results through LDS (C3, C4).
static LogicalResult verifyShuffle(StoreTileOp op) {
  ShuffleAttr shuffle = op.getShuffleAttr();
  if (op.getRing() && !shuffle)
    return op.emitOpError("expected a shuffle with a ring");
  if (!shuffle)
    return success();
  if (op.getAtomic())
    return op.emitOpError("expected no shuffle with 'atomic'");
  AccType acc = op.getAcc().getType();
  unsigned along = acc.getAccDim();
  int64_t blocks[] = {acc.getBlocks(along), acc.getBlocks(1 - along)};
  for (auto [count, part] : llvm::zip_equal(blocks, shuffle.getBlocks()))
    if (count % part != 0)
      return op.emitOpError("expected blocks of the shuffle that divide ")
             << blocks[0] << "x" << blocks[1] << ", those of a wave, got " << shuffle;
  return success();
}

/// C5: the GEMM whose elements `op` can compute again.
static LogicalResult verifyRecompute(StoreTileOp op) {
  if (op.getFactors().empty())
    return success();
  if (op.getAtomic())
    return op.emitOpError("expected no 'recompute' with 'atomic'");
  if (op.getFactors().size() != 2)
    return op.emitOpError("expected two views to recompute from, got ") << op.getFactors().size();
  auto a = cast<ViewType>(op.getFactors()[0].getType()),
       b = cast<ViewType>(op.getFactors()[1].getType());
  ArrayRef<int64_t> rows = a.getShape(), columns = b.getShape(), c = op.getC().getType().getShape();
  if (rows.size() != 3 || columns.size() != 3 || rows.drop_back() != c.drop_back() ||
      columns[0] != c[0] || columns[1] != c[2] || rows[2] != columns[2])
    return noteOrigins(op.emitOpError("expected to recompute from GxMxK and GxNxK a result GxMxN, "
                                      "got ")
                           << rows << ", " << columns << " and " << c,
                       {{"a", op.getFactors()[0]}, {"b", op.getFactors()[1]}, {"c", op.getC()}});
  if (!isa<FloatType>(a.getElementType()) || a.getElementType() != b.getElementType())
    return op.emitOpError("expected to recompute from floating-point numbers of one type, got ")
           << a.getElementType() << " and " << b.getElementType();
  return success();
}

LogicalResult StoreTileOp::verify() {
  ViewType c = getC().getType();
  if (getAcc().getType().getShape().size() != 2 || c.getShape().size() != 3) // C1
    return emitOpError("expected an accumulator of rank 2 and a view of rank 3, got ")
           << getAcc().getType() << " and " << c;
  if (failed(verifyShuffle(*this)) || failed(verifyRecompute(*this))) // C3, C4, C5
    return failure();
  SmallVector<Type> elements;
  for (Value d : getDs()) {
    auto type = cast<ViewType>(d.getType());
    if (type.getShape() != c.getShape()) // C1
      return noteOrigins(emitOpError("expected D operands of shape ")
                             << c.getShape() << ", got " << type.getShape(),
                         {{"the D operand", d}, {"the result", getC()}});
    elements.push_back(type.getElementType());
  }
  return verifyEpilogue(*this, getEpilogue(), getAcc().getType().getElementType(), elements,
                        c.getElementType()); // C2
}
