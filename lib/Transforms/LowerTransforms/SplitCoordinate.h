//===- SplitCoordinate.h - What of a coordinate all lanes share -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The coordinate of a lane is mostly that of a tile, the same for all lanes, and its place inside
// the tile. Digits of the former are scalars, and the same for all cursors at the tile.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_SPLITCOORDINATE_H
#define CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_SPLITCOORDINATE_H

#include "Transforms/IntMath.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// A coordinate as a sum.
struct SplitCoordinate {
  Value tile;   // a multiple of the size of tiles
  Value inside; // below that size; null for 0
};

/// The upper bound of an index, as far as the operations say that make it; none if they do not.
std::optional<int64_t> findUpperBound(Value index);

/// Parts `coordinate`, an index, into a multiple of `size` and what is below `size`, if the terms
/// of its sum show that they are.
std::optional<SplitCoordinate> splitCoordinate(const IntMath &math, Value coordinate, int64_t size);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_LOWERTRANSFORMS_SPLITCOORDINATE_H
