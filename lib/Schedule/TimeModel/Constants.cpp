//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers, but for those of `uniformGaps`, `barrierGaps` and
// `codeCycles` that are 0, which were not fitted, and for `mallShare` of gfx942 and gfx950,
// `flagCycles`, `reduceLatency` and `reduceBytes` of gfx942, and `l2Keeps` of gfx90a: with the
// trials that there were, the fit of these went astray. docs/Selection.md says for which problems
// they were fitted, and how good the choices are for others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, l2Returns, scatterShare, aheadLatency, asyncLatency, uniformGaps, mathGaps,
//   barrierGaps, codeCycles, l1Addresses, memoryLatency, missShare.
static constexpr TimeModelConstants kGfx90a = {
    131,      121,      0.875,  0.384, 0.143,  0.601,   6.25, 31.4, 32.5,  1.6e+03, 1.53,
    1.02e+04, 2.04e+03, 815,    282,   0.706,  1.01,    1.36, 0.71, 0.241, 1.66,    0.31,
    0.786,    0.552,    0.0978, 495,   0.0988, 0.00191, 0,    1.86, 1.01,  0.378,   1.14};
static constexpr TimeModelConstants kGfx942 = {
    152,      77.8,     1.76, 0.27, 0.334, 0.396,  0.636, 41.1,  3.36,  2.86e+03, 0.972,
    1.05e+04, 3.52e+03, 349,  3.91, 0.586, 1,      1.09,  2.32,  0.964, 1.5,      0.358,
    1.1,      0.412,    0.5,  553,  0,     0.0256, 0,     0.339, 0.654, 0.695,    2.64};
static constexpr TimeModelConstants kGfx950 = {
    138,      1.23,     0.241, 0.225, 0.52, 0.641, 1.91, 50.1, 140,  3.39e+03, 1.04,
    1.59e+04, 4.18e+03, 147,   13.8,  1.01, 1.1,   1.68, 1.34, 0.38, 3.4,      0.54,
    0.463,    0.37,     0.196, 25.7,  0,    0.351, 0.1,  0.89, 0.27, 0.677,    0.969};
static constexpr TimeModelConstants kGfx1100 = {
    179,   0.649,    0.174,    0.744, 0.407, 0.427, 0.104, 39.1, 26,   1.91e+03, 1.42,
    155,   2.38e+03, 9.62e+03, 101,   0.905, 1.39,  1.32,  2.86, 1.52, 0.511,    0.386,
    0.599, 0.282,    0.0199,   402,   0.449, 0.547, 0,     0,    0.45, 0.544,    1};
static constexpr TimeModelConstants kGfx1201 = {
    228,   0.59,     0.16,   0.118, 0.161, 0.286, 0.106, 35.7, 13.1,  2.43e+03, 0.633,
    435,   2.19e+03, 7e+03,  106,   0.822, 0.942, 1.05,  4.77, 0.177, 0.884,    0.443,
    0.927, 0.217,    0.0208, 354,   0.484, 0.647, 0,     0,    0.535, 1,        1};

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
