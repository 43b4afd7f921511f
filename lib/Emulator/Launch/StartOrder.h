//===- StartOrder.h - Which workgroup starts next -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups start in the order of their numbers, or shuffled. While a launch is timed, those that
// the model wants to see go first, and others may be left out: but when all that run wait for
// someone, it must be one of these.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_STARTORDER_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_STARTORDER_H

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ckemu {

class LaunchRecorder;

/// Used with a lock held.
class StartOrder {
public:
  /// Of `total` workgroups; `recorder` may be null.
  StartOrder(uint64_t total, std::optional<uint64_t> shuffleSeed, LaunchRecorder *recorder);

  /// The workgroup that starts next; none when no further one is to start for now.
  std::optional<uint64_t> takeNext();
  /// One of those that were left out, when all that run wait, the lowest of them with the number
  /// `waiting`: mostly workgroups wait for those shortly before them.
  std::optional<uint64_t> takeLeftOut(uint64_t waiting);
  /// Nothing runs, and nothing is to start: false when that is the end of the launch.
  bool resume();

private:
  const uint64_t total;
  LaunchRecorder *recorder;
  std::vector<uint64_t> shuffled;
  uint64_t position = 0;
  std::vector<uint64_t> leftOut;
  std::deque<uint64_t> resumed; ///< were left out
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_STARTORDER_H
