//===- Ranker.h - Which of several kernels is best -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of one problem are compared by an estimate, by a table that somebody measured or tuned,
// or by whatever a program knows.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIBRARY_RANKER_H
#define CK_MLIR_LIBRARY_RANKER_H

#include "ck-mlir/Chip/ChipInfo.h"
#include "ck-mlir/Compiler/WorkShapes.h"
#include "ck-mlir/Kernel/KernelRequest.h"
#include <functional>
#include <memory>

namespace mlir::ck {

/// How good a kernel is: first the smaller group, then the smaller cost.
struct Rank {
  int64_t group = 0;
  double cost = 0;
  std::string why; // "<cost> <unit>: ...", for people
};

/// Compares kernels. May be called by several threads at once.
class Ranker {
public:
  virtual ~Ranker();
  /// The rank of the kernel of `request`, whose schedule is complete in `work`.
  virtual llvm::Expected<Rank> rank(const KernelRequest &request,
                                    const ScheduledWork &work) const = 0;
};

/// Ranks by the compiler's own estimate of the time, in cycles.
std::unique_ptr<Ranker> createEstimateRanker();

/// Ranks by a table, a JSON object with an array `kernels` of objects: `problem`, `chip`,
/// `schedule` (complete or not; equal to the schedule of a kernel in the fields that it has) and
/// `microseconds`, or `rank` where only an order is known. Kernels that it lacks come last, by the
/// estimate. Errors name the entry and what is wrong with it.
llvm::Expected<std::unique_ptr<Ranker>> createTableRanker(const llvm::json::Value &table,
                                                          const llvm::Twine &what);

/// Ranks by what `measure` returns, in `unit`.
std::unique_ptr<Ranker>
createMeasuredRanker(std::function<llvm::Expected<double>(const KernelRequest &)> measure,
                     llvm::StringRef unit);

} // namespace mlir::ck

#endif // CK_MLIR_LIBRARY_RANKER_H
