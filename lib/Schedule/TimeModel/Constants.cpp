//===- Constants.cpp - What the model of time was calibrated to -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `SelectionModel --fit` printed these numbers, but for those of `uniformGaps`, `barrierGaps`,
// `codeCycles` and `copyGaps` that are 0, which were not fitted, and for `mallShare` of gfx942,
// gfx950 and gfx1201, `memoryShare` of gfx1201, `flagCycles`, `reduceLatency` and `reduceBytes` of
// gfx942, and `l2Keeps` of gfx90a: with the trials that there were, the fit of these went astray.
// docs/Selection.md says for which problems they were fitted, and how good the choices are for
// others.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Schedule/TimeModel.h"

using namespace mlir::ck;

// In the order of the members:
//   loadLatency, ldsLatency, stepCycles, ldsRead, ldsWrite, addressCycles, stepOps,
//   loadCycles, mathLatency, groupCycles, storeFactor, launchCycles, flagCycles, reduceLatency,
//   reduceBytes, memoryShare, mallShare, l2Share, fillShare, l1Share, l2Keeps,
//   l2Holds, l2Returns, scatterShare, aheadLatency, asyncLatency, uniformGaps, mathGaps,
//   barrierGaps, codeCycles, l1Addresses, memoryLatency, missShare, copyGaps.
static constexpr TimeModelConstants kGfx90a = {
    131,      121, 0.875,  0.384,   0.143, 0.601, 6.25, 31.4,  32.5, 1.6e+03, 1.53,  1.02e+04,
    2.04e+03, 815, 282,    0.706,   1.01,  1.36,  0.71, 0.241, 1.66, 0.31,    0.786, 0.552,
    0.0978,   495, 0.0988, 0.00191, 0,     1.86,  1.01, 0.378, 1.14, 0};
static constexpr TimeModelConstants kGfx942 = {
    152,      77.8, 1.76, 0.27,   0.334, 0.396, 0.636, 41.1,  3.36, 2.86e+03, 0.972, 1.05e+04,
    3.52e+03, 349,  3.91, 0.586,  1,     1.09,  2.32,  0.964, 1.5,  0.358,    1.1,   0.412,
    0.5,      553,  0,    0.0256, 0,     0.339, 0.654, 0.695, 2.64, 0};
static constexpr TimeModelConstants kGfx950 = {
    138,      1.23, 0.241, 0.225, 0.52, 0.641, 1.91, 50.1,  140,   3.39e+03, 1.04,  1.59e+04,
    4.18e+03, 147,  13.8,  1.01,  1.1,  1.68,  1.34, 0.38,  3.4,   0.54,     0.463, 0.37,
    0.196,    25.7, 0,     0.351, 0.1,  0.89,  0.27, 0.677, 0.969, 0};
static constexpr TimeModelConstants kGfx1100 = {
    224,    23.4,     29.1,  1.19,  0.601, 0.402, 0.112, 31.2,  22.3,  2.45e+03, 1.95,  160,
    792,    6.09e+03, 101,   0.851, 1.34,  2.34,  2.86,  1.54,  0.511, 0.412,    0.592, 0.276,
    0.0199, 414,      0.625, 0.449, 0,     0,     0.36,  0.441, 0.774, 0.147};
static constexpr TimeModelConstants kGfx1201 = {
    97.8,     33,       34.8, 0.196, 0.153, 0.315, 0.101, 21.9,  14.4,  3.64e+03, 1.26,  435,
    1.65e+03, 5.41e+03, 106,  0.822, 0.95,  1.55,  4.77,  0.177, 0.696, 0.241,    0.829, 0.217,
    0.0208,   354,      0.64, 0.505, 0,     0,     0.87,  0.823, 1,     0.177};

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
