//===- DistributeStore.cpp - The store of an accumulator tile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every lane puts its accumulators through the epilogue and stores those that are consecutive in
// memory at once, masked where a tile is partial. Which those are is decided before the
// multiplication: with the operands of a matrix instruction exchanged, a lane accumulates
// consecutive columns of a row instead of consecutive rows of a column.
//
// What one lane holds is a few elements here and there. With a ring to put results through, the
// lanes of a wave exchange them in its part of LDS and store whole lines of memory.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/StoreElements.h"
#include "Transforms/DistributeToWaves/StoreLayout.h"
#include "Transforms/DistributeToWaves/StoreValues.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

namespace {

/// Builds the store of one tile.
class TileStore {
public:
  TileStore(OpBuilder &builder, StoreTileOp op, ValueRange accs, const Config &config)
      : math{builder, op.getLoc()}, op(op), accs(accs), config(config), layout(*config.mma) {}

  /// Stores through `lds`, if there is one and it serves wider stores.
  LogicalResult build(Value lds);

private:
  using Distance = std::array<int64_t, 2>; // rows and columns

  int64_t getElementBytes() {
    return getSizeInBytes(*getDataType(op.getC().getType().getElementType()));
  }
  Value getFirst(unsigned dim, Value inBlock);
  SmallVector<Value, 3> getPlace(Value along, Value across);
  int64_t getBlock(int64_t along, int64_t across) const;
  Distance getDistance(int64_t block, int64_t reg) const;
  Value loadBlock(Elements &elements, int64_t block);
  Value getResults(int64_t block);
  Value getMask(const Elements &elements, Distance distance) const;
  void store(Elements &elements, Distance distance, Value value);
  void storeBlock(Elements &elements, int64_t block);
  SmallVector<Value> getLdsPlace(const StoreShuffle &shuffle, Value row, Value column,
                                 int64_t down) const;
  void writeRegion(const StoreShuffle &shuffle, Value lds, int64_t along, int64_t across);
  void storeRegion(const StoreShuffle &shuffle, Elements &elements, Value lds, int64_t along,
                   int64_t across);
  LogicalResult buildShuffled(const StoreShuffle &shuffle, Value lds);

  IndexMath math;
  StoreTileOp op;
  ValueRange accs;
  const Config &config;
  AccLayout layout;
  Value isUpper;               // of a wave whose halves exchange accumulators
  SmallVector<Elements, 0> ds; // beside the accumulators
};

} // namespace

/// Row (0) or column (1) of the tile's view at `inBlock` of the wave's first block.
Value TileStore::getFirst(unsigned dim, Value inBlock) {
  Value tile = dim == 0 ? op.getRowTile() : op.getColumnTile();
  Value wave = dim == 0 ? config.waveRow : config.waveColumn;
  int64_t perWave = config.getBlocks(dim) * config.getBlockSize(dim);
  return math.add(math.add(math.mul(tile, config.schedule.tile[dim]), math.mul(wave, perWave)),
                  inBlock);
}

/// Coordinates in the tile's view, for places in the wave's first block along the dimension of
/// accumulators and across it.
SmallVector<Value, 3> TileStore::getPlace(Value along, Value across) {
  bool columns = config.accDim == 1;
  return {op.getGroup(), getFirst(0, columns ? across : along),
          getFirst(1, columns ? along : across)};
}

/// The number of a block by its places along the dimension of accumulators and across it.
int64_t TileStore::getBlock(int64_t along, int64_t across) const {
  return config.accDim == 1 ? across * config.getBlocks(1) + along
                            : along * config.getBlocks(1) + across;
}

/// How far behind the lane's first accumulator register `reg` of block `block` stands.
TileStore::Distance TileStore::getDistance(int64_t block, int64_t reg) const {
  int64_t columns = config.getBlocks(1);
  Distance distance = {block / columns * config.getBlockSize(0),
                       block % columns * config.getBlockSize(1)};
  distance[config.accDim] += layout.getPlace(reg);
  return distance;
}

