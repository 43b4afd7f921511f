//===- LaunchProgress.cpp - How far a launch is -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LaunchProgress.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Launch/LaunchProgress.h"
#include "Emulator/Load/KernelName.h"

using namespace ckemu;

/// Time before the line is drawn for the first time, and between two drawings.
static constexpr std::chrono::milliseconds kFirst(1000), kBetween(200);

LaunchProgress::LaunchProgress(const LaunchContext &launch) : next(Clock::now() + kFirst) {
  if (!launch.options.progress)
    return;
  name = "workgroups of " + shortenKernelName(launch.kernel.metadata.name);
  bar.emplace(llvm::errs(), launch.shape.getNumGroups());
}

void LaunchProgress::note(uint64_t ended) {
  if (!bar)
    return;
  const Clock::time_point now = Clock::now();
  if (now < next)
    return;
  next = now + kBetween;
  bar->show(ended, name);
}
