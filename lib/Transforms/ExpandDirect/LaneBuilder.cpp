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

static int64_t getBits(const ViewAnalysis &analysis) {
  return analysis.view.getElementType().getIntOrFloatBitWidth();
}

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
  blocks = getDirectBlocks(geometry, tile, getBits(views.a ? *views.a : views.c) / 8);
  if (views.b)
    weights = llvm::cantFail(getDirectWeights(*views.b, geometry, tile, blocks));
}

DirectPlace LaneBuilder::getElement(int64_t element) const {
  const int64_t channels = geometry.getChannelsOf(tile);
  return {.group = element / channels, .channel = element % channels};
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

LaneBuilder::Place LaneBuilder::findPlace() {
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

  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value inGroup = math.div(thread, blocks.ofGroup);
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

  place.localChannel = math.mul(math.rem(thread, blocks.ofGroup), tile.channels);
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
// Weights
//===----------------------------------------------------------------------===//

VectorType LaneBuilder::getHeldType(int64_t width) const {
  return VectorType::get(width, builder.getIntegerType(getBits(*views.b)));
}

MemRefType LaneBuilder::getLdsType(int64_t width) const {
  const int64_t vectors = getLdsBytes() * 8 / (width * getBits(*views.b));
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({vectors}, getHeldType(width), MemRefLayoutAttrInterface(), space);
}

int64_t LaneBuilder::getLdsBytes() const {
  return views.b ? weights.getLdsElements() * getBits(*views.b) / 8 : 0;
}

/// Loads the thread's part of the workgroup's weights.
SmallVector<Value> LaneBuilder::loadWeights(const Place &place) {
  ViewType linear = getLinearView(views.b->view);
  Value tensor = op.getB().getDefiningOp<TransformOp>().getTensor();
  Value view = TransformOp::create(builder, loc, linear, tensor);
  Value channel = math.mul(place.channelTile, blocks.ofGroup * tile.channels);
  Value group = math.div(channel, geometry.channels);
  Value first = math.add(math.mul(group, weights.groupStride),
                         math.mul(math.rem(channel, geometry.channels), weights.channelStride));
  first = math.add(first, weights.first);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  SmallVector<Value> loaded;
  auto type = VectorType::get(weights.copyVector, linear.getElementType());
  auto cursorType = CursorType::get(builder.getContext(), linear, FragmentType());
  const int64_t vectors = weights.getLdsElements() / weights.copyVector;
  for (int64_t at = 0; at < vectors; at += kDirectThreads) {
    Value place = math.add(thread, at);
    if (weights.pitch != 0) {
      // Behind its block, a lane keeps the begin of the next one: LDS has no gaps nobody wrote.
      const int64_t block = weights.block / weights.copyVector;
      const int64_t pitch = weights.pitch / weights.copyVector;
      place = math.add(math.mul(math.div(place, pitch), block), math.rem(place, pitch));
    }
    Value element = math.add(first, math.mul(place, weights.copyVector));
    Value cursor = CursorOp::create(builder, loc, cursorType, view, ValueRange{element});
    loaded.push_back(LoadOp::create(builder, loc, type, cursor, ArrayRef<int64_t>{0},
                                    /*in_bounds=*/false));
  }
  return loaded;
}

/// Leaves the loaded weights in `lds` for the workgroup.
void LaneBuilder::keepWeights(Value lds, ArrayRef<Value> loaded) {
  const int64_t width = weights.copyVector;
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  for (auto [i, vector] : llvm::enumerate(loaded)) {
    Value held = vector::BitCastOp::create(builder, loc, getHeldType(width), vector);
    memref::StoreOp::create(builder, loc, held, memory,
                            math.add(thread, int64_t(i) * kDirectThreads));
  }
  buildLdsBarrier(builder, loc, chip);
}

/// How far the first batch of the workgroup's residue moves weights.
Value LaneBuilder::getResidueMove(Value residue) {
  Value sum = math.constant(0);
  for (auto [digit, coefficient] : llvm::zip_equal(views.b->digits, views.b->offset.coefficients)) {
    if (digit.dim != 0 || digit.divisor >= geometry.residues || coefficient == 0)
      continue;
    Value value = math.div(residue, digit.divisor);
    if (digit.modulus != 0 && digit.divisor * digit.modulus < geometry.residues)
      value = math.rem(value, digit.modulus);
    sum = math.add(sum, math.mul(value, coefficient));
  }
  return sum;
}

/// Number of the element and of its vector from the lane's first element on.
int64_t LaneBuilder::getWeightPlace(int64_t element, int64_t k) const {
  DirectPlace place = getElement(element);
  place.k = k;
  return views.b->offset.constant - weights.first +
         views.b->getMove(views.b->offset, geometry.getOffset(DirectView::B, place));
}

/// Reads the vectors with weights of the lane.
void LaneBuilder::readWeights(const Place &place, Value lds) {
  const int64_t width = weights.readVector;
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value group = math.div(place.localChannel, geometry.channels);
  Value channel = math.rem(place.localChannel, geometry.channels);
  Value first =
      math.add(math.mul(group, weights.groupStride), math.mul(channel, weights.channelStride));
  if (geometry.residues > 1)
    first = math.add(first, getResidueMove(place.residue));
  if (weights.pitch != 0) {
    Value within = math.rem(place.localChannel, weights.blockChannels);
    first = math.mul(math.div(place.localChannel, weights.blockChannels), weights.pitch);
    if (weights.blockChannels > tile.channels)
      first = math.add(first, math.mul(within, weights.channelStride));
  }
  first = math.div(first, width);
  auto type = VectorType::get(width, views.b->view.getElementType());
  for (int64_t k = 0; k < geometry.depth; ++k)
    for (int64_t element = 0; element < tile.channels; ++element) {
      const int64_t number = getWeightPlace(element, k) / width;
      Value &vector = weightVectors[number];
      if (vector)
        continue;
      Value held = memref::LoadOp::create(builder, loc, memory, math.add(first, number));
      vector = vector::BitCastOp::create(builder, loc, type, held);
    }
}

Value LaneBuilder::getWeight(int64_t element, int64_t k) {
  const int64_t place = getWeightPlace(element, k);
  return vector::ExtractOp::create(builder, loc, weightVectors.lookup(place / weights.readVector),
                                   place % weights.readVector);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> LaneBuilder::getFactor(int64_t element, int64_t row, int64_t column,
                                              int64_t k) const {
  DirectPlace place = getElement(element);
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
          loads.isPair(getFactor(element, row, column, k), getFactor(element, row, column, k + 1));
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
                             loads.getPair(builder, loc, getFactor(element, row, column, k),
                                           getFactor(element, row, column, k + 1)),
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
  DirectPlace place = getElement(element);
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

void LaneBuilder::store(const Place &place, ArrayRef<Value> sums) {
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
  }
  Value cursor = makeCursor(op.getC());
  const int64_t width = getStoreWidth();
  const bool writeThrough = chip.writeThrough && fillBlocks(width);
  forEachPosition([&](int64_t row, int64_t column) {
    ArrayRef<Value> own = sums.slice((row * tile.columns + column) * tile.channels, tile.channels);
    Value results = applyEpilogue(own, ds, row, column), mask = getMask(place, row, column);
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
  Place place = findPlace();
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accType));
  SmallVector<Value> sums(tile.rows * tile.columns * tile.channels, zero);
  if (views.a) {
    SmallVector<Value> loaded = loadWeights(place);
    LaneLoads loads(*views.a, getDirectLoadAlignment(*views.a, DirectView::A, geometry, tile));
    for (int64_t k = 0; k < geometry.depth; ++k)
      for (int64_t element = 0; element < tile.channels; ++element)
        forEachPosition(
            [&](int64_t row, int64_t column) { loads.need(getFactor(element, row, column, k)); });
    auto type = CursorType::get(builder.getContext(), views.a->view, FragmentType());
    loads.load(builder, loc,
               CursorOp::create(builder, loc, type, op.getA(),
                                ValueRange{place.batch, place.row, math.constant(0)}));
    keepWeights(lds, loaded);
    readWeights(place, lds);
    multiply(loads, sums);
  }
  store(place, sums);
}
