//===- SumResults.cpp - Sums of lanes and of workgroups -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All sums are added in a fixed order, so that results are the same in every run. Workgroups that
// add wait only for workgroups with lower numbers, which wait for nobody.
//
//===----------------------------------------------------------------------===//

#include "Transforms/BufferAccess.h"
#include "Transforms/ElementBuilder.h"
#include "Transforms/ExpandDirect/SumBuilder.h"
#include "Transforms/Flags.h"
#include "Transforms/LaneMath.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::ck;

static constexpr int64_t kWordBytes = 4;
/// Of LDS for the sums of lanes, in two halves: lanes write to one while others still read from the
/// other one.
static constexpr int64_t kLdsWords = 8192;

/// Results of which all lanes of a workgroup write their sums to LDS together.
int64_t SumBuilder::getChunk() const {
  const int64_t most = kLdsWords / 2 / kSumThreads;
  return std::min({most, shares.results, std::max<int64_t>(1, kSumThreads / shares.units)});
}

int64_t SumBuilder::getLdsBytes() const {
  const int64_t chunk = getChunk(), halves = shares.results > chunk ? 2 : 1;
  return std::max(halves * chunk, workspace.laneResults) * kSumThreads * kWordBytes;
}

Value SumBuilder::getLdsView(Value lds) const {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get({getLdsBytes() / kWordBytes}, accType, MemRefLayoutAttrInterface(), space);
  return memref::ViewOp::create(builder, loc, type, lds, math.constant(0), ValueRange());
}

static Value addSums(OpBuilder &builder, Location loc, Value a, Value b) {
  if (getElementTypeOrSelf(a).isInteger())
    return arith::AddIOp::create(builder, loc, a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

/// The sum of `count` words of LDS, `stride` apart, in their order; the first is `begin` behind
/// `word`.
Value SumBuilder::addWords(Value memory, Value word, int64_t begin, int64_t count, int64_t stride) {
  Value sum;
  for (int64_t i = 0; i < count; ++i) {
    Value next = memref::LoadOp::create(builder, loc, memory, math.add(word, begin + i * stride));
    sum = sum ? addSums(builder, loc, sum, next) : next;
  }
  return sum;
}

/// Adds the sums of all lanes of the workgroup with the same results, and keeps them.
void SumBuilder::addLanes(const Place &place, Value tileNumber, Value slice, ArrayRef<Value> sums,
                          Value lds) {
  Value memory = getLdsView(lds);
  const int64_t chunk = getChunk();
  int64_t half = 0;
  for (int64_t first = 0; first < shares.results; first += chunk, half ^= 1) {
    const int64_t count = std::min(chunk, shares.results - first);
    const int64_t begin = half * chunk * kSumThreads;
    for (int64_t i = 0; i < count; ++i)
      memref::StoreOp::create(builder, loc, sums[size_t(first + i)], memory,
                              math.add(place.thread, begin + i * kSumThreads));
    buildLdsBarrier(builder, loc, chip);
    const int64_t results = count * shares.units;
    for (int64_t done = 0; done < results; done += kSumThreads) {
      Value result = math.add(place.thread, done);
      Value exists = math.lessThan(result, results);
      if (results - done < kSumThreads) // What is read must exist nevertheless.
        result = math.min(result, math.constant(results - 1));
      Value from = math.add(math.mul(math.div(result, shares.units), kSumThreads),
                            math.rem(result, shares.units));
      Value sum = addWords(memory, from, begin, shares.getPositions(), shares.units);
      keepSum(tileNumber, slice, math.add(result, first * shares.units), sum, exists);
    }
  }
}

/// The sums of all slices of a tile.
Value SumBuilder::getSumBuffer(Value tileNumber) {
  constexpr unsigned kBufferSpace = 8;
  const int64_t words = tile.slices * shares.getResults();
  Value word = math.add(math.mul(tileNumber, words), workspace.flagWords);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), kBufferSpace);
  return createBuffer(builder, loc, type, getWordAddress(math, op.getWorkspace(), word),
                      words * kWordBytes, chip);
}

static Value getByteOffset(const IntMath &math, Value word) {
  return arith::IndexCastOp::create(math.builder, math.loc, math.builder.getI32Type(),
                                    math.mul(word, kWordBytes));
}

