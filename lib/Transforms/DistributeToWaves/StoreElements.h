//===- StoreElements.h - Where the results of a lane lie in a view -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane stores results that are constant distances apart. Where the view is linear these are
// offsets of one cursor; elsewhere each needs a cursor of its own, made once.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STOREELEMENTS_H
#define CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STOREELEMENTS_H

#include "Transforms/DistributeToWaves/Distribution.h"
#include <map>

#pragma GCC visibility push(hidden)

namespace mlir::ck::distribution {

/// Positions in one view that elements of a lane's results correspond to.
class Elements {
public:
  /// Fails if address code cannot follow the map of `view`. `at` is the place of the lane's first.
  static FailureOr<Elements> create(Operation *op, Value view, ArrayRef<Value> at) {
    llvm::Expected<ViewAnalysis> analysis = analyzeView(cast<ViewType>(view.getType()));
    if (!analysis)
      return op->emitOpError(llvm::toString(analysis.takeError()));
    return Elements(view, at, std::move(*analysis));
  }

  ViewType getView() const { return cast<ViewType>(view.getType()); }
  const ViewAnalysis &getAnalysis() const { return analysis; }
  /// True if all elements along `dim` of the tile are one.
  bool areSame(unsigned dim) const { return linear[dim] && analysis.getStride(dim + 1) == 0; }
  /// Row (0) or column (1) of the element `distance` behind the first.
  Value getPlace(const IntMath &math, unsigned dim, std::array<int64_t, 2> distance) const {
    return math.add(at[dim + 1], distance[dim]);
  }

  /// A cursor and the constant offset from it that lead to the element `distance` behind the first.
  /// One cursor serves all that lie along dimensions in which the view is linear.
  std::pair<Value, SmallVector<int64_t>> get(const IntMath &math, std::array<int64_t, 2> distance) {
    std::array<int64_t, 2> moved = {0, 0};
    SmallVector<int64_t> offset = {0, 0, 0};
    for (unsigned dim : {0, 1})
      (linear[dim] ? offset[dim + 1] : moved[dim]) = distance[dim];
    Value &cursor = cursors[moved];
    if (!cursor) {
      auto type = CursorType::get(view.getContext(), getView(), FragmentType());
      SmallVector<Value> place = {at[0], getPlace(math, 0, moved), getPlace(math, 1, moved)};
      cursor = CursorOp::create(math.builder, math.loc, type, view, place);
    }
    return {cursor, offset};
  }

private:
  Elements(Value view, ArrayRef<Value> at, ViewAnalysis analysis)
      : view(view), at(at), analysis(std::move(analysis)) {
    for (unsigned dim : {0, 1})
      linear[dim] = this->analysis.isLinear(dim + 1);
  }

  Value view;
  SmallVector<Value, 3> at;
  ViewAnalysis analysis;
  bool linear[2] = {false, false};
  std::map<std::array<int64_t, 2>, Value> cursors; // by the distance from `at`
};

} // namespace mlir::ck::distribution

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_STOREELEMENTS_H
