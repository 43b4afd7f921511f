//===- DistributeStore.cpp - The store of an accumulator tile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every lane puts its accumulators through the epilogue as whole vectors and stores them element by
// element, masked where a tile is partial.
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "ck-mlir/IR/Epilogue.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

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

namespace {

/// Positions in one view that the elements of a lane's accumulators correspond to.
class Elements {
public:
  /// Fails if address code cannot follow the map of `view`.
  static FailureOr<Elements> create(const IndexMath &math, Operation *op, Value view, Value group,
                                    Value row, Value column) {
    llvm::Expected<ViewAnalysis> analysis = analyzeView(cast<ViewType>(view.getType()));
    if (!analysis)
      return op->emitOpError(llvm::toString(analysis.takeError()));
    Elements elements(view, group, row, column);
    if (analysis->isLinear(1) && analysis->isLinear(2))
      elements.shared = elements.makeCursor(math, row, column);
    elements.sameInRows =
        analysis->getDigitsOf(1).empty() || (analysis->isLinear(1) && analysis->getStride(1) == 0);
    return elements;
  }

  /// True if all rows of a column have the same element.
  bool areSameInRows() const { return sameInRows; }

  /// A cursor and the constant offset from it that lead to (row + m, column + n).
  std::pair<Value, SmallVector<int64_t>> get(const IndexMath &math, int64_t m, int64_t n) const {
    if (shared)
      return {shared, {0, m, n}};
    return {makeCursor(math, math.add(row, m), math.add(column, n)), {0, 0, 0}};
  }

private:
  Elements(Value view, Value group, Value row, Value column)
      : view(view), group(group), row(row), column(column) {}

  Value makeCursor(const IndexMath &math, Value row, Value column) const {
    auto type = CursorType::get(view.getContext(), cast<ViewType>(view.getType()), FragmentType());
    return CursorOp::create(math.builder, math.loc, type, view, ValueRange{group, row, column});
  }

  Value view, group, row, column; // of the lane's first element
  Value shared;                   // cursor of all elements, where both dimensions are linear
  bool sameInRows = false;
};

struct StoreTilePattern final : TilePattern<StoreTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(StoreTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ViewType view = op.getC().getType();
    IndexMath math{rewriter, op.getLoc()};
    const MatrixInstruction &mma = *config.mma;
    Value row = getFirst(math, op.getRowTile(), 0,
                         math.mul(math.div(config.lane, mma.n), mma.getAccRow(mma.n, 0)));
    Value column = getFirst(math, op.getColumnTile(), 1, math.rem(config.lane, mma.n));
    auto locate = [&](Value tensor) {
      return Elements::create(math, op, tensor, op.getGroup(), row, column);
    };
    FailureOr<Elements> results = locate(op.getC());
    if (failed(results))
      return failure();
    SmallVector<Elements> ds;
    for (Value d : op.getDs()) {
      FailureOr<Elements> elements = locate(d);
      if (failed(elements))
        return failure();
      ds.push_back(*elements);
    }
    int64_t columns = config.getBlocks(1);
    for (auto [block, acc] : llvm::enumerate(adaptor.getAcc())) {
      int64_t m = block / columns * mma.m, n = block % columns * mma.n;
      SmallVector<Value> dValues;
      for (auto [elements, d] : llvm::zip_equal(ds, op.getDs()))
        dValues.push_back(
            loadBlock(math, elements, cast<ViewType>(d.getType()).getElementType(), m, n));
      Value values = applyEpilogue(rewriter, op.getLoc(), op.getEpilogue(), acc, dValues,
                                   view.getElementType());
      for (int64_t reg = 0; reg < mma.accPerLane; ++reg) {
        int64_t atM = m + mma.getAccRow(0, reg);
        Value value = vector::ExtractOp::create(rewriter, op.getLoc(), values, reg);
        auto [cursor, offset] = results->get(math, atM, n);
        StoreOp::create(rewriter, op.getLoc(), value, cursor, offset,
                        getMask(math, view, math.add(row, atM), math.add(column, n)));
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The elements of a D operand that stand beside the accumulators of one block, (m, n) behind the
  /// lane's first. Those outside of the view are never used: their results are not stored.
  Value loadBlock(const IndexMath &math, const Elements &elements, Type elementType, int64_t m,
                  int64_t n) const {
    auto type = VectorType::get(config.mma->accPerLane, elementType);
    auto load = [&](int64_t m) -> Value {
      auto [cursor, offset] = elements.get(math, m, n);
      Value one = LoadOp::create(math.builder, math.loc, VectorType::get(1, elementType), cursor,
                                 offset, /*in_bounds=*/true);
      return vector::ExtractOp::create(math.builder, math.loc, one, 0);
    };
    if (elements.areSameInRows())
      return vector::BroadcastOp::create(math.builder, math.loc, type, load(m));
    SmallVector<Value> values;
    for (int64_t reg = 0; reg < config.mma->accPerLane; ++reg)
      values.push_back(load(m + config.mma->getAccRow(0, reg)));
    return vector::FromElementsOp::create(math.builder, math.loc, type, values);
  }

  /// First row or column of the wave's blocks for this lane.
  Value getFirst(const IndexMath &math, Value tile, unsigned dim, Value inBlock) const {
    Value wave = dim == 0 ? config.waveRow : config.waveColumn;
    int64_t perWave = config.getBlocks(dim) * config.getBlockSize(dim);
    return math.add(math.add(math.mul(tile, config.schedule.tile[dim]), math.mul(wave, perWave)),
                    inBlock);
  }

  /// True where the element lies in the view; constant where every tile does.
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