/// Leaves the sum of `result`, of those of a tile, in the workspace or stores it.
void SumBuilder::keepSum(Value tileNumber, Value slice, Value result, Value sum, Value exists) {
  if (tile.slices == 1)
    return store(tileNumber, result, sum, exists);
  auto branch = scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value word = math.add(math.mul(slice, shares.getResults()), result);
  storeToBuffer(builder, loc, sum, getSumBuffer(tileNumber), getByteOffset(math, word),
                arith::ConstantIntOp::create(builder, loc, 0, 32));
}

/// The flag for wave `wave` of an adder of the tile, of the slice that is number `number` of that
/// wave.
Value SumBuilder::findFlag(Value tileNumber, Value adder, Value wave, Value number) {
  Value line = math.add(math.mul(tileNumber, workspace.adders), adder);
  line = math.add(math.mul(line, workspace.waves), wave);
  return getWordAddress(math, op.getWorkspace(),
                        math.add(math.mul(line, workspace.waveFlags), number));
}

/// The wave of `thread`, which is the same for all of its lanes; says so, for scalar arithmetic.
Value SumBuilder::findWave(Value thread) const {
  Type i32 = builder.getI32Type();
  Value wave = math.div(thread, chip.waveSize);
  wave = arith::IndexCastOp::create(builder, loc, i32, wave);
  wave = ROCDL::ReadfirstlaneOp::create(builder, loc, i32, wave);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), wave);
}

/// Tells all adders of the tile that the sums of the slice are in the workspace.
void SumBuilder::signal(Value thread, Value tileNumber, Value slice) {
  releaseToDevice(builder, loc);
  gpu::BarrierOp::create(builder, loc);
  Value isFirst = math.lessThan(math.rem(thread, chip.waveSize), 1);
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  releaseToDevice(builder, loc);
  // One store for each flag, which go round the waves: on chips where those of flags look like any
  // other, readers of the code, and checks, know them by that.
  auto loop = scf::ForOp::create(builder, loc, findWave(thread), math.constant(workspace.adders),
                                 math.constant(workspace.waves));
  builder.setInsertionPointToStart(loop.getBody());
  storeFlag(builder, loc, 1,
            findFlag(tileNumber, loop.getInductionVar(), math.rem(slice, workspace.waves),
                     math.div(slice, workspace.waves)));
}

//===----------------------------------------------------------------------===//
// Workgroups that add the sums of others
//===----------------------------------------------------------------------===//

/// Adds the sums that `count` slices, from `wave` on, have of the results of a lane, the first of
/// which is `result`.
Value SumBuilder::addSlices(Value tileNumber, Value wave, Value count, Value result) {
  constexpr int64_t kInFlight = 16;
  Value buffer = getSumBuffer(tileNumber);
  Type type = accType;
  if (workspace.laneResults > 1)
    type = VectorType::get({workspace.laneResults}, accType);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  const int64_t most = llvm::divideCeil(tile.slices, workspace.waves);
  const int64_t together = std::min(kInFlight, most);
  auto loop = scf::ForOp::create(builder, loc, math.constant(0), count, math.constant(together),
                                 ValueRange(zero));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value sum = loop.getRegionIterArgs()[0];
  SmallVector<Value> loaded, exist;
  for (int64_t i = 0; i < together; ++i) {
    Value number = math.add(loop.getInductionVar(), i);
    exist.push_back(math.less(number, count));
    number = math.min(number, math.add(count, -1));
    Value slice = math.add(math.mul(number, workspace.waves), wave);
    Value base = getByteOffset(math, math.mul(slice, shares.getResults()));
    loaded.push_back(loadFromBuffer(builder, loc, type, buffer, getByteOffset(math, result), base));
  }
  ROCDL::SchedBarrier::create(builder, loc, /*mask=*/0); // all loads, then the sums
  for (auto [next, exists] : llvm::zip_equal(loaded, exist))
    sum = math.select(exists, addSums(builder, loc, sum, next), sum);
  scf::YieldOp::create(builder, loc, sum);
  return loop.getResult(0);
}

