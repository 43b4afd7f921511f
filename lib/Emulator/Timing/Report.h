//===- Report.h - What the model of time says beside a time -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_TIMING_REPORT_H
#define CK_MLIR_LIB_EMULATOR_TIMING_REPORT_H

#include "Emulator/Timing/Replay/Replay.h"

namespace ckemu {

/// The fields `bound`, `utilisation`, `stalls`, `roles`, `waves` and `instructions` of
/// docs/emulator/time.md.
llvm::json::Object describeTiming(const TimedLaunch &launch, const SimulatedPart &part,
                                  const ReplayResult &result, const StallTable &stalls,
                                  const LaunchTiming &timing);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_TIMING_REPORT_H
