//===- TimingSummary.h - What a process learns of modelled times -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program whose launches were timed, and which asked for none of the times, gets a line with them
// when it ends; a program that took the times of events for those of a chip is told whose they are.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_TIMINGSUMMARY_H
#define CK_MLIR_LIB_EMULATOR_HIP_TIMINGSUMMARY_H

#include "Emulator/Chip/ChipModel.h"
#include <map>
#include <string>

namespace ckemu::hip {

class TimingSummary {
public:
  /// A launch was timed: `microseconds` of the kernel.
  void add(const std::string &kernel, double microseconds);
  /// Somebody has asked for a modelled time.
  void noteRead() { isRead = true; }
  /// Somebody has asked for the time between events that is the computer's.
  void noteHostTime() { hasHostTime = true; }

  /// The line for the end of the process, without a line break; empty when there is nothing to say.
  std::string describe(const ChipModel &chip) const;

private:
  struct Launches {
    size_t count = 0;
    double microseconds = 0;
  };
  std::map<std::string, Launches> kernels;
  bool isRead = false, hasHostTime = false;
};

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_TIMINGSUMMARY_H
