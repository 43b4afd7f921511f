//===- RecomputeTile.h - Results whose sums hold wrong products -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions multiply all rows by all columns, also those elements of B that are padding
// and whose products do not belong to the sum. These are zeros, but for an infinity or NaN in A.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_RECOMPUTETILE_H
#define CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_RECOMPUTETILE_H

#include "Transforms/DistributeToWaves/Distribution.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::distribution {

/// The part of a tile that a wave has: its first row and column in the view, and how many.
struct WaveTile {
  std::array<Value, 2> first;
  std::array<int64_t, 2> size;
};

/// A branch whose first way, taken by a wave that has a NaN in `accs`, computes the results of
/// `tile` of `op` one at a time and stores them. The other way is left to the caller.
scf::IfOp recomputeIfNaN(const IntMath &math, StoreTileOp op, ValueRange accs, const WaveTile &tile,
                         Value lane, int64_t waveSize);

} // namespace mlir::ck::distribution

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_RECOMPUTETILE_H
