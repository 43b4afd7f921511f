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

BlockPipeline::BlockPipeline(RewriterBase &rewriter, BlockGemmOp gemm, Value ring,
                             FragmentType columns)
    : rewriter(rewriter), loc(gemm.getLoc()), math{rewriter, loc}, gemm(gemm), ring(ring),
      schedule(gemm.getSchedule().getValue()), tiles(cast<RingType>(ring.getType()).getTiles()),
      columns(columns) {
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
                                  type.getMicroTile(), type.getAlongK(), type.getHeld());
  auto cursorType = CursorType::get(view.getContext(), viewType, loaded);
  return CursorOp::create(rewriter, loc, cursorType, view, ValueRange{gemm.getGroup(), row, k});
}

BlockPipeline::Values BlockPipeline::makeCursors() {
  Values cursors = {makeCursor(gemm.getA(), gemm.getRowTile(), tiles[0])};
  if (!columns)
    cursors.push_back(makeCursor(gemm.getB(), gemm.getColumnTile(), tiles[1]));
  return cursors;
}

BlockPipeline::Values BlockPipeline::makeHeldCursors() {
  Values cursors;
  if (columns)
    cursors.push_back(makeCursor(gemm.getB(), gemm.getColumnTile(), columns));
  return cursors;
}

BlockPipeline::Values BlockPipeline::advance(ValueRange cursors) {
  DenseI64ArrayAttr step = rewriter.getDenseI64ArrayAttr({0, 0, schedule.tile[2]});
  return llvm::map_to_vector(cursors, [&](Value cursor) -> Value {
    return AdvanceOp::create(rewriter, loc, cursor, step);
  });
}

BlockPipeline::Values BlockPipeline::load(ValueRange cursors) {
  return llvm::map_to_vector(cursors, [&](Value cursor) -> Value {
    auto type = cast<CursorType>(cursor.getType());
    int64_t k = type.getView().getShape()[2];
    return LoadTileOp::create(rewriter, loc, type.getFragment(), cursor, k % schedule.tile[2] == 0);
  });
}

/// Writes the operand tiles of K step `step` into its slot, which is returned.
Value BlockPipeline::acquireAndWrite(ValueRange fragments, Value step) {
  Value slot = AcquireOp::create(rewriter, loc, ring, step);
  for (auto [operand, fragment] : llvm::enumerate(fragments))
    WriteTileOp::create(rewriter, loc, fragment, slot, operand);
  return slot;
}

/// Multiplies the tiles of `slot`, and those that are `held`, into `acc`.
Value BlockPipeline::multiply(Value slot, ValueRange held, Value acc) {
  Value next = MmaTileOp::create(rewriter, loc, slot, held.empty() ? Value() : held.front(), acc);
  ReleaseOp::create(rewriter, loc, slot);
  return next;
}

/// Multiplies the tiles of K step `step` into `acc`.
Value BlockPipeline::multiplySlot(Value acc, Value step, ValueRange held) {
  return multiply(WaitOp::create(rewriter, loc, ring, step), held, acc);
}

BlockPipeline::Values BlockPipeline::startMath() {
  Values cursors = makeHeldCursors(), carried = load(cursors);
  carried.insert(carried.begin(), ZeroAccOp::create(rewriter, loc, gemm.getAcc().getType()));
  llvm::append_range(carried, advance(cursors));
  return carried;
}

