//===- LaunchProgress.h - How far a launch is -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line on a terminal for launches that take long, on request: the emulator has some thousandth of
// the speed of a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LAUNCH_LAUNCHPROGRESS_H
#define CK_MLIR_LIB_EMULATOR_LAUNCH_LAUNCHPROGRESS_H

#include "Emulator/Machine/LaunchContext.h"
#include "ck-mlir/Support/ProgressBar.h"

namespace ckemu {

/// The line of one launch; it is removed when the launch is over.
class LaunchProgress {
public:
  explicit LaunchProgress(const LaunchContext &launch);
  /// Notes that `ended` workgroups have ended. By one thread at a time.
  void note(uint64_t ended);

private:
  using Clock = std::chrono::steady_clock;
  std::string name;
  Clock::time_point next; ///< when the line is drawn again
  std::optional<cksupport::ProgressBar> bar;
};

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LAUNCH_LAUNCHPROGRESS_H
