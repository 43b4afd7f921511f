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
// lanes of a wave exchange them in its part of LDS and store whole lines of memory. Where no
// product is, all results are the same, and any lane can store any of them.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/RecomputeTile.h"
#include "Transforms/DistributeToWaves/StoreElements.h"
#include "Transforms/DistributeToWaves/StoreValues.h"
#include "Transforms/StoreLayout.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

namespace {

/// Builds the store of one tile.
class TileStore {
public:
  TileStore(OpBuilder &builder, StoreTileOp op, ValueRange accs, const Config &config)
      : math{builder, op.getLoc()}, op(op), acc(op.getAcc().getType()), accs(accs), config(config),
        accPlaces(*config.mma), lane(findLane(math, *config.chip)) {}

  /// Stores, through `lds` if there is one.
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
  bool writesThrough(const ViewAnalysis &view, unsigned dim, int64_t width, int64_t run);
  void store(Elements &elements, Distance distance, Value value);
  void storeBlock(Elements &elements, int64_t block);
  SmallVector<Value> getLdsPlace(Value row, Value column, int64_t down);
  void writeRegion(Value lds, int64_t along, int64_t across);
  void storeRegion(Elements &elements, Value lds, int64_t along, int64_t across);
  LogicalResult buildShuffled(Value lds);
  LogicalResult buildUniform();
  LogicalResult buildStores(Value lds);
  int64_t getSizeOfWave(unsigned dim) const {
    return acc.getBlocks(dim) * config.getBlockSize(dim);
  }

  /// Elements of a region of the shuffle along the dimension of accumulators, and its rows.
  int64_t getRegionSize() {
    return op.getShuffleAttr().getBlocks()[0] * config.getBlockSize(acc.getAccDim());
  }
  int64_t getRegionRows() {
    return op.getShuffleAttr().getBlocks()[1] * config.getBlockSize(1 - acc.getAccDim());
  }

  IntMath math;
  StoreTileOp op;
  AccType acc;
  ValueRange accs;
  const Config &config;
  AccPlaces accPlaces;
  Value lane;
  ShufflePlaces places;        // of a tile with a shuffle
  bool writeThrough = false;   // the L2s
  Value isUpper;               // of a wave whose halves exchange accumulators
  SmallVector<Elements, 0> ds; // beside the accumulators
};

} // namespace

/// Row (0) or column (1) of the tile's view at `inBlock` of the wave's first block.
Value TileStore::getFirst(unsigned dim, Value inBlock) {
  Value tile = dim == 0 ? op.getRowTile() : op.getColumnTile();
  Value wave = dim == 0 ? config.waveRow : config.waveColumn;
  return math.add(math.add(math.mul(tile, acc.getShape()[dim]), math.mul(wave, getSizeOfWave(dim))),
                  inBlock);
}

/// Coordinates in the tile's view, for places in the wave's first block along the dimension of
/// accumulators and across it.
SmallVector<Value, 3> TileStore::getPlace(Value along, Value across) {
  bool columns = acc.getAccDim() == 1;
  return {op.getGroup(), getFirst(0, columns ? across : along),
          getFirst(1, columns ? along : across)};
}

/// The number of a block by its places along the dimension of accumulators and across it.
int64_t TileStore::getBlock(int64_t along, int64_t across) const {
  return acc.getAccDim() == 1 ? across * acc.getBlocks(1) + along
                              : along * acc.getBlocks(1) + across;
}

/// How far behind the lane's first accumulator register `reg` of block `block` stands.
TileStore::Distance TileStore::getDistance(int64_t block, int64_t reg) const {
  int64_t columns = acc.getBlocks(1);
  Distance distance = {block / columns * config.getBlockSize(0),
                       block % columns * config.getBlockSize(1)};
  distance[acc.getAccDim()] += accPlaces.getPlace(reg);
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
  if (elements.areSame(acc.getAccDim())) {
    Value one = vector::ExtractOp::create(math.builder, math.loc, load(0, 1), 0);
    return vector::BroadcastOp::create(math.builder, math.loc, VectorType::get(count, type), one);
  }
  int64_t width = getAccWidth(elements.getAnalysis(), *config.mma, acc.getAccDim());
  SmallVector<Value> parts;
  for (int64_t reg = 0; reg < count; reg += width)
    parts.push_back(load(reg, width));
  return concatenate(math.builder, math.loc, parts);
}

