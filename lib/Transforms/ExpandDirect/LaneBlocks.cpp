//===- LaneBlocks.cpp - Lanes that multiply together -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions of blocks, whose columns are positions and whose rows output channels. Those
// of 4x4 blocks have four lanes, those of 16x16 a wave: there, four lanes have the same column, and
// each a quarter of the channels, in and out.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/LaneBuilder.h"
#include "Transforms/LaneMath.h"
#include "Transforms/StoreLayout.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;

/// Lanes side by side have the same channels and multiply together; but they load and store
/// neighbouring channels of one position, from and to one block of memory. So each lane does that
/// for another one of its wave: of n positions, lane n u + t for lane 64 t / n + u and the other
/// way round, with the latter turned by half of the channels where the former would meet others of
/// its half of the wave in a bank.
void LaneBuilder::pairLanes() {
  const int64_t positions = tile.mfma, units = kMfmaLanes / positions;
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane = math.rem(thread, kMfmaLanes), wave = math.sub(thread, lane);
  auto turn = [&](Value unit, Value position) {
    Value half = math.mul(math.div(position, positions / 2), units / 2);
    return math.rem(math.add(unit, half), units);
  };
  auto toAddress = [&](Value of) -> Value {
    constexpr int64_t kWordBytes = 4;
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), math.mul(of, kWordBytes));
  };
  Value position = math.rem(lane, positions);
  Value from = math.add(math.mul(position, units), turn(math.div(lane, positions), position));
  loader = toAddress(from);
  position = math.div(lane, units);
  Value to = math.add(math.mul(turn(math.rem(lane, units), position), positions), position);
  computer = toAddress(to);
  accessing = math.add(wave, to);
}

/// The `vector` of the lane at address `from`.
Value LaneBuilder::exchange(Value vector, Value from) {
  auto type = cast<VectorType>(vector.getType());
  Type word = builder.getI32Type();
  const int64_t bits = type.getNumElements() * type.getElementTypeBitWidth(), wordBits = 32;
  auto exchangeWord = [&](Value value) -> Value {
    return ROCDL::DsBpermuteOp::create(builder, loc, word, from, value);
  };
  if (bits < wordBits) {
    auto small = VectorType::get(1, builder.getIntegerType(unsigned(bits)));
    Value held = vector::BitCastOp::create(builder, loc, small, vector);
    held = vector::ExtractOp::create(builder, loc, held, 0);
    held = exchangeWord(arith::ExtUIOp::create(builder, loc, word, held));
    held = arith::TruncIOp::create(builder, loc, small.getElementType(), held);
    held = vector::FromElementsOp::create(builder, loc, small, held);
    return vector::BitCastOp::create(builder, loc, type, held);
  }
  return changeWords(builder, loc, vector, exchangeWord);
}

/// The distance along K from its begin to the first K of the lane with number `lane`.
Value LaneBuilder::findFirstK(Value lane) {
  Value part = math.rem(math.div(lane, blocks.neighbours), tile.getLanesOfColumn());
  return math.mul(part, geometry.getLaneRun(tile));
}

/// Number in LDS of the first weight of the lane's row.
Value LaneBuilder::findFirstOfRow(Value residue) {
  const int64_t ofColumn = tile.getLanesOfColumn();
  Value row = math.mul(math.rem(thread, kMfmaVector), weights.channelStride);
  if (ofColumn == 1)
    return math.add(findFirstWeight(findLocalChannel(thread), residue), row);
  // Rows are the channels of one lane of the block after the other.
  Value lane = math.mul(math.div(thread, kMfmaLanes), kMfmaLanes);
  Value owner = math.div(math.rem(thread, tile.mfma), kMfmaVector);
  lane = math.add(lane, math.mul(owner, tile.mfma));
  Value first = math.add(findFirstWeight(findLocalChannel(lane), residue), row);
  return math.add(first, math.mul(findFirstK(thread), getKStride(*views.b)));
}

/// Reads the weights of the lane's row of each block: those of a channel for four neighbours in K.
void LaneBuilder::readRows(Value residue, Value lds) {
  const int64_t width = getRowWidth(*views.b, geometry, tile, weights);
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value first = math.div(findFirstOfRow(residue), width);
  Type type = views.b->view.getElementType();
  auto partType = VectorType::get(width, type), rowType = VectorType::get(kMfmaVector, type);
  for (int64_t number = 0; number < geometry.getLaneDepth(tile); number += kMfmaVector)
    for (int64_t element = 0; element < tile.channels; element += kMfmaVector) {
      const int64_t k = geometry.getLaneK(tile, number);
      SmallVector<Value> values;
      for (int64_t i = 0; i < kMfmaVector; i += width) {
        const int64_t place = getWeightPlace(element, k + i) / width;
        Value held = memref::LoadOp::create(builder, loc, memory, math.add(first, place));
        Value part = vector::BitCastOp::create(builder, loc, partType, held);
        for (int64_t j = 0; j < width; ++j)
          values.push_back(vector::ExtractOp::create(builder, loc, part, j));
      }
      weightVectors[getWeightPlace(element, k)] =
          vector::FromElementsOp::create(builder, loc, rowType, values);
    }
}

