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

/// What one GEMM takes with a tile, counted from its views.
struct DirectWork {
  DirectTile tile;
  /// Positions, channels and K of a workgroup.
  std::array<int64_t, 3> block = {1, 1, 1};
  int64_t workgroups = 0;
  double activeLanes = 1;  ///< share of the lanes that have results
  int64_t loads = 0;       ///< of a lane, of the first operand
  int64_t loadBytes = 0;   ///< of one of them
  int64_t stores = 0;      ///< of a lane
  int64_t products = 0;    ///< instructions of a lane that multiply and add
  int64_t weights = 0;     ///< of a lane
  int64_t weightLoads = 0; ///< of a lane from LDS
  int64_t bankCycles = 0;  ///< of the LDS for one of them, of 64 lanes
  int64_t ldsBytes = 0;    ///< weights of a workgroup
  int64_t rowBytes = 0;    ///< consecutive bytes of neighbouring lanes at one position
};

} // namespace mlir::ck

#endif // CK_MLIR_SCHEDULE_DIRECTWORK_H
