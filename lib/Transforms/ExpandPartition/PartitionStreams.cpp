//===- PartitionStreams.cpp - The code of one workgroup of StreamK -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream runs through its iterations tile by tile. The contributors of a tile hand their sums to
// its owner, which stands at the beginning of the tile: directly, or as a tree. Sums are
// added in an order that depends on nothing but their numbers.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandPartition/PartitionBuilder.h"
#include "Transforms/Flags.h"
#include "ck-mlir/IR/ViewAnalysis.h"

using namespace mlir;
using namespace mlir::ck;

/// Computes tile `tile` among those of the works from `first` on.
void PartitionBuilder::buildWholeTile(Value tile, size_t first) {
  auto build = [&] {
    Tile place = splitTile(works[first], tile);
    Value end = math.constant(works[first].getKSteps());
    cloneEpilogue(works[first], place, cloneBody(works[first], place, math.constant(0), end));
  };
  if (first + 1 == works.size())
    return build();
  Value tiles = math.constant(plan.getGemms()[first].getTiles());
  buildIf(math.less(tile, tiles), build, [&] { buildWholeTile(math.sub(tile, tiles), first + 1); });
}

void PartitionBuilder::buildStreams() {
  const StreamSplit &split = plan.getStreamSplit();
  int64_t whole = split.wholeTiles, streams = split.streams, grid = plan.getGridSize();
  OpBuilder::InsertionGuard guard(rewriter);
  if (!getStreamK().persistent) {
    auto wholeTile = [&] { buildWholeTile(chunkedTile(whole, plan.getXcds(), workgroup)); };
    auto shared = [&] { buildStream(math.sub(math.constant(whole + streams - 1), workgroup)); };
    auto sums = [&] { buildSums(math.sub(workgroup, math.constant(whole + streams))); };
    auto stream = [&] {
      if (plan.getAdders() == 0)
        return shared();
      buildIf(math.less(math.constant(whole + streams - 1), workgroup), sums, shared);
    };
    if (whole == 0)
      return stream();
    if (streams == 0)
      return wholeTile();
    return buildIf(math.less(workgroup, math.constant(whole)), wholeTile, stream);
  }
  if (whole > 0)
    buildLoop(workgroup, math.constant(whole), grid, [&](Value tile) {
      SyncOp::create(rewriter, loc); // the LDS may still be read for the tile before
      buildWholeTile(chunkedTile(whole, plan.getXcds(), tile));
    });
  if (streams > 0)
    buildStream(math.sub(math.constant(streams - 1), workgroup));
}

/// The math waves, beginning with any multiple of it, that add up together what one of them holds
/// of a tile of `sum`; 1 if each has to do so for itself.
int64_t PartitionBuilder::countWavesOfSum(Value sum) {
  auto gemm = sum.getDefiningOp<BlockGemmOp>();
  const ChipInfo *chip = gemm ? getTargetChip(gemm).value_or(nullptr) : nullptr;
  // The waves address all sums of a tile at once.
  if (!chip || !isClose(distribute.getWorkspace()))
    return 1;
  AccType acc = gemm.getAcc().getType();
  llvm::Expected<GemmShape> shape =
      getGemmShape(gemm.getA().getType(), gemm.getB().getType(), acc.getElementType());
  if (!shape) {
    llvm::consumeError(shape.takeError());
    return 1;
  }
  return getWavesOfSum(plan.getAddersOfTile(), gemm.getSchedule().getValue(), *shape, *chip);
}

