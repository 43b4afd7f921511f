//===- SumBuilder.cpp - The code of one lane that sums over positions -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane loads everything that the positions of a step need, each element once, before it
// multiplies. Lanes beyond the last block of positions leave the loop earlier, so that nothing is
// masked.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/SumBuilder.h"
#include "Transforms/LaneMath.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ck;

static int64_t getBytes(const ViewAnalysis &analysis) {
  return analysis.view.getElementType().getIntOrFloatBitWidth() / 8;
}

SumBuilder::SumBuilder(OpBuilder &builder, DirectSumOp op, const ChipInfo &chip)
    : builder(builder), op(op), chip(chip), tile(op.getDirect().getValue()), loc(op.getLoc()),
      math{builder, loc}, accType(getAccumulatorType(op.getA().getType().getElementType())) {
  // The verifier has checked that all are there.
  views = llvm::cantFail(DirectViews::create(op));
  geometry = llvm::cantFail(getSumGeometry(views));
  shares = getSumShares(geometry, tile, getBytes(*views.a));
  workspace = getSumWorkspace(shares, tile.slices, chip.waveSize);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The first input channel, of all groups, and the first output channel, of its group, of the lanes
/// with number `unit`.
std::pair<Value, Value> SumBuilder::findUnit(Value unit) const {
  const int64_t blocks = geometry.outputs / shares.outputs;
  if (tile.getLanesOfColumn() > 1) {
    // A wave has a group. Lanes with the same input channels are a block apart.
    Value channel =
        math.add(math.mul(math.div(unit, kMfmaLanes), tile.mfma), math.rem(unit, tile.mfma));
    Value quarter = math.div(math.rem(unit, kMfmaLanes), tile.mfma);
    return {channel, math.mul(quarter, shares.outputs)};
  }
  return {math.mul(math.div(unit, blocks), tile.channels),
          math.mul(math.rem(unit, blocks), shares.outputs)};
}

SumBuilder::Place SumBuilder::findPlace(Value tileNumber, Value slice) {
  Place place;
  place.thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  // The waves of a block of positions go round its loop together: all their lanes are active.
  place.position = tile.mfma ? math.div(findWave(place.thread), shares.units / kMfmaLanes)
                             : math.div(place.thread, shares.units);
  Value unit = math.add(math.mul(tileNumber, shares.units), math.rem(place.thread, shares.units));
  auto [channel, output] = findUnit(unit);
  Value group = math.div(channel, geometry.channels);
  Value inner = math.rem(group, geometry.merged);
  place.batch = math.div(group, geometry.merged);
  if (tile.mfma)
    output = math.rem(channel, geometry.channels); // the one that the lane loads
  place.row = math.add(math.mul(inner, geometry.outputs), output);
  place.column = math.add(math.mul(inner, geometry.channels), math.rem(channel, geometry.channels));
  const int64_t steps = shares.getStepsOf(tile.slices);
  Value first = math.mul(slice, steps);
  place.begin = math.add(first, place.position);
  place.end = math.min(math.add(first, steps), math.constant(shares.steps));
  if (shares.units * shares.getPositions() < kSumThreads) // Lanes left over have no positions.
    place.end = math.select(math.lessThan(place.position, shares.getPositions()), place.end,
                            math.constant(0));
  return place;
}

/// The K of the first position of a step of the lane with number `thread`.
Value SumBuilder::findStepCoordinate(Value block, Value thread) const {
  if (const int64_t parts = tile.getLanesOfColumn(); parts > 1)
    block = math.add(math.mul(block, parts), math.rem(math.div(thread, tile.mfma), parts));
  const int64_t across = geometry.columns / tile.columns, down = geometry.lines / tile.rows;
  Value column = math.mul(math.rem(block, across), tile.columns);
  Value line = math.div(block, across);
  Value row = math.mul(math.rem(line, down), tile.rows);
  Value plane = math.div(line, down);
  row = math.add(math.mul(plane, geometry.lines), row);
  return math.add(math.mul(row, geometry.columns), column);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// What the `result` multiplies at one of `positions`, or a vector of both.
Value SumBuilder::getFactor(DirectView view, const SumPlace &result, ArrayRef<SumPlace> positions) {
  const bool isA = view == DirectView::A;
  std::vector<int64_t> key;
  SmallVector<std::array<int64_t, 3>, 2> distances;
  for (const SumPlace &position : positions) {
    SumPlace place = result;
    place.row = position.row;
    place.column = position.column;
    distances.push_back(geometry.getOffset(view, place));
    const ViewAnalysis &analysis = isA ? *views.a : *views.b;
    for (const RangeCheck &check : analysis.checks)
      key.push_back(analysis.getMove(check.form, distances.back()));
    key.push_back(analysis.getMove(analysis.offset, distances.back()));
  }
  Value &factor = (isA ? factorsA : factorsB)[key];
  if (factor)
    return factor;
  LaneLoads &loads = isA ? *loadsA : *loadsB;
  SmallVector<Value> elements = llvm::map_to_vector(
      distances, [&](ArrayRef<int64_t> distance) { return loads.get(builder, loc, distance); });
  if (tile.mfma && elements.size() < size_t(kMfmaVector)) // the last positions of a step
    elements.resize(kMfmaVector, arith::ConstantOp::create(
                                     builder, loc, builder.getZeroAttr(elements[0].getType())));
  if (elements.size() > 1)
    factor = vector::FromElementsOp::create(
        builder, loc, VectorType::get(int64_t(elements.size()), elements[0].getType()), elements);
  else
    factor = accType.isInteger() ? elements[0] : convertToF32(builder, loc, elements[0]);
  return factor;
}

/// Adds the products at one or, of halves, two `positions`.
void SumBuilder::addPositions(ArrayRef<SumPlace> positions, MutableArrayRef<Value> sums) {
  size_t number = 0;
  forEachSum(geometry, tile, shares.outputs, [&](const SumPlace &result) {
    Value &sum = sums[number++];
    Value a = getFactor(DirectView::A, result, positions);
    Value b = getFactor(DirectView::B, result, positions);
    sum = positions.size() > 1 ? multiplyPair(builder, loc, a, b, sum)
                               : multiplyAdd(builder, loc, a, b, sum);
  });
}

/// The factors of a block of lanes `distance` blocks further down in the group, of `blocks`. Of two
/// blocks, each gets the other one with its rows in reverse.
Value SumBuilder::takeBlock(Value factors, int64_t distance, int64_t blocks) {
  if (distance == 0)
    return factors;
  const bool isPair = blocks == 2;
  const auto kind = isPair ? amdgpu::DPPPerm::row_half_mirror : amdgpu::DPPPerm::row_ror;
  const auto lanes = int32_t(distance * kMfmaVector);
  Attribute argument = isPair ? Attribute(builder.getUnitAttr()) : builder.getI32IntegerAttr(lanes);
  return changeWords(builder, loc, factors, [&](Value word) -> Value {
    return amdgpu::DPPOp::create(builder, loc, word.getType(), word, word, kind, argument);
  });
}

/// Adds the products at up to four `positions` to the blocks of sums: for each block of output
/// channels of the group, from the lane's own on, one for each tap.
void SumBuilder::addBlocks(ArrayRef<SumPlace> positions, MutableArrayRef<Value> sums) {
  const int64_t blocks = geometry.channels / tile.mfma;
  Value own = getFactor(DirectView::A, SumPlace(), positions);
  for (int64_t distance = 0; distance < blocks; ++distance) {
    Value a = takeBlock(own, distance, blocks);
    for (int64_t tap = 0; tap < geometry.taps; ++tap) {
      SumPlace result;
      result.tap = tap;
      Value &sum = sums[size_t(distance * geometry.taps + tap)];
      sum = multiplyBlock(builder, loc, tile.mfma, a, getFactor(DirectView::B, result, positions),
                          sum);
    }
  }
}

/// Adds the products of a block of positions to `sums`.
void SumBuilder::addStep(const Place &place, Value block, MutableArrayRef<Value> sums) {
  SmallVector<SumPlace> positions;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t column = 0; column < tile.columns; ++column)
      positions.push_back({.row = row, .column = column});
  Value k = findStepCoordinate(block, place.thread);
  auto load = [&](DirectView view, const ViewAnalysis &analysis, Value from, Value first) {
    LaneLoads loads(analysis, getSumLoadAlignment(analysis, view, geometry, tile, shares.outputs));
    const int64_t outputs = getLoadedOutputs(tile, view, shares.outputs);
    for (const SumPlace &position : positions)
      forEachSum(geometry, tile, outputs, [&](SumPlace result) {
        result.row = position.row;
        result.column = position.column;
        loads.need(geometry.getOffset(view, result));
      });
    auto type = CursorType::get(builder.getContext(), analysis.view, FragmentType());
    loads.load(builder, loc,
               CursorOp::create(builder, loc, type, from, ValueRange{place.batch, first, k}));
    return loads;
  };
  loadsA.emplace(load(DirectView::A, *views.a, op.getA(), place.row));
  loadsB.emplace(load(DirectView::B, *views.b, op.getB(), place.column));
  factorsA.clear();
  factorsB.clear();
  const bool areHalves = views.a->view.getElementType().isF16();
  const size_t together = tile.mfma ? kMfmaVector : areHalves ? 2 : 1;
  ArrayRef<SumPlace> left = positions;
  while (!left.empty()) {
    ArrayRef<SumPlace> next = left.take_front(together);
    tile.mfma ? addBlocks(next, sums) : addPositions(next, sums);
    left = left.drop_front(next.size());
  }
}

/// The sums of a lane over its positions.
SmallVector<Value> SumBuilder::sumPositions(const Place &place) {
  const int64_t rows = tile.mfma ? kMfmaVector : 1; // of a sum
  const Type sumType = tile.mfma ? VectorType::get(rows, accType) : accType;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType));
  SmallVector<Value> zeros(size_t(shares.results / rows), zero);
  auto loop = scf::ForOp::create(builder, loc, place.begin, place.end,
                                 math.constant(shares.getPositions()), zeros);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> sums = llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
  addStep(place, loop.getInductionVar(), sums);
  scf::YieldOp::create(builder, loc, sums);
  builder.setInsertionPointAfter(loop);
  sums = llvm::to_vector(ValueRange(loop.getResults()));
  return tile.mfma ? splitBlocks(sums) : sums;
}

