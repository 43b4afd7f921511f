//===- DistributeSum.cpp - Sums that the waves of a workgroup share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accumulators are added element by element, so that any lane can add those of another one. Each of
// the waves that help one of them takes some of its groups of registers and leaves the sums in LDS,
// where that wave reads them. Where there are fewer groups than waves, several waves take the same
// group, each of other partial tiles. Waves that are too many do what the last one does.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/Distribution.h"
#include "Transforms/DistributeToWaves/PartialTile.h"
#include "Transforms/DistributeToWaves/StoreValues.h"
#include "Transforms/Flags.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

/// Groups of registers of a lane that holds a part of `acc`.
static int64_t getGroups(const Config &config, AccType acc) {
  return acc.getBlocks(0) * acc.getBlocks(1) * config.mma->accPerLane / kPartialGroup;
}

static VectorType getGroupType(AccType acc) {
  return VectorType::get(kPartialGroup, acc.getElementType());
}

/// The sums of all waves of which `parts` help one each, as they lie in `lds`:
/// [wave][group][piece][lane][register of the group].
static Value viewSums(const IntMath &math, const Config &config, AccType acc, int64_t parts,
                      Value lds) {
  const int64_t groups = getGroups(config, acc);
  auto type = MemRefType::get({config.getMathWaves() / parts, groups,
                               getPartialShares(groups, parts).pieces, config.chip->waveSize,
                               kPartialGroup},
                              acc.getElementType(), MemRefLayoutAttrInterface(),
                              cast<MemRefType>(lds.getType()).getMemorySpace());
  return memref::ViewOp::create(math.builder, math.loc, type, lds, math.constant(0), ValueRange());
}

LogicalResult ck::distribution::verifySum(SumPartialsOp op, const Config &config) {
  if (!op.getRing())
    return op.emitOpError("expected a ring, in which waves leave their sums");
  if (!isClose(op.getWorkspace()))
    return op.emitOpError("expected a workspace of less than 2 GiB, got ")
           << op.getWorkspace().getType();
  const int64_t bytes =
      getSumBytes(ShapedType::getNumElements(op.getAcc().getShape()), config.getMathWaves(),
                  int64_t(op.getParts()), config.chip->waveSize);
  const int64_t ldsBytes = config.getRingBytes(op.getRing().getType());
  if (bytes <= ldsBytes)
    return success();
  return op.emitOpError("expected a ring of at least ")
         << bytes << " bytes for the sums, got " << ldsBytes;
}

namespace {

struct SumPartialsPattern final : TilePattern<SumPartialsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(SumPartialsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    const AccType acc = op.getAcc();
    const auto parts = int64_t(op.getParts());
    const int64_t groups = getGroups(config, acc);
    const PartialShares shares = getPartialShares(groups, parts);
    Value place = math.rem(config.mathWave, parts);
    Value holder = math.add(math.sub(config.mathWave, place), op.getPart());
    Value firstGroup = math.min(math.mul(math.div(place, shares.pieces), shares.groups),
                                math.constant(groups - shares.groups));
    // The tiles of this wave's piece.
    Value piece = math.rem(place, shares.pieces);
    Value length = math.div(math.add(op.getCount(), shares.pieces - 1), shares.pieces);
    Value begin = arith::MulIOp::create(rewriter, loc, piece, length);
    Value end = math.min(math.add(begin, length), op.getCount());

    const PartialTiles tiles = {acc, op.getWorkspace(), int64_t(op.getFirst()), op.getIndex(),
                                end, math.constant(1)};
    const LanePart part(math, config, tiles, holder, firstGroup);
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(getGroupType(acc)));
    auto addRound = [&](OpBuilder &, Location, Value number, ValueRange before) {
      SmallVector<Value> sums = llvm::to_vector(before);
      addAtOnce(math, number, shares.inFlight, sums, [&](Value tile) {
        SmallVector<Value> loaded;
        for (int64_t group = 0; group < shares.groups; ++group)
          loaded.push_back(part.load(getGroupType(acc), group, tile));
        return loaded;
      });
      scf::YieldOp::create(rewriter, loc, sums);
    };
    auto loop = scf::ForOp::create(rewriter, loc, begin, end, math.constant(shares.inFlight),
                                   SmallVector<Value>(shares.groups, zero), addRound);
    Value lds = viewSums(math, config, acc, parts, adaptor.getRing().front());
    Value wave = math.div(config.mathWave, parts);
    for (auto [group, sum] : llvm::enumerate(loop.getResults()))
      vector::StoreOp::create(rewriter, loc, sum, lds,
                              ValueRange{wave, math.add(firstGroup, int64_t(group)), piece,
                                         config.lane, math.constant(0)});
    rewriter.eraseOp(op);
    return success();
  }
};

struct GatherSumPattern final : TilePattern<GatherSumOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(GatherSumOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getRing())
      return op.emitOpError("expected a ring, from which sums are read");
    Location loc = op.getLoc();
    IntMath math{rewriter, loc};
    const AccType acc = op.getResult().getType();
    Value lds = viewSums(math, config, acc, int64_t(op.getParts()), adaptor.getRing().front());
    Value wave = math.div(config.mathWave, int64_t(op.getParts()));
    const int64_t pieces = cast<MemRefType>(lds.getType()).getDimSize(2);
    auto load = [&](int64_t group, int64_t piece) -> Value {
      return vector::LoadOp::create(rewriter, loc, getGroupType(acc), lds,
                                    ValueRange{wave, math.constant(group), math.constant(piece),
                                               config.lane, math.constant(0)});
    };
    SmallVector<Value> blocks;
    const int64_t inBlock = config.mma->accPerLane / kPartialGroup;
    for (int64_t group = 0; group < getGroups(config, acc); group += inBlock) {
      SmallVector<Value> fours;
      for (int64_t i = 0; i < inBlock; ++i) {
        Value &sum = fours.emplace_back(load(group + i, 0));
        for (int64_t piece = 1; piece < pieces; ++piece)
          addVectors(rewriter, loc, load(group + i, piece), sum);
      }
      blocks.push_back(concatenate(rewriter, loc, fours));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{blocks});
    return success();
  }
};

} // namespace

void ck::distribution::populateSumPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns, const Config &config) {
  patterns.add<SumPartialsPattern, GatherSumPattern>(converter, patterns.getContext(), config);
}