/// The results of the lane in `block`.
Value TileStore::getResults(int64_t block) {
  Value value = accs[block];
  SmallVector<Value> dValues;
  for (Elements &d : ds)
    dValues.push_back(loadBlock(d, block));
  if (accPlaces.isExchanged())
    value = exchangeHalves(math, value, isUpper);
  return applyEpilogue(math.builder, math.loc, op.getEpilogue(), value, dValues,
                       op.getC().getType().getElementType());
}

/// True where the element lies in the view; constant where every tile does. The sizes of the view
/// are multiples of the widths of its vectors, so the mask of one element is that of its vector.
Value TileStore::getMask(const Elements &elements, Distance distance) const {
  Value mask;
  for (unsigned dim : {0, 1}) {
    int64_t size = elements.getView().getShape()[dim + 1];
    if (size % acc.getShape()[dim] == 0)
      continue;
    Value inside = math.lessThan(elements.getPlace(math, dim, distance), size);
    mask = mask ? Value(arith::AndIOp::create(math.builder, math.loc, mask, inside)) : inside;
  }
  return mask ? mask : Value(arith::ConstantIntOp::create(math.builder, math.loc, 1, 1));
}

/// True if stores of `run` elements side by side, `width` by each lane, go past the L2 at once.
/// Narrower ones would look like flags of StreamK.
bool TileStore::writesThrough(const ViewAnalysis &view, unsigned dim, int64_t width, int64_t run) {
  constexpr int64_t kLaneBytes = 16;
  return config.chip->writeThrough && !op.getAtomic() && width * getElementBytes() == kLaneBytes &&
         fillsBlocks(view, dim, run);
}

void TileStore::store(Elements &elements, Distance distance, Value value) {
  auto [cursor, offset] = elements.get(math, distance);
  StoreOp::create(math.builder, math.loc, value, cursor, offset, getMask(elements, distance),
                  op.getAtomic(), writeThrough);
}

void TileStore::storeBlock(Elements &elements, int64_t block) {
  Value results = getResults(block);
  int64_t width = getAccWidth(elements.getAnalysis(), *config.mma, acc.getAccDim());
  for (int64_t reg = 0; reg < config.mma->accPerLane; reg += width)
    store(elements, getDistance(block, reg), slice(math.builder, math.loc, results, reg, width));
}

/// Keeps the compiler from moving accesses to LDS: it does not know that other lanes of the wave
/// wrote what is read. LDS itself serves a wave in order.
static void createWaveFence(const IntMath &math) {
  LLVM::FenceOp::create(math.builder, math.loc, LLVM::AtomicOrdering::acq_rel, "wavefront");
}

/// Where the element at (row, column) of a region lies in LDS, `down` rows, in whole lines,
/// further.
SmallVector<Value> TileStore::getLdsPlace(Value row, Value column, int64_t down) {
  Value line = math.add(math.div(row, places.rowsPerLine), down / places.rowsPerLine);
  if (places.rowsPerLine > 1)
    column = math.add(math.mul(math.rem(row, places.rowsPerLine), getRegionSize()), column);
  return {line, column};
}

/// Writes the results of the blocks of a region, beginning with that at (along, across).
void TileStore::writeRegion(Value lds, int64_t along, int64_t across) {
  const MatrixInstruction &mma = *config.mma;
  Value row = math.rem(lane, mma.n);
  Value first = math.mul(math.div(lane, mma.n), accPlaces.getLanePlace());
  int64_t size = config.getBlockSize(acc.getAccDim());
  int64_t rows = config.getBlockSize(1 - acc.getAccDim());
  llvm::Align alignment(places.written * getElementBytes());
  ArrayRef<int64_t> blocks = op.getShuffleAttr().getBlocks();
  for (int64_t j = 0; j < blocks[1]; ++j)
    for (int64_t i = 0; i < blocks[0]; ++i) {
      Value results = getResults(getBlock(along + i, across + j));
      for (int64_t reg = 0; reg < mma.accPerLane; reg += places.written) {
        SmallVector<Value> place = getLdsPlace(row, first, j * rows);
        place[1] = math.add(place[1], i * size + accPlaces.getPlace(reg));
        vector::StoreOp::create(math.builder, math.loc,
                                slice(math.builder, math.loc, results, reg, places.written), lds,
                                place, /*nontemporal=*/false, alignment);
      }
    }
}