/// Adds up what the streams of a tile have left. Adder `adder` has the part of the tile that the
/// math waves hold whose numbers modulo the adders of the tile are its own. Other waves help these
/// if there is LDS for it.
void PartitionBuilder::buildSums(Value adder) {
  const StreamSplit &split = plan.getStreamSplit();
  WorkOp work = works.front();
  Value tile = math.rem(adder, split.dealtTiles), number = math.div(adder, split.dealtTiles);
  Value first = dealtBegin(split.streams, split.dealtTiles, tile),
        end = dealtBegin(split.streams, split.dealtTiles, math.add(tile, 1));
  Value count = math.sub(end, first), one = math.constant(1);
  Value sum = work.getBody().front().getTerminator()->getOperand(0);
  auto type = cast<AccType>(sum.getType());
  Value wave = MathWaveOp::create(rewriter, loc, rewriter.getIndexType());
  const int64_t adders = plan.getAddersOfTile(), waves = countWavesOfSum(sum);
  auto finish = [&](function_ref<Value()> getSum) {
    Value isOwn = math.compare(arith::CmpIPredicate::eq, math.rem(wave, adders), number);
    auto branch = scf::IfOp::create(rewriter, loc, isOwn, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    Value acc = getSum();
    cloneEpilogue(work, splitTile(work, math.add(tile, split.wholeTiles)), acc);
  };
  if (waves == 1)
    return finish(
        [&] { return addAwaited(ZeroAccOp::create(rewriter, loc, type), first, count, one); });

  // More adders than waves have nothing to do.
  Value hasWave = math.less(number, math.constant(waves));
  auto branch = scf::IfOp::create(rewriter, loc, hasWave, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  Value workspace = distribute.getWorkspace();
  Value holder = math.add(math.sub(wave, math.rem(wave, waves)), number);
  AwaitOp::create(rewriter, loc, workspace, first, 0, count, one, holder);
  SumPartialsOp::create(rewriter, loc, workspace, first, plan.getFlagBytes() / 4, count, number,
                        waves, type, /*ring=*/Value());
  SyncOp::create(rewriter, loc);
  finish([&]() -> Value {
    ResetSignalOp::create(rewriter, loc, workspace, first, 0, count, one);
    return GatherSumOp::create(rewriter, loc, type, waves, /*ring=*/Value());
  });
}

/// See `getSharedPart`.
Value PartitionBuilder::sharedPart(Value first, Value end) {
  const int64_t xcds = plan.getXcds();
  if (xcds == 1)
    return math.add(math.sub(end, workgroup), -1);
  Value xcd = math.rem(workgroup, xcds);
  auto countBelow = [&](Value bound) {
    Value rounds = arith::MulIOp::create(rewriter, loc, math.div(bound, xcds), xcd);
    return math.add(rounds, math.min(math.rem(bound, xcds), xcd));
  };
  Value ofOthers = math.sub(countBelow(end), countBelow(first));
  Value isPast = math.less(xcd, math.rem(first, xcds));
  Value before = math.add(math.div(first, xcds), math.select(isPast, 1, 0));
  Value ofOwn = math.sub(math.div(workgroup, xcds), before);
  return math.add(math.sub(math.sub(math.sub(end, first), ofOthers), ofOwn), -1);
}

/// Computes what `stream` has of its only tile.
void PartitionBuilder::buildStreamWithinTile(Value stream) {
  const StreamSplit &split = plan.getStreamSplit();
  const int64_t streams = split.streams, tiles = split.dealtTiles, fewest = streams / tiles;
  WorkOp work = works.front();
  Value tile = dealtPart(streams, tiles, stream);
  Value owner = dealtBegin(streams, tiles, tile),
        end = dealtBegin(streams, tiles, math.add(tile, 1)), contributors = math.sub(end, owner);
  Value behind = math.constant((getStreamK().persistent ? 0 : split.wholeTiles) + streams);
  Value part = sharedPart(math.sub(behind, end), math.sub(behind, owner));
  auto getBegin = [&](Value part) {
    Value begin = dealtBegin(work.getKSteps(), fewest, part);
    if (streams % tiles == 0)
      return begin;
    Value areFew = math.compare(arith::CmpIPredicate::eq, contributors, fewest);
    return math.select(areFew, begin, dealtBegin(work.getKSteps(), fewest + 1, part));
  };
  Tile place = splitTile(work, math.add(tile, split.wholeTiles));
  if (getStreamK().persistent && split.wholeTiles > 0)
    SyncOp::create(rewriter, loc); // the LDS may still be read for the tile before
  Value acc = cloneBody(work, place, getBegin(part), getBegin(math.add(part, 1)));
  handOver(work, place, acc, stream, math.sub(stream, owner), contributors);
}

/// See `getStreamBegin`.
Value PartitionBuilder::streamBegin(Value stream) {
  const int64_t total = plan.getStreamSplit().sharedIterations,
                streams = plan.getStreamSplit().streams;
  if (areStreamsDealt(total, streams))
    return dealtBegin(total, streams, stream);
  return math.div(math.mul(stream, total), streams);
}

/// See `getStreamOf`.
Value PartitionBuilder::streamOf(Value item) {
  const int64_t total = plan.getStreamSplit().sharedIterations,
                streams = plan.getStreamSplit().streams;
  if (areStreamsDealt(total, streams))
    return dealtPart(total, streams, item);
  return math.div(math.add(math.mul(item, streams), streams - 1), total);
}

/// Runs the iterations of `stream`, which are numbered from the first shared tile on.
void PartitionBuilder::buildStream(Value stream) {
  const StreamSplit &split = plan.getStreamSplit();
  if (split.dealtTiles > 0)
    return buildStreamWithinTile(stream);
  Value begin = streamBegin(stream), end = streamBegin(math.add(stream, 1));
  // Iteration of the first tile of each work.
  int64_t first = -split.wholeTiles * plan.getGemms().front().getTileIterations();
  for (size_t index = 0; index < works.size(); ++index) {
    const WorkShape &gemm = plan.getGemms()[index];
    int64_t last = first + gemm.getTiles() * gemm.getTileIterations();
    if (last > 0)
      buildShare(index, first, begin, end, stream);
    first = last;
  }
}

/// Runs what the iterations [begin, end) have in common with work `index`, whose first iteration is
/// `first`.
void PartitionBuilder::buildShare(size_t index, int64_t first, Value begin, Value end,
                                  Value stream) {
  const WorkShape &gemm = plan.getGemms()[index];
  int64_t perTile = gemm.getTileIterations();
  // From the first iteration of the work on, within it.
  Value zero = math.constant(0), total = math.constant(gemm.getTiles() * perTile);
  Value from = math.min(math.max(math.add(begin, -first), zero), total);
  Value to = math.min(math.max(math.add(end, -first), zero), total);
  Value firstTile = math.div(from, perTile),
        lastTile = math.div(math.add(to, perTile - 1), perTile);
  // Nothing in common: no tiles, also where both stand in the middle of one.
  lastTile = math.select(math.less(from, to), lastTile, firstTile);
  buildLoop(firstTile, lastTile, 1, [&](Value tile) {
    SyncOp::create(rewriter, loc); // the LDS may still be read for the tile before
    buildSharedTile(index, first, tile, from, to, stream);
  });
}

/// Computes tile `tile` of work `index` as far as its iterations are in [from, to), counted from
/// `first`.
void PartitionBuilder::buildSharedTile(size_t index, int64_t first, Value tile, Value from,
                                       Value to, Value stream) {
  WorkOp work = works[index];
  const WorkShape &gemm = plan.getGemms()[index];
  int64_t perTile = gemm.getTileIterations();
  Tile place = splitTile(work, tile);
  Value tileBegin = math.mul(tile, perTile);
  if (gemm.kSteps == 0) // nothing to share
    return cloneEpilogue(work, place, cloneBody(work, place, math.constant(0), math.constant(0)));
  Value begin = math.max(math.sub(from, tileBegin), math.constant(0));
  Value end = math.min(math.sub(to, tileBegin), math.constant(perTile));
  Value acc = cloneBody(work, place, begin, end);

  Value global = math.add(tileBegin, first);
  Value owner = streamOf(global), last = streamOf(math.add(global, perTile - 1));
  Value contributors = math.add(math.sub(last, owner), 1);
  handOver(work, place, acc, stream, math.sub(stream, owner), contributors);
}

/// Adds what `contributor` of `contributors` receives to the sums `acc` of `stream`, and stores
/// them as results or leaves them for another.
void PartitionBuilder::handOver(WorkOp work, Tile place, Value acc, Value stream, Value contributor,
                                Value contributors) {
  auto leave = [&] {
    StorePartialOp::create(rewriter, loc, acc, distribute.getWorkspace(), stream,
                           plan.getFlagBytes() / 4);
    SignalOp::create(rewriter, loc, distribute.getWorkspace(), stream, 0);
  };
  if (plan.getReduction() == Reduction::Parallel)
    return leave();
  acc = addPartials(acc, stream, contributor, contributors);
  Value isOwner = math.compare(arith::CmpIPredicate::eq, contributor, math.constant(0));
  buildIf(isOwner, [&] { cloneEpilogue(work, place, acc); }, leave);
}

/// Adds the sums of the contributors that `contributor` of `contributors` receives, see
/// `getPartners`.
Value PartitionBuilder::addPartials(Value acc, Value stream, Value contributor,
                                    Value contributors) {
  const int64_t radix = kTreeRadix;
  if (plan.getReduction() == Reduction::Linear) {
    Value isOwner = math.compare(arith::CmpIPredicate::eq, contributor, math.constant(0));
    Value exists = math.less(math.constant(1), contributors);
    Value others = math.add(contributors, -1);
    return addPartialsIf(arith::AndIOp::create(rewriter, loc, isOwner, exists), acc,
                         math.add(stream, 1), others, math.constant(1));
  }
  // Level l receives from the contributors that are 1, 2, ... * radix^l further, if its own number
  // is a whole multiple of radix^(l + 1).
  OpBuilder::InsertionGuard guard(rewriter);
  const StreamSplit &split = plan.getStreamSplit();
  const int64_t most =
      split.dealtTiles > 0 ? llvm::divideCeil(split.streams, split.dealtTiles) : split.streams;
  Value levels = math.constant(getTreeLevels(most));
  auto loop = scf::ForOp::create(rewriter, loc, math.constant(0), levels, math.constant(1),
                                 ValueRange{acc, math.constant(1)});
  rewriter.setInsertionPointToStart(loop.getBody());
  Value sum = loop.getRegionIterArgs()[0], stride = loop.getRegionIterArgs()[1];
  Value next = math.mul(stride, radix);
  Value low = arith::AndIOp::create(rewriter, loc, contributor, math.add(next, -1));
  Value receives = math.compare(arith::CmpIPredicate::eq, low, math.constant(0));
  Value exists = math.less(math.add(contributor, stride), contributors);
  Value behind = math.add(math.sub(contributors, contributor), -1);
  Value others = arith::DivUIOp::create(rewriter, loc, behind, stride);
  sum = addPartialsIf(arith::AndIOp::create(rewriter, loc, receives, exists), sum,
                      math.add(stream, stride), math.min(others, math.constant(radix - 1)), stride);
  scf::YieldOp::create(rewriter, loc, ValueRange{sum, next});
  return loop.getResult(0);
}

/// Adds the sums of the streams `first`, `first + step`, ..., of which there are `count`, if
/// `condition` is true.
Value PartitionBuilder::addPartialsIf(Value condition, Value acc, Value first, Value count,
                                      Value step) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto branch = scf::IfOp::create(rewriter, loc, acc.getType(), condition, /*withElse=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, addAwaited(acc, first, count, step));
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, acc);
  return branch.getResult(0);
}

/// Adds the sums of the streams `first`, `first + step`, ..., of which there are `count`.
Value PartitionBuilder::addAwaited(Value acc, Value first, Value count, Value step) {
  Value workspace = distribute.getWorkspace();
  AwaitOp::create(rewriter, loc, workspace, first, 0, count, step, /*wave=*/Value());
  Value sum = AddPartialOp::create(rewriter, loc, acc, workspace, first, plan.getFlagBytes() / 4,
                                   count, step);
  ResetSignalOp::create(rewriter, loc, workspace, first, 0, count, step);
  return sum;
}
