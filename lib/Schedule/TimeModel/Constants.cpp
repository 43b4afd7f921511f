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
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, scatterShare, aheadLatency, asyncLatency, mathGaps.
static constexpr TimeModelConstants kGfx90a = {
    173,     17.1, 0.761,    0.564, 0.0961,   1.79,   17.4, 6.27,   27.6,
    3.5e+03, 6.14, 5.96e+03, 5.45,  1.56e+03, 268,    1.25, 2.84,   4.38,
    0.564,   1.37, 4.27,     0.579, 1.09,     0.0925, 1.54, 0.00187};
static constexpr TimeModelConstants kGfx942 = {
    165, 111,  2,     0.00861, 1.17, 0.718, 2.09,  14.9, 4.09,  3.5e+03, 4.89,  1.17e+04, 86.3,
    253, 4.91, 0.382, 1.05,    1.03, 1.82,  0.183, 1.41, 0.269, 0.939,   0.549, 9.83,     0.187};
static constexpr TimeModelConstants kGfx950 = {
    164, 1.12, 0.243, 1,     2.78,  1.56, 8.47,  16.1, 204,   3.34e+03, 3.09, 1.26e+04, 157,
    609, 7.12, 0.926, 0.886, 0.872, 3.94, 0.305, 2.95, 0.405, 0.0156,   1.03, 1.92,     0.2};
static constexpr TimeModelConstants kGfx1100 = {
    122,      0.552, 0.18, 0.586, 1.36,  0.918, 0.13,   13.7, 11.8,  2.19e+03, 2.94,   156, 332,
    2.82e+03, 95.5,  6.23, 0.418, 0.918, 16,    0.0847, 18.1, 0.452, 0.00604,  0.0219, 412, 0.403};
static constexpr TimeModelConstants kGfx1201 = {
    128,      0.535, 0.168, 0.37,  0.781, 0.955, 0.124,  9.16, 12.8, 1.99e+03, 3.23,   141, 362,
    2.89e+03, 95.5,  0.853, 0.602, 1.01,  16,    0.0833, 18.7, 0.46, 0.00622,  0.0219, 412, 0.502};

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
