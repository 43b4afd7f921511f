//===- LaneBlocks.cpp - Lanes that multiply together -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions of 4x4 blocks, of four lanes each.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/LaneBuilder.h"
#include "Transforms/LaneMath.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::ck;

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
  return changeWords(builder, loc, vector, exchangeWord);
}

/// Reads the weights of the lane's row of each block: those of a channel for four neighbours in K.
void LaneBuilder::readRows(Value residue, Value lds) {
  const int64_t width = getRowWidth(*views.b, geometry, tile, weights);
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value row = math.mul(math.rem(thread, kMfmaBlock), weights.channelStride);
  Value first = math.div(math.add(findFirstWeight(findLocalChannel(thread), residue), row), width);
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
