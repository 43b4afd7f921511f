//===- DistributeAsync.cpp - Operand tiles that loads write to LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware writes what the lanes of a wave load one lane after the other. So that neighbouring
// lanes load whole lines of memory, a tile lies in LDS row by row, and its units of K are permuted
// within their row by what each lane loads. Where memory runs along the rows, it lies there one K
// after the other, and its rows are permuted in blocks of 16.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/Distribution.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

/// Loads that a wave can have in flight when it waits: the counter has 6 bits, and if all of them
/// are set, the wave does not wait.
static constexpr int64_t kMaxInFlight = 62;

Value ck::distribution::permuteUnit(const IntMath &math, const Config &config,
                                    FragmentType fragment, Value unit, Value row) {
  int64_t units = fragment.getShape()[1] / config.kPack;
  int64_t rowBytes = fragment.getShape()[1] * getSizeInBytes(config.mma->heldType);
  int64_t rows = std::max<int64_t>(config.chip->ldsBanks * 4 / rowBytes, 1);
  int64_t permutations = std::min(units, config.getBlockSize(0) / rows);
  Value permutation = math.rem(math.div(row, rows), permutations);
  if (rows == 4) {
    // Lanes of 64 banks that are served at once have rows 0 to 3 and 12 to 15 of one unit and rows
    // 4 to 11 of the next: {0, 1, 2, 3} becomes {0, 2, 3, 1}.
    Value high = math.div(permutation, 2);
    Value sum = arith::XOrIOp::create(math.builder, math.loc, permutation, high);
    permutation = math.add(math.mul(math.rem(sum, 2), 2), high);
  }
  return arith::XOrIOp::create(math.builder, math.loc, unit, permutation);
}

Value ck::distribution::permutePart(const IntMath &math, const Config &config,
                                    FragmentType fragment, Value part, Value k) {
  // 32 lanes are served at once. They read 4 K of 32 rows, or of 16 rows 4 K of one unit of K and 4
  // of the next. Blocks of 16 rows are permuted in pairs by the former and inside pairs by the
  // latter, as far as K that lie side by side do not fill the banks by themselves.
  constexpr int64_t kPartsOfBlock = 2;
  int64_t rows = fragment.getShape()[0], blocks = rows / kTransposedRows;
  int64_t rowBytes = rows * getSizeInBytes(config.mma->heldType);
  int64_t side = std::max<int64_t>(config.chip->ldsBanks * 4 / rowBytes, 1);
  int64_t pairs = std::max<int64_t>(kTransposedElements / side, 1);
  Value pair = math.rem(math.div(k, side), pairs);
  Value unit = math.rem(math.div(k, config.getHeldK()), 2);
  Value block = math.rem(math.add(math.mul(pair, 2), unit), blocks);
  return arith::XOrIOp::create(math.builder, math.loc, part, math.mul(block, kPartsOfBlock));
}

/// Cursors at what a lane loads of a tile whose memory runs along the rows.
static SmallVector<Value> makeTransposedCursors(const IntMath &math, const Config &config,
                                                CursorOp op, CursorType laneType) {
  FragmentType fragment = op.getCursor().getType().getFragment();
  int64_t width = fragment.getMicroTile()[0], parts = config.getLanesOfRow(fragment);
  int64_t kPerPass = config.threads / parts;
  Value part = math.rem(config.thread, parts), firstK = math.div(config.thread, parts);
  // K that are a period of the permutation apart are permuted alike.
  bool whole = kPerPass % (2 * config.getHeldK()) == 0;
  SmallVector<Value> cursors;
  for (int64_t pass = 0; pass < config.getPasses(fragment); ++pass) {
    SmallVector<Value> at(op.getCoordinates());
    Value k = math.add(firstK, pass * kPerPass);
    Value loaded = permutePart(math, config, fragment, part, whole ? firstK : k);
    at[1] = math.add(at[1], math.mul(loaded, width));
    at[2] = math.add(at[2], k);
    cursors.push_back(CursorOp::create(math.builder, op.getLoc(), laneType, op.getView(), at));
  }
  return cursors;
}

