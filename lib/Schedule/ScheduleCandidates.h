//===- ScheduleCandidates.h - What selection chooses from -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of each field of a schedule that selection considers where the request leaves it open.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_SCHEDULE_SCHEDULECANDIDATES_H
#define CK_MLIR_LIB_SCHEDULE_SCHEDULECANDIDATES_H

#include "ck-mlir/Schedule/Schedule.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck::detail {

/// A way to hand out roles and to stand the waves over the tile.
using WaveShapes = llvm::SmallVector<std::array<int64_t, 2>, 3>;
struct RoleCandidate {
  int64_t load = 0;
  /// Groups of the same number of math waves; a group counts only if none before it is legal.
  llvm::SmallVector<WaveShapes> waves;
};

/// How operands get to LDS and from there to registers.
struct DataPath {
  Copies copies = Copies::Staged;
  Reads reads = Reads::Step;
  Stages stages;
};

/// Whether the LDS has room for as many slots of rows as `schedule` has of columns, which are more.
bool fitsEvenly(Schedule schedule, llvm::ArrayRef<GemmShape> shapes, const ChipInfo &chip);

/// The tiles to choose from: two slots in the LDS, and no tile of which half would hold the whole
/// dimension, unless the waves or the matrix instruction of the request may need it.
llvm::SmallVector<std::array<int64_t, 3>>
enumerateTiles(const ScheduleRequest &request, const GemmShape &shape, const ChipInfo &chip);

/// Whether a tile has five or seven times a power of two rows or columns.
bool isBetween(const std::array<int64_t, 3> &tile);

/// Whether WMMAs take twice as long as on a gfx12.
inline bool hasLongWmmas(const ChipInfo &chip) { return chip.name.starts_with("gfx11"); }

/// Uniform waves and, if the request leaves it open, load waves beside at most `mostMath` math
/// waves. `plain` leaves out what a plainer choice stands for.
llvm::SmallVector<RoleCandidate> enumerateRoles(const ScheduleRequest &request,
                                                const ChipInfo &chip, bool plain,
                                                int64_t mostMath = 4);

llvm::SmallVector<std::array<int64_t, 3>>
enumerateInstructions(const ScheduleRequest &request, DataType type, const ChipInfo &chip);

/// What the request leaves open of the paths of operands; `plain` leaves out what a plainer choice
/// stands for.
llvm::SmallVector<DataPath> enumeratePaths(const ScheduleRequest &request, const ChipInfo &chip,
                                           bool plain);

} // namespace mlir::ck::detail

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_SCHEDULE_SCHEDULECANDIDATES_H