/// Adds the products to `sums`, those of a position side by side. Lanes of a block have the same
/// channels, so that the columns of its result are their positions.
void LaneBuilder::multiplyBlocks(const LaneLoads &loads, MutableArrayRef<Value> sums) {
  auto accumulatorType = VectorType::get(kMfmaVector, accType);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accumulatorType));
  SmallVector<Value> blocks(sums.size() / kMfmaVector, zero);
  for (int64_t number = 0; number < geometry.getLaneDepth(tile); number += kMfmaVector)
    for (int64_t element = 0; element < tile.channels; element += kMfmaVector) {
      const int64_t k = geometry.getLaneK(tile, number);
      Value weight = weightVectors.lookup(getWeightPlace(element, k));
      forEachPosition([&](int64_t row, int64_t column) {
        SmallVector<std::array<int64_t, 3>> distances;
        for (int64_t i = 0; i < kMfmaVector; ++i)
          distances.push_back(getFactor(element, row, column, k + i));
        assert(loads.isRun(distances) && "counted so");
        Value &block =
            blocks[((row * tile.columns + column) * tile.channels + element) / kMfmaVector];
        block = multiplyBlock(builder, loc, tile.mfma, weight,
                              loads.getRun(builder, loc, distances), block);
      });
    }
  for (auto [i, block] : llvm::enumerate(blocks))
    for (int64_t row = 0; row < kMfmaVector; ++row)
      sums[i * kMfmaVector + row] = vector::ExtractOp::create(builder, loc, block, row);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether a position has neighbouring channels in several waves, none of which could store whole
/// blocks of memory.
bool LaneBuilder::spansWaves() const {
  if (!tile.mfma || !views.b)
    return false;
  const int64_t ofWave = kMfmaLanes / tile.mfma;
  const int64_t bytes = ofWave * tile.channels * getBits(views.c) / 8;
  return blocks.ofGroup > ofWave && bytes < kBlockBytes &&
         kDirectThreads % (blocks.ofGroup * tile.mfma) == 0;
}

/// Gives each thread the `results` of the thread whose channels follow those of the thread before,
/// through the `lds` that the weights no longer need, and returns their place.
LaneBuilder::Place LaneBuilder::shareResults(Value lds, MutableArrayRef<Value> results) {
  const int64_t units = blocks.ofGroup, lanes = tile.mfma;
  auto type = cast<VectorType>(results[0].getType());
  const int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  const int64_t most = std::max<int64_t>(1, getWeightBytes() / (bytes * kDirectThreads));
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  auto memoryType =
      MemRefType::get({most * kDirectThreads}, type, MemRefLayoutAttrInterface(), space);
  Value memory =
      memref::ViewOp::create(builder, loc, memoryType, lds, math.constant(0), ValueRange());
  // Those of a position are turned by it, so that positions do not meet in banks.
  auto find = [&](Value position, Value unit) {
    return math.add(math.mul(position, units), math.rem(math.add(unit, position), units));
  };
  Value from = find(findLocalPosition(thread), math.rem(math.div(thread, lanes), units));
  Value position = math.div(thread, units);
  Value unit = math.rem(thread, units), to = find(position, unit);
  for (; !results.empty(); results = results.drop_front(std::min<size_t>(most, results.size()))) {
    MutableArrayRef<Value> chunk = results.take_front(most);
    buildLdsBarrier(builder, loc, chip);
    for (auto [i, vector] : llvm::enumerate(chunk))
      memref::StoreOp::create(builder, loc, vector, memory,
                              math.add(from, int64_t(i) * kDirectThreads));
    buildLdsBarrier(builder, loc, chip);
    for (auto [i, vector] : llvm::enumerate(chunk))
      vector =
          memref::LoadOp::create(builder, loc, memory, math.add(to, int64_t(i) * kDirectThreads));
  }
  Value block = math.add(math.mul(math.div(position, lanes), units), unit);
  return findPlace(math.add(math.mul(block, lanes), math.rem(position, lanes)));
}
