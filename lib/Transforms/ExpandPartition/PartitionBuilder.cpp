//===- PartitionBuilder.cpp - The code of one workgroup of a partition -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all partitions share, and those that give a workgroup one slice of one tile.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandPartition/PartitionBuilder.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ck;

PartitionBuilder::PartitionBuilder(RewriterBase &rewriter, DistributeOp distribute, WorkPlan plan)
    : rewriter(rewriter), distribute(distribute), loc(distribute.getLoc()), math{rewriter, loc},
      plan(std::move(plan)), works(distribute.getBody().getOps<WorkOp>()) {
  rewriter.setInsertionPoint(distribute);
  workgroup = gpu::BlockIdOp::create(rewriter, loc, gpu::Dimension::x);
}

/// See `getDealtBegin`.
Value PartitionBuilder::dealtBegin(int64_t total, int64_t parts, Value part) {
  Value extra = math.min(part, math.constant(total % parts));
  return math.add(math.mul(part, total / parts), extra);
}

/// See `getDealtPart`. Where the difference is negative the other value is taken.
Value PartitionBuilder::dealtPart(int64_t total, int64_t parts, Value item) {
  int64_t quotient = total / parts, remainder = total % parts;
  if (remainder == 0)
    return math.div(item, quotient);
  Value early = math.div(item, quotient + 1);
  Value late = math.div(math.sub(item, math.constant(remainder)), quotient);
  return math.select(math.less(early, math.constant(remainder)), early, late);
}

/// See `getChunkedTile`.
Value PartitionBuilder::chunkedTile(int64_t total, int64_t xcds, Value item) {
  int64_t chunk = std::min<int64_t>(plan.getMapping().chunk, llvm::divideCeil(total, xcds));
  if (chunk == 1 || xcds == 1)
    return item;
  int64_t block = xcds * chunk, rest = total % block;
  Value inBlock = math.rem(item, block), first = math.sub(item, inBlock);
  Value xcd = math.rem(item, xcds), position = math.div(inBlock, xcds);
  Value begin = math.mul(xcd, chunk);
  if (rest != 0) {
    Value dealt = dealtBegin(rest, xcds, xcd);
    Value isRest = math.notLessThan(item, total - rest);
    begin = total < block ? dealt : math.select(isRest, dealt, begin);
  }
  return math.add(math.add(first, begin), position);
}

/// See `WorkShape::getTile`. Divisors are constants, of the last window as of the others.
PartitionBuilder::Tile PartitionBuilder::splitTileInWindows(WorkOp work, Value tile,
                                                            int64_t window) {
  int64_t rows = work.getTiles()[1], columns = work.getTiles()[2], last = rows % window;
  bool single = work.getTiles()[0] == 1;
  Value group = single ? math.constant(0) : math.div(tile, rows * columns);
  Value inGroup = single ? tile : math.rem(tile, rows * columns);
  Value number = math.div(inGroup, window * columns), local = math.rem(inGroup, window * columns);
  Value row = math.rem(local, window), column = math.div(local, window);
  if (last != 0) {
    Value isLast = math.notLessThan(number, rows / window);
    row = math.select(isLast, math.rem(local, last), row);
    column = math.select(isLast, math.div(local, last), column);
  }
  return {group, math.add(math.mul(number, window), row), column};
}

PartitionBuilder::Tile PartitionBuilder::splitTile(WorkOp work, Value tile) {
  int64_t window = std::min(plan.getMapping().window, work.getTiles()[1]);
  if (window > 1)
    return splitTileInWindows(work, tile, window);
  auto split = affine::AffineDelinearizeIndexOp::create(rewriter, loc, tile, work.getTiles());
  return {split.getResult(0), split.getResult(1), split.getResult(2)};
}

/// The accumulator of `work` for the K steps [begin, end) of `tile`.
Value PartitionBuilder::cloneBody(WorkOp work, Tile tile, Value begin, Value end) {
  Block &body = work.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), ValueRange{tile[0], tile[1], tile[2], begin, end});
  for (Operation &op : body.without_terminator())
    rewriter.clone(op, mapping);
  return mapping.lookup(body.getTerminator()->getOperand(0));
}

