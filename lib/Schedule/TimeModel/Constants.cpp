//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers. docs/Selection.md says for which problems they were
// fitted, and how good the choices are for others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps.
static constexpr TimeModelConstants kGfx90a = {307,  0.839, 2.03,  0.845, 1.27, 1.65,  20.5,
                                               21.2, 25.8,  4390,  3.65,  2650, 11,    836,
                                               3.52, 0.586, 0.768, 6.68,  1.13, 0.137, 2.3};
static constexpr TimeModelConstants kGfx942 = {308,  3.5,  7.39, 0.122, 1.32,  0.968, 0.18,
                                               12.5, 225,  3530, 4.98,  10600, 288,   175,
                                               5.82, 1.07, 1.06, 0.815, 2.56,  0.215, 1.44};
static constexpr TimeModelConstants kGfx950 = {338,  23.1,  1.07,  0.315, 1.93,  0.723, 8.74,
                                               13.8, 352,   3440,  5.09,  12300, 6.88,  819,
                                               5.82, 0.968, 0.982, 0.994, 5.24,  0.352, 2.94};
static constexpr TimeModelConstants kGfx1100 = {338,  1.44, 139,   0.0381, 2.46, 2.31,  0.112,
                                                6.88, 141,  3190,  0.0156, 358,  17.6,  2600,
                                                20.5, 2.48, 0.146, 1.02,   1.64, 0.176, 3.68};
static constexpr TimeModelConstants kGfx1201 = {232,  65.5,  8.5,  0.00363, 0.875, 0.775, 0.112,
                                                7.56, 3.27,  3990, 0.163,   917,   11,    3650,
                                                16.4, 0.605, 0.17, 1.63,    1.49,  0.22,  2.3};

/// Chips without numbers of their own have those of the chip that is most like them.
const TimeModelConstants &mlir::ck::getTimeModelConstants(const ChipInfo &chip) {
  if (chip.name == "gfx942")
    return kGfx942;
  if (chip.name == "gfx950")
    return kGfx950;
  if (chip.hasMfma)
    return kGfx90a;
  return chip.name.starts_with("gfx12") ? kGfx1201 : kGfx1100;
}
