//===- PartialTile.h - Where partial tiles lie in the workspace -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial tile holds the accumulators of lanes in groups of kPartialGroup, neighbouring lanes
// beside each other: group after group of wave after wave.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_PARTIALTILE_H
#define CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_PARTIALTILE_H

#include "Transforms/DistributeToWaves/Distribution.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::distribution {

/// Partial tiles in the workspace: `index`, and if they are several, `index + step` and so on.
struct PartialTiles {
  AccType acc; ///< whose accumulators they hold
  Value workspace;
  int64_t first; ///< word of the first partial tile of the workspace
  Value index;
  Value count = {}, step = {}; ///< null: one

  /// Bytes of one of them.
  int64_t getBytes() const;
};

/// The part of partial tiles that a lane of a wave holds. Its addresses are a scalar base, a scalar
/// offset and 32 bits of the lane that are the same for all of it: a lane has no registers left for
/// more. Several tiles need a close workspace. Of those that do not exist, zeros are loaded.
class LanePart {
public:
  /// The part of math wave `wave` from its group `firstGroup` on, which is 0 if it is not given.
  LanePart(const IntMath &math, const Config &config, const PartialTiles &tiles, Value wave,
           Value firstGroup = {});

  /// Loads group `group` of tile `number`, the first if it is not given, as a vector of `type`.
  Value load(VectorType type, int64_t group, Value number = {}) const;
  void store(Value value, int64_t group) const;

private:
  const IntMath &math;
  int64_t groupBytes; ///< of a wave, whose groups lie one after the other
  Value buffer;       ///< the tiles
  Value stepBytes;    ///< from one to the next, if they are several
  Value offset;       ///< bytes from there to the first group of the lane

  Value getOffset(int64_t group, Value number = {}) const;
  Value getBase(int64_t group) const;
};

/// Adds tiles `number` to `number + count - 1`, each of which `load` loads, to `sums`: their loads
/// are in flight at the same time.
void addAtOnce(const IntMath &math, Value number, int64_t count, MutableArrayRef<Value> sums,
               function_ref<SmallVector<Value>(Value)> load);

/// Adds `others` to `sums`; where `exists` is given, only if it is true.
void addVectors(OpBuilder &builder, Location loc, ValueRange others, MutableArrayRef<Value> sums,
                Value exists = {});

} // namespace mlir::ck::distribution

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_TRANSFORMS_DISTRIBUTETOWAVES_PARTIALTILE_H
