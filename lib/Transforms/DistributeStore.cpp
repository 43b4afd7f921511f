//===- DistributeStore.cpp - The store of an accumulator tile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every lane puts its accumulators through the epilogue as whole vectors and stores those that are
// consecutive in memory at once, masked where a tile is partial. Which those are is decided before
// the multiplication: with the operands of a matrix instruction exchanged, a lane accumulates
// consecutive columns of a row instead of consecutive rows of a column.
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "StoreLayout.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/IR/IRMapping.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

/// Elements `first ..` of `value` as a vector of `width`.
static Value slice(OpBuilder &builder, Location loc, Value value, int64_t first, int64_t width) {
  if (cast<VectorType>(value.getType()).getNumElements() == width)
    return value;
  SmallVector<int64_t> lanes(width);
  std::iota(lanes.begin(), lanes.end(), first);
  return vector::ShuffleOp::create(builder, loc, value, value, lanes);
}

/// All elements of `parts`.
static Value concatenate(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
  Value all = parts.front();
  for (Value part : parts.drop_front()) {
    SmallVector<int64_t> lanes(cast<VectorType>(all.getType()).getNumElements() +
                               cast<VectorType>(part.getType()).getNumElements());
    std::iota(lanes.begin(), lanes.end(), 0);
    all = vector::ShuffleOp::create(builder, loc, all, part, lanes);
  }
  return all;
}

/// Clones `op`, whose operands `mapping` maps to vectors, for vectors of the shape of `shape`.
static Value vectorize(OpBuilder &builder, Operation &op, const IRMapping &mapping,
                       VectorType shape) {
  Type type = op.getResult(0).getType();
  auto extend = dyn_cast<arith::ExtFOp>(op);
  if (!extend || extend.getIn().getType().getIntOrFloatBitWidth() != 8) {
    IRMapping operands = mapping;
    Operation *vectorized = builder.clone(op, operands);
    vectorized->getResult(0).setType(shape.clone(type));
    return vectorized->getResult(0);
  }
  // Upstream takes vectors of 8-bit floats apart by ops that gpu-to-rocdl does not know.
  SmallVector<Value> elements;
  for (int64_t i = 0; i < shape.getNumElements(); ++i) {
    Value element =
        vector::ExtractOp::create(builder, op.getLoc(), mapping.lookup(extend.getIn()), i);
    elements.push_back(arith::ExtFOp::create(builder, op.getLoc(), type, element));
  }
  return vector::FromElementsOp::create(builder, op.getLoc(), shape.clone(type), elements);
}

/// Applies `epilogue` to a whole vector of accumulators and one of each of `ds`.
static Value applyEpilogue(OpBuilder &builder, Location loc, Region &epilogue, Value acc,
                           ArrayRef<Value> ds, Type elementType) {
  auto accType = cast<VectorType>(acc.getType());
  if (epilogue.empty())
    return convertAccumulator(builder, loc, acc, elementType);
  Block &block = epilogue.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), acc);
  for (auto [argument, d] : llvm::zip_equal(block.getArguments().drop_front(), ds))
    mapping.map(argument, d);
  for (Operation &op : block.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      Value scalar = builder.clone(op)->getResult(0);
      mapping.map(op.getResult(0), vector::BroadcastOp::create(
                                       builder, loc, accType.clone(scalar.getType()), scalar));
      continue;
    }
    mapping.map(op.getResult(0), vectorize(builder, op, mapping, accType));
  }
  return mapping.lookup(block.getTerminator()->getOperand(0));
}

