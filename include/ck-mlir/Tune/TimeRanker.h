//===- TimeRanker.h - Kernels by how long they take -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ranker that needs no table: it compiles the kernels and times them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_TUNE_TIMERANKER_H
#define CK_MLIR_TUNE_TIMERANKER_H

#include "ck-mlir/Library/KernelLibrary.h"
#include "ck-mlir/Library/Ranker.h"
#include "ck-mlir/Schedule/TuningTable.h"

namespace mlir::ck {

/// Ranks by the time of the kernels that `library` has or compiles, in microseconds: measured on a
/// GPU, and by the model of the chip on the emulator. One kernel is timed at a time, and nothing
/// else may be launched meanwhile. Kernels that cannot be compiled or timed come last, with the
/// reason. `device` must be one of the chip of the requests, and `library` must live as long as
/// the ranker.
std::unique_ptr<Ranker> createTimeRanker(const Device &device, KernelLibrary &library);

/// Ranks by a tuning table: the tuned schedule of a problem comes first, the others follow by the
/// compiler's own estimate.
std::unique_ptr<Ranker> createTuningRanker(TuningTable table);

} // namespace mlir::ck

#endif // CK_MLIR_TUNE_TIMERANKER_H