/// Puts `acc` through the epilogue of `work`, whose stores add to memory with `atomic`.
void PartitionBuilder::cloneEpilogue(WorkOp work, Tile tile, Value acc, bool atomic) {
  Block &epilogue = work.getEpilogue().front();
  IRMapping mapping;
  mapping.map(epilogue.getArguments(), ValueRange{tile[0], tile[1], tile[2], acc});
  for (Operation &op : epilogue.without_terminator()) {
    Operation *clone = rewriter.clone(op, mapping);
    if (auto store = dyn_cast<StoreTileOp>(clone); store && atomic) {
      store.removeShuffleAttr();
      store.setAtomic(true);
    }
  }
}

void PartitionBuilder::buildIf(Value condition, function_ref<void()> then,
                               function_ref<void()> otherwise) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto branch = scf::IfOp::create(rewriter, loc, condition, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  then();
  rewriter.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void PartitionBuilder::buildLoop(Value begin, Value end, int64_t step,
                                 function_ref<void(Value)> body) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto loop = scf::ForOp::create(rewriter, loc, begin, end, math.constant(step));
  rewriter.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Where `slice` of `tile` leaves its sum among those of `work`.
Value PartitionBuilder::getPartial(WorkOp work, Tile tile, Value slice) {
  Value number = affine::AffineLinearizeIndexOp::create(rewriter, loc, tile, work.getTiles(),
                                                        /*disjoint=*/true);
  return math.add(math.mul(slice, ShapedType::getNumElements(work.getTiles())), number);
}

/// The slice of workgroup `local` among those of work `index`.
void PartitionBuilder::buildSlice(size_t index, Value local, int64_t firstPartial) {
  WorkOp work = works[index];
  int64_t slices = plan.getSlices()[index], tiles = plan.getGemms()[index].getTiles();
  int64_t kSteps = work.getKSteps();
  if (slices == 1) {
    Tile tile = splitTile(work, chunkedTile(tiles, plan.getXcds(), local));
    cloneEpilogue(work, tile, cloneBody(work, tile, math.constant(0), math.constant(kSteps)));
    return;
  }
  // See `getTileSlice`.
  const int64_t side = getSlicesSideBySide(slices, plan.getXcds());
  const bool inOrder = side == 1 && plan.getMapping().isDefault();
  Value slice = math.div(local, tiles * side), inBlock = math.rem(local, tiles * side);
  if (side > 1) {
    slice = math.add(math.mul(slice, side), math.rem(local, side));
    inBlock = math.div(inBlock, side);
  }
  Tile tile = splitTile(work, chunkedTile(tiles, plan.getXcds() / side, inBlock));
  Value begin = dealtBegin(kSteps, slices, slice), length = math.constant(kSteps / slices);
  if (int64_t longer = kSteps % slices) {
    Value isLonger = math.less(slice, math.constant(longer));
    length = math.select(isLonger, math.constant(kSteps / slices + 1), length);
  }
  Value acc = cloneBody(work, tile, begin, math.add(begin, length));
  if (hasSecondStage(plan.getPartition()))
    StorePartialOp::create(rewriter, loc, acc, distribute.getWorkspace(),
                           math.add(inOrder ? local : getPartial(work, tile, slice), firstPartial),
                           plan.getFlagBytes() / 4);
  else
    cloneEpilogue(work, tile, acc, /*atomic=*/true);
}

void PartitionBuilder::buildSlices() {
  int64_t first = 0, firstPartial = 0;
  OpBuilder::InsertionGuard guard(rewriter);
  for (size_t index = 0; index < works.size(); ++index) {
    int64_t slices = plan.getSlices()[index],
            end = first + plan.getGemms()[index].getTiles() * slices;
    auto build = [&] {
      Value local = first == 0 ? workgroup : math.sub(workgroup, math.constant(first));
      buildSlice(index, local, firstPartial);
    };
    if (index + 1 == works.size())
      return build();
    Value inside = math.compare(arith::CmpIPredicate::ult, workgroup, math.constant(end));
    auto branch = scf::IfOp::create(rewriter, loc, inside, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    build();
    rewriter.setInsertionPointToStart(branch.elseBlock());
    firstPartial += slices > 1 ? end - first : 0;
    first = end;
  }
}
