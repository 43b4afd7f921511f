//===- DirectTile.h - What a lane of a direct kernel computes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of few channels leave most of a matrix instruction empty. In a direct kernel every lane
// multiplies and adds for itself: neighbouring lanes have neighbouring channels, which are
// consecutive in memory, and a lane keeps its weights in registers for several positions.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_DIRECTTILE_H
#define CK_MLIR_SCHEDULE_DIRECTTILE_H

#include "llvm/ADT/Hashing.h"
#include <cstdint>
#include <string>

namespace mlir::ck {

/// What a lane has of a block of a matrix instruction: neighbours in K of each operand, and rows of
/// a column of the result.
constexpr int64_t kMfmaVector = 4;
/// Lanes of a wave on chips that have such instructions.
constexpr int64_t kMfmaLanes = 64;

/// The results of one lane: `channels` consecutive ones, of all groups together, at each of
/// `columns` x `rows` neighbouring positions. With `slices`, the lane sums over positions instead,
/// as backward-weight does: it has all taps of `channels` consecutive input channels, and adds the
/// products of `columns` x `rows` positions in a step; as many workgroups share the positions. With
/// `mfma`, 4 or 16, matrix instructions multiply blocks of as many rows and columns.
struct DirectTile {
  int64_t channels = 1, columns = 1, rows = 1;
  int64_t slices = 0;
  int64_t mfma = 0;

  bool isSum() const { return slices > 0; }
  /// Lanes of a block of a matrix instruction that have the same column; each has its own rows of
  /// the result, and its own part of K of the operands.
  int64_t getLanesOfColumn() const { return mfma ? mfma / kMfmaVector : 1; }
  bool operator==(const DirectTile &other) const {
    return channels == other.channels && columns == other.columns && rows == other.rows &&
           slices == other.slices && mfma == other.mfma;
  }
};

/// `8x4x2`, `8x4x2:16` with slices, or one of them and `:mfma4` or `:mfma16`.
std::string toString(const DirectTile &tile);
llvm::hash_code hash_value(const DirectTile &tile);

/// Work-items of a workgroup of a direct kernel.
constexpr int64_t kDirectThreads = 256;
/// The same of one whose lanes sum over positions.
constexpr int64_t kSumThreads = 512;

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_DIRECTTILE_H
