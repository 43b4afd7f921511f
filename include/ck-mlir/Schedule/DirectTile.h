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

/// The results of one lane: `channels` consecutive ones, of all groups together, at each of
/// `columns` x `rows` neighbouring positions. With `slices`, the lane sums over positions instead,
/// as backward-weight does: it has all taps of `channels` consecutive input channels, and adds the
/// products of `columns` x `rows` positions in a step; as many workgroups share the positions. With
/// `mfma`, matrix instructions of 4x4 blocks multiply, for four lanes each.
struct DirectTile {
  int64_t channels = 1, columns = 1, rows = 1;
  int64_t slices = 0;
  bool mfma = false;

  bool isSum() const { return slices > 0; }
  bool operator==(const DirectTile &other) const {
    return channels == other.channels && columns == other.columns && rows == other.rows &&
           slices == other.slices && mfma == other.mfma;
  }
};

/// Rows and columns of a block of such a matrix instruction, and the lanes of a block.
constexpr int64_t kMfmaBlock = 4;
/// Lanes of a wave on chips that have them.
constexpr int64_t kMfmaLanes = 64;

/// `8x4x2`, `8x4x2:16` with slices, or one of them and `:mfma`.
std::string toString(const DirectTile &tile);
llvm::hash_code hash_value(const DirectTile &tile);

/// Work-items of a workgroup of a direct kernel.
constexpr int64_t kDirectThreads = 256;
/// The same of one whose lanes sum over positions.
constexpr int64_t kSumThreads = 512;

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_DIRECTTILE_H
