//===- DirectWork.h - What a direct kernel does with a tile -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts by which tiles of direct kernels are compared.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_SCHEDULE_DIRECTWORK_H
#define CK_MLIR_SCHEDULE_DIRECTWORK_H

#include "ck-mlir/Schedule/DirectTile.h"
#include <array>
#include <vector>

namespace mlir::ck {

/// How lanes that sum over positions share the results of a GEMM and its positions.
struct SumShares {
  int64_t tiles = 1;   ///< of results, which a workgroup has together
  int64_t units = 1;   ///< lanes of a workgroup that have different results
  int64_t results = 1; ///< of a lane
  int64_t outputs = 1; ///< of each group of a lane
  int64_t steps = 1;   ///< blocks of positions, each of which a lane adds in a step

  /// Results of a workgroup.
  int64_t getResults() const { return units * results; }
  /// Lanes of a workgroup with the same results at different positions.
  int64_t getPositions() const { return kSumThreads / units; }
  /// Blocks of positions of one of `slices`, but for the last one.
  int64_t getStepsOf(int64_t slices) const { return (steps + slices - 1) / slices; }
};

/// What one GEMM takes with a tile, counted from its views.
struct DirectWork {
  DirectTile tile;
  /// Positions, channels and K of a workgroup.
  std::array<int64_t, 3> block = {1, 1, 1};
  int64_t partsOfGroup = 1; ///< workgroups that have other channels of a group, and load the same
  int64_t workgroups = 0;
  double activeLanes = 1;  ///< share of the lanes that have results
  int64_t loads = 0;       ///< of a lane, of the first operand
  int64_t loadBytes = 0;   ///< of one of them
  int64_t stores = 0;      ///< of a lane
  int64_t products = 0;    ///< vector instructions of a lane that multiply and add
  int64_t mfmas = 0;       ///< matrix instructions, each of a wave
  int64_t weights = 0;     ///< of a lane
  int64_t weightLoads = 0; ///< of a lane from LDS
  int64_t bankCycles = 0;  ///< of the LDS for one of them, of 64 lanes
  int64_t ldsBytes = 0;    ///< weights of a workgroup
  int64_t rowBytes = 0;    ///< consecutive bytes of neighbouring lanes at one position
  /// With `tile.slices`, loads, products and registers are those of a step of a lane, of both
  /// operands.
  SumShares sums;
  int64_t conversions = 0; ///< operands to convert, or pairs to put into one register
  int64_t registers = 0;   ///< that loads and sums take
};

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_DIRECTWORK_H
