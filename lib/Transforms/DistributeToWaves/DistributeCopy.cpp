//===- DistributeCopy.cpp - Operand tiles on their way to LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread loads micro tiles of rows x K elements with vectors along the dimension that is
// consecutive in memory, and writes them to LDS with vectors along K, as the matrix instructions
// read them. Where memory runs along the rows the micro tile is transposed in registers on the way.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/Distribution.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

namespace {

/// Place of a thread's micro tile in a tile.
struct MicroTilePlace {
  Value row;                 // first row, less that of the pass
  int64_t passRow = 0;       // what the pass adds: whole groups of rows
  Value kUnit;               // LDS unit along K
  Value kSub;                // first K element inside the unit
  bool hasRemainder = false; // the row comes from one by other than a power of two
};

} // namespace

/// Row number `index` in the order in which lanes go over rows whose units of K are permuted in
/// runs of `run`: lanes of one access to LDS write rows that differ in the bits that are not
/// permuted.
static Value orderRows(const IntMath &math, Value index, int64_t run, int64_t bankRows) {
  int64_t apart = bankRows / run;
  if (run == 1 || apart <= 1)
    return index;
  Value inside =
      math.add(math.mul(math.rem(index, apart), run), math.rem(math.div(index, apart), run));
  return math.add(math.mul(math.div(index, bankRows), bankRows), inside);
}

/// Micro tiles are dealt to threads with the rows of a block of memory fastest where it runs along
/// them, then the parts of an LDS unit, then the units of a run, then rows, then units:
/// neighbouring lanes load whole blocks and fill whole LDS units. Where the rows of a pass are a
/// part of the tile's, other units of the same rows follow first, which are in the same lines.
static MicroTilePlace getPlace(const IntMath &math, const Config &config, FragmentType fragment,
                               int64_t pass) {
  int64_t run = config.getUnitRun(fragment), bankRows = config.getBankRows(fragment);
  int64_t parts = config.kPack / fragment.getMicroTile()[1];
  int64_t rowTiles = fragment.getShape()[0] / fragment.getMicroTile()[0];
  int64_t runs = fragment.getShape()[1] / (config.kPack * run);
  int64_t rowsPerPass = config.threads / (parts * run);
  MicroTilePlace place;
  if (run > 1 && config.threads % (parts * run) == 0 && rowTiles % rowsPerPass == 0) {
    Value rest = math.div(config.thread, parts);
    int64_t passRow = pass / runs * rowsPerPass;
    place.passRow = rowsPerPass % bankRows == 0 ? passRow : 0;
    Value row = math.add(math.div(rest, run), passRow - place.passRow);
    place.row = orderRows(math, row, run, bankRows);
    place.kUnit = math.add(math.rem(rest, run), pass % runs * run);
    place.kSub = math.mul(math.rem(config.thread, parts), fragment.getMicroTile()[1]);
    return place;
  }
  int64_t together = config.getRowRun(fragment), blocks = rowTiles / together;
  Value index = math.add(config.thread, pass * config.threads);
  Value part = math.div(index, together), unit = math.div(part, parts), rest = math.div(unit, run);
  Value block = orderRows(math, math.rem(rest, blocks), run, bankRows);
  Value rowTile = math.add(math.mul(block, together), math.rem(index, together));
  place.row = math.mul(rowTile, fragment.getMicroTile()[0]);
  place.hasRemainder = !llvm::isPowerOf2_64(rowTiles);
  place.kUnit = math.add(math.mul(math.div(rest, blocks), run), math.rem(unit, run));
  place.kSub = math.mul(math.rem(part, parts), fragment.getMicroTile()[1]);
  return place;
}