/// The elements of a D operand that stand beside the accumulators of one block. Those outside of
/// the view are never used: their results are not stored.
Value TileStore::loadBlock(Elements &elements, int64_t block) {
  Type type = elements.getView().getElementType();
  auto load = [&](int64_t reg, int64_t width) -> Value {
    auto [cursor, offset] = elements.get(math, getDistance(block, reg));
    return LoadOp::create(math.builder, math.loc, VectorType::get(width, type), cursor, offset,
                          /*in_bounds=*/true);
  };
  int64_t count = config.mma->accPerLane;
  if (elements.areSame(config.accDim)) {
    Value one = vector::ExtractOp::create(math.builder, math.loc, load(0, 1), 0);
    return vector::BroadcastOp::create(math.builder, math.loc, VectorType::get(count, type), one);
  }
  int64_t width = getAccWidth(elements.getAnalysis(), *config.mma, config.accDim);
  SmallVector<Value> parts;
  for (int64_t reg = 0; reg < count; reg += width)
    parts.push_back(load(reg, width));
  return concatenate(math.builder, math.loc, parts);
}

/// The results of the lane in `block`.
Value TileStore::getResults(int64_t block) {
  Value acc = accs[block];
  SmallVector<Value> dValues;
  for (Elements &d : ds)
    dValues.push_back(loadBlock(d, block));
  if (layout.isExchanged())
    acc = exchangeHalves(math, acc, isUpper);
  return applyEpilogue(math.builder, math.loc, op.getEpilogue(), acc, dValues,
                       op.getC().getType().getElementType());
}

/// True where the element lies in the view; constant where every tile does. The sizes of the view
/// are multiples of the widths of its vectors, so the mask of one element is that of its vector.
Value TileStore::getMask(const Elements &elements, Distance distance) const {
  Value mask;
  for (unsigned dim : {0, 1}) {
    int64_t size = elements.getView().getShape()[dim + 1];
    if (size % config.schedule.tile[dim] == 0)
      continue;
    Value inside = math.lessThan(elements.getPlace(math, dim, distance), size);
    mask = mask ? Value(arith::AndIOp::create(math.builder, math.loc, mask, inside)) : inside;
  }
  return mask ? mask : Value(arith::ConstantIntOp::create(math.builder, math.loc, 1, 1));
}

void TileStore::store(Elements &elements, Distance distance, Value value) {
  auto [cursor, offset] = elements.get(math, distance);
  StoreOp::create(math.builder, math.loc, value, cursor, offset, getMask(elements, distance),
                  op.getAtomic());
}

void TileStore::storeBlock(Elements &elements, int64_t block) {
  Value results = getResults(block);
  int64_t width = getAccWidth(elements.getAnalysis(), *config.mma, config.accDim);
  for (int64_t reg = 0; reg < config.mma->accPerLane; reg += width)
    store(elements, getDistance(block, reg), slice(math.builder, math.loc, results, reg, width));
}

/// Keeps the compiler from moving accesses to LDS: it does not know that other lanes of the wave
/// wrote what is read. LDS itself serves a wave in order.
static void createWaveFence(const IndexMath &math) {
  LLVM::FenceOp::create(math.builder, math.loc, LLVM::AtomicOrdering::acq_rel, "wavefront");
}

/// Where the element at (row, column) of a region lies in LDS, `down` rows, in whole lines,
/// further.
SmallVector<Value> TileStore::getLdsPlace(const StoreShuffle &shuffle, Value row, Value column,
                                          int64_t down) const {
  int64_t rowSize = shuffle.along * config.getBlockSize(config.accDim);
  Value line = math.add(math.div(row, shuffle.rowsPerLine), down / shuffle.rowsPerLine);
  if (shuffle.rowsPerLine > 1)
    column = math.add(math.mul(math.rem(row, shuffle.rowsPerLine), rowSize), column);
  return {line, column};
}

/// Writes the results of the blocks of a region, beginning with that at (along, across).
void TileStore::writeRegion(const StoreShuffle &shuffle, Value lds, int64_t along, int64_t across) {
  const MatrixInstruction &mma = *config.mma;
  Value row = math.rem(config.lane, mma.n);
  Value first = math.mul(math.div(config.lane, mma.n), layout.getLanePlace());
  int64_t size = config.getBlockSize(config.accDim), rows = config.getBlockSize(1 - config.accDim);
  llvm::Align alignment(shuffle.written * getElementBytes());
  for (int64_t j = 0; j < shuffle.across; ++j)
    for (int64_t i = 0; i < shuffle.along; ++i) {
      Value results = getResults(getBlock(along + i, across + j));
      for (int64_t reg = 0; reg < mma.accPerLane; reg += shuffle.written) {
        SmallVector<Value> place = getLdsPlace(shuffle, row, first, j * rows);
        place[1] = math.add(place[1], i * size + layout.getPlace(reg));
        vector::StoreOp::create(math.builder, math.loc,
                                slice(math.builder, math.loc, results, reg, shuffle.written), lds,
                                place, /*nontemporal=*/false, alignment);
      }
    }
}