/// Reads a region along its rows and stores it.
void TileStore::storeRegion(Elements &elements, Value lds, int64_t along, int64_t across) {
  int64_t size = config.getBlockSize(acc.getAccDim());
  int64_t rows = config.getBlockSize(1 - acc.getAccDim());
  int64_t width = op.getShuffleAttr().getWidth();
  int64_t lanes = getRegionSize() / width; // that share a row
  int64_t rowsAtOnce = config.chip->waveSize / lanes;
  auto type = VectorType::get(width, elements.getView().getElementType());
  Value row = math.div(lane, lanes);
  Value column = math.mul(math.rem(lane, lanes), width);
  llvm::Align alignment(std::min(width, places.written) * getElementBytes());
  SmallVector<Value> values;
  for (int64_t down = 0; down < getRegionRows(); down += rowsAtOnce)
    values.push_back(vector::LoadOp::create(math.builder, math.loc, type, lds,
                                            getLdsPlace(row, column, down),
                                            /*nontemporal=*/false, alignment));
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t down = across * rows + i * rowsAtOnce;
    Distance distance = {along * size, down};
    if (acc.getAccDim() == 1)
      std::swap(distance[0], distance[1]);
    store(elements, distance, value);
  }
}

/// Where the regions of the shuffle of `op` lie in the `ldsBytes` of its ring.
static std::optional<ShufflePlaces> findShufflePlaces(StoreTileOp op, const Config &config,
                                                      int64_t ldsBytes) {
  return getShufflePlaces(op.getShuffleAttr(), op.getAcc().getType(),
                          op.getC().getType().getElementType(), *config.chip, ldsBytes);
}

LogicalResult ck::distribution::verifyShuffle(StoreTileOp op, const Config &config) {
  if (!op.getShuffle())
    return success();
  llvm::Expected<ViewAnalysis> result = analyzeView(op.getC().getType());
  if (!result)
    return op.emitOpError(llvm::toString(result.takeError()));
  AccType acc = op.getAcc().getType();
  int64_t ldsBytes = config.getRingBytes(op.getRing().getType());
  int64_t widest = result->getMaxVector(acc.getAccDim() + 1);
  if (findShufflePlaces(op, config, ldsBytes) && widest % op.getShuffleAttr().getWidth() == 0)
    return success();
  return op.emitOpError("cannot pass results of ")
         << acc << " to " << op.getC().getType() << " through " << ldsBytes << " bytes of LDS by "
         << op.getShuffleAttr();
}

/// Every wave puts its results, a region of blocks at a time, through its own part of `lds`.
LogicalResult TileStore::buildShuffled(Value lds) {
  ShuffleAttr shuffle = op.getShuffleAttr();
  int64_t lanes = std::max<int64_t>(1, getRegionSize() / shuffle.getWidth());
  FailureOr<Elements> results = Elements::create(
      op, op.getC(),
      getPlace(math.mul(math.rem(lane, lanes), shuffle.getWidth()), math.div(lane, lanes)));
  if (failed(results))
    return failure();
  writeThrough = writesThrough(results->getAnalysis(), acc.getAccDim(),
                               op.getShuffleAttr().getWidth(), getRegionSize());
  places = *findShufflePlaces(op, config, cast<MemRefType>(lds.getType()).getNumElements());
  auto type = MemRefType::get({getRegionRows() / places.rowsPerLine, places.pitch},
                              op.getC().getType().getElementType(), MemRefLayoutAttrInterface(),
                              cast<MemRefType>(lds.getType()).getMemorySpace());
  Value wave = math.add(math.mul(config.waveRow, config.layout.getWaves()[1]), config.waveColumn);
  Value part = memref::ViewOp::create(math.builder, math.loc, type, lds,
                                      math.mul(wave, places.waveBytes), ValueRange());
  for (int64_t j = 0; j < acc.getBlocks(1 - acc.getAccDim()); j += shuffle.getBlocks()[1])
    for (int64_t i = 0; i < acc.getBlocks(acc.getAccDim()); i += shuffle.getBlocks()[0]) {
      createWaveFence(math); // behind the reads of the region before
      writeRegion(part, i, j);
      createWaveFence(math);
      storeRegion(*results, part, i, j);
    }
  return success();
}

