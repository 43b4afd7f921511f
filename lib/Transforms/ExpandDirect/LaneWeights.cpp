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

using namespace mlir;
using namespace mlir::ck;

VectorType LaneBuilder::getHeldType(int64_t width) const {
  return VectorType::get(width, builder.getIntegerType(getBits(*views.b)));
}

MemRefType LaneBuilder::getLdsType(int64_t width) const {
  const int64_t vectors = getWeightBytes() * 8 / (width * getBits(*views.b));
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({vectors}, getHeldType(width), MemRefLayoutAttrInterface(), space);
}

int64_t LaneBuilder::getWeightBytes() const {
  return views.b ? weights.getLdsElements() * getBits(*views.b) / 8 : 0;
}

int64_t LaneBuilder::getLdsBytes() const {
  // Those of results, of one position at least, come after the weights.
  const int64_t ofPosition =
      spansWaves() ? kDirectThreads * tile.channels * getBits(views.c) / 8 : 0;
  return std::max(getWeightBytes(), ofPosition);
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
Value LaneBuilder::findFirstWeight(Value localChannel, Value residue) {
  Value group = math.div(localChannel, geometry.channels);
  Value channel = math.rem(localChannel, geometry.channels);
  Value first =
      math.add(math.mul(group, weights.groupStride), math.mul(channel, weights.channelStride));
  if (geometry.residues > 1)
    first = math.add(first, getResidueMove(residue));
  if (weights.pitch == 0)
    return first;
  Value within = math.rem(localChannel, weights.blockChannels);
  first = math.mul(math.div(localChannel, weights.blockChannels), weights.pitch);
  if (weights.blockChannels > tile.channels)
    first = math.add(first, math.mul(within, weights.channelStride));
  return first;
}

/// Reads the vectors with weights of the lane.
void LaneBuilder::readWeights(const Place &place, Value lds) {
  const int64_t width = weights.readVector;
  Value memory =
      memref::ViewOp::create(builder, loc, getLdsType(width), lds, math.constant(0), ValueRange());
  Value first = math.div(findFirstWeight(place.localChannel, place.residue), width);
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
