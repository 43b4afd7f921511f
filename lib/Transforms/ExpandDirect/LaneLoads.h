//===- LaneLoads.h - What one lane loads of a view -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbouring results need the same elements, and neighbouring channels elements side by side: all
// that a lane needs is collected first, and then loaded once in vectors.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_LANELOADS_H
#define CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_LANELOADS_H

#include "ck-mlir/IR/ViewAnalysis.h"
#include <map>

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// Elements around the cursor of a lane. They are named by their distance from it, which carries
/// nothing from digit to digit.
class LaneLoads {
public:
  /// `alignment` is that of the cursor without the constant part of its offset.
  LaneLoads(const ViewAnalysis &analysis, int64_t alignment)
      : analysis(analysis), alignment(alignment) {}

  void need(ArrayRef<int64_t> distance);
  /// Loads all that is needed, in the order of memory.
  void load(OpBuilder &builder, Location loc, Value cursor);
  /// Replaces each vector that was loaded by what `exchange` makes of it.
  void exchange(llvm::function_ref<Value(Value)> exchange);
  /// The element at `distance`.
  Value get(OpBuilder &builder, Location loc, ArrayRef<int64_t> distance) const;
  /// Distances of elements.
  using Distances = ArrayRef<std::array<int64_t, 3>>;
  /// Whether the elements are neighbours in a vector, in this order, at a multiple of their number:
  /// two halves are one register then.
  bool isRun(Distances distances) const;
  /// The elements of a run as a vector.
  Value getRun(OpBuilder &builder, Location loc, Distances distances) const;

private:
  /// What tells elements apart: how far they move range checks and, last, the offset.
  using Key = SmallVector<int64_t, 4>;
  struct Element {
    SmallVector<int64_t, 3> distance;
    Value vector;      // that holds it
    int64_t index = 0; // in the vector
  };
  Key getKey(ArrayRef<int64_t> distance) const;
  int64_t getWidth(std::map<Key, Element>::iterator first);

  const ViewAnalysis &analysis;
  int64_t alignment;
  std::map<Key, Element> elements;
};

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_EXPANDDIRECT_LANELOADS_H