/// The accumulators of a lane that holds every second element, exchanged with the lane that holds
/// the others, so that the lower half of the wave has the first half of the block.
static Value exchangeHalves(const IndexMath &math, Value acc, Value isUpper) {
  OpBuilder &builder = math.builder;
  Location loc = math.loc;
  auto type = cast<VectorType>(acc.getType());
  Type i32 = builder.getI32Type();
  Value bits = vector::BitCastOp::create(builder, loc, type.clone(i32), acc);
  auto select = [&](Value upper, Value lower) -> Value {
    return arith::SelectOp::create(builder, loc, isUpper, upper, lower);
  };
  // Every lane reads the one of its number in the other half, or 16 lanes.
  Value lanesLow = arith::ConstantIntOp::create(builder, loc, 0x76543210, 32);
  Value lanesHigh = arith::ConstantIntOp::create(builder, loc, int32_t(0xfedcba98), 32);
  SmallVector<Value> elements;
  int64_t half = type.getNumElements() / 2;
  for (int64_t i = 0; i < half; ++i) {
    Value low = vector::ExtractOp::create(builder, loc, bits, i);
    Value high = vector::ExtractOp::create(builder, loc, bits, half + i);
    Value given = select(low, high);
    Value taken = ROCDL::PermlaneX16Op::create(builder, loc, i32, given, given, lanesLow, lanesHigh,
                                               /*fi=*/false, /*boundControl=*/false);
    elements.push_back(select(taken, low));
    elements.push_back(select(high, taken));
  }
  Value all = vector::FromElementsOp::create(builder, loc, type.clone(i32), elements);
  return vector::BitCastOp::create(builder, loc, type, all);
}

namespace {

/// Positions in one view that the elements of a lane's accumulators correspond to.
class Elements {
public:
  /// Fails if address code cannot follow the map of `view`. `at` is the place of the lane's first.
  static FailureOr<Elements> create(Operation *op, Value view, ArrayRef<Value> at,
                                    const Config &config) {
    llvm::Expected<ViewAnalysis> analysis = analyzeView(cast<ViewType>(view.getType()));
    if (!analysis)
      return op->emitOpError(llvm::toString(analysis.takeError()));
    return Elements(view, at, *analysis, config);
  }

  /// Accumulators of a run that are accessed at once.
  int64_t getWidth() const { return width; }
  /// True if all accumulators of a lane in a block have the same element.
  bool areSame() const { return same; }
  Type getElementType() const { return cast<ViewType>(view.getType()).getElementType(); }

  /// A cursor and the constant offset from it that lead to the element `distance` behind the first.
  /// One cursor serves all that lie along dimensions in which the view is linear.
  std::pair<Value, SmallVector<int64_t>> get(const IndexMath &math,
                                             std::array<int64_t, 2> distance) {
    std::array<int64_t, 2> moved = {0, 0};
    SmallVector<int64_t> offset = {0, 0, 0};
    for (unsigned dim : {0, 1})
      (linear[dim] ? offset[dim + 1] : moved[dim]) = distance[dim];
    Value &cursor = cursors[moved];
    if (!cursor) {
      auto type =
          CursorType::get(view.getContext(), cast<ViewType>(view.getType()), FragmentType());
      Value row = math.add(at[1], moved[0]), column = math.add(at[2], moved[1]);
      cursor = CursorOp::create(math.builder, math.loc, type, view, ValueRange{at[0], row, column});
    }
    return {cursor, offset};
  }

private:
  Elements(Value view, ArrayRef<Value> at, const ViewAnalysis &analysis, const Config &config)
      : view(view), at(at), width(getAccWidth(analysis, *config.mma, config.accDim)) {
    for (unsigned dim : {0, 1})
      linear[dim] = analysis.isLinear(dim + 1);
    same = linear[config.accDim] && analysis.getStride(config.accDim + 1) == 0;
  }