/// Stores the one result that all elements of a tile without products have, in runs as long as the
/// lanes can share out evenly.
LogicalResult TileStore::buildUniform() {
  llvm::Expected<ViewAnalysis> view = analyzeView(op.getC().getType());
  if (!view)
    return op.emitOpError(llvm::toString(view.takeError()));
  const unsigned dim = acc.getAccDim();
  const int64_t size = getSizeOfWave(dim), rows = getSizeOfWave(1 - dim);
  const int64_t waveSize = config.chip->waveSize;
  int64_t width = view->getMaxVector(dim + 1), lanes = 0, rowsAtOnce = 0;
  for (;; width /= 2) {
    lanes = std::gcd(size / width, waveSize);
    rowsAtOnce = waveSize / lanes;
    if (size % width == 0 && rows % rowsAtOnce == 0)
      break;
    if (width == 1)
      return op.emitOpError("cannot share out ") << size << " x " << rows << " zeros to lanes";
  }
  FailureOr<Elements> results = Elements::create(
      op, op.getC(), getPlace(math.mul(math.rem(lane, lanes), width), math.div(lane, lanes)));
  if (failed(results))
    return failure();
  writeThrough = writesThrough(*view, dim, width, lanes * width);
  Type type = cast<VectorType>(accs[0].getType()).getElementType();
  Value zeros = arith::ConstantOp::create(math.builder, math.loc,
                                          math.builder.getZeroAttr(VectorType::get(width, type)));
  Value value = applyEpilogue(math.builder, math.loc, op.getEpilogue(), zeros, /*dValues=*/{},
                              op.getC().getType().getElementType());
  for (int64_t across = 0; across < rows; across += rowsAtOnce)
    for (int64_t along = 0; along < size; along += lanes * width)
      store(*results, dim == 1 ? Distance{across, along} : Distance{along, across}, value);
  return success();
}

LogicalResult TileStore::build(Value lds) {
  if (op.getFactors().empty()) {
    // Constants of 8-bit floats have no form in LLVM.
    auto type = dyn_cast<FloatType>(op.getC().getType().getElementType());
    const bool isUniform = op.getAcc().getDefiningOp<ZeroAccOp>() && op.getDs().empty() && !lds &&
                           !(type && type.getWidth() == 8);
    return isUniform ? buildUniform() : buildStores(lds);
  }
  Value zero = math.constant(0);
  const WaveTile tile = {{getFirst(0, zero), getFirst(1, zero)},
                         {getSizeOfWave(0), getSizeOfWave(1)}};
  scf::IfOp branch = recomputeIfNaN(math, op, accs, tile, lane, config.chip->waveSize);
  OpBuilder::InsertionGuard guard(math.builder);
  math.builder.setInsertionPointToStart(branch.elseBlock());
  return buildStores(lds);
}

LogicalResult TileStore::buildStores(Value lds) {
  const MatrixInstruction &mma = *config.mma;
  if (accPlaces.isExchanged())
    isUpper = math.notLessThan(lane, mma.n);
  SmallVector<Value, 3> at =
      getPlace(math.mul(math.div(lane, mma.n), accPlaces.getLanePlace()), math.rem(lane, mma.n));
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
    return buildShuffled(lds);
  // Lanes with the same row write neighbouring runs.
  const int64_t width = getAccWidth(results->getAnalysis(), mma, acc.getAccDim());
  const bool meet = width == accPlaces.getRun() && width == accPlaces.getLanePlace();
  writeThrough = writesThrough(results->getAnalysis(), acc.getAccDim(), width,
                               meet ? width * config.chip->waveSize / mma.n : width);
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
