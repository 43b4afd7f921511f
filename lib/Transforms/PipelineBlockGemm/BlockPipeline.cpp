//===- BlockPipeline.cpp - The software pipeline of a block GEMM -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/PipelineBlockGemm/BlockPipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ck;

BlockPipeline::BlockPipeline(RewriterBase &rewriter, BlockGemmOp gemm, Value ring)
    : rewriter(rewriter), loc(gemm.getLoc()), math{rewriter, loc}, gemm(gemm), ring(ring),
      schedule(gemm.getSchedule().getValue()), tiles(cast<RingType>(ring.getType()).getTiles()) {
  rewriter.setInsertionPoint(gemm);
  count = gemm.getKEnd();
  std::optional<int64_t> first = getConstantIntValue(gemm.getKBegin()),
                         end = getConstantIntValue(gemm.getKEnd());
  if (first && end && *first != 0)
    count = math.constant(*end - *first);
  else if (first != 0)
    count = math.sub(gemm.getKEnd(), gemm.getKBegin());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value BlockPipeline::add(Value index, int64_t value) {
  if (std::optional<int64_t> known = getConstantIntValue(index); known && value != 0)
    return math.constant(*known + value);
  return math.add(index, value);
}

/// A cursor at the first element of the operand tile of the first K step. What is loaded there is
/// `type` with the elements of the view, which LDS may hold in another type.
Value BlockPipeline::makeCursor(Value view, Value tile, FragmentType type) {
  Value row = math.mul(tile, math.constant(type.getShape()[0]));
  Value k = math.mul(gemm.getKBegin(), math.constant(type.getShape()[1]));
  auto viewType = cast<ViewType>(view.getType());
  auto loaded = FragmentType::get(view.getContext(), type.getShape(), viewType.getElementType(),
                                  type.getMicroTile(), type.getAlongK());
  auto cursorType = CursorType::get(view.getContext(), viewType, loaded);
  return CursorOp::create(rewriter, loc, cursorType, view, ValueRange{gemm.getGroup(), row, k});
}

BlockPipeline::Operands BlockPipeline::makeCursors() {
  Value a = makeCursor(gemm.getA(), gemm.getRowTile(), tiles[0]);
  Value b = makeCursor(gemm.getB(), gemm.getColumnTile(), tiles[1]);
  return {a, b};
}

BlockPipeline::Operands BlockPipeline::advance(Operands cursors) {
  DenseI64ArrayAttr step = rewriter.getDenseI64ArrayAttr({0, 0, schedule.tile[2]});
  Value a = AdvanceOp::create(rewriter, loc, cursors.a, step);
  Value b = AdvanceOp::create(rewriter, loc, cursors.b, step);
  return {a, b};
}

Value BlockPipeline::load(Value cursor) {
  auto type = cast<CursorType>(cursor.getType());
  int64_t k = type.getView().getShape()[2];
  return LoadTileOp::create(rewriter, loc, type.getFragment(), cursor, k % schedule.tile[2] == 0);
}

BlockPipeline::Operands BlockPipeline::load(Operands cursors) {
  Value a = load(cursors.a);
  Value b = load(cursors.b);
  return {a, b};
}

/// Writes the operand tiles of K step `step` into its slot, which is returned.
Value BlockPipeline::acquireAndWrite(Operands fragments, Value step) {
  Value slot = AcquireOp::create(rewriter, loc, ring, step);
  WriteTileOp::create(rewriter, loc, fragments.a, slot, 0);
  WriteTileOp::create(rewriter, loc, fragments.b, slot, 1);
  return slot;
}

/// Multiplies the tiles of K step `step` into `acc`.
Value BlockPipeline::multiplySlot(Value acc, Value step) {
  Value slot = WaitOp::create(rewriter, loc, ring, step);
  Value next = MmaTileOp::create(rewriter, loc, slot, acc);
  ReleaseOp::create(rewriter, loc, slot);
  return next;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

Value BlockPipeline::buildUniform() {
  Operands cursors = makeCursors();
  Value zero = math.constant(0), one = math.constant(1);
  CommitOp::create(rewriter, loc, acquireAndWrite(load(cursors), zero));
  Value acc = ZeroAccOp::create(rewriter, loc, gemm.getAcc().getType());
  Value last = add(count, -1);
  cursors = advance(cursors);
  auto loop =
      scf::ForOp::create(rewriter, loc, zero, last, one, ValueRange{acc, cursors.a, cursors.b});
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    Operands current = {carried[1], carried[2]};
    Operands loaded = load(current);
    // Carried cursors are one step ahead, so that moving them is off the path to the loads.
    Operands next = advance(current);
    Value sum = multiplySlot(carried[0], loop.getInductionVar());
    CommitOp::create(rewriter, loc, acquireAndWrite(loaded, add(loop.getInductionVar(), 1)));
    scf::YieldOp::create(rewriter, loc, ValueRange{sum, next.a, next.b});
  }
  return multiplySlot(loop.getResult(0), last);
}

void BlockPipeline::buildLoad() {
  Operands cursors = makeCursors();
  Operands first = load(cursors);
  Value zero = math.constant(0), one = math.constant(1), last = add(count, -1);
  cursors = advance(cursors);
  auto loop = scf::ForOp::create(rewriter, loc, zero, last, one,
                                 ValueRange{first.a, first.b, cursors.a, cursors.b});
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    Operands current = {carried[2], carried[3]};
    // The writes come first: the loads of the next step then go to the same registers.
    Value slot = acquireAndWrite({carried[0], carried[1]}, loop.getInductionVar());
    if (schedule.getHints().loads)
      LoadsFirstOp::create(rewriter, loc);
    Operands loaded = load(current);
    Operands next = advance(current);
    CommitOp::create(rewriter, loc, slot);
    scf::YieldOp::create(rewriter, loc, ValueRange{loaded.a, loaded.b, next.a, next.b});
  }
  Operands loaded = {loop.getResult(0), loop.getResult(1)};
  CommitOp::create(rewriter, loc, acquireAndWrite(loaded, last));
}

Value BlockPipeline::multiplySteps(Value begin, Value end, int64_t unroll, Value acc) {
  std::optional<int64_t> first = getConstantIntValue(begin), limit = getConstantIntValue(end);
  auto multiply = [&](Value step, Value sum) {
    for (int64_t i = 0; i < unroll; ++i)
      sum = multiplySlot(sum, add(step, i));
    return sum;
  };
  if (first && limit && *limit - *first <= unroll)
    return *first < *limit ? multiply(begin, acc) : acc;
  auto loop = scf::ForOp::create(rewriter, loc, begin, end, math.constant(unroll), ValueRange{acc});
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Value sum = multiply(loop.getInductionVar(), loop.getRegionIterArgs()[0]);
  scf::YieldOp::create(rewriter, loc, sum);
  return loop.getResult(0);
}

Value BlockPipeline::buildMath() {
  int64_t slots = cast<RingType>(ring.getType()).getSlots();
  Value whole; // steps in iterations of as many steps as slots
  if (std::optional<int64_t> known = getConstantIntValue(count)) {
    whole = math.constant(*known - *known % slots);
  } else {
    Value rest = math.rem(count, slots);
    whole = math.sub(count, rest);
  }
  Value acc = ZeroAccOp::create(rewriter, loc, gemm.getAcc().getType());
  acc = multiplySteps(math.constant(0), whole, slots, acc);
  return multiplySteps(whole, count, 1, acc);
}