namespace {

//===----------------------------------------------------------------------===//
// Cursors and loads
//===----------------------------------------------------------------------===//

struct CursorPattern final : TilePattern<CursorOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(CursorOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    CursorType type = op.getCursor().getType();
    FragmentType fragment = type.getFragment();
    int64_t count = getNumLaneCursors(type, config);
    if (count == 0)
      return rewriter.notifyMatchFailure(op, "the view's map cannot be analysed");
    IntMath math{rewriter, op.getLoc()};
    auto laneType = CursorType::get(getContext(), type.getView(), FragmentType());
    if (fragment.isHeld()) {
      rewriter.replaceOpWithMultiple(
          op, SmallVector<SmallVector<Value>>{makeHeldCursors(math, op, laneType)});
      return success();
    }
    int64_t passes = config.getPasses(fragment), perPass = count / passes;
    if (fragment.isAsync()) {
      rewriter.replaceOpWithMultiple(
          op, SmallVector<SmallVector<Value>>{makeAsyncCursors(math, config, op, laneType)});
      return success();
    }
    SmallVector<Value> cursors;
    for (int64_t pass = 0; pass < passes; ++pass) {
      MicroTilePlace place = getPlace(math, config, fragment, pass);
      // The optimizer turns a remainder by other than a power of two into a product that is
      // subtracted, and the instruction selector takes constants out of the sums around it, which
      // leaves a negative offset: out of bounds, whatever constant is added to it.
      if (place.hasRemainder)
        place.row = hideFromOptimizer(math, place.row);
      Value k = math.add(math.mul(place.kUnit, config.kPack), place.kSub);
      for (int64_t load = 0; load < perPass; ++load) {
        SmallVector<Value> at(op.getCoordinates());
        int64_t row = place.passRow + (fragment.getAlongK() ? load : 0);
        at[1] = math.add(at[1], math.add(place.row, row));
        at[2] = math.add(at[2], math.add(k, fragment.getAlongK() ? 0 : load));
        cursors.push_back(CursorOp::create(rewriter, op.getLoc(), laneType, op.getView(), at));
      }
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{cursors});
    return success();
  }

private:
  /// A cursor for each block of the wave, at what the lane first takes from it: the row of its
  /// number in the block, its K by `lane / n`.
  SmallVector<Value> makeHeldCursors(const IntMath &math, CursorOp op, CursorType laneType) const {
    FragmentType fragment = op.getCursor().getType().getFragment();
    int64_t size = config.getBlockSize(1), blocks = config.getHeldBlocks(fragment);
    Value lanes = math.rem(math.div(config.lane, size), config.mma->getLanesOverK());
    Value row = math.add(math.mul(config.waveColumn, blocks * size), math.rem(config.lane, size));
    SmallVector<Value> at(op.getCoordinates());
    at[2] = math.add(at[2], math.mul(lanes, config.getHeldK()));
    Value first = math.add(at[1], row);
    SmallVector<Value> cursors;
    for (int64_t block = 0; block < blocks; ++block) {
      at[1] = math.add(first, block * size);
      cursors.push_back(CursorOp::create(math.builder, op.getLoc(), laneType, op.getView(), at));
    }
    return cursors;
  }
};

struct AdvancePattern final : TilePattern<AdvanceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> moved;
    for (Value cursor : adaptor.getCursor())
      moved.push_back(AdvanceOp::create(rewriter, op.getLoc(), cursor, op.getStep()));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{moved});
    return success();
  }
};

struct LoadTilePattern final : TilePattern<LoadTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(LoadTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentType fragment = op.getFragment().getType();
    ValueRange cursors = adaptor.getCursor();
    if (fragment.isHeld()) {
      SmallVector<Value> vectors;
      for (Value cursor : cursors)
        for (int64_t i = 0; i < config.getHeldLoads(fragment); ++i)
          vectors.push_back(LoadOp::create(rewriter, op.getLoc(), config.getLoadType(fragment),
                                           cursor, ArrayRef<int64_t>{0, 0, config.getHeldOffset(i)},
                                           op.getInBounds()));
      rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{vectors});
      return success();
    }
    int64_t passes = config.getPasses(fragment), loads = config.getLoadsPerPass(fragment);
    bool shared = int64_t(cursors.size()) == passes && loads > 1;
    SmallVector<Value> vectors;
    for (int64_t i = 0; i < passes * loads; ++i) {
      int64_t step = shared ? i % loads : 0;
      SmallVector<int64_t> offset = {0, fragment.getAlongK() ? step : 0,
                                     fragment.getAlongK() ? 0 : step};
      vectors.push_back(LoadOp::create(rewriter, op.getLoc(), config.getLoadType(fragment),
                                       cursors[shared ? i / loads : i], offset, op.getInBounds()));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{vectors});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