  Value view;
  SmallVector<Value, 3> at;
  bool linear[2] = {false, false};
  int64_t width = 1;
  bool same = false;
  std::map<std::array<int64_t, 2>, Value> cursors; // by the distance from `at`
};

struct StoreTilePattern final : TilePattern<StoreTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(StoreTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    IndexMath math{rewriter, op.getLoc()};
    SmallVector<Value, 3> at = {op.getGroup(), getFirst(math, op.getRowTile(), 0),
                                getFirst(math, op.getColumnTile(), 1)};
    FailureOr<Elements> results = Elements::create(op, op.getC(), at, config);
    if (failed(results))
      return failure();
    SmallVector<Elements> ds;
    for (Value d : op.getDs()) {
      FailureOr<Elements> elements = Elements::create(op, d, at, config);
      if (failed(elements))
        return failure();
      ds.push_back(std::move(*elements));
    }
    bool exchanged = AccLayout(*config.mma).isExchanged();
    Value isUpper = exchanged ? math.notLessThan(config.lane, config.mma->n) : Value();
    for (auto [block, acc] : llvm::enumerate(adaptor.getAcc())) {
      SmallVector<Value> dValues;
      for (Elements &d : ds)
        dValues.push_back(loadBlock(math, d, block));
      if (exchanged)
        acc = exchangeHalves(math, acc, isUpper);
      Value values = applyEpilogue(rewriter, op.getLoc(), op.getEpilogue(), acc, dValues,
                                   results->getElementType());
      storeBlock(math, *results, op.getC().getType(), at, values, block);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// How far behind the lane's first accumulator, in rows and columns, register `reg` of block
  /// `block` stands.
  std::array<int64_t, 2> getDistance(int64_t block, int64_t reg) const {
    int64_t columns = config.getBlocks(1);
    std::array<int64_t, 2> distance = {block / columns * config.getBlockSize(0),
                                       block % columns * config.getBlockSize(1)};
    distance[config.accDim] += AccLayout(*config.mma).getPlace(reg);
    return distance;
  }

  void storeBlock(const IndexMath &math, Elements &results, ViewType view, ArrayRef<Value> at,
                  Value values, int64_t block) const {
    for (int64_t reg = 0; reg < config.mma->accPerLane; reg += results.getWidth()) {
      std::array<int64_t, 2> distance = getDistance(block, reg);
      Value value = slice(math.builder, math.loc, values, reg, results.getWidth());
      auto [cursor, offset] = results.get(math, distance);
      StoreOp::create(
          math.builder, math.loc, value, cursor, offset,
          getMask(math, view, math.add(at[1], distance[0]), math.add(at[2], distance[1])));
    }
  }

  /// The elements of a D operand that stand beside the accumulators of one block. Those outside of
  /// the view are never used: their results are not stored.
  Value loadBlock(const IndexMath &math, Elements &elements, int64_t block) const {
    auto load = [&](int64_t reg, int64_t width) -> Value {
      auto [cursor, offset] = elements.get(math, getDistance(block, reg));
      return LoadOp::create(math.builder, math.loc,
                            VectorType::get(width, elements.getElementType()), cursor, offset,
                            /*in_bounds=*/true);
    };
    int64_t count = config.mma->accPerLane;
    if (elements.areSame()) {
      Value one = vector::ExtractOp::create(math.builder, math.loc, load(0, 1), 0);
      return vector::BroadcastOp::create(math.builder, math.loc,
                                         VectorType::get(count, elements.getElementType()), one);
    }
    SmallVector<Value> parts;
    for (int64_t reg = 0; reg < count; reg += elements.getWidth())
      parts.push_back(load(reg, elements.getWidth()));
    return concatenate(math.builder, math.loc, parts);
  }

  /// Row (0) or column (1) of the lane's first accumulator.
  Value getFirst(const IndexMath &math, Value tile, unsigned dim) const {
    const MatrixInstruction &mma = *config.mma;
    Value inBlock = dim == config.accDim
                        ? math.mul(math.div(config.lane, mma.n), AccLayout(mma).getLanePlace())
                        : math.rem(config.lane, mma.n);
    Value wave = dim == 0 ? config.waveRow : config.waveColumn;
    int64_t perWave = config.getBlocks(dim) * config.getBlockSize(dim);
    return math.add(math.add(math.mul(tile, config.schedule.tile[dim]), math.mul(wave, perWave)),
                    inBlock);
  }

  /// True where the element lies in the view; constant where every tile does. The sizes of the view
  /// are multiples of the widths of its vectors, so the mask of one element is that of its vector.
  Value getMask(const IndexMath &math, ViewType view, Value row, Value column) const {
    Value mask;
    for (auto [dim, at] : llvm::enumerate(ArrayRef<Value>{row, column})) {
      int64_t size = view.getShape()[dim + 1];
      if (size % config.schedule.tile[dim] == 0)
        continue;
      Value inside = math.lessThan(at, size);
      mask = mask ? Value(arith::AndIOp::create(math.builder, math.loc, mask, inside)) : inside;
    }
    if (!mask)
      mask = arith::ConstantIntOp::create(math.builder, math.loc, 1, 1);
    return mask;
  }
};

} // namespace

void ck::distribution::populateStorePatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns, const Config &config) {
  patterns.add<StoreTilePattern>(converter, patterns.getContext(), config);
}
