//===- LaneBuilder.cpp - The code of one lane of a direct kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loads of the image are issued before the weights pass through LDS, so that they are on their
// way meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/LaneBuilder.h"
#include "Transforms/LaneMath.h"
#include "Transforms/StoreLayout.h"
#include "ck-mlir/IR/Epilogue.h"

using namespace mlir;
using namespace mlir::ck;

static Type getSumType(DirectGemmOp op) {
  if (op.getA())
    return getAccumulatorType(op.getA().getType().getElementType());
  Region &epilogue = op.getEpilogue();
  return epilogue.empty() ? Float32Type::get(op.getContext()) : epilogue.getArgument(0).getType();
}

LaneBuilder::LaneBuilder(OpBuilder &builder, DirectGemmOp op, const ChipInfo &chip,
                         DirectViews given, const DirectGeometry &geometry)
    : builder(builder), op(op), chip(chip), views(std::move(given)), geometry(geometry),
      tile(op.getDirect().getValue()), loc(op.getLoc()), math{builder, loc},
      accType(getSumType(op)) {
  blocks = getDirectBlocks(geometry, tile, getBits(views.a ? *views.a : views.c) / 8, views.b);
  if (views.b)
    weights = llvm::cantFail(getDirectWeights(*views.b, geometry, tile, blocks));
}

void LaneBuilder::forEachPosition(function_ref<void(int64_t, int64_t)> use) const {
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t column = 0; column < tile.columns; ++column)
      use(row, column);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Neighbouring workgroups of an XCD, which share lines, from numbers that go round the XCDs.
Value LaneBuilder::findWorkgroup(int64_t workgroups, int64_t padded) {
  const int64_t xcds = op.getXcds();
  Value number = op.getWorkgroup();
  if (xcds == 1)
    return number;
  return math.add(math.mul(math.rem(number, xcds), padded / xcds), math.div(number, xcds));
}

/// The first channel, among those of the workgroup, of the lane with number `lane`.
Value LaneBuilder::findLocalChannel(Value lane) {
  return math.mul(math.rem(math.div(lane, blocks.neighbours), blocks.ofGroup), tile.channels);
}

/// The number of the lane with number `lane` among those of the workgroup at the same channels:
/// neighbours are, then come the next channels, then other positions.
Value LaneBuilder::findLocalPosition(Value lane) {
  Value block = math.div(math.div(lane, blocks.neighbours), blocks.ofGroup);
  if (blocks.neighbours == 1)
    return block;
  return math.add(math.mul(block, blocks.neighbours), math.rem(lane, blocks.neighbours));
}