struct LdsRingPattern final : TilePattern<LdsRingOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(LdsRingOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
    auto type = cast<MemRefType>(getTypeConverter()->convertType(op.getRing().getType()));
    // Rings of a kernel belong to GEMMs of which a workgroup runs one: they share the LDS.
    for (BlockArgument shared : kernel.getWorkgroupAttributions())
      if (shared.getType() == type) {
        rewriter.replaceOp(op, shared);
        return success();
      }
    BlockArgument lds;
    rewriter.modifyOpInPlace(kernel, [&] {
      lds = kernel.addWorkgroupAttribution(type, op.getLoc());
      kernel.setWorkgroupAttributionAttr(kernel.getNumWorkgroupAttributions() - 1, "llvm.align",
                                         rewriter.getI64IntegerAttr(16));
    });
    rewriter.replaceOp(op, lds);
    return success();
  }
};

} // namespace

/// The tiles of the slot of K step `step`, as memrefs into the ring's LDS; `slot` is the step
/// modulo the period of the ring, if known.
static SmallVector<Value> getSlotTiles(OpBuilder &builder, Location loc, const Config &config,
                                       RingType ring, Value lds, Value step,
                                       std::optional<int64_t> slot) {
  IntMath math{builder, loc};
  ArrayRef<FragmentType> types = ring.getTiles();
  // The smaller tiles of all slots come first: most tiles then start below the largest constant of
  // an address.
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(unsigned(types.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    int64_t aBytes = config.getTileBytes(types[a]), bBytes = config.getTileBytes(types[b]);
    return aBytes != bBytes ? aBytes < bBytes : a < b;
  });
  SmallVector<Value> tiles(types.size());
  int64_t start = 0;
  for (unsigned operand : order) {
    int64_t bytes = config.getTileBytes(types[operand]), slots = ring.getSlots(operand);
    Value offset = slot ? math.constant(start + *slot % slots * bytes)
                        : math.add(math.mul(math.rem(step, slots), bytes), start);
    tiles[operand] = memref::ViewOp::create(builder, loc, config.getTileMemRef(types[operand]), lds,
                                            offset, ValueRange());
    start += bytes * slots;
  }
  return tiles;
}

/// Keeps accesses to memory in front of or behind this place, without an instruction.
static void createCompilerFence(OpBuilder &builder, Location loc) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, /*syncscope=*/"singlethread");
}

/// The barrier waits by itself, but LLVM 22.1 loses that wait in a loop that is entered without
/// accesses in flight.
void ck::distribution::createBarrier(OpBuilder &builder, Location loc, const Config &config) {
  if (!config.besideReads.empty()) // products of what has been read stay in front
    ROCDL::SchedBarrier::create(builder, loc, /*mask=*/0);
  if (!config.chip->hasBackOffBarrier) { // waits for everything
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  amdgpu::MemoryCounterWaitOp::create(builder, loc, /*load=*/IntegerAttr(), /*store=*/IntegerAttr(),
                                      /*ds=*/builder.getI32IntegerAttr(0), /*exp=*/IntegerAttr(),
                                      /*tensor=*/IntegerAttr());
  if (config.async) {
    // The fence of the other barrier waits for all copies.
    createCompilerFence(builder, loc);
    ROCDL::SBarrierOp::create(builder, loc);
    createCompilerFence(builder, loc);
    return;
  }
  amdgpu::LDSBarrierOp::create(builder, loc);
}

namespace {

/// Waves meet once for every step: writers at the commit, readers at the wait, waves that are both
/// at the wait only. With two slots or more this also keeps a slot's writers behind the readers of
/// its previous content: every wave reads slot i before it passes the barrier of step i + 1, and
/// writes slot i + 2 after it. A ring of one slot needs a barrier before the writes as well.
///
/// Writes wait for the loads from global memory: the scheduler must not move them, and with them
/// the wait, in front of matrix instructions of the same wave.
template <typename Op>
struct SlotEntryPattern final : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;

  LogicalResult matchAndRewrite(Op op,
                                typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RingType ring = op.getRing().getType();
    if (isa<WaitOp>(op.getOperation()) || ring.getSlots() == 1)
      createBarrier(rewriter, op.getLoc(), this->config);
    if (isa<AcquireOp>(op.getOperation()) && !this->config.hasLoadWaves())
      ROCDL::SchedBarrier::create(rewriter, op.getLoc(), /*mask=*/0);
    SmallVector<Value> tiles =
        getSlotTiles(rewriter, op.getLoc(), this->config, ring, adaptor.getRing().front(),
                     op.getStep(), this->config.slots.lookup(op));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{tiles});
    return success();
  }
};

