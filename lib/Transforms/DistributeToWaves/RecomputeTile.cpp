//===- RecomputeTile.cpp - Results whose sums hold wrong products -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrong product is NaN, and so is then the sum. A wave looks at its sums two at a time, which
// costs half an instruction each, and what follows runs only for tensors that are not finite.
//
//===----------------------------------------------------------------------===//

#include "Transforms/DistributeToWaves/RecomputeTile.h"
#include "Transforms/ElementBuilder.h"
#include "Transforms/LaneMath.h"

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::distribution;

/// True for a wave one of whose lanes has a NaN in `accs`, which are vectors of one type.
static Value hasNaN(const IntMath &math, ValueRange accs, int64_t waveSize) {
  OpBuilder &builder = math.builder;
  Location loc = math.loc;
  Value found;
  for (size_t i = 0; i < accs.size(); i += 2) {
    Value other = accs[std::min(i + 1, accs.size() - 1)];
    Value isNaN =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, Value(accs[i]), other);
    found = found ? Value(arith::OrIOp::create(builder, loc, found, isNaN)) : isNaN;
  }
  Value any;
  for (int64_t i = 0; i < cast<VectorType>(found.getType()).getNumElements(); ++i) {
    Value one = vector::ExtractOp::create(builder, loc, found, i);
    any = any ? Value(arith::OrIOp::create(builder, loc, any, one)) : one;
  }
  Value lanes = ROCDL::BallotOp::create(builder, loc, builder.getIntegerType(waveSize), any);
  Value none = arith::ConstantIntOp::create(builder, loc, 0, unsigned(waveSize));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, lanes, none);
}

/// Computes and stores element `number` of `tile`, unless it lies outside of the result.
static void recomputeElement(const IntMath &math, StoreTileOp op, const WaveTile &tile,
                             Value number, Type accType) {
  ArrayRef<int64_t> shape = op.getC().getType().getShape();
  // Lanes have neighbouring rows, so that they leave out the same products.
  Value place[] = {math.add(tile.first[0], math.rem(number, tile.size[0])),
                   math.add(tile.first[1], math.div(number, tile.size[0]))};
  Value inside = arith::AndIOp::create(math.builder, math.loc, math.lessThan(place[0], shape[1]),
                                       math.lessThan(place[1], shape[2]));
  Value gmn[] = {op.getGroup(), math.min(place[0], math.constant(shape[1] - 1)),
                 math.min(place[1], math.constant(shape[2] - 1))};
  ElementBuilder element(math.builder, math.loc, accType);
  Value acc = element.accumulate(
      {op.getFactors()[0], op.getFactors()[1], /*omitPadding=*/true, /*advances=*/false}, gmn);
  SmallVector<Value> ds;
  for (Value d : op.getDs())
    ds.push_back(element.load(d, gmn));
  Value result = buildResult(math.builder, math.loc, op.getEpilogue(), acc, ds,
                             op.getC().getType().getElementType());
  element.store(result, op.getC(), gmn, inside);
}

scf::IfOp ck::distribution::recomputeIfNaN(const IntMath &math, StoreTileOp op, ValueRange accs,
                                           const WaveTile &tile, Value lane, int64_t waveSize) {
  OpBuilder &builder = math.builder;
  auto branch = scf::IfOp::create(builder, math.loc, hasNaN(math, accs, waveSize),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value first = math.constant(0), step = math.constant(waveSize);
  Value end = math.constant(tile.size[0] * tile.size[1]);
  auto loop = scf::ForOp::create(builder, math.loc, first, end, step);
  builder.setInsertionPointToStart(loop.getBody());
  Type accType = cast<VectorType>(accs.front().getType()).getElementType();
  recomputeElement(math, op, tile, math.add(loop.getInductionVar(), lane), accType);
  return branch;
}