/// Reads a region along its rows and stores it.
void TileStore::storeRegion(const StoreShuffle &shuffle, Elements &elements, Value lds,
                            int64_t along, int64_t across) {
  int64_t size = config.getBlockSize(config.accDim), rows = config.getBlockSize(1 - config.accDim);
  int64_t lanes = shuffle.along * size / shuffle.width; // that share a row
  int64_t rowsAtOnce = config.chip->waveSize / lanes;
  auto type = VectorType::get(shuffle.width, elements.getView().getElementType());
  Value row = math.div(config.lane, lanes);
  Value column = math.mul(math.rem(config.lane, lanes), shuffle.width);
  llvm::Align alignment(std::min(shuffle.width, shuffle.written) * getElementBytes());
  SmallVector<Value> values;
  for (int64_t down = 0; down < shuffle.across * rows; down += rowsAtOnce)
    values.push_back(vector::LoadOp::create(math.builder, math.loc, type, lds,
                                            getLdsPlace(shuffle, row, column, down),
                                            /*nontemporal=*/false, alignment));
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t down = across * rows + i * rowsAtOnce;
    Distance distance = {along * size, down};
    if (config.accDim == 1)
      std::swap(distance[0], distance[1]);
    store(elements, distance, value);
  }
}

/// Every wave puts its results, a region of blocks at a time, through its own part of `lds`.
LogicalResult TileStore::buildShuffled(const StoreShuffle &shuffle, Value lds) {
  int64_t size = config.getBlockSize(config.accDim), rows = config.getBlockSize(1 - config.accDim);
  int64_t lanes = shuffle.along * size / shuffle.width;
  FailureOr<Elements> results =
      Elements::create(op, op.getC(),
                       getPlace(math.mul(math.rem(config.lane, lanes), shuffle.width),
                                math.div(config.lane, lanes)));
  if (failed(results))
    return failure();
  auto type = MemRefType::get({shuffle.across * rows / shuffle.rowsPerLine, shuffle.pitch},
                              op.getC().getType().getElementType(), MemRefLayoutAttrInterface(),
                              cast<MemRefType>(lds.getType()).getMemorySpace());
  Value wave = math.add(math.mul(config.waveRow, config.schedule.waves[1]), config.waveColumn);
  Value part = memref::ViewOp::create(math.builder, math.loc, type, lds,
                                      math.mul(wave, shuffle.waveBytes), ValueRange());
  for (int64_t j = 0; j < config.getBlocks(1 - config.accDim); j += shuffle.across)
    for (int64_t i = 0; i < config.getBlocks(config.accDim); i += shuffle.along) {
      createWaveFence(math); // behind the reads of the region before
      writeRegion(shuffle, part, i, j);
      createWaveFence(math);
      storeRegion(shuffle, *results, part, i, j);
    }
  return success();
}

LogicalResult TileStore::build(Value lds) {
  const MatrixInstruction &mma = *config.mma;
  if (layout.isExchanged())
    isUpper = math.notLessThan(config.lane, mma.n);
  SmallVector<Value, 3> at = getPlace(math.mul(math.div(config.lane, mma.n), layout.getLanePlace()),
                                      math.rem(config.lane, mma.n));
  for (Value d : op.getDs()) {
    FailureOr<Elements> elements = Elements::create(op, d, at);
    if (failed(elements))
      return failure();
    ds.push_back(std::move(*elements));
  }
  FailureOr<Elements> results = Elements::create(op, op.getC(), at);
  if (failed(results))
    return failure();
  if (lds)
    if (std::optional<StoreShuffle> shuffle = getStoreShuffle(
            results->getAnalysis(), config, cast<MemRefType>(lds.getType()).getNumElements()))
      return buildShuffled(*shuffle, lds);
  for (size_t block = 0; block < accs.size(); ++block)
    storeBlock(*results, block);
  return success();
}

namespace {

struct StoreTilePattern final : TilePattern<StoreTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(StoreTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lds = adaptor.getRing().empty() ? Value() : adaptor.getRing().front();
    if (failed(TileStore(rewriter, op, adaptor.getAcc(), config).build(lds)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ck::distribution::populateStorePatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns, const Config &config) {
  patterns.add<StoreTilePattern>(converter, patterns.getContext(), config);
}