/// The sums of blocks by rows of blocks, then by taps.
SmallVector<Value> SumBuilder::splitBlocks(ArrayRef<Value> sums) {
  SmallVector<Value> results;
  for (int64_t output = 0; output < shares.outputs; ++output)
    for (int64_t tap = 0; tap < geometry.taps; ++tap)
      results.push_back(vector::ExtractOp::create(
          builder, loc, sums[size_t(output / kMfmaVector * geometry.taps + tap)],
          output % kMfmaVector));
  return results;
}

void SumBuilder::buildSumming(Value number, Value lds) {
  Value tileNumber = math.div(number, tile.slices), slice = math.rem(number, tile.slices);
  Place place = findPlace(tileNumber, slice);
  SmallVector<Value> sums = sumPositions(place);
  addLanes(place, tileNumber, slice, sums, lds);
  if (tile.slices > 1)
    signal(place.thread, tileNumber, slice);
}

/// Calls `build` where `condition` holds.
static void buildIf(OpBuilder &builder, Location loc, Value condition,
                    llvm::function_ref<void()> build) {
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  build();
}

void SumBuilder::build(Value lds) {
  const int64_t xcds = op.getXcds(), summing = shares.tiles * tile.slices;
  const int64_t padded = getSummingGroups(shares, tile.slices, xcds);
  Value workgroup = op.getWorkgroup();
  auto sumIfThere = [&] {
    // Neighbours on an XCD share lines; numbers go round the XCDs.
    Value number =
        math.add(math.mul(math.rem(workgroup, xcds), padded / xcds), math.div(workgroup, xcds));
    if (padded == summing)
      return buildSumming(number, lds);
    buildIf(builder, loc, math.lessThan(number, summing), [&] { buildSumming(number, lds); });
  };
  if (workspace.adders == 0)
    return sumIfThere();
  buildIf(builder, loc, math.lessThan(workgroup, padded), sumIfThere);
  buildIf(builder, loc, math.notLessThan(workgroup, padded),
          [&] { buildAdding(math.sub(workgroup, math.constant(padded)), lds); });
}
