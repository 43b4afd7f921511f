//===- EvaluateMap.cpp - Transform maps step by step -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies a map to one coordinate as its definition says, without digits: what the analysis is
// tested against.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ViewAnalysis.h"
#include "llvm/ADT/DenseMap.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;

SmallVector<SmallVector<int64_t>> ck::getConsumedSizes(TransformMapAttr map) {
  llvm::DenseMap<StringAttr, int64_t> sizes;
  for (auto [name, size] : llvm::zip_equal(map.getTensorDims(), map.getTensorSizes()))
    sizes[name] = size;
  SmallVector<SmallVector<int64_t>> result;
  for (TransformAttr step : map.getSteps()) {
    SmallVector<int64_t> consumed;
    for (StringAttr name : step.getFrom())
      consumed.push_back(sizes[name]);
    ArrayRef<int64_t> values = step.getValues();
    switch (step.getKind()) {
    case TransformKind::Pass:
      sizes[step.getInto()[0]] = consumed[0];
      break;
    case TransformKind::Pad:
      sizes[step.getInto()[0]] = consumed[0] + values[0] + values[1];
      break;
    case TransformKind::Slice:
      sizes[step.getInto()[0]] = values[1] - values[0];
      break;
    case TransformKind::Embed:
    case TransformKind::Unmerge:
    case TransformKind::Broadcast:
      for (auto [i, name] : llvm::enumerate(step.getInto()))
        sizes[name] = values[i];
      break;
    case TransformKind::Merge:
      sizes[step.getInto()[0]] =
          std::accumulate(consumed.begin(), consumed.end(), int64_t(1), std::multiplies<int64_t>());
      break;
    case TransformKind::Freeze:
      break;
    case TransformKind::Diagonal:
      for (StringAttr name : step.getInto())
        sizes[name] = consumed[0];
      break;
    }
    result.push_back(std::move(consumed));
  }
  return result;
}

std::optional<int64_t> ck::evaluateMap(TransformMapAttr map, ArrayRef<int64_t> coordinates) {
  llvm::DenseMap<StringAttr, int64_t> at;
  for (auto [name, value] : llvm::zip_equal(map.getViewDims(), coordinates))
    at[name] = value;
  SmallVector<SmallVector<int64_t>> sizes = getConsumedSizes(map);
  for (int s = map.getSteps().size() - 1; s >= 0; --s) {
    TransformAttr step = map.getSteps()[s];
    ArrayRef<int64_t> values = step.getValues();
    ArrayRef<StringAttr> from = step.getFrom(), into = step.getInto();
    switch (step.getKind()) {
    case TransformKind::Pass:
      at[from[0]] = at[into[0]];
      break;
    case TransformKind::Pad:
      at[from[0]] = at[into[0]] - values[0];
      if (at[from[0]] < 0 || at[from[0]] >= sizes[s][0])
        return std::nullopt;
      break;
    case TransformKind::Slice:
      at[from[0]] = at[into[0]] + values[0];
      break;
    case TransformKind::Embed: {
      int64_t sum = values.back();
      for (size_t i = 0; i < into.size(); ++i)
        sum += at[into[i]] * values[into.size() + i];
      at[from[0]] = sum;
      break;
    }
    case TransformKind::Unmerge: {
      int64_t sum = 0;
      for (size_t i = 0; i < into.size(); ++i)
        sum = sum * values[i] + at[into[i]];
      at[from[0]] = sum;
      break;
    }
    case TransformKind::Merge: {
      int64_t rest = at[into[0]];
      for (int i = from.size() - 1; i >= 0; --i) {
        at[from[i]] = rest % sizes[s][i];
        rest /= sizes[s][i];
      }
      break;
    }
    case TransformKind::Broadcast:
      break;
    case TransformKind::Freeze:
      at[from[0]] = values[0];
      break;
    case TransformKind::Diagonal:
      if (at[into[0]] != at[into[1]])
        return std::nullopt;
      at[from[0]] = at[into[0]];
      break;
    }
  }
  int64_t offset = 0;
  for (auto [name, size] : llvm::zip_equal(map.getTensorDims(), map.getTensorSizes()))
    offset = offset * size + at[name];
  return offset;
}
