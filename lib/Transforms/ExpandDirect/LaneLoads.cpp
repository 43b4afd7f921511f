//===- LaneLoads.cpp - What one lane loads of a view -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "Transforms/ExpandDirect/LaneLoads.h"

using namespace mlir;
using namespace mlir::ck;

LaneLoads::Key LaneLoads::getKey(ArrayRef<int64_t> distance) const {
  Key key;
  for (const RangeCheck &check : analysis.checks)
    key.push_back(analysis.getMove(check.form, distance));
  key.push_back(analysis.getMove(analysis.offset, distance));
  return key;
}

void LaneLoads::need(ArrayRef<int64_t> distance) {
  elements.try_emplace(getKey(distance), Element{SmallVector<int64_t, 3>(distance), Value(), 0});
}

/// How many elements from `first` on lie side by side, are checked alike and can be loaded at once.
int64_t LaneLoads::getWidth(std::map<Key, Element>::iterator first) {
  const int64_t place = first->first.back() + analysis.offset.constant;
  int64_t run = 1;
  for (auto next = std::next(first); next != elements.end() && run < alignment; ++next, ++run)
    if (next->first.back() != first->first.back() + run ||
        ArrayRef(next->first).drop_back() != ArrayRef(first->first).drop_back())
      break;
  int64_t width = 1;
  while (2 * width <= run && place % (2 * width) == 0 && alignment % (2 * width) == 0)
    width *= 2;
  return width;
}

void LaneLoads::load(OpBuilder &builder, Location loc, Value cursor) {
  Type element = analysis.view.getElementType();
  for (auto it = elements.begin(); it != elements.end();) {
    const int64_t width = getWidth(it);
    Value vector = LoadOp::create(builder, loc, VectorType::get(width, element), cursor,
                                  ArrayRef<int64_t>(it->second.distance), /*in_bounds=*/true);
    for (int64_t i = 0; i < width; ++i, ++it) {
      it->second.vector = vector;
      it->second.index = i;
    }
  }
}

void LaneLoads::exchange(llvm::function_ref<Value(Value)> exchange) {
  llvm::DenseMap<Value, Value> exchanged;
  for (auto &[key, element] : elements) {
    Value &vector = exchanged[element.vector];
    if (!vector)
      vector = exchange(element.vector);
    element.vector = vector;
  }
}

Value LaneLoads::get(OpBuilder &builder, Location loc, ArrayRef<int64_t> distance) const {
  const Element &element = elements.find(getKey(distance))->second;
  return vector::ExtractOp::create(builder, loc, element.vector, element.index);
}

bool LaneLoads::isRun(Distances distances) const {
  const Element &first = elements.find(getKey(distances[0]))->second;
  bool result = first.index % int64_t(distances.size()) == 0;
  for (auto [i, distance] : llvm::enumerate(distances)) {
    const Element &element = elements.find(getKey(distance))->second;
    result &= element.vector == first.vector && element.index == first.index + int64_t(i);
  }
  return result;
}

Value LaneLoads::getRun(OpBuilder &builder, Location loc, Distances distances) const {
  const Element &first = elements.find(getKey(distances[0]))->second;
  auto numbers = llvm::to_vector(llvm::seq(first.index, first.index + int64_t(distances.size())));
  return vector::ShuffleOp::create(builder, loc, first.vector, first.vector, numbers);
}