/// Multiplies K step `step` by what is `carried`; returns what the next step needs.
BlockPipeline::Values BlockPipeline::multiplyStep(Value step, ValueRange carried) {
  ValueRange held = carried.drop_front().take_front(columns ? 1 : 0);
  ValueRange cursors = carried.drop_front(1 + held.size());
  Value slot = WaitOp::create(rewriter, loc, ring, step);
  Values loaded = load(cursors), next = advance(cursors);
  Values result = {multiply(slot, held, carried.front())};
  llvm::append_range(result, loaded);
  llvm::append_range(result, next);
  return result;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

Value BlockPipeline::buildUniform() {
  Values cursors = makeCursors();
  Value zero = math.constant(0), one = math.constant(1);
  CommitOp::create(rewriter, loc, acquireAndWrite(load(cursors), zero));
  Values carried = startMath();
  size_t mathValues = carried.size();
  Value last = add(count, -1);
  llvm::append_range(carried, advance(cursors));
  auto loop = scf::ForOp::create(rewriter, loc, zero, last, one, carried);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ValueRange arguments = loop.getRegionIterArgs();
    ValueRange current = arguments.drop_front(mathValues);
    Values loaded = load(current);
    // Carried cursors are one step ahead, so that moving them is off the path to the loads.
    Values next = advance(current);
    Values results = multiplyStep(loop.getInductionVar(), arguments.take_front(mathValues));
    CommitOp::create(rewriter, loc, acquireAndWrite(loaded, add(loop.getInductionVar(), 1)));
    llvm::append_range(results, next);
    scf::YieldOp::create(rewriter, loc, results);
  }
  ValueRange results = loop.getResults();
  return multiplySlot(results[0], last, results.drop_front().take_front(columns ? 1 : 0));
}

void BlockPipeline::buildLoad() {
  Values cursors = makeCursors(), carried = load(cursors);
  size_t operands = carried.size();
  Value zero = math.constant(0), one = math.constant(1), last = add(count, -1);
  llvm::append_range(carried, advance(cursors));
  auto loop = scf::ForOp::create(rewriter, loc, zero, last, one, carried);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ValueRange arguments = loop.getRegionIterArgs();
    ValueRange current = arguments.drop_front(operands);
    // The writes come first: the loads of the next step then go to the same registers.
    Value slot = acquireAndWrite(arguments.take_front(operands), loop.getInductionVar());
    if (schedule.getHints().loads)
      LoadsFirstOp::create(rewriter, loc);
    Values results = load(current);
    llvm::append_range(results, advance(current));
    CommitOp::create(rewriter, loc, slot);
    scf::YieldOp::create(rewriter, loc, results);
  }
  CommitOp::create(rewriter, loc, acquireAndWrite(loop.getResults().take_front(operands), last));
}

BlockPipeline::Values BlockPipeline::multiplySteps(Value begin, Value end, int64_t unroll,
                                                   Values carried) {
  std::optional<int64_t> first = getConstantIntValue(begin), limit = getConstantIntValue(end);
  auto multiplyAll = [&](Value step, Values values) {
    for (int64_t i = 0; i < unroll; ++i)
      values = multiplyStep(add(step, i), values);
    return values;
  };
  if (first && limit && *limit - *first <= unroll)
    return *first < *limit ? multiplyAll(begin, carried) : carried;
  auto loop = scf::ForOp::create(rewriter, loc, begin, end, math.constant(unroll), carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(rewriter, loc,
                       multiplyAll(loop.getInductionVar(), Values(loop.getRegionIterArgs())));
  return Values(loop.getResults());
}

Value BlockPipeline::getWholeIterations(Value steps) {
  int64_t slots = cast<RingType>(ring.getType()).getSlots();
  if (std::optional<int64_t> known = getConstantIntValue(steps))
    return math.constant(*known - *known % slots);
  Value rest = math.rem(steps, slots);
  return math.sub(steps, rest);
}

Value BlockPipeline::buildMath() {
  int64_t slots = cast<RingType>(ring.getType()).getSlots();
  // Nothing is loaded behind the last step.
  Value steps = columns ? add(count, -1) : count;
  Value whole = getWholeIterations(steps);
  Values carried = startMath();
  carried = multiplySteps(math.constant(0), whole, slots, carried);
  carried = multiplySteps(whole, steps, 1, carried);
  return columns ? multiplySlot(carried[0], steps, carried[1]) : carried[0];
}