/// Adds the `sums` that the waves have of the results of an adder in the order of the waves, and
/// stores them.
void SumBuilder::addWaves(Value tileNumber, Value adder, Value thread, Value sums, Value lds) {
  const int64_t results = workspace.getAdderResults(), ofLane = workspace.laneResults;
  Value memory = getLdsView(lds);
  for (int64_t i = 0; i < ofLane; ++i) {
    Value sum = ofLane == 1 ? sums : vector::ExtractOp::create(builder, loc, sums, i);
    memref::StoreOp::create(builder, loc, sum, memory, math.add(math.mul(thread, ofLane), i));
  }
  buildLdsBarrier(builder, loc, chip);
  auto branch = scf::IfOp::create(builder, loc, math.lessThan(thread, results),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value result = math.add(math.mul(adder, results), thread);
  Value exists = math.lessThan(result, shares.getResults());
  result = math.min(result, math.constant(shares.getResults() - 1));
  Value sum = addWords(memory, thread, /*begin=*/0, workspace.waves, results);
  store(tileNumber, result, sum, exists);
}

void SumBuilder::buildAdding(Value number, Value lds) {
  const int64_t lanes = workspace.lanes, waves = workspace.waves;
  Value tileNumber = math.div(number, workspace.adders), adder = math.rem(number, workspace.adders);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane = math.rem(thread, lanes);
  Value wave = findWave(thread);
  Value result =
      math.add(math.mul(adder, workspace.getAdderResults()), math.mul(lane, workspace.laneResults));
  result = math.min(result, math.constant(shares.getResults() - workspace.laneResults));
  // Slices go round the waves.
  Value count = math.div(math.sub(math.constant(tile.slices + waves - 1), wave), waves);
  auto forFlags = [&](function_ref<void(Value)> use) {
    auto loop = scf::ForOp::create(builder, loc, math.constant(0), count, math.constant(lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    // Lanes beyond the last flag take that one.
    Value flag = math.min(math.add(loop.getInductionVar(), lane), math.add(count, -1));
    use(findFlag(tileNumber, adder, wave, flag));
  };
  forFlags([&](Value flag) { spinOnFlags(builder, loc, flag, lanes); });
  acquireFromDevice(builder, loc);
  Value sum = addSlices(tileNumber, wave, count, result);
  forFlags([&](Value flag) { storeFlag(builder, loc, 0, flag); });
  addWaves(tileNumber, adder, thread, sum, lds);
}

/// The output channel of its group of a row of the blocks of the lane with input `channel`: see
/// takeBlock.
Value SumBuilder::findOutput(Value channel, Value row) const {
  const int64_t blocks = geometry.channels / kMfmaVector;
  Value own = math.div(math.rem(channel, geometry.channels), kMfmaVector);
  Value distance = math.div(row, kMfmaVector), within = math.rem(row, kMfmaVector);
  Value block = math.rem(math.sub(math.add(own, blocks), distance), blocks);
  if (blocks == 2)
    within = math.select(math.lessThan(distance, 1), within,
                         math.sub(math.constant(kMfmaVector - 1), within));
  return math.add(math.mul(block, kMfmaVector), within);
}

/// Stores the `sum` of result `result` of a tile where it `exists`.
void SumBuilder::store(Value tileNumber, Value result, Value sum, Value exists) {
  Value unit = math.add(math.mul(tileNumber, shares.units), math.rem(result, shares.units));
  Value ofLane = math.div(result, shares.units);
  auto [channel, output] = findUnit(unit);
  Value tap = math.rem(ofLane, geometry.taps);
  Value rest = math.div(ofLane, geometry.taps);
  Value row = math.rem(rest, shares.outputs);
  output = math.add(output, tile.mfma == kMfmaVector ? findOutput(channel, row) : row);
  channel = math.add(channel, math.div(rest, shares.outputs));
  Value group = math.div(channel, geometry.channels);
  Value inner = math.rem(group, geometry.merged);
  row = math.add(math.mul(inner, geometry.outputs), output);
  Value column = math.add(math.mul(tap, geometry.merged), inner);
  column = math.add(math.mul(column, geometry.channels), math.rem(channel, geometry.channels));
  Value place[] = {math.div(group, geometry.merged), row, column};
  ElementBuilder element(builder, loc, accType);
  SmallVector<Value> others =
      llvm::map_to_vector(op.getDs(), [&](Value d) -> Value { return element.load(d, place); });
  Value stored =
      buildResult(builder, loc, op.getEpilogue(), sum, others, views.c.view.getElementType());
  element.store(stored, op.getC(), place, exists);
}