SmallVector<Value> ck::distribution::makeAsyncCursors(const IntMath &math, const Config &config,
                                                      CursorOp op, CursorType laneType) {
  FragmentType fragment = op.getCursor().getType().getFragment();
  if (fragment.isTransposed())
    return makeTransposedCursors(math, config, op, laneType);
  int64_t width = fragment.getMicroTile()[1], parts = config.kPack / width;
  int64_t units = fragment.getShape()[1] / config.kPack;
  int64_t rowsPerPass = config.threads / (parts * units);
  Value unit = math.rem(math.div(config.thread, parts), units);
  Value firstRow = math.div(config.thread, parts * units);
  Value part = math.mul(math.rem(config.thread, parts), width);
  SmallVector<Value> cursors;
  for (int64_t pass = 0; pass < config.getPasses(fragment); ++pass) {
    SmallVector<Value> at(op.getCoordinates());
    // Blocks of rows are permuted alike.
    bool whole = rowsPerPass % config.getBlockSize(0) == 0;
    Value row = math.add(firstRow, pass * rowsPerPass);
    Value loaded = permuteUnit(math, config, fragment, unit, whole ? firstRow : row);
    at[1] = math.add(at[1], row);
    at[2] = math.add(at[2], math.add(math.mul(loaded, config.kPack), part));
    cursors.push_back(CursorOp::create(math.builder, op.getLoc(), laneType, op.getView(), at));
  }
  return cursors;
}

namespace {

struct CopyTilePattern final : TilePattern<CopyTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(CopyTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentType fragment = op.getCursor().getType().getFragment();
    IntMath math{rewriter, op.getLoc()};
    Value tile = adaptor.getSlot()[op.getOperand()];
    int64_t width = fragment.getMicroTile()[fragment.getAlongK() ? 1 : 0];
    int64_t lanesOfRow = config.getLanesOfRow(fragment);
    int64_t rowsOfWave = config.chip->waveSize / lanesOfRow;
    Value first = math.mul(config.wave, rowsOfWave);
    int64_t elements = fragment.getShape()[fragment.getAlongK() ? 1 : 0]; // of a row
    for (auto [pass, cursor] : llvm::enumerate(adaptor.getCursor())) {
      Value row = math.add(first, int64_t(pass) * (config.threads / lanesOfRow));
      CopyOp::create(rewriter, op.getLoc(), cursor, ArrayRef<int64_t>{0, 0, 0}, width, tile,
                     ValueRange{math.mul(row, elements)}, op.getInBounds());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Loads end in the order in which they were issued.
struct CommitCopiesPattern final : TilePattern<CommitCopiesOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(CommitCopiesOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RingType ring = op.getRing().getType();
    int64_t loads = 0, last = 0;
    for (FragmentType tile : ring.getTiles()) {
      last = config.getPasses(tile) * config.getLoadsPerPass(tile);
      loads += last;
    }
    int64_t inFlight = loads * int64_t(op.getAhead());
    if (ring.getMore() > 0 && !op.getTail())
      inFlight += last;
    inFlight = std::min(inFlight, kMaxInFlight);
    amdgpu::MemoryCounterWaitOp::create(
        rewriter, op.getLoc(), /*load=*/rewriter.getI32IntegerAttr(int32_t(inFlight)),
        /*store=*/IntegerAttr(), /*ds=*/IntegerAttr(), /*exp=*/IntegerAttr(),
        /*tensor=*/IntegerAttr());
    if (config.hasLoadWaves())
      createBarrier(rewriter, op.getLoc(), config);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ck::distribution::populateAsyncPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns, const Config &config) {
  patterns.add<CopyTilePattern, CommitCopiesPattern>(converter, patterns.getContext(), config);
}