/// The place of the lane with number `lane` in the workgroup, or null for the lane itself.
LaneBuilder::Place LaneBuilder::findPlace(Value lane) {
  const int64_t tilesAcross = llvm::divideCeil(geometry.columns, tile.columns);
  const int64_t tilesDown = llvm::divideCeil(geometry.lines, tile.rows);
  const int64_t tiles = geometry.planes * tilesDown * tilesAcross;
  const int64_t positions = blocks.getPositions();
  const int64_t ofChannels = llvm::divideCeil(tiles, positions);
  const int64_t channelTiles = blocks.total / blocks.ofGroup;
  const int64_t workgroups = geometry.residues * channelTiles * ofChannels;
  const int64_t padded = llvm::alignTo(workgroups, op.getXcds());
  Place place;
  auto require = [&](Value condition) {
    place.valid = place.valid ? Value(arith::AndIOp::create(builder, loc, place.valid, condition))
                              : condition;
  };
  Value workgroup = findWorkgroup(workgroups, padded);
  if (padded > workgroups) {
    // What is read past the last workgroup must exist nevertheless.
    require(math.lessThan(workgroup, workgroups));
    workgroup = arith::SelectOp::create(builder, loc, place.valid, workgroup, math.constant(0));
  }
  Value rest = math.div(workgroup, ofChannels);
  place.channelTile = math.rem(rest, channelTiles);
  place.residue = math.div(rest, channelTiles);

  if (!lane)
    lane = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value inGroup = findLocalPosition(lane);
  if (blocks.ofGroup * positions < kDirectThreads)
    require(math.lessThan(inGroup, positions));
  Value position = math.add(math.mul(math.rem(workgroup, ofChannels), positions), inGroup);
  if (tiles % positions != 0)
    require(math.lessThan(position, tiles));
  place.imageColumn = math.mul(math.rem(position, tilesAcross), tile.columns);
  Value line = math.div(position, tilesAcross);
  place.imageRow = math.mul(math.rem(line, tilesDown), tile.rows);
  Value row = math.add(math.mul(math.div(line, tilesDown), geometry.lines), place.imageRow);
  row = math.add(math.mul(row, geometry.columns), place.imageColumn);

  place.localChannel = findLocalChannel(lane);
  Value channel =
      math.add(math.mul(place.channelTile, blocks.ofGroup * tile.channels), place.localChannel);
  Value group = math.div(channel, geometry.channels);
  Value inner = math.rem(group, geometry.merged);
  place.batch =
      math.add(math.mul(math.div(group, geometry.merged), geometry.residues), place.residue);
  place.row = math.add(math.mul(inner, geometry.groupStep), math.mul(row, geometry.positionStep));
  place.column = math.add(math.mul(inner, geometry.channels), math.rem(channel, geometry.channels));
  return place;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> LaneBuilder::getFactor(int64_t element, int64_t row, int64_t column,
                                              int64_t k) const {
  DirectPlace place = geometry.getElement(tile, element);
  place.row = row;
  place.column = column;
  place.k = k;
  return geometry.getOffset(DirectView::A, place);
}

/// Whether the factors of `k` and `k + 1` are halves of one register for all results.
bool LaneBuilder::arePairs(const LaneLoads &loads, int64_t k) const {
  if (!views.a->view.getElementType().isF16() || k + 1 >= geometry.depth)
    return false;
  bool result = true;
  for (int64_t element = 0; element < tile.channels; ++element)
    forEachPosition([&](int64_t row, int64_t column) {
      result &=
          loads.isRun({getFactor(element, row, column, k), getFactor(element, row, column, k + 1)});
    });
  return result;
}

/// Adds the products to `sums`, those of a position side by side.
void LaneBuilder::multiply(const LaneLoads &loads, MutableArrayRef<Value> sums) {
  auto getSum = [&](int64_t element, int64_t row, int64_t column) -> Value & {
    return sums[(row * tile.columns + column) * tile.channels + element];
  };
  for (int64_t k = 0; k < geometry.depth; ++k) {
    const bool pairs = arePairs(loads, k);
    for (int64_t element = 0; element < tile.channels; ++element) {
      Value weight = getWeight(element, k);
      if (pairs)
        weight = vector::FromElementsOp::create(builder, loc, VectorType::get(2, weight.getType()),
                                                ValueRange{weight, getWeight(element, k + 1)});
      forEachPosition([&](int64_t row, int64_t column) {
        Value &sum = getSum(element, row, column);
        if (pairs)
          sum = multiplyPair(builder, loc,
                             loads.getRun(builder, loc,
                                          {getFactor(element, row, column, k),
                                           getFactor(element, row, column, k + 1)}),
                             weight, sum);
        else
          sum =
              multiplyAdd(builder, loc, loads.get(builder, loc, getFactor(element, row, column, k)),
                          weight, sum);
      });
    }
    k += pairs;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Where the results at a position exist; null if all do.
Value LaneBuilder::getMask(const Place &place, int64_t row, int64_t column) {
  Value mask = place.valid;
  auto require = [&](Value first, int64_t distance, int64_t size, int64_t step) {
    if (size % step == 0)
      return;
    Value inside = math.lessThan(math.add(first, distance), size);
    mask = mask ? Value(arith::AndIOp::create(builder, loc, mask, inside)) : inside;
  };
  require(place.imageColumn, column, geometry.columns, tile.columns);
  require(place.imageRow, row, geometry.lines, tile.rows);
  return mask ? mask : Value(arith::ConstantIntOp::create(builder, loc, 1, 1));
}

std::array<int64_t, 3> LaneBuilder::getResult(int64_t element, int64_t row, int64_t column) const {
  DirectPlace place = geometry.getElement(tile, element);
  place.row = row;
  place.column = column;
  return geometry.getOffset(DirectView::C, place);
}

/// The results of the sums at a position as one vector.
Value LaneBuilder::applyEpilogue(ArrayRef<Value> sums, ArrayRef<LaneLoads> ds, int64_t row,
                                 int64_t column) {
  Type resultType = views.c.view.getElementType();
  Region &epilogue = op.getEpilogue();
  auto toVector = [&](ArrayRef<Value> values) -> Value {
    auto type = VectorType::get(int64_t(values.size()), values[0].getType());
    return vector::FromElementsOp::create(builder, loc, type, values);
  };
  // 8-bit floats are converted four at a time, or alone.
  constexpr size_t kFloat8s = 4;
  const bool isFloat8 = isa<FloatType>(resultType) && resultType.getIntOrFloatBitWidth() == 8;
  if (epilogue.empty() && (!isFloat8 || sums.size() % kFloat8s == 0))
    return convertAccumulator(builder, loc, toVector(sums), resultType);
  SmallVector<Value> results;
  for (int64_t element = 0; element < tile.channels; ++element) {
    SmallVector<Value> others = llvm::map_to_vector(ds, [&](const LaneLoads &loads) {
      return loads.get(builder, loc, getResult(element, row, column));
    });
    results.push_back(
        buildResult(builder, loc, epilogue, sums[size_t(element)], others, resultType));
  }
  return toVector(results);
}

/// Elements that are stored at once.
int64_t LaneBuilder::getStoreWidth() const {
  const ViewAnalysis &c = views.c;
  int64_t width = getDirectAlignment(c, DirectView::C, geometry, tile,
                                     std::min(tile.channels, kMaxAccessBytes * 8 / getBits(c)));
  width = std::gcd(width, c.offset.constant);
  forEachPosition([&](int64_t row, int64_t column) {
    width = std::gcd(width, c.getMove(c.offset, getResult(0, row, column)));
  });
  return width;
}

/// True if neighbouring lanes that store `width` elements each write whole blocks of the caches but
/// for the first and last ones, so that nothing is gained by keeping results in an L2.
bool LaneBuilder::fillBlocks(int64_t width) const {
  const int64_t bytes = blocks.ofGroup * tile.channels * getBits(views.c) / 8;
  return width == tile.channels && (bytes % kBlockBytes == 0 || bytes >= 2 * kBlockBytes);
}

void LaneBuilder::store(Place place, ArrayRef<Value> sums, Value lds) {
  MLIRContext *context = builder.getContext();
  auto makeCursor = [&](Value view) -> Value {
    auto type = CursorType::get(context, cast<ViewType>(view.getType()), FragmentType());
    return CursorOp::create(builder, loc, type, view,
                            ValueRange{place.batch, place.row, place.column});
  };
  std::vector<LaneLoads> ds;
  for (auto [d, analysis] : llvm::zip_equal(op.getDs(), views.ds)) {
    LaneLoads &loads =
        ds.emplace_back(analysis, getDirectLoadAlignment(analysis, DirectView::C, geometry, tile));
    for (int64_t element = 0; element < tile.channels; ++element)
      forEachPosition(
          [&](int64_t row, int64_t column) { loads.need(getResult(element, row, column)); });
    loads.load(builder, loc, makeCursor(d));
    if (tile.mfma)
      loads.exchange([&](Value vector) { return exchange(vector, loader); });
  }
  auto finish = [&](int64_t row, int64_t column) {
    ArrayRef<Value> own = sums.slice((row * tile.columns + column) * tile.channels, tile.channels);
    return applyEpilogue(own, ds, row, column);
  };
  SmallVector<Value> shared;
  if (spansWaves()) {
    forEachPosition([&](int64_t row, int64_t column) { shared.push_back(finish(row, column)); });
    place = shareResults(lds, shared);
  }
  Value cursor = makeCursor(op.getC());
  const int64_t width = getStoreWidth();
  const bool writeThrough = chip.writeThrough && fillBlocks(width);
  forEachPosition([&](int64_t row, int64_t column) {
    Value results = shared.empty() ? finish(row, column) : shared[row * tile.columns + column];
    Value mask = getMask(place, row, column);
    if (tile.mfma && shared.empty())
      results = exchange(results, computer);
    for (int64_t element = 0; element < tile.channels; element += width) {
      auto numbers = llvm::to_vector(llvm::seq(element, element + width));
      Value part = vector::ShuffleOp::create(builder, loc, results, results, numbers);
      StoreOp::create(builder, loc, part, cursor,
                      ArrayRef<int64_t>(getResult(element, row, column)), mask,
                      /*atomic=*/false, writeThrough);
    }
  });
}

void LaneBuilder::build(Value lds) {
  if (tile.mfma)
    pairLanes();
  Place place = findPlace(accessing);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accType));
  SmallVector<Value> sums(tile.rows * tile.columns * tile.channels, zero);
  if (views.a) {
    SmallVector<Value> loaded = loadWeights(place);
    LaneLoads loads(*views.a, getDirectLoadAlignment(*views.a, DirectView::A, geometry, tile));
    for (int64_t number = 0; number < geometry.getLaneDepth(tile); ++number)
      for (int64_t element = 0; element < tile.channels; ++element)
        forEachPosition([&](int64_t row, int64_t column) {
          loads.need(getFactor(element, row, column, geometry.getLaneK(tile, number)));
        });
    auto type = CursorType::get(builder.getContext(), views.a->view, FragmentType());
    Value firstK = tile.getLanesOfColumn() > 1 ? findFirstK(accessing) : math.constant(0);
    loads.load(builder, loc,
               CursorOp::create(builder, loc, type, op.getA(),
                                ValueRange{place.batch, place.row, firstK}));
    keepWeights(lds, loaded);
    if (tile.mfma) {
      readRows(place.residue, lds);
      loads.exchange([&](Value vector) { return exchange(vector, loader); });
      multiplyBlocks(loads, sums);
    } else {
      readWeights(place, lds);
      multiply(loads, sums);
    }
  }
  store(place, sums, lds);
}
