//===- LaneWeights.cpp - The weights of a direct kernel -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workgroup copies its weights to LDS in order, from where lanes read their own.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/LaneBuilder.h"
#include "Transforms/LaneMath.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;

static int64_t getBits(const ViewAnalysis &analysis) {
  return analysis.view.getElementType().getIntOrFloatBitWidth();
}

VectorType LaneBuilder::getHeldType(int64_t width) const {
  return VectorType::get(width, builder.getIntegerType(getBits(*views.b)));
}

MemRefType LaneBuilder::getLdsType(int64_t width) const {
  const int64_t vectors = getLdsBytes() * 8 / (width * getBits(*views.b));
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({vectors}, getHeldType(width), MemRefLayoutAttrInterface(), space);
}

int64_t LaneBuilder::getLdsBytes() const {
  return views.b ? weights.getLdsElements() * getBits(*views.b) / 8 : 0;
}

/// Loads the thread's part of the workgroup's weights.
SmallVector<Value> LaneBuilder::loadWeights(const Place &place) {
  ViewType linear = getLinearView(views.b->view);
  Value tensor = op.getB().getDefiningOp<TransformOp>().getTensor();
  Value view = TransformOp::create(builder, loc, linear, tensor);
  Value channel = math.mul(place.channelTile, blocks.ofGroup * tile.channels);
  Value group = math.div(channel, geometry.channels);
  Value first = math.add(math.mul(group, weights.groupStride),
                         math.mul(math.rem(channel, geometry.channels), weights.channelStride));
  first = math.add(first, weights.first);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  SmallVector<Value> loaded;
  auto type = VectorType::get(weights.copyVector, linear.getElementType());
  auto cursorType = CursorType::get(builder.getContext(), linear, FragmentType());
  const int64_t vectors = weights.getLdsElements() / weights.copyVector;
  for (int64_t at = 0; at < vectors; at += kDirectThreads) {
    Value place = math.add(thread, at);
    if (weights.pitch != 0) {
      // Behind its block, a lane keeps the begin of the next one: LDS has no gaps nobody wrote.
      const int64_t block = weights.block / weights.copyVector;
      const int64_t pitch = weights.pitch / weights.copyVector;
      place = math.add(math.mul(math.div(place, pitch), block), math.rem(place, pitch));
    }
    Value element = math.add(first, math.mul(place, weights.copyVector));
    Value cursor = CursorOp::create(builder, loc, cursorType, view, ValueRange{element});
    loaded.push_back(LoadOp::create(builder, loc, type, cursor, ArrayRef<int64_t>{0},
                                    /*in_bounds=*/false));
  }
  return loaded;
}

/// Leaves the loaded weights in `lds` for the workgroup.
void LaneBuilder::keepWeights(Value lds, ArrayRef<Value> loaded) {
  const int64_t width = weights.copyVector;
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  for (auto [i, vector] : llvm::enumerate(loaded)) {
    Value held = vector::BitCastOp::create(builder, loc, getHeldType(width), vector);
    memref::StoreOp::create(builder, loc, held, memory,
                            math.add(thread, int64_t(i) * kDirectThreads));
  }
  buildLdsBarrier(builder, loc, chip);
}

/// How far the first batch of the workgroup's residue moves weights.
Value LaneBuilder::getResidueMove(Value residue) {
  Value sum = math.constant(0);
  for (auto [digit, coefficient] : llvm::zip_equal(views.b->digits, views.b->offset.coefficients)) {
    if (digit.dim != 0 || digit.divisor >= geometry.residues || coefficient == 0)
      continue;
    Value value = math.div(residue, digit.divisor);
    if (digit.modulus != 0 && digit.divisor * digit.modulus < geometry.residues)
      value = math.rem(value, digit.modulus);
    sum = math.add(sum, math.mul(value, coefficient));
  }
  return sum;
}

int64_t LaneBuilder::getWeightPlace(int64_t element, int64_t k) const {
  return ck::getWeightPlace(*views.b, geometry, tile, weights, element, k);
}

/// Number in LDS of the first weight of the lane.
Value LaneBuilder::findFirstWeight(const Place &place) {
  Value group = math.div(place.localChannel, geometry.channels);
  Value channel = math.rem(place.localChannel, geometry.channels);
  Value first =
      math.add(math.mul(group, weights.groupStride), math.mul(channel, weights.channelStride));
  if (geometry.residues > 1)
    first = math.add(first, getResidueMove(place.residue));
  if (weights.pitch == 0)
    return first;
  Value within = math.rem(place.localChannel, weights.blockChannels);
  first = math.mul(math.div(place.localChannel, weights.blockChannels), weights.pitch);
  if (weights.blockChannels > tile.channels)
    first = math.add(first, math.mul(within, weights.channelStride));
  return first;
}