/// Commits of load waves meet the waits of math waves. Nothing else gives up a slot: the next
/// barrier does.
template <typename Op>
struct SlotExitPattern final : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;

  LogicalResult matchAndRewrite(Op op,
                                typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (isa<CommitOp>(op.getOperation()) && this->config.hasLoadWaves())
      createBarrier(rewriter, op.getLoc(), this->config);
    rewriter.eraseOp(op);
    return success();
  }
};

struct SyncPattern final : TilePattern<SyncOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(SyncOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    createBarrier(rewriter, op.getLoc(), config);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Writes to LDS
//===----------------------------------------------------------------------===//

struct WriteTilePattern final : TilePattern<WriteTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(WriteTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentType fragment = op.getFragment().getType();
    IntMath math{rewriter, op.getLoc()};
    Value tile = adaptor.getSlot()[op.getOperand()];
    int64_t loads = config.getLoadsPerPass(fragment), swizzle = config.getSwizzle(fragment);
    int64_t run = config.getUnitRun(fragment);
    for (int64_t pass = 0; pass < config.getPasses(fragment); ++pass) {
      MicroTilePlace place = getPlace(math, config, fragment, pass);
      ValueRange vectors = adaptor.getFragment().slice(pass * loads, loads);
      for (int64_t i = 0; i < fragment.getMicroTile()[0]; ++i) {
        Value row = run > 1 ? permuteRow(math, place.row, place.kUnit, run)
                            : swizzleRow(math, math.add(place.row, i), swizzle);
        Value held = convert(rewriter, op, getRow(rewriter, op, vectors, i));
        vector::StoreOp::create(rewriter, op.getLoc(), held, tile,
                                ValueRange{place.kUnit, math.add(row, place.passRow), place.kSub});
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// `row` in the type that LDS holds.
  static Value convert(OpBuilder &builder, WriteTileOp op, Value row) {
    Type held = op.getSlot().getType().getRing().getTiles()[op.getOperand()].getElementType();
    auto type = cast<VectorType>(row.getType());
    if (type.getElementType() == held)
      return row;
    return arith::ExtFOp::create(builder, op.getLoc(), type.clone(held), row);
  }

  /// Row `i` of a micro tile as a vector along K.
  static Value getRow(OpBuilder &builder, WriteTileOp op, ValueRange vectors, int64_t i) {
    FragmentType fragment = op.getFragment().getType();
    if (fragment.getAlongK())
      return vectors[i];
    SmallVector<Value> elements;
    for (Value vector : vectors)
      elements.push_back(vector::ExtractOp::create(builder, op.getLoc(), vector, i));
    auto type = VectorType::get(fragment.getMicroTile()[1], fragment.getElementType());
    return vector::FromElementsOp::create(builder, op.getLoc(), type, elements);
  }
};

} // namespace

void ck::distribution::populateCopyPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns, const Config &config) {
  patterns.add<CursorPattern, AdvancePattern, LoadTilePattern, LdsRingPattern,
               SlotEntryPattern<AcquireOp>, SlotEntryPattern<WaitOp>, SlotExitPattern<CommitOp>,
               SlotExitPattern<ReleaseOp>, SyncPattern, WriteTilePattern>(
      converter, patterns.getContext(), config);
}