/// Reads the vectors with weights of the lane.
void LaneBuilder::readWeights(const Place &place, Value lds) {
  const int64_t width = weights.readVector;
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value first = math.div(findFirstWeight(place), width);
  auto type = VectorType::get(width, views.b->view.getElementType());
  for (int64_t k = 0; k < geometry.depth; ++k)
    for (int64_t element = 0; element < tile.channels; ++element) {
      const int64_t number = getWeightPlace(element, k) / width;
      Value &vector = weightVectors[number];
      if (vector)
        continue;
      Value held = memref::LoadOp::create(builder, loc, memory, math.add(first, number));
      vector = vector::BitCastOp::create(builder, loc, type, held);
    }
}

Value LaneBuilder::getWeight(int64_t element, int64_t k) {
  const int64_t place = getWeightPlace(element, k);
  return vector::ExtractOp::create(builder, loc, weightVectors.lookup(place / weights.readVector),
                                   place % weights.readVector);
}

//===----------------------------------------------------------------------===//
// Blocks of matrix instructions
//===----------------------------------------------------------------------===//

/// Lanes side by side have the same channels and multiply together; but they load and store
/// neighbouring channels of one position, from and to one block of memory. So each lane does that
/// for another one of its wave: lane 4 u + t for lane 16 t + u and the other way round, with the
/// latter turned by eight where the former would meet others of its half of the wave in a bank.
void LaneBuilder::pairLanes() {
  constexpr int64_t kUnits = kMfmaLanes / kMfmaBlock;
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane = math.rem(thread, kMfmaLanes), wave = math.sub(thread, lane);
  auto turn = [&](Value unit, Value block) {
    Value half = math.mul(math.div(block, kMfmaBlock / 2), kUnits / 2);
    return math.rem(math.add(unit, half), kUnits);
  };
  auto toAddress = [&](Value of) -> Value {
    constexpr int64_t kWordBytes = 4;
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), math.mul(of, kWordBytes));
  };
  Value block = math.rem(lane, kMfmaBlock);
  Value from = math.add(math.mul(block, kUnits), turn(math.div(lane, kMfmaBlock), block));
  loader = toAddress(from);
  block = math.div(lane, kUnits);
  Value to = math.add(math.mul(turn(math.rem(lane, kUnits), block), kMfmaBlock), block);
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
  auto words = VectorType::get(bits / wordBits, word);
  Value held = vector::BitCastOp::create(builder, loc, words, vector);
  SmallVector<Value> values;
  for (int64_t i = 0; i < words.getNumElements(); ++i)
    values.push_back(exchangeWord(vector::ExtractOp::create(builder, loc, held, i)));
  held = vector::FromElementsOp::create(builder, loc, words, values);
  return vector::BitCastOp::create(builder, loc, type, held);
}

/// Reads the weights of the lane's row of each block: those of a channel for four neighbours in K.
void LaneBuilder::readRows(const Place &place, Value lds) {
  const int64_t width = getRowWidth(*views.b, geometry, tile, weights);
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value row = math.mul(math.rem(thread, kMfmaBlock), weights.channelStride);
  Value first = math.div(math.add(findFirstWeight(place), row), width);
  Type type = views.b->view.getElementType();
  auto partType = VectorType::get(width, type), rowType = VectorType::get(kMfmaBlock, type);
  for (int64_t k = 0; k < geometry.depth; k += kMfmaBlock)
    for (int64_t element = 0; element < tile.channels; element += kMfmaBlock) {
      SmallVector<Value> values;
      for (int64_t i = 0; i < kMfmaBlock; i += width) {
        const int64_t number = getWeightPlace(element, k + i) / width;
        Value held = memref::LoadOp::create(builder, loc, memory, math.add(first, number));
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
  auto accumulatorType = VectorType::get(kMfmaBlock, accType);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(accumulatorType));
  SmallVector<Value> blocks(sums.size() / kMfmaBlock, zero);
  for (int64_t k = 0; k < geometry.depth; k += kMfmaBlock)
    for (int64_t element = 0; element < tile.channels; element += kMfmaBlock) {
      Value weight = weightVectors.lookup(getWeightPlace(element, k));
      forEachPosition([&](int64_t row, int64_t column) {
        SmallVector<std::array<int64_t, 3>> distances;
        for (int64_t i = 0; i < kMfmaBlock; ++i)
          distances.push_back(getFactor(element, row, column, k + i));
        assert(loads.isRun(distances) && "counted so");
        Value &block =
            blocks[((row * tile.columns + column) * tile.channels + element) / kMfmaBlock];
        block = multiplyBlock(builder, loc, weight, loads.getRun(builder, loc, distances), block);
      });
    }
  for (auto [i, block] : llvm::enumerate(blocks))
    for (int64_t row = 0; row < kMfmaBlock; ++row)
      sums[i * kMfmaBlock + row] = vector::ExtractOp::create(builder, loc, block, row);
}
